\ SPDX-License-Identifier: MIT
\ symbols: names and their values. TABLE makes arrays, by DOES>.
: table ( n "name" -- )  create cells allot does> ( i -- addr ) swap cells + ;
32 table symbol-name  32 table symbol-value  variable symbols
: same? ( addr1 addr2 -- flag )  count rot count compare 0= ;
: find-symbol ( addr -- i | -1 )
   symbols @ 0 ?do dup i symbol-name @ same? if drop i unloop exit then loop drop -1 ;
: keep-name ( addr -- addr' )  here swap count dup c,  here swap dup allot move ;
: add-symbol ( addr -- i )
   keep-name symbols @ symbol-name !  0 symbols @ symbol-value !
   symbols @  1 symbols +! ;
: symbol ( addr -- i )  dup find-symbol dup 0< if drop add-symbol else nip then ;
