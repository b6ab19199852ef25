\ SPDX-License-Identifier: MIT
\
\ float-text: floats in and out: what the interpreter takes for one, >FLOAT, REPRESENT, and what F. FE. FS. print.
\
\	unread	( -- addr )	2variable: what is not yet read of a text
\	peek	( -- char )	its first, or 0
\	read-on	( -- )
\	read-sign	( -- x )	0 or 80
\	digit?	( -- flag )
\	read-digit	( -- )
\	seen	( -- addr )	variable: how many digits were read
\	lost	( -- addr )	variable: whether digits that were not kept were other than 0
\	read-digits	( n -- )	those after the point reduce SCALE: n is -1
\	read-number	( -- sign flag )	digits with a point; is it a number?
\	read-exponent	( -- flag )	is there an exponent, with nothing behind it?
\	>float	( addr u -- false | true ) ( F: -- | r )
\	mark?	( -- flag )
\	float-number	( addr u -- flag ) ( F: -- | r )	for NUMBER-HOOK
\	(precision)	( -- addr )	variable
\	precision	( -- u )
\	set-precision	( u -- )
\	negative?	( F: r -- r ) ( -- flag )
\	represent	( addr u -- n flag1 flag2 ) ( F: r -- )
\	special?	( F: r -- | r ) ( -- flag )	prints what is no number
\	f-digits	( u -- addr u n ) ( F: r -- )	prints the sign
\	trimmed	( addr u1 -- addr u2 )	without zeros at the end
\	.zeros	( n -- )
\	.pointed	( addr u n -- )	digits with the point before digit n
\	.exponent	( n -- )
\	fs. fe. f.	( F: r -- )

create unread 0 , 0 ,
variable seen
variable lost
: peek  unread 2@ dup if drop c@ else nip then ;
: read-on  unread 2@ 1 /string unread 2! ;
: read-sign  peek dup 45 = $80 and swap  dup 45 = swap 43 = or if read-on then ;
: digit?  peek 48 - 10 u< ;
: read-digit
   peek 48 -  read-on  1 seen +!
   dup bigl c@ or 0= if drop exit then
   kept @ 100 < if (big10+) 1 kept +! exit then
   lost @ or lost !  1 scale +! ;
: read-digits  begin digit? while dup scale +! read-digit repeat drop ;
: read-number  ( -- sign flag )
   0 bigl c!  seen off  lost off  kept off  scale off
   read-sign  0 read-digits  peek 46 = if read-on -1 read-digits then
   lost @ if 1 (big10+) -1 scale +! then  seen @ 0<> ;
: read-exponent  ( -- flag )
   read-sign  0 begin digit? while 10 * peek 48 - + 999 min read-on repeat
   swap if negate then scale +!  unread 2@ nip 0= ;
: mark?  peek 32 or  dup 101 = swap 100 = or ;
: >float
   2dup -trailing nip 0= if 2drop 0. d>f true exit then
   unread 2!  read-number 0= if drop false exit then ( sign )
   unread 2@ nip if
      mark? if read-on else peek 43 = peek 45 = or 0= if drop false exit then then
      read-exponent 0= if drop false exit then
   then  decimal>f true ;
\ The interpreter's floats begin with a digit, behind a sign, and have an E.
: float-number
   base @ 10 <> if 2drop false exit then
   unread 2!  read-sign drop digit? 0= if false exit then
   token 2@ unread 2!  read-number 0= if drop false exit then
   peek 32 or 101 <> if drop false exit then
   read-on read-exponent 0= if drop false exit then
   decimal>f  state @ if postpone fliteral then true ;
' float-number number-hook !

variable (precision)
15 (precision) !
: precision  (precision) @ ;
: set-precision  1 max 17 min (precision) ! ;
: negative?  fhigh c@ $80 and 0<> ;

: represent
   negative? >r
   fclass 2 < if
      fclass if 2dup 48 fill  dup f>decimal >r rot min rot swap move r> else fdrop 48 fill 1 then
      r> true exit
   then
   2dup blank  fclass 2 = if s" inf" else s" nan" then fdrop  rot min rot swap move  0 r> false ;

: special?
   fclass 2 < if false exit then
   negative? if 45 emit then  fclass 2 = if ." inf " else ." nan " then  fdrop true ;
: f-digits
   negative? if 45 emit then  fclass if f>decimal exit then
   fdrop  digits 40 - 40 48 fill  digits 40 - swap 1 ;
: trimmed  begin dup while 2dup + 1- c@ 48 = while 1- repeat then ;
: .zeros  0 max 0 ?do 48 emit loop ;
: .pointed  >r  2dup r@ min type  r@ over - .zeros  46 emit  r> over min /string type ;
: .exponent  69 emit  base @ >r decimal  dup abs 0 <# #s rot sign #> type space  r> base ! ;
: fs.  special? if exit then  precision f-digits >r 1 .pointed  r> 1- .exponent ;
: fe.  special? if exit then  precision f-digits  1- dup 3 mod tuck - >r  1+ .pointed  r> .exponent ;
\ Behind 0. zeros count as digits, too.
: f.
   special? if exit then
   negative? if 45 emit then  fabs  fclass 0= if fdrop ." 0. " exit then
   fdup precision f>decimal nip nip  0 min precision +
   dup 0> if
      f>decimal >r  r@ 0> if trimmed r> .pointed else ." 0." r> negate .zeros trimmed type then
   else drop fdrop ." 0." then space ;
