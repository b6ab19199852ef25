\ SPDX-License-Identifier: MIT
\
\ float-stack: floats to and from the stack of floats, to and from integers, and their signs.
\
\	fpush ftop ftwo fthree	( -- addr )	subroutines: Y is a new top; the top, which is there, with so many below
\	fdup	( F: r -- r r )
\	fdrop	( F: r -- )
\	fswap	( F: r1 r2 -- r2 r1 )
\	fover	( F: r1 r2 -- r1 r2 r1 )
\	frot	( F: r1 r2 r3 -- r2 r3 r1 )
\	fdepth	( -- n )
\	faddress	( -- addr )	subroutine: pops an address to FR, less FSP
\	f@ df@	( addr -- ) ( F: -- r )
\	f! df!	( addr -- ) ( F: r -- )
\	sf@	( addr -- ) ( F: -- r )	of four bytes
\	fround-single	( -- addr )	subroutine: A to the field of an exponent and a mantissa of 24 bits
\	sf!	( addr -- ) ( F: r -- )
\	fabs	( F: r1 -- r2 )
\	fnegate	( F: r1 -- r2 )
\	fflag	( -- addr )	subroutine: ends a primitive that has a flag for a float, A
\	f0=	( F: r -- ) ( -- flag )
\	f0<	( F: r -- ) ( -- flag )
\	fa-negate4	( -- addr )	subroutine: negates four bytes at X
\	d>f	( d -- ) ( F: -- r )
\	frange	( -- )	throws
\	frange-out	( -- addr )	leaves a primitive and its subroutine for that
\	finteger	( -- addr )	subroutine
\	f>d	( F: r -- ) ( -- d )	rounds towards 0

subroutine fpush
   xsave stx  fsp lda  sec  8 # sbc  eq if,  ffull jmp  then,  fsp sta  tay  rts
end-subroutine
subroutine ftop
   xsave stx  fsp ldy  eq if,  fempty jmp  then,  rts
end-subroutine
subroutine ftwo
   xsave stx  fsp ldy  eq if,  fempty jmp  then,  $f1 # cpy  cs if,  fempty jmp  then,  rts
end-subroutine
subroutine fthree
   xsave stx  fsp ldy  eq if,  fempty jmp  then,  $e9 # cpy  cs if,  fempty jmp  then,  rts
end-subroutine

code fdup  ftop jsr  fpush jsr  8 # ldx
   begin,  float-page 8 + ,y lda  float-page ,y sta  iny  dex  eq until,  xsave ldx  next jmp  end-code
code fdrop  ftop jsr  tya  clc  8 # adc  fsp sta  next jmp  end-code
code fswap  ftwo jsr  8 # ldx
   begin,  float-page ,y lda  pha  float-page 8 + ,y lda  float-page ,y sta  pla  float-page 8 + ,y sta  iny  dex
   eq until,  xsave ldx  next jmp  end-code
code fover  ftwo jsr  fpush jsr  8 # ldx
   begin,  float-page 16 + ,y lda  float-page ,y sta  iny  dex  eq until,  xsave ldx  next jmp  end-code
code frot  fthree jsr  8 # ldx
   begin,
      float-page ,y lda  pha  float-page 16 + ,y lda  float-page ,y sta
      float-page 8 + ,y lda  float-page 16 + ,y sta  pla  float-page 8 + ,y sta  iny  dex
   eq until,  xsave ldx  next jmp  end-code
: fdepth  fsp c@ negate 255 and 3 rshift ;

subroutine faddress
   xsave ldx  sec  0 ,x lda  fsp sbc  fr sta  1 ,x lda  0 # sbc  fr 1+ sta  inx  inx  xsave stx  8 # ldx  rts
end-subroutine
code f@  fpush jsr  faddress jsr
   begin,  fr )y lda  float-page ,y sta  iny  dex  eq until,  xsave ldx  next jmp  end-code
code f!  ftop jsr  faddress jsr
   begin,  float-page ,y lda  fr )y sta  iny  dex  eq until,  fsp sty  xsave ldx  next jmp  end-code
: df@  f@ ;
: df!  f! ;

\ The bytes of a single are the upper three of the mantissa, and its exponent's field.
code sf@  fpush jsr  fresult sty  fclear-a jsr
   xsave ldx  0 ,x lda  fr sta  1 ,x lda  fr 1+ sta  inx  inx  xsave stx
   3 # ldy  fr )y lda  $80 # and  fa-sign sta  fr )y lda  .a asl  fa-exponent sta
   dey  fr )y lda  mi if,  fa-exponent inc  then,  $7f # and  fa 7 + sta
   dey  fr )y lda  fa 6 + sta  dey  fr )y lda  fa 5 + sta
   fa-exponent lda
   eq if,  1 # lda  fa-exponent sta
   else,  $ff # cmp  eq if,  fzero? jsr  eq if,  fgive-infinite jmp  then,  fgive-nan jmp  then,
      fa 7 + lda  $80 # ora  fa 7 + sta
   then,
   sec  fa-exponent lda  127 # sbc  fa-exponent sta  cc if,  fa-exponent 1+ dec  then,
   fgive jmp  end-code

subroutine fround-single
   clc  fa-exponent lda  127 # adc  fa-exponent sta  cs if,  fa-exponent 1+ inc  then,
   fa-exponent 1+ lda  mi if,  $ff # cmp  ne if,  fclear-a jsr  fa inc  then,  then,
   fa # ldx  begin,  fnormal? jsr  cc while,  clc  fshr jsr  fa-more jsr  repeat,
   fa 4 + lda  mi if,
      $7f # and  fa ora  fa 1+ ora  fa 2 + ora  fa 3 + ora  ne if,  1 # lda  then,
      fa 5 + ora  1 # and  ne if,
         fa 5 + inc  eq if,  fa 6 + inc  eq if,  fa 7 + inc  eq if,  $80 # lda  fa 7 + sta  fa-more jsr  then,  then,  then,
      then,
   then,
   fa 7 + lda  pl if,  0 # lda  fa-exponent sta  then,
   fa-exponent 1+ lda  eq if,  fa-exponent lda  $ff # cmp  cc if,  rts  then,  then,
   fclear-a jsr  $ff # lda  fa-exponent sta  rts
end-subroutine
code sf!  funary jsr
   xsave ldx  0 ,x lda  fr sta  1 ,x lda  fr 1+ sta  inx  inx  xsave stx
   fa-class lda  eq if,  fclear-a jsr
   else,  2 # cmp  eq if,  fclear-a jsr  $ff # lda  fa-exponent sta
   else,  cs if,  $ff # lda  fa-exponent sta  $c0 # lda  fa 7 + sta
   else,  fround-single jsr
   then,  then,  then,
   0 # ldy  fa 5 + lda  fr )y sta  iny  fa 6 + lda  fr )y sta
   iny  fa 7 + asl  fa-exponent lsr  fa 7 + ror  fa 7 + lda  fr )y sta
   iny  fa-exponent lda  fa-sign ora  fr )y sta
   clc  fsp lda  8 # adc  fsp sta  xsave ldx  next jmp  end-code

code fabs  ftop jsr  float-page 7 + ,y lda  $7f # and  float-page 7 + ,y sta  next jmp  end-code
code fnegate  ftop jsr  float-page 7 + ,y lda  $80 # eor  float-page 7 + ,y sta  next jmp  end-code

subroutine fflag
   tay  clc  fsp lda  8 # adc  fsp sta  xsave ldx  dex  dex  0 ,x sty  1 ,x sty  next jmp
end-subroutine
code f0=  funary jsr  0 # ldx  fa-class lda  eq if,  dex  then,  txa  fflag jmp  end-code
code f0<  funary jsr
   fa-class lda  ne if,  3 # cmp  ne if,  fa-sign lda  ne if,  $ff # lda  then,  fflag jmp  then,  then,
   0 # lda  fflag jmp  end-code

subroutine fa-negate4
   sec  4 # ldy  begin,  0 # lda  0 ,x sbc  0 ,x sta  inx  dey  eq until,  rts
end-subroutine
code d>f  fpush jsr  fresult sty  fclear-a jsr
   xsave ldx  2 ,x lda  fa sta  3 ,x lda  fa 1+ sta  0 ,x lda  fa 2 + sta  1 ,x lda  fa 3 + sta
   inx  inx  inx  inx  xsave stx
   $80 # and  fa-sign sta  ne if,  fa # ldx  fa-negate4 jsr  then,
   63 # lda  fa-exponent sta  fgive jmp  end-code

: frange  -11 throw ;
subroutine frange-out
   ' frange >body low # lda  ' frange >body high # ldy  fthrow jmp
end-subroutine
\ The upper four bytes of A become the number.
subroutine finteger
   funary jsr
   fa-class lda  2 # cmp  cs if,  frange-out jmp  then,
   fa-exponent 1+ lda  mi if,  fclear-a jsr  then,  fa-class lda  eq if,  fclear-a jsr  then,
   fa-exponent lda  31 # cmp  cs if,
      ne if,  frange-out jmp  then,
      fa-exponent 1+ lda  ne if,  frange-out jmp  then,
      fa-sign lda  eq if,  frange-out jmp  then,
      fa 7 + lda  $7f # and  fa 6 + ora  fa 5 + ora  fa 4 + ora  ne if,  frange-out jmp  then,
   then,
   fa-exponent 1+ lda  ne if,  frange-out jmp  then,
   sec  31 # lda  fa-exponent sbc  tay
   begin,  0 # cpy  ne while,  fa 7 + lsr  fa 6 + ror  fa 5 + ror  fa 4 + ror  dey  repeat,
   fa-sign lda  ne if,  fa 4 + # ldx  fa-negate4 jsr  then,  rts
end-subroutine
code f>d  finteger jsr
   clc  fsp lda  8 # adc  fsp sta  xsave ldx  dex  dex  dex  dex
   fa 4 + lda  2 ,x sta  fa 5 + lda  3 ,x sta  fa 6 + lda  0 ,x sta  fa 7 + lda  1 ,x sta  next jmp  end-code
