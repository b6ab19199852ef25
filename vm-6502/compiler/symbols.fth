\ SPDX-License-Identifier: MIT
\ symbols: the names of a program, the newest last. SIZE is 1 for char, 2 for int. AT of a function is its address,
\ or while that is not known the last call of it; COUNT is of its arguments, or of an array's elements.
1 constant k-variable  2 constant k-array  3 constant k-function
4 constant k-local     5 constant k-local-array  6 constant k-declared

128 constant most-symbols
: column  ( "name" -- )  create most-symbols cells allot  does> ( i -- addr ) swap cells + ;
column symbol-name  column symbol-kind  column symbol-size  column symbol-at  column symbol-count
variable symbols#
variable globals#  \ symbols before this are seen everywhere

\ Names of a function or a block are forgotten at its end.
: forget-symbols  ( n -- )  symbols# ! ;
: find-symbol  ( addr u -- i | -1 )
   symbols# @ begin dup while
      1-  >r 2dup r@ symbol-name @ count same? if 2drop r> exit then  r>
   repeat  drop 2drop -1 ;
: add-symbol  ( addr u -- i )
   symbols# @ most-symbols = if s" too many names" error then
   keep symbols# @ symbol-name !  symbols# @  1 symbols# +! ;
