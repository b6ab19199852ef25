\ SPDX-License-Identifier: MIT
\
\ float-arithmetic: sum, difference, product, quotient and square root, rounded to nearest, ties to even.
\
\	eight+ eight-	( to from -- )	assemble the addition and subtraction of eight bytes, with C
\	fexchange	( -- addr )	of A and B
\	fdistance	( -- addr )	of their exponents: FCOUNT low, A high
\	fshift-b	( -- addr )	shifts B by FCOUNT
\	fsum	( -- addr )	of A and B, where both are finite
\	fadd	( -- addr )	in any case
\	f+	( F: r1 r2 -- r3 )
\	f-	( F: r1 r2 -- r3 )
\	fmultiply-byte	( -- addr )
\	fmultiply	( -- addr )
\	f*	( F: r1 r2 -- r3 )
\	fdivide-bit	( -- addr )
\	fdivide	( -- addr )
\	f/	( F: r1 r2 -- r3 )
\	froot-shift froot-bit	( -- addr )
\	fsqrt	( F: r1 -- r2 )

also assembler
: eight+  ( to from -- ) 8 0 do  over i + lda  dup i + adc  over i + sta  loop 2drop ;
: eight-  ( to from -- ) 8 0 do  over i + lda  dup i + sbc  over i + sta  loop 2drop ;
previous

subroutine fexchange
   7 # ldx  begin,  fa ,x lda  pha  fb ,x lda  fa ,x sta  pla  fb ,x sta  dex  mi until,
   3 # ldx  begin,  fa-exponent ,x lda  pha  fb-exponent ,x lda  fa-exponent ,x sta  pla  fb-exponent ,x sta
   dex  mi until,  rts
end-subroutine
subroutine fdistance
   sec  fa-exponent lda  fb-exponent sbc  fcount sta  fa-exponent 1+ lda  fb-exponent 1+ sbc  rts
end-subroutine

subroutine fshift-b
   fcount lda  66 # cmp  cs if,  66 # lda  fcount sta  then,
   0 # lda  fsticky sta
   begin,  fcount lda  8 # cmp  cs while,  8 # sbc  fcount sta  fshr8 jsr  repeat,
   fb # ldx  begin,  fcount lda  ne while,  clc  fshr jsr  fcount dec  repeat,
   fsticky lda  ne if,  fb lda  1 # ora  fb sta  then,  rts
end-subroutine

subroutine fsum
   fdistance jsr  mi if,  fexchange jsr  fdistance jsr  then,
   ne if,  $ff # lda  fcount sta  then,
   fshift-b jsr
   fa-sign lda  fb-sign cmp  eq if,
      clc  fa fb eight+
      cs if,  fa # ldx  fshr jsr  fa-more jsr  then,
      fgive jmp
   then,
   sec  fa fb eight-
   cc if,
      fa-sign lda  $80 # eor  fa-sign sta
      0 # ldx  sec  begin,  0 # lda  fa ,x sbc  fa ,x sta  inx  txa  8 # eor  eq until,
   then,
   fzero? jsr  eq if,  fa-sign sta  then,
   fgive jmp
end-subroutine

subroutine fadd
   fa-class lda  2 # cmp  eq if,
      fb-class lda  2 # cmp  eq if,  fa-sign lda  fb-sign cmp  ne if,  fgive-nan jmp  then,  then,
      fgive-infinite jmp
   then,
   fb-class lda  2 # cmp  eq if,  fb-sign lda  fa-sign sta  fgive-infinite jmp  then,
   fb-class lda  eq if,
      fa-class lda  eq if,  fa-sign lda  fb-sign and  fa-sign sta  fgive-zero jmp  then,
      fgive jmp
   then,
   fa-class lda  eq if,  f>a jsr  fgive jmp  then,
   fsum jmp
end-subroutine

code f+  fboth jsr  cs if,  fdone jmp  then,  fadd jmp  end-code
code f-  fboth jsr  cs if,  fdone jmp  then,  fb-sign lda  $80 # eor  fb-sign sta  fadd jmp  end-code

\ One byte of the multiplier, lowest bit first: the product so far, FR, gets the multiplicand where the bit is set, and is
\ shifted.
subroutine fmultiply-byte
   fbit sta  8 # ldy
   begin,
      fbit lsr  cs if,  clc  fr fb eight+  then,
      fr # ldx  fr 7 + ror  fr 6 + ror  fr 5 + ror  fr 4 + ror  fr 3 + ror  fr 2 + ror  fr 1+ ror  fr ror
      cs if,  fsticky sty  then,
      dey
   eq until,  rts
end-subroutine

subroutine fmultiply
   fa-sign lda  fb-sign eor  fa-sign sta
   fa-class lda  2 # cmp  eq if,  fb-class lda  eq if,  fgive-nan jmp  then,  fgive-infinite jmp  then,
   fb-class lda  2 # cmp  eq if,  fa-class lda  eq if,  fgive-nan jmp  then,  fgive-infinite jmp  then,
   fa-class lda  eq if,  fgive-zero jmp  then,
   fb-class lda  eq if,  fgive-zero jmp  then,
   0 # lda  fsticky sta  7 # ldx  begin,  fr ,x sta  dex  mi until,
   1 # lda  fcount sta
   begin,  fcount ldx  fa ,x lda
      eq if,
         fr lda  ne if,  fsticky sta  then,
         0 # ldx  begin,  fr 1+ ,x lda  fr ,x sta  inx  7 # cpx  eq until,  0 # lda  fr 7 + sta
      else,
         fmultiply-byte jsr
      then,
      fcount inc  fcount lda  8 # cmp
   eq until,
   7 # ldx  begin,  fr ,x lda  fa ,x sta  dex  mi until,
   fsticky lda  ne if,  fa lda  1 # ora  fa sta  then,
   sec  fa-exponent lda  fb-exponent adc  fa-exponent sta
   fa-exponent 1+ lda  fb-exponent 1+ adc  fa-exponent 1+ sta
   fgive jmp
end-subroutine

code f*  fboth jsr  cs if,  fdone jmp  then,  fmultiply jmp  end-code

\ One bit of the quotient: the rest of the dividend is in A, its highest bit in FBIT.
subroutine fdivide-bit
   fbit lda  eq if,
      7 # ldx  begin,  fa ,x lda  fb ,x cmp  eq while,  dex  eq until,  then,
   else,
      sec
   then,
   cs if,
      fa fb eight-  sec
   then,
   fr rol  fr 1+ rol  fr 2 + rol  fr 3 + rol  fr 4 + rol  fr 5 + rol  fr 6 + rol  fr 7 + rol
   fa # ldx  fshl jsr  0 # lda  .a rol  fbit sta  rts
end-subroutine

\ The first of 58 bits is worth 1.
subroutine fdivide
   fa-sign lda  fb-sign eor  fa-sign sta
   fa-class lda  2 # cmp  eq if,  fb-class lda  2 # cmp  eq if,  fgive-nan jmp  then,  fgive-infinite jmp  then,
   fb-class lda  2 # cmp  eq if,  fgive-zero jmp  then,
   fb-class lda  eq if,  fa-class lda  eq if,  fgive-nan jmp  then,  fgive-infinite jmp  then,
   fa-class lda  eq if,  fgive-zero jmp  then,
   0 # lda  fbit sta  7 # ldx  begin,  fr ,x sta  dex  mi until,
   58 # lda  fcount sta  begin,  fdivide-bit jsr  fcount dec  eq until,
   fzero? jsr  fbit ora  ne if,  fr lda  1 # ora  fr sta  then,
   7 # ldx  begin,  fr ,x lda  fa ,x sta  dex  mi until,
   sec  fa-exponent lda  fb-exponent sbc  fa-exponent sta
   fa-exponent 1+ lda  fb-exponent 1+ sbc  fa-exponent 1+ sta
   6 # ldx  begin,  fa-more jsr  dex  eq until,
   fgive jmp
end-subroutine

code f/  fboth jsr  cs if,  fdone jmp  then,  fdivide jmp  end-code

\ Two bits of A go into what is left, B.
subroutine froot-shift
   2 # ldy
   begin,  fa # ldx  fshl jsr
      fb rol  fb 1+ rol  fb 2 + rol  fb 3 + rol  fb 4 + rol  fb 5 + rol  fb 6 + rol  fb 7 + rol  dey
   eq until,  rts
end-subroutine
\ FR is 4 times the root so far, plus 1: what the next bit subtracts.
subroutine froot-bit
   7 # ldx  begin,  fb ,x lda  fr ,x cmp  eq while,  dex  mi until,  then,
   cs if,  fb fr eight-  5 # lda  else,  1 # lda  then,
   fbit sta  fr dec  fr # ldx  fshl jsr  fr lda  fbit ora  fr sta  rts
end-subroutine

code fsqrt
   funary jsr
   fa-class lda  eq if,  fdone jmp  then,  3 # cmp  eq if,  fdone jmp  then,
   fa-sign lda  ne if,  fgive-nan jmp  then,
   fa-class lda  2 # cmp  eq if,  fdone jmp  then,
   fa-exponent lda  .a lsr  cc if,  fa # ldx  clc  fshr jsr  then,
   fa-exponent 1+ lda  $80 # cmp  fa-exponent 1+ ror  fa-exponent ror
   0 # lda  7 # ldx  begin,  fb ,x sta  fr ,x sta  dex  mi until,  fr inc
   56 # lda  fcount sta  begin,  froot-shift jsr  froot-bit jsr  fcount dec  eq until,
   fr dec
   7 # ldx  0 # lda  begin,  fb ,x ora  dex  mi until,  0 # cmp  ne if,  fr inc  then,
   7 # ldx  begin,  fr ,x lda  fa ,x sta  dex  mi until,
   6 # ldx  begin,  fa-more jsr  dex  eq until,
   fgive jmp
end-code
