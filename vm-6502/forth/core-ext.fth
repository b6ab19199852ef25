\ SPDX-License-Identifier: MIT
\
\ core-ext: Forth 2012's CORE EXT, except what the kernel has.
\
\	case	( -- case-sys )
\	of	( -- of-sys )
\	endof	( of-sys -- )
\	endcase	( case-sys -- )
\	.(	( "text" -- )
\	.r	( n1 n2 -- )
\	u.r	( u n -- )
\	holds	( addr u -- )
\	erase	( addr u -- )
\	pad	( -- addr )
\	unused	( -- u )
\	c"	( "text" -- addr )
\	value	( x "name" -- )
\	no-action	( -- )	what a deferred word does at first
\	defer	( "name" -- )
\	defer@	( xt1 -- xt2 )
\	defer!	( xt2 xt1 -- )
\	to-local	( -- addr )	variable: xt ( addr u -- flag ) that compiles storing to a local
\	(to)	( xt -- )	compiles storing to a value
\	to	( x "name" -- )
\	(defer)	( "name" -- xt )
\	is	( xt "name" -- )
\	action-of	( "name" -- xt )
\	buffer:	( u "name" -- )
\	trim	( link-offset list limit -- )	cuts what is newer than an address off a list
\	unhook	( limit addr -- limit )	clears a hook to what is newer than an address
\	error-hook	( -- addr )	variable: xt ( -- ) that is run after an error that nobody caught, or 0
\	trim-all	( limit -- )
\	marker	( "name" -- )
\	[compile]	( "name" -- )
\	>digit	( char -- u )	of a hexadecimal digit
\	escape	( addr u -- addr' u' char )	takes one character, which may be an escape
\	s\"	( "text" -- addr u )

: case  0 ; immediate
: of  ['] (of) , here 0 , ; immediate
: endof  postpone else ; immediate
: endcase  ['] drop ,  begin ?dup while postpone then repeat ; immediate

: .(  41 parse type ; immediate
: .r  >r dup abs 0 <# #s rot sign #>  r> over - spaces type ;
: u.r  >r 0 <# #s #>  r> over - spaces type ;
: holds  begin dup while 1- 2dup + c@ hold repeat 2drop ;
: erase  0 fill ;
$ec00 constant pad
: unused  memtop @ here - ;
: c"  state @ 0= -14 ?throw  34 parse ['] (c") , string, ; immediate

: value  create dovalue last-xt @ ! , ;
: no-action  -262 throw ;
: defer  create dodefer last-xt @ !  ['] no-action , ;
: defer@  >body @ ;
: defer!  >body ! ;

variable to-local
: (to)  ( xt -- ) dup @ dovalue = if >body postpone literal ['] ! , exit then
   dup @ do2value = if >body postpone literal ['] 2! , exit then  -32 throw ;
: to  next-name
   state @ if to-local @ if 2dup to-local @ execute if 2drop exit then then then
   2dup token 2! find-name dup 0= -13 ?throw name>interpret
   state @ if (to) exit then
   dup @ dovalue = if >body ! exit then
   dup @ do2value = if >body 2! exit then  -32 throw ; immediate
: (defer)  ( -- xt ) ' dup @ dodefer <> -32 ?throw ;
: is  (defer) state @ if >body postpone literal ['] ! , else defer! then ; immediate
: action-of  (defer) state @ if >body postpone literal ['] @ , else defer@ then ; immediate
: buffer:  create allot ;

\ Lists grow upwards in memory, so the entries newer than an address can be cut off.
: trim  ( link-offset list limit -- ) >r
   begin dup @ r@ u< 0= while 2dup @ + @ over ! repeat 2drop rdrop ;
: unhook  ( limit addr -- limit ) 2dup @ u> if drop else off then ;
variable error-hook
: trim-all  ( limit -- ) number-hook unhook error-hook unhook >r  2 voclink r@ trim  0 file-names r@ trim
   voclink begin @ dup while 0 over r@ trim 2+ repeat drop rdrop ;
: marker  here create , current @ , (order) here 20 dup allot move
   does>  dup 2@ dup dp ! trim-all current !  2 cells + (order) 20 move ;

: [compile]  ' compile, ; immediate

: >digit  upper dup 57 > if 7 - then 48 - ;
: escape  over c@ >r 1 /string  r@ 92 <> if r> exit then  rdrop
   over c@ >r 1 /string  r>
   case
      [char] a of 7 endof  [char] b of 8 endof  [char] e of 27 endof  [char] f of 12 endof
      [char] l of 10 endof  [char] n of 10 endof  [char] q of 34 endof  [char] r of 13 endof
      [char] t of 9 endof  [char] v of 11 endof  [char] z of 0 endof
      [char] x of over c@ >digit 16 * >r 1 /string over c@ >digit r> + >r 1 /string r> endof
      dup
   endcase ;
\ \m is the only escape for two characters; it gets its second one here.
: s\"  strings @ 256 xor $e800 +  0  source >in @ /string
   begin dup while
      over c@ 34 = if 1 /string  drop source drop - >in !
         state @ if postpone sliteral else keep-string then exit then
      2dup 2 min s" \m" compare 0= if
         2 /string 2swap 2dup + 13 over c! 1+ 10 swap c! 2 + 2swap
      else
         escape >r 2swap 2dup + r> swap c! 1+ 2swap
      then
   repeat  2drop drop -39 throw ; immediate
