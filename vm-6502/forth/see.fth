\ SPDX-License-Identifier: MIT
\
\ see: SEE, which lists a definition cell by cell, with addresses, so that it can be read beside a profile.
\
\	wanted-xt	( -- addr )	variable
\	>name	( xt -- nt | 0 )
\	.xt	( xt -- )	its name, or its address
\	.hex	( u -- )	four digits
\	in-line	( -- addr )	tokens with operands: xt, kind; 1 a cell, 2 a byte, 3 a string, 4 DOES>, 5 a literal
\	operand-kind	( xt -- n )	0: none
\	.text	( addr u -- )	with points for control characters
\	.cell	( addr -- addr' )	shows a cell with its operand, and goes to the next
\	thread-end	( addr -- )	variable: how far branches have reached
\	see-thread	( addr -- )
\	next-header	( -- addr )	variable: where the word that is shown ends
\	code-end	( xt -- addr )	where the next header begins, or HERE
\	.instruction	( addr -- addr' )	shows an instruction, and goes to the next
\	see-code	( xt -- )
\	.place	( nt -- )
\	see-xt	( xt -- )
\	see	( "name" -- )

variable wanted-xt
: >name  wanted-xt !  voclink @
   begin dup while
      dup begin @ dup while
         dup 5 + c@ $20 and 0= if dup name>interpret wanted-xt @ = if nip exit then then
      repeat drop
      2+ @
   repeat ;
: .hex  base @ >r hex 0 <# # # # # #> type space r> base ! ;
: .xt  dup >name ?dup if nip name>string type space else .hex then ;

create in-line
' (lit) , 5 ,  ' branch , 1 ,  ' ?branch , 1 ,  ' (?do) , 1 ,  ' (loop) , 1 ,  ' (+loop) , 1 ,
' (leave) , 1 ,  ' (of) , 1 ,  ' (s") , 3 ,  ' (c") , 3 ,  ' (does>) , 4 ,
' (locals) , 2 ,  ' (locals+) , 2 ,  ' (unlocals) , 2 ,  ' (local@) , 2 ,  ' (local!) , 2 ,  0 , 0 ,
: operand-kind  in-line
   begin dup @ while 2dup @ = if nip 2+ @ exit then 4 + repeat 2drop 0 ;

: .text  over + swap ?do i c@ dup 32 u< over 127 = or if drop 46 then emit loop ;
variable thread-end
: .cell  dup @ dup .xt  operand-kind swap 2+ swap
   case
      1 of dup @ dup .hex  dup thread-end @ u> if thread-end ! else drop then  2+ endof
      2 of count . endof
      3 of count 2dup .text 34 emit + endof
      4 of 3 + endof
      5 of dup @ . 2+ endof
   endcase ;
\ A thread ends with the first EXIT that no branch leads past.
: see-thread  0 thread-end !
   begin
      cr 3 spaces dup .hex
      dup @ ['] exit =  over thread-end @ u< 0= and >r  .cell r>
   until drop cr ;
\ Headers are aligned, by a byte 0 before them.
variable next-header
: code-end  here next-header !  voclink @
   begin dup while
      dup begin @ dup while
         2 pick over u< if dup next-header @ u< if dup next-header ! then then
      repeat drop
      2+ @
   repeat 2drop  next-header @ dup 1- c@ 0= + ;
: .instruction  dup FORTH_POS ! 0 FORTH_POS 2+ !  3 spaces FORTH_DISASSEMBLE host-text type cr
   FORTH_FLAG c@ + ;
: see-code  dup code-end swap 2+ begin 2dup u> while .instruction repeat 2drop ;
: .place  name-place 2dup or if 92 emit space .at else 2drop then ;
: see-xt
   dup @ case
      docol of ." : " dup .xt dup >name ?dup if .place then 2+ see-thread endof
      docon of dup 2+ @ . ." constant " .xt cr endof
      dovalue of dup 2+ @ . ." value " .xt cr endof
      do2value of dup 2+ 2@ swap . . ." 2value " .xt cr endof
      dodefer of ." defer " dup .xt ." is " 2+ @ .xt cr endof
      dovar of ." create " dup .xt ." body " 2+ dup .hex ." holds " @ . cr endof
      over 2+ of ." code " dup .xt dup >name ?dup if .place then cr see-code endof
      ." does> " over .xt ." body " over 2+ .hex  dup 3 + see-thread nip
   endcase ;
: see  known-word
   dup 5 + c@ $80 and if ." immediate " then  name>interpret see-xt ;
