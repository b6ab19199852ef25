\ SPDX-License-Identifier: MIT
\ symbols, the second version: in lists by a sum of their letters, the newest first.
1 constant k-variable  2 constant k-array  3 constant k-function
4 constant k-local     5 constant k-local-array  6 constant k-declared

128 constant most-symbols
: column  ( "name" -- )  create most-symbols cells allot  does> ( i -- addr ) swap cells + ;
column symbol-name  column symbol-kind  column symbol-size  column symbol-at  column symbol-count
column symbol-next  column symbol-list
variable symbols#
variable globals#
create lists 64 allot  \ 32 of them; the number of the first symbol, plus one; 0: none
lists 64 erase

: list-of  ( addr u -- addr' )  tuck over + 1- c@ swap c@ 2* + +  31 and 2* lists + ;
: forget-symbols  ( n -- )
   begin dup symbols# @ < while
      -1 symbols# +!  symbols# @ symbol-next @  symbols# @ symbol-list @ !
   repeat  drop ;
: find-symbol  ( addr u -- i | -1 )
   2dup list-of begin @ dup while
      1- >r 2dup r@ symbol-name @ count same? if 2drop r> exit then  r> symbol-next
   repeat  drop 2drop -1 ;
: add-symbol  ( addr u -- i )
   symbols# @ most-symbols = if s" too many names" error then
   2dup list-of  dup symbols# @ symbol-list !  dup @ symbols# @ symbol-next !
   symbols# @ 1+ swap !
   keep symbols# @ symbol-name !  symbols# @  1 symbols# +! ;
