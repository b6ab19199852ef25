\ SPDX-License-Identifier: MIT
\
\ assembler: CODE words. Operand, mode, instruction; an address below 256 is taken as zero page where the
\ instruction can. What the machine expects of a code word is in layout.inc.
\
\	code double  ( n -- n*2 )  0 ,x asl  1 ,x rol  next jmp  end-code
\	$fe00 )y lda   5 # lda   .a asl   begin, dex  mi until,
\
\	assembler	( -- )	vocabulary of the following, up to N
\	code	( "name" -- )
\	end-code	( -- )
\	;code	( colon-sys -- )
\
\	low	( x -- byte )
\	high	( x -- byte )
\	mode	( -- addr )	variable: the mode chosen for the next instruction
\	# ,x ,y x) )y ) .a	( -- )	choose it: immediate, indexed, indirect, accumulator
\	modes	( "hex"… "name" -- )
\	alu store shift incdec to-x from-x to-y from-y cpxy tests jump call	( -- addr )	what modes a group has
\	?mode	( n -- n )
\	operation	( [operand] opcode modes -- )
\	does-op	( modes opcode "name" -- )
\	ora and eor adc lda cmp sbc sta asl rol lsr ror dec inc	( [operand] -- )
\	ldx stx ldy sty cpx cpy bit jmp jsr	( operand -- )
\	plain	( opcode "name" -- )
\	brk php plp pha pla rti rts clc sec cli sei clv cld sed	( -- )
\	dey iny dex inx nop txa tya tax tay txs tsx	( -- )
\	distance	( target -- n )
\	branch:	( opcode "name" -- )
\	bpl bmi bvc bvs bcc bcs bne beq	( target -- )
\	mi pl vs vc cs cc eq ne	( -- condition )
\	if,	( condition -- orig )
\	then,	( orig -- )
\	else,	( orig1 -- orig2 )
\	begin,	( -- dest )
\	until,	( dest condition -- )
\	again,	( dest -- )
\	while,	( dest condition -- orig dest )
\	repeat,	( orig dest -- )
\	next	( -- addr )	where a code word jumps to at its end
\	ip w xsave n	( -- addr )	registers of the inner interpreter; 16 bytes for a word's own use

vocabulary assembler
: code  parse-name header,  here 2+ ,  also assembler  depth colon-depth ! ;
: end-code  depth colon-depth @ <> -22 ?throw  previous reveal ;
: ;code  state @ 0= -14 ?throw  drop-locals no-locals  ['] (does>) , (;)  also assembler  depth colon-depth ! ; immediate

also assembler definitions
: low  255 and ;
: high  8 rshift ;
variable mode
: #  1 mode ! ;
: ,x  2 mode ! ;
: ,y  3 mode ! ;
: x)  4 mode ! ;
: )y  5 mode ! ;
: )  6 mode ! ;
: .a  7 mode ! ;

\ For each mode, what is added to the opcode: for an operand below 256, for another; ff: never.
: modes  create 8 0 do 2 0 do parse-name evaluate c, loop loop ;
hex
\            address   #        ,x       ,y       x)       )y       )        .a
modes alu     04 0c     08 ff    14 1c    ff 18    00 ff    10 ff    ff ff    ff ff
modes store   04 0c     ff ff    14 1c    ff 18    00 ff    10 ff    ff ff    ff ff
modes shift   04 0c     ff ff    14 1c    ff ff    ff ff    ff ff    ff ff    08 08
modes incdec  04 0c     ff ff    14 1c    ff ff    ff ff    ff ff    ff ff    ff ff
modes to-x    04 0c     00 ff    ff ff    14 1c    ff ff    ff ff    ff ff    ff ff
modes from-x  04 0c     ff ff    ff ff    14 ff    ff ff    ff ff    ff ff    ff ff
modes to-y    04 0c     00 ff    14 1c    ff ff    ff ff    ff ff    ff ff    ff ff
modes from-y  04 0c     ff ff    14 ff    ff ff    ff ff    ff ff    ff ff    ff ff
modes cpxy    04 0c     00 ff    ff ff    ff ff    ff ff    ff ff    ff ff    ff ff
modes tests   04 0c     ff ff    ff ff    ff ff    ff ff    ff ff    ff ff    ff ff
modes jump    ff 00     ff ff    ff ff    ff ff    ff ff    ff ff    ff 20    ff ff
modes call    ff 00     ff ff    ff ff    ff ff    ff ff    ff ff    ff ff    ff ff

: ?mode  ( n -- n ) dup ff = if 0 mode ! #-259 throw then ;
\ The long form is for operands above 255, and for modes that have no other.
: operation  ( [operand] opcode modes -- )
   mode @ 2* +  mode @ 7 = if c@ ?mode + c,  0 mode ! exit then
   dup c@ ff = 3 pick ff u> or if 1+ c@ ?mode + c, , else c@ + c, c, then  0 mode ! ;
: does-op  ( modes opcode "name" -- ) create c, , does> count swap @ operation ;
alu 01 does-op ora   alu 21 does-op and   alu 41 does-op eor   alu 61 does-op adc
alu a1 does-op lda   alu c1 does-op cmp   alu e1 does-op sbc   store 81 does-op sta
shift 02 does-op asl  shift 22 does-op rol  shift 42 does-op lsr  shift 62 does-op ror
incdec c2 does-op dec  incdec e2 does-op inc
to-x a2 does-op ldx  from-x 82 does-op stx  to-y a0 does-op ldy  from-y 80 does-op sty
cpxy e0 does-op cpx  cpxy c0 does-op cpy  tests 20 does-op bit
jump 4c does-op jmp  call 20 does-op jsr

: plain  ( opcode "name" -- ) create c, does> c@ c, ;
00 plain brk  08 plain php  28 plain plp  48 plain pha  68 plain pla  40 plain rti  60 plain rts
18 plain clc  38 plain sec  58 plain cli  78 plain sei  b8 plain clv  d8 plain cld  f8 plain sed
88 plain dey  c8 plain iny  ca plain dex  e8 plain inx  ea plain nop
8a plain txa  98 plain tya  aa plain tax  a8 plain tay  9a plain txs  ba plain tsx

: distance  ( target -- n ) here 1+ -  dup 80 + ff u> if #-260 throw then ;
: branch:  ( opcode "name" -- ) create c, does> c@ c, distance c, ;
10 branch: bpl  30 branch: bmi  50 branch: bvc  70 branch: bvs
90 branch: bcc  b0 branch: bcs  d0 branch: bne  f0 branch: beq

\ A condition is the opcode of the branch that is taken when it does not hold.
10 constant mi  30 constant pl  50 constant vs  70 constant vc
90 constant cs  b0 constant cc  d0 constant eq  f0 constant ne
: if,  ( condition -- orig ) c, here 0 c, ;
: then,  ( orig -- ) here over 1+ -  dup 7f u> if #-260 throw then  swap c! ;
: else,  ( orig1 -- orig2 ) b8 c, 50 if, swap then, ;
: begin,  ( -- dest ) here ;
: until,  ( dest condition -- ) c, distance c, ;
: again,  ( dest -- ) jmp ;
: while,  ( dest condition -- orig dest ) if, swap ;
: repeat,  ( orig dest -- ) jmp then, ;
decimal

next-at constant next
next-at 7 + constant ip
next-at $15 + constant w
$e4 constant xsave
$e8 constant n
previous  forth-wordlist set-current
