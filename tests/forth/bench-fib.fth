\ SPDX-License-Identifier: MIT
\ bench-fib: calls. 400 rounds of fib 9, which is 109 calls a round.
: fib  dup 2 < if drop 1 exit then  dup 1- recurse  swap 2 - recurse  + ;
: bench  400 0 do 9 fib drop loop ;
bench
