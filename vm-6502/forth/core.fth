\ SPDX-License-Identifier: MIT
\
\ core: the words of Forth 2012's CORE that the kernel lacks: control structures, defining words, numbers in
\ and out, strings. This file is loaded first, so it may use nothing but the kernel.
\
\	?open	( u -- )	throws unless so many cells are those of structures that the definition has begun
\	if	( -- orig )
\	ahead	( -- orig )
\	then	( orig -- )
\	else	( orig1 -- orig2 )
\	begin	( -- dest )
\	until	( dest -- )
\	again	( dest -- )
\	while	( dest -- orig dest )
\	repeat	( orig dest -- )
\	leaves	( -- addr )	variable: the LEAVEs of the loop being compiled, linked
\	do	( -- do-sys )
\	?do	( -- do-sys )
\	(close)	( do-sys xt -- )
\	loop	( do-sys -- )
\	+loop	( do-sys -- )
\	leave	( -- )
\	recurse	( -- )
\	[char]	( "name" -- )
\	char	( "name" -- char )
\	constant	( x "name" -- )
\	variable	( "name" -- )
\	decimal	( -- )
\	hex	( -- )
\	align	( -- )
\	aligned	( addr -- addr )
\	chars	( n -- n )
\	char+	( addr -- addr+1 )
\	hld	( -- addr )	variable: first character of the number being made
\	<#	( -- )
\	hold	( char -- )
\	#>	( xd -- addr u )
\	#	( ud -- ud/base )
\	#s	( ud -- 0 0 )
\	sign	( n -- )
\	spaces	( n -- )
\	u.	( u -- )
\	.	( n -- )
\	strings	( -- addr )	variable: which of two buffers the last interpreted string used
\	keep-string	( addr u -- addr' u )	copies a string to where it lasts for a while
\	sliteral	( addr u -- )
\	s"	( "text" -- addr u )
\	."	( "text" -- )
\	(abort")	( flag addr u -- )
\	abort"	( "text" -- )
\	word	( char "text" -- addr )
\	find	( addr -- addr 0 | xt 1 | xt -1 )
\	environment?	( addr u -- false | … true )

: ?open  state @ 0= -14 ?throw  depth 1- colon-depth @ - > -22 ?throw ;
: ahead  state @ 0= -14 ?throw  ['] branch , here 0 , ; immediate
: if  state @ 0= -14 ?throw  ['] ?branch , here 0 , ; immediate
: then  1 ?open  here swap ! ; immediate
: else  1 ?open  postpone ahead swap postpone then ; immediate
: begin  state @ 0= -14 ?throw  here ; immediate
: until  1 ?open  ['] ?branch , , ; immediate
: again  1 ?open  ['] branch , , ; immediate
: while  1 ?open  postpone if swap ; immediate
: repeat  2 ?open  postpone again postpone then ; immediate

\ The operand cells of LEAVE and ?DO are linked until the loop's end is known.
create leaves 0 ,
: do  state @ 0= -14 ?throw  leaves @ 0 leaves !  ['] (do) ,  here ; immediate
: ?do  state @ 0= -14 ?throw  leaves @ 0 leaves !  ['] (?do) ,  here leaves @ , leaves !  here ; immediate
: (close)  , ,  leaves @
   begin dup while dup @ swap here swap ! repeat drop  leaves ! ;
: loop  2 ?open  ['] (loop) (close) ; immediate
: +loop  2 ?open  ['] (+loop) (close) ; immediate
: leave  0 ?open  ['] (leave) ,  here leaves @ , leaves ! ; immediate
: recurse  0 ?open  last-xt @ compile, ; immediate

: char  next-name drop c@ ;
: [char]  char postpone literal ; immediate
: constant  create docon last-xt @ ! , ;
: variable  create 0 , ;
: decimal  10 base ! ;
: hex  16 base ! ;
: align ;
: aligned ;
: chars ;
: char+  1+ ;

variable hld
: <#  $ec00 hld ! ;
: hold  -1 hld +!  hld @ dup $eb00 u< -17 ?throw  c! ;
: #>  2drop hld @ $ec00 over - ;
: #  0 base @ um/mod >r base @ um/mod r>  rot dup 9 > if 7 + then 48 + hold ;
: #s  begin # 2dup or 0= until ;
: sign  0< if 45 hold then ;
: spaces  begin dup 0> while space 1- repeat drop ;
: u.  0 <# #s #> type space ;
: .  dup abs 0 <# #s rot sign #> type space ;

variable strings
: keep-string  strings @ 256 xor dup strings !  $e800 +  swap 255 min
   2dup 2>r move 2r> ;
: sliteral  state @ 0= -14 ?throw  ['] (s") , string, ; immediate
: s"  34 parse state @ if postpone sliteral else keep-string then ; immediate
: ."  34 parse state @ if postpone sliteral ['] type , else type then ; immediate
: (abort")  rot if err-text 2! -2 throw then 2drop ;
: abort"  postpone s" state @ if ['] (abort") , else (abort") then ; immediate

: word  >r source >in @ over min /string  r@ skip drop source drop - >in !
   r> parse 255 min $ea00 place  $ea00 ;
: find  dup count find-name dup if
   nip dup name>interpret swap 5 + c@ $80 and if 1 else -1 then then ;

\ Queries answered with one cell, then those with two.
: environment?
   2dup s" /COUNTED-STRING" same? if 2drop 255 true exit then
   2dup s" /HOLD" same? if 2drop 256 true exit then
   2dup s" /PAD" same? if 2drop 256 true exit then
   2dup s" ADDRESS-UNIT-BITS" same? if 2drop 8 true exit then
   2dup s" FLOORED" same? if 2drop true true exit then
   2dup s" MAX-CHAR" same? if 2drop 255 true exit then
   2dup s" MAX-D" same? if 2drop -1 32767 true exit then
   2dup s" MAX-N" same? if 2drop 32767 true exit then
   2dup s" MAX-U" same? if 2drop -1 true exit then
   2dup s" MAX-UD" same? if 2drop -1 -1 true exit then
   2dup s" RETURN-STACK-CELLS" same? if 2drop 116 true exit then
   2dup s" STACK-CELLS" same? if 2drop 80 true exit then
   2dup s" #LOCALS" same? if 2drop 16 true exit then
   2dup s" WORDLISTS" same? if 2drop 8 true exit then
   2drop false ;
