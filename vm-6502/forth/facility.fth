\ SPDX-License-Identifier: MIT
\
\ facility: Forth 2012's FACILITY and FACILITY EXT. The cursor is moved by ANSI sequences; keys beyond the
\ characters arrive as the bytes the terminal sends.
\
\	.ansi	( u -- )
\	at-xy	( u1 u2 -- )
\	page	( -- )
\	ms	( u -- )
\	time&date	( -- second minute hour day month year )
\	utime	( -- ud )	microseconds of the host's clock, its lower 32 bits
\	ekey	( -- x )
\	ekey?	( -- flag )
\	ekey>char	( x -- x false | char true )
\	ekey>fkey	( x -- x flag )
\	emit?	( -- flag )
\	begin-structure	( "name" -- struct-sys 0 )
\	end-structure	( struct-sys +n -- )
\	+field	( n1 n2 "name" -- n3 )
\	field:	( n1 "name" -- n2 )
\	cfield:	( n1 "name" -- n2 )
\	keys:	( x "name"… -- )	names codes of function keys
\	k-left k-right k-up k-down k-home k-end k-prior k-next k-insert k-delete	( -- x )
\	k-f1 k-f2 k-f3 k-f4 k-f5 k-f6 k-f7 k-f8 k-f9 k-f10 k-f11 k-f12	( -- x )
\	k-shift-mask k-ctrl-mask k-alt-mask	( -- x )

: .ansi  ( n -- ) base @ >r decimal 0 <# #s #> type r> base ! ;
: at-xy  27 emit 91 emit 1+ .ansi 59 emit 1+ .ansi 72 emit ;
: page  27 emit ." [2J" 0 0 at-xy ;
: ms  FORTH_POS ! 0 FORTH_POS 2+ !  FORTH_MS host drop ;
: time&date  pad FORTH_ADDR ! FORTH_TIME host drop
   pad 5 0 do count swap loop @ ;
: utime  pad FORTH_ADDR ! FORTH_MICROS host drop  pad @ pad 2+ @ ;
: ekey  key ;
: ekey?  key? ;
: ekey>char  dup 256 u< ;
: ekey>fkey  false ;
: emit?  true ;

: begin-structure  create here 0 0 , does> @ ;
: end-structure  swap ! ;
: +field  create over , + does> @ + ;
: field:  2 +field ;
: cfield:  1 +field ;

\ Function keys have codes, so that programs that name them compile; EKEY never gives one.
: keys:  begin parse-name dup while header, reveal docon , dup , 1+ repeat 2drop drop ;
$100 keys: k-left k-right k-up k-down k-home k-end k-prior k-next k-insert k-delete
$110 keys: k-f1 k-f2 k-f3 k-f4 k-f5 k-f6 k-f7 k-f8 k-f9 k-f10 k-f11 k-f12
$200 constant k-shift-mask
$400 constant k-ctrl-mask
$800 constant k-alt-mask
