\ SPDX-License-Identifier: MIT
\
\ locals: Forth 2012's LOCALS and LOCALS EXT. While a definition has locals, the interpreter asks
\ COMPILE-LOCAL first. A second {: adds to them, outside of control structures. EXIT, ; and DOES> are defined
\ again, to drop the frame of locals before they leave.
\
\	#locals	( -- addr )	variable: how many the definition has
\	fresh	( -- addr )	variable: how many of them have no value yet
\	local-names	( -- addr )	where their numbers are, a byte each, and their names, counted
\	local-end	( -- addr )	variable: where the next name goes
\	wanted	( -- addr )	variable: the name looked for
\	top-first	( -- addr )	variable: true when the first name is that of the top of the stack
\	local?	( addr u -- n true | false )
\	compile-local	( addr u -- addr u false | true )
\	store-local	( addr u -- flag )
\	no-locals	( -- )
\	add-local	( addr u -- )
\	renumber	( -- )	makes room for the fresh ones
\	begin-locals	( -- )	compiles the taking of the values from the stack
\	(local)	( addr u -- )
\	word?	( addr1 u1 addr2 u2 -- addr1 u1 flag )
\	next-local	( -- addr u )	the next name of a declaration, which may go over lines
\	{:	( "text" -- )
\	locals|	( "text" -- )
\	drop-locals	( -- )	compiles the dropping of the frame, if there is one
\	exit	( -- ) ( R: ip -- )
\	:	( "name" -- colon-sys )
\	:noname	( -- xt colon-sys )
\	;	( colon-sys -- )
\	does>	( -- )

variable #locals
variable fresh
$e600 constant local-names
variable local-end
create wanted 0 , 0 ,
variable top-first
\ If locals have the same name, the newest is meant.
: local?  wanted 2!  0 local-names  #locals @ 0 ?do ( number+1 addr )
      count swap count  2dup + >r  wanted 2@ same? if nip 1+ else drop then  r>
   loop drop  dup if 1- true then ;
: compile-local  2dup local? if nip nip ['] (local@) , c, true else false then ;
: store-local  local? if ['] (local!) , c, true else false then ;
: no-locals  #locals off  fresh off  top-first off  local-hook off  to-local off  local-names local-end ! ;
no-locals
: add-local  dup 0= -16 ?throw  dup 31 u> -19 ?throw
   #locals @ 15 >  local-end @ over 2 + + local-names 256 + u> or  -258 ?throw
   fresh @ local-end @ c!  dup >r local-end @ 1+ place  r> 2 + local-end +!  1 fresh +!  1 #locals +! ;
\ A local declared later lies below the earlier ones, so their numbers grow.
: renumber  local-names  #locals @ 0 ?do
      dup c@  i #locals @ fresh @ - < if fresh @ + else top-first @ if fresh @ 1- swap - then then
      over c!  1+ count +
   loop drop ;
: begin-locals  renumber
   #locals @ fresh @ = if ['] (locals) else ['] (locals+) then ,  fresh @ c,
   fresh off  top-first off
   ['] compile-local local-hook !  ['] store-local to-local ! ;
: (local)  dup if add-local else 2drop  fresh @ if top-first on begin-locals then then ;

: word?  2over same? ;
: next-local  begin parse-name dup 0= while 2drop refill 0= -39 ?throw repeat ;
: {:  state @ 0= -14 ?throw  depth colon-depth @ <> #locals @ 0<> and -22 ?throw
   begin next-local  s" :}" word? 0= while  s" --" word? 0= while  s" |" word? 0= while  add-local
   repeat
      2drop begin next-local  s" :}" word? 0= while  s" --" word? 0= while  add-local ['] 0 , repeat then
   then then
   begin s" :}" word? 0= while 2drop next-local repeat 2drop
   fresh @ if begin-locals then ; immediate
: locals|  begin next-local s" |" word? 0= while (local) repeat 2drop 0 0 (local) ; immediate

: drop-locals  #locals @ ?dup if ['] (unlocals) , c, then ;
: exit  state @ 0= -14 ?throw  drop-locals ['] exit , ; immediate
: :  no-locals : ;
: :noname  no-locals :noname ;
: does>  state @ 0= -14 ?throw  drop-locals no-locals  postpone does> ; immediate
: ;  state @ 0= -14 ?throw  drop-locals no-locals  postpone ; ; immediate
