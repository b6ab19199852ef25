\ SPDX-License-Identifier: MIT
\ input: the characters of the source, one after the other: 10 at the end of each line, 0 at the end of all.
create line 256 allot
variable line-length  variable line-at  variable at-end

: next-line  ( -- )  line 254 read-source 0= at-end !  line-length !  0 line-at ! ;
: open-input  ( addr u -- )  open-source next-line ;
: rest-of-line  ( -- addr u )  line line-at @ +  line-length @ line-at @ - ;
: peek  ( -- char )
   at-end @ if 0 exit then
   line-at @ line-length @ < if line line-at @ + c@ else 10 then ;
: next-char  ( -- )
   at-end @ if exit then
   line-at @ line-length @ < if 1 line-at +! else next-line then ;
: skip-chars  ( n -- )  0 ?do next-char loop ;
: skip-line  ( -- )  begin peek dup 10 <> swap 0<> and while next-char repeat ;
