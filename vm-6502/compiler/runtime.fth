\ SPDX-License-Identifier: MIT
\ runtime: what each program begins with: where it starts, and routines that operators call. A value is in A and X, its
\ high byte in X; the right one of two is in RIGHT, the left one in A and X.
\
\	fp		the frame of the function that runs, below STACK-TOP; its locals are from there upwards
\	arguments	of the function that is called, two bytes each
\	right ptr	of operators; an address that is read or written through
\	left rest signs	of multiplication and division
also assembler
$02 constant fp  $04 constant right  $06 constant ptr  $08 constant left  $0a constant rest
$0c constant signs  $0e constant leading  $10 constant arguments
$f001 constant console

0 value rt-enter    0 value rt-leave    0 value rt-negate  0 value rt-not      0 value rt-multiply
0 value rt-divide   0 value rt-quotient 0 value rt-modulo  0 value rt-left     0 value rt-right
0 value rt-less     0 value rt-greater  0 value rt-equal   0 value rt-number   0 value rt-text
variable main-call  \ where the call of main is

\ JSR main, and a loop that the emulator notices: --until-loop.
: start,  ( -- )
   a[ stack-top low # lda  fp sta  stack-top high # lda  fp 1+ sta
      $20 c, here main-call ! 0 ,  ]a  there a[ jmp ]a ;
\ A: bytes of the frame. X: of the arguments. A full stack stops the processor.
: frames,  ( -- )
   there to rt-enter
   a[ right sta  txa tay  tsx  16 # cpx  cc if, $02 c, then,
      sec fp lda right sbc fp sta  cc if, fp 1+ dec then,
      0 # cpy  ne if, begin, dey  arguments ,y lda  fp )y sta  0 # cpy  eq until, then,  rts ]a
   there to rt-leave
   a[ right sta  clc tya fp adc fp sta  cs if, fp 1+ inc then,  right lda rts ]a ;
: negation,  ( -- )
   there to rt-negate
   a[ left sta left 1+ stx  sec 0 # lda left sbc tay  0 # lda left 1+ sbc tax tya rts ]a
   there to rt-not
   a[ right stx right ora  eq if, 1 # lda 0 # ldx rts then,  0 # lda tax rts ]a ;
: multiplication,  ( -- )
   there to rt-multiply
   a[ left sta left 1+ stx  0 # lda rest sta rest 1+ sta  16 # ldy
      begin,  rest asl rest 1+ rol  right asl right 1+ rol
         cs if, clc rest lda left adc rest sta  rest 1+ lda left 1+ adc rest 1+ sta then,
      dey eq until,  rest lda rest 1+ ldx rts ]a ;
\ Rounds to zero, as C does. The remainder has the sign of the left one.
: division,  ( -- )
   there to rt-divide
   a[ signs stx  right 1+ lda  signs eor  signs 1+ sta
      left lda  signs ldx  mi if, rt-negate jsr left sta left 1+ stx then,
      right 1+ lda  mi if,
         sec 0 # lda right sbc right sta  0 # lda right 1+ sbc right 1+ sta then,
      right lda right 1+ ora  eq if, $02 c, then,
      0 # lda rest sta rest 1+ sta  16 # ldy
      begin,  left asl left 1+ rol rest rol rest 1+ rol
         sec rest lda right sbc tax  rest 1+ lda right 1+ sbc
         cs if, rest 1+ sta rest stx left inc then,
      dey eq until,  rts ]a
   there to rt-quotient
   a[ left sta left 1+ stx  rt-divide jsr  left lda left 1+ ldx
      signs 1+ ldy  mi if, rt-negate jsr then,  rts ]a
   there to rt-modulo
   a[ left sta left 1+ stx  rt-divide jsr  rest lda rest 1+ ldx
      signs ldy  mi if, rt-negate jsr then,  rts ]a ;
: shifts,  ( -- )
   there to rt-left
   a[ right ldy  ne if, left sta left 1+ stx
      begin, left asl left 1+ rol dey eq until,  left lda left 1+ ldx then,  rts ]a
   there to rt-right
   a[ right ldy  ne if, left sta left 1+ stx
      begin, left 1+ lda .a asl  left 1+ ror left ror dey eq until,  left lda left 1+ ldx then,  rts ]a ;
: comparisons,  ( -- )
   there to rt-less
   a[ right cmp txa right 1+ sbc  vs if, $80 # eor then,  .a asl 0 # lda .a rol 0 # ldx rts ]a
   there to rt-greater
   a[ left sta left 1+ stx  right lda left cmp right 1+ lda left 1+ sbc
      vs if, $80 # eor then,  .a asl 0 # lda .a rol 0 # ldx rts ]a
   there to rt-equal
   a[ right cmp eq if, right 1+ cpx eq if, 1 # lda 0 # ldx rts then, then,  0 # lda tax rts ]a ;
\ Ten to the powers 0 to 4; each is subtracted until it is more than what is left.
: numbers,  ( -- )
   there >r  a[ 1 , 10 , 100 , 1000 , 10000 , ]a
   there to rt-number
   a[ left sta left 1+ stx  left 1+ lda  mi if, '-' # lda console sta
         sec 0 # lda left sbc left sta  0 # lda left 1+ sbc left 1+ sta then,
      0 # lda leading sta  8 # ldx
      begin,  '0' 1- # ldy
         begin,  iny  sec left lda r@ ,x sbc left sta  left 1+ lda r@ 1+ ,x sbc left 1+ sta  cc until,
         left lda r@ ,x adc left sta  left 1+ lda r@ 1+ ,x adc left 1+ sta
         tya '0' # cmp ne if, leading sta then,  0 # cpx eq if, leading sta then,
         leading lda ne if, console sty then,
      dex dex mi until,  rts ]a  rdrop ;
\ The text stands behind the call, with a 0 at its end.
: texts,  ( -- )
   there to rt-text
   a[ pla ptr sta pla ptr 1+ sta  0 # ldy
      begin, ptr inc eq if, ptr 1+ inc then,  ptr )y lda  ne if, console sta then,  eq until,
      ptr 1+ lda pha ptr lda pha rts ]a ;
: runtime,  ( -- )  start, frames, negation, multiplication, division, shifts, comparisons, numbers, texts, ;
previous
