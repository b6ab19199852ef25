\ SPDX-License-Identifier: MIT
\ bench-sieve: memory and loops. One pass over 8192 flags, which stand for the odd numbers from 3.
8192 constant size
create flags size allot
: bench  ( -- n )
   flags size 1 fill  0
   size 0 do
      flags i + c@ if
         i dup + 3 + dup i +
         begin dup size < while 0 over flags + c! over + repeat
         drop drop 1+
      then
   loop ;
bench . cr
