\ SPDX-License-Identifier: MIT
\
\ float-core: how doubles of IEEE 754 are taken apart and put together again, in machine code.
\
\ Floats have a stack of their own, 31 deep: a page, FSP being the offset of the top in it. A float there is its eight bytes,
\ low ones first. A primitive unpacks its operands into A and B, works, and packs A.
\
\	mantissa   zero page, 8 bytes, bit 63 set
\	exponent   the value is mantissa / 2^63 * 2^exponent
\	sign       0 or 80
\	class      0 zero, 1 finite, 2 infinite, 3 not a number
\
\ A double has 53 of these 64 bits. The other 11 are for rounding; bit 0 stands for all bits below it, too.
\
\	fa fb fr	( -- addr )	zero page: the mantissas of A and B, and eight bytes more
\	float-page	( -- addr )	the stack
\	fsp	( -- addr )	a byte
\	fa-exponent fa-sign fa-class fb-exponent fb-sign fb-class	( -- addr )
\	fcount fbit fsticky fresult	( -- addr )	bytes; fresult: where on the stack the result goes
\	subroutine	( "name" -- )	begins one; all that follow are such
\	end-subroutine	( -- )
\	fshl	( -- addr )	shifts the mantissa at X to the left
\	fshr	( -- addr )	to the right, with C from above; what falls out stays in bit 0
\	fshr8	( -- addr )	shifts B by a byte
\	funpack	( -- addr )	the float at Y to B
\	f>a	( -- addr )	B to A
\	fput	( -- addr )	A to the float at Y; its exponent is the field's
\	fclear-a	( -- addr )
\	fput-zero fput-infinite fput-nan	( -- addr )	to the float at Y, with the sign of A
\	fzero?	( -- addr )	Z: the mantissa of A is 0
\	fa-more fa-less	( -- addr )	add 1 to the exponent of A, subtract 1
\	fnormal?	( -- addr )	C: the exponent's field is at least 1
\	fround-up fnormalize	( -- addr )
\	fpack	( -- addr )	A, rounded, to the float at Y
\	funderflow foverflow	( -- )	throw
\	fthrow fempty ffull	( -- addr )	leave a primitive and the subroutine that it is in for these
\	fboth	( -- addr )	the second to A, the top to B, Y where the result goes. C: it is there, being no number
\	funary	( -- addr )	the top to A and B, Y where it is
\	fdone	( -- addr )	the end of a primitive, with the result on the top
\	fgive fgive-nan fgive-infinite fgive-zero	( -- addr )	put A, or these, there before

: subroutine  create also assembler ;
: end-subroutine  previous ;

$e8 constant fa
$f0 constant fb
$f8 constant fr
create float-page 256 allot
create fsp 0 c,
create fa-exponent 0 , 0 c, 0 c,
fa-exponent 2 + constant fa-sign
fa-exponent 3 + constant fa-class
create fb-exponent 0 , 0 c, 0 c,
fb-exponent 2 + constant fb-sign
fb-exponent 3 + constant fb-class
create fcount 0 c,
create fbit 0 c,
create fsticky 0 c,
create fresult 0 c,

subroutine fshl
   0 ,x asl  1 ,x rol  2 ,x rol  3 ,x rol  4 ,x rol  5 ,x rol  6 ,x rol  7 ,x rol  rts
end-subroutine
subroutine fshr
   7 ,x ror  6 ,x ror  5 ,x ror  4 ,x ror  3 ,x ror  2 ,x ror  1 ,x ror  0 ,x ror
   cs if,  1 # lda  0 ,x ora  0 ,x sta  then,  rts
end-subroutine
subroutine fshr8
   fb lda  fsticky ora  fsticky sta
   0 # ldx  begin,  fb 1+ ,x lda  fb ,x sta  inx  7 # cpx  eq until,
   0 # lda  fb 7 + sta  rts
end-subroutine

subroutine funpack
   float-page 7 + ,y lda  $80 # and  fb-sign sta
   float-page 7 + ,y lda  $7f # and  fb-exponent sta
   0 # lda  fb-exponent 1+ sta  fb sta
   4 # ldx  float-page 6 + ,y lda
   begin,  .a asl  fb-exponent rol  fb-exponent 1+ rol  dex  eq until,
   float-page 6 + ,y lda  $0f # and  fb 7 + sta
   float-page 5 + ,y lda  fb 6 + sta  float-page 4 + ,y lda  fb 5 + sta  float-page 3 + ,y lda  fb 4 + sta
   float-page 2 + ,y lda  fb 3 + sta  float-page 1+ ,y lda  fb 2 + sta  float-page ,y lda  fb 1+ sta
   fb 2 + ora  fb 3 + ora  fb 4 + ora  fb 5 + ora  fb 6 + ora  fb 7 + ora  fcount sta
   1 # lda  fb-class sta
   fb-exponent lda  fb-exponent 1+ ora  eq if,
      fcount lda  eq if,  fb-class sta  rts  then,
      fb-exponent inc
   else,
      fb 7 + lda  $10 # ora  fb 7 + sta
   then,
   fb-exponent 1+ lda  7 # cmp  eq if,  fb-exponent lda  $ff # cmp  eq if,
      2 # lda  fb-class sta  fcount lda  ne if,  fb-class inc  then,  rts
   then,  then,
   sec  fb-exponent lda  $ff # sbc  fb-exponent sta  fb-exponent 1+ lda  3 # sbc  fb-exponent 1+ sta
   fb # ldx  fshl jsr  fshl jsr  fshl jsr
   begin,  fb 7 + lda  pl while,
      fshl jsr  fb-exponent lda  eq if,  fb-exponent 1+ dec  then,  fb-exponent dec
   repeat,  rts
end-subroutine

subroutine f>a
   7 # ldx  begin,  fb ,x lda  fa ,x sta  dex  mi until,
   3 # ldx  begin,  fb-exponent ,x lda  fa-exponent ,x sta  dex  mi until,  rts
end-subroutine

subroutine fput
   4 # ldx  begin,  fa-exponent asl  fa-exponent 1+ rol  dex  eq until,
   fa # ldx  clc  fshr jsr  clc  fshr jsr  clc  fshr jsr
   fa 1+ lda  float-page ,y sta  fa 2 + lda  float-page 1+ ,y sta  fa 3 + lda  float-page 2 + ,y sta
   fa 4 + lda  float-page 3 + ,y sta  fa 5 + lda  float-page 4 + ,y sta  fa 6 + lda  float-page 5 + ,y sta
   fa 7 + lda  $0f # and  fa-exponent ora  float-page 6 + ,y sta
   fa-exponent 1+ lda  fa-sign ora  float-page 7 + ,y sta  rts
end-subroutine

subroutine fclear-a
   0 # lda  7 # ldx  begin,  fa ,x sta  dex  mi until,  fa-exponent sta  fa-exponent 1+ sta  rts
end-subroutine
subroutine fput-zero
   fclear-a jsr  fput jmp
end-subroutine
subroutine fput-infinite
   fclear-a jsr  $ff # lda  fa-exponent sta  7 # lda  fa-exponent 1+ sta  fput jmp
end-subroutine
subroutine fput-nan
   fclear-a jsr  fa-sign sta  $40 # lda  fa 7 + sta
   $ff # lda  fa-exponent sta  7 # lda  fa-exponent 1+ sta  fput jmp
end-subroutine

subroutine fzero?
   fa lda  fa 1+ ora  fa 2 + ora  fa 3 + ora  fa 4 + ora  fa 5 + ora  fa 6 + ora  fa 7 + ora  rts
end-subroutine
subroutine fa-more
   fa-exponent inc  eq if,  fa-exponent 1+ inc  then,  rts
end-subroutine
subroutine fa-less
   fa-exponent lda  eq if,  fa-exponent 1+ dec  then,  fa-exponent dec  rts
end-subroutine
subroutine fnormal?
   fa-exponent 1+ lda  mi if,  clc  rts  then,  fa-exponent ora  1 # cmp  rts
end-subroutine

\ The lowest bit that stays is bit 3 of the second byte.
subroutine fround-up
   clc  fa 1+ lda  8 # adc  fa 1+ sta  cc if,  rts  then,
   2 # ldx  begin,  fa ,x inc  ne if,  rts  then,  inx  8 # cpx  eq until,
   $80 # lda  fa 7 + sta  fa-more jmp
end-subroutine

subroutine fnormalize
   begin,  fa 7 + lda  eq while,
      6 # ldx  begin,  fa ,x lda  fa 1+ ,x sta  dex  mi until,  0 # lda  fa sta
      sec  fa-exponent lda  8 # sbc  fa-exponent sta  cc if,  fa-exponent 1+ dec  then,
   repeat,
   fa # ldx  begin,  fa 7 + lda  pl while,  fshl jsr  fa-less jsr  repeat,  rts
end-subroutine

\ A subnormal is shifted until its exponent fits the field. Of one far below, a single bit is left.
subroutine fpack
   fzero? jsr  eq if,  fput-zero jmp  then,
   fnormalize jsr
   clc  fa-exponent lda  $ff # adc  fa-exponent sta  fa-exponent 1+ lda  3 # adc  fa-exponent 1+ sta
   mi if,  $ff # cmp  ne if,  fclear-a jsr  fa inc  then,  then,
   fa # ldx  begin,  fnormal? jsr  cc while,  clc  fshr jsr  fa-more jsr  repeat,
   fa 1+ lda  4 # and  ne if,
      fa 1+ lda  $0b # and  fa ora  ne if,  fround-up jsr  then,
   then,
   fa 7 + lda  pl if,  0 # lda  fa-exponent sta  then,
   fa-exponent 1+ lda  8 # cmp  cs if,  fput-infinite jmp  then,
   7 # cmp  eq if,  fa-exponent lda  $ff # cmp  eq if,  fput-infinite jmp  then,  then,
   fput jmp
end-subroutine

-44 message: floating-point stack overflow
-45 message: floating-point stack underflow
: funderflow  -45 throw ;
: foverflow  -44 throw ;
\ The thread at Y and A goes on.
subroutine fthrow
   ip sta  ip 1+ sty  pla  pla  xsave ldx  next jmp
end-subroutine
subroutine fempty
   ' funderflow >body low # lda  ' funderflow >body high # ldy  fthrow jmp
end-subroutine
subroutine ffull
   ' foverflow >body low # lda  ' foverflow >body high # ldy  fthrow jmp
end-subroutine

subroutine fboth
   xsave stx  fsp ldy  eq if,  fempty jmp  then,  $f1 # cpy  cs if,  fempty jmp  then,
   tya  clc  8 # adc  tay  fresult sty  funpack jsr  f>a jsr
   fsp ldy  funpack jsr  fresult ldy
   fa-class lda  3 # cmp  eq if,  rts  then,
   fb-class lda  3 # cmp  eq if,
      8 # ldx  begin,  float-page 8 - ,y lda  float-page ,y sta  iny  dex  eq until,
      fresult ldy  sec  rts
   then,
   clc  rts
end-subroutine
subroutine funary
   xsave stx  fsp ldy  eq if,  fempty jmp  then,  fresult sty  funpack jsr  f>a jmp
end-subroutine

subroutine fdone
   fresult lda  fsp sta  xsave ldx  next jmp
end-subroutine
subroutine fgive
   fresult ldy  fpack jsr  fdone jmp
end-subroutine
subroutine fgive-nan
   fresult ldy  fput-nan jsr  fdone jmp
end-subroutine
subroutine fgive-infinite
   fresult ldy  fput-infinite jsr  fdone jmp
end-subroutine
subroutine fgive-zero
   fresult ldy  fput-zero jsr  fdone jmp
end-subroutine
