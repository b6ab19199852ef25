\ SPDX-License-Identifier: MIT
\ strings: counted strings that grow, are kept, and are compared.
: add-to  ( char addr -- )  dup >r count + c!  r@ c@ 1+ r> c! ;
: keep  ( addr u -- addr' )  here >r  dup c,  here over allot swap move  r> ;
: same?  ( addr1 u1 addr2 u2 -- flag )  compare 0= ;
\ Whether the first text begins with the second.
: starts?  ( addr1 u1 addr2 u2 -- flag )  rot over < if 2drop drop false exit then  tuck same? ;
: digit?  ( char -- flag )  '0' - 10 u< ;
: letter?  ( char -- flag )  dup '_' = swap $20 or 'a' - 26 u< or ;
