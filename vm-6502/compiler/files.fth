\ SPDX-License-Identifier: MIT
\ files: the source, the result, and errors in the source.
variable source-file  variable line-number
variable word-line  \ where the last word read begins
create source-name 256 allot

: place-name  ( addr u addr' -- )  2dup c!  1+ swap move ;
: open-source  ( addr u -- )
   2dup source-name place-name  r/o open-file throw source-file !  0 line-number ! ;
: read-source  ( addr u1 -- u2 flag )  source-file @ read-line throw  1 line-number +! ;
: write-result  ( addr u name u -- )
   w/o create-file throw >r  r@ write-file throw  r> close-file throw ;

: .where  ( -- )  5 outdev!  source-name count type ." :" word-line @ 0 .r ." : " ;
: give-up  ( -- )  cr  1 (bye) ;
: error  ( addr u -- )  .where type give-up ;
: error-about  ( addr1 u1 addr2 u2 -- )  .where 2swap ." '" type ." ' " type give-up ;
