\ SPDX-License-Identifier: MIT
\ input, the second version: a line is followed by its 10, so that a character needs no comparisons.
create line 256 allot
variable line-end  variable line-at  variable at-end

: next-line  ( -- )
   line 254 read-source 0= at-end !  line + line-end !  line line-at !
   at-end @ if 0 else 10 then line-end @ c! ;
: open-input  ( addr u -- )  open-source next-line ;
: rest-of-line  ( -- addr u )  line-at @  line-end @ over - ;
: peek  ( -- char )  line-at @ c@ ;
: next-char  ( -- )
   line-at @ line-end @ = if at-end @ 0= if next-line then else 1 line-at +! then ;
: skip-chars  ( n -- )  line-at +! ;
: skip-line  ( -- )  line-end @ line-at ! ;
