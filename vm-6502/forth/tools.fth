\ SPDX-License-Identifier: MIT
\
\ tools: Forth 2012's TOOLS and TOOLS EXT, except SEE (see.fth) and CODE (assembler.fth).
\
\	.s	( -- )
\	?	( addr -- )
\	.byte	( u -- )
\	.line	( addr -- )	sixteen bytes
\	dump	( addr u -- )
\	traverse-wordlist	( … xt wid -- … )	xt is ( … nt -- … flag )
\	(words)	( column nt -- column flag )
\	words	( -- )
\	name>compile	( nt -- x xt )
\	name-place	( nt -- line file )	where it was defined
\	locate	( "name" -- )	says where it was defined
\	synonym	( "newname" "oldname" -- )
\	only forth bye words order set-order forth-wordlist	( … -- … )	again, in ROOT-WORDLIST
\	cs-pick	( … u -- … )
\	cs-roll	( … u -- … )
\	n>r	( xn … x1 n -- ) ( R: -- x1 … xn n )
\	nr>	( -- xn … x1 n ) ( R: x1 … xn n -- )
\	[defined]	( "name" -- flag )
\	[undefined]	( "name" -- flag )
\	[else]	( "text" -- )
\	[if]	( flag "text" -- )
\	[then]	( -- )
\	forget	( "name" -- )

: .s  ." <" depth 0 .r ." > "  depth 0 ?do depth i - 1- pick . loop ;
: ?  @ . ;
: .byte  base @ >r hex 0 <# # # #> type space r> base ! ;
: .line  dup 16 over + swap do i c@ .byte loop space
   16 over + swap do i c@ dup 32 127 within 0= if drop 46 then emit loop ;
: dump  base @ >r hex
   over + swap ?do cr i 5 u.r ."   " i .line 16 +loop cr r> base ! ;

: traverse-wordlist
   begin @ dup while 2dup 2>r swap execute 0= if 2r> 2drop exit then 2r> repeat 2drop ;
: (words)  name>string
   rot over + 1+ dup FORTH_COLUMNS c@ u> if cr drop dup 1+ then -rot type space true ;
: words  0 ['] (words) (order) 2+ @ traverse-wordlist drop cr ;
: name>compile  dup name>interpret swap 5 + c@ $80 and if ['] execute else ['] compile, then ;
: name-place  2+ dup @ swap 2+ c@ ;
: locate  known-word
   name-place 2dup or if .at else 2drop ." console" then cr ;

\ A synonym's header has the other word's xt where a code field would be.
: synonym  parse-name header,  known-word
   dup name>interpret ,  5 + c@ $80 and $20 or
   latest @ 5 + dup >r c@ or r> c!  reveal ;

root-wordlist set-current
synonym only only  synonym forth forth  synonym bye bye  synonym words words  synonym order order
synonym set-order set-order  synonym forth-wordlist forth-wordlist
forth-wordlist set-current

: cs-pick  pick ;
: cs-roll  roll ;
\ The cell of the caller stays on top; the moved cells go below it.
: n>r  dup begin dup while rot r> swap >r >r 1- repeat drop  r> swap >r >r ;
: nr>  r> r> swap >r  dup begin dup while r> r> swap >r -rot 1- repeat drop ;

: [defined]  parse-name find-name 0<> ; immediate
: [undefined]  parse-name find-name 0= ; immediate
: [else]
   1 begin
      begin parse-name dup while
         2dup s" [IF]" same? if 2drop 1+ else
         2dup s" [ELSE]" same? if 2drop 1- dup if 1+ then else
         s" [THEN]" same? if 1- then then then
         ?dup 0= if exit then
      repeat 2drop
      refill 0=
   until drop  s" [IF]" token 2!  -58 throw ; immediate
: [if]  0= if postpone [else] then ; immediate
: [then] ; immediate

: forget  known-word
   dup [ here ] literal u< -15 ?throw  dup dp ! trim-all ;
