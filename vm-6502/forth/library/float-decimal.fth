\ SPDX-License-Identifier: MIT
\
\ float-decimal: floats from decimal digits and to them, exactly, by way of a whole number of up to 255 bytes: a float is the
\ one nearest to all the digits written, and the digits printed are those of its exact value.
\
\	big	( -- addr )	the number, low byte first
\	bigl	( -- addr )	how many bytes it has, a byte
\	dust	( -- addr )	variable: not 0 when more than zeros was cut off
\	(big10+)	( u -- )	times 10, and u more
\	big10/	( -- u )	by 10; the remainder
\	big2/	( -- )
\	big-up	( u -- )	u bytes to the left
\	big-down	( u -- )	u bytes to the right
\	big-trim	( -- )	zeros above go
\	big>f	( exponent sign -- ) ( F: -- r )
\	f>big	( F: r -- ) ( -- exponent )	the float is the number times 2 to this
\	big-shift	( n -- )	to the left by n bits, or to the right
\	big-scale	( n -- )	times 10 to the n
\	kept	( -- addr )	variable: how many digits there are
\	scale	( -- addr )	variable: the number is to be multiplied by 10 to this
\	decimal>f	( sign -- ) ( F: -- r )
\	digits	( -- addr )	where digits end
\	first-digit	( -- addr )	variable
\	big-digits	( -- u )	makes digits of it; how many
\	round-up?	( u -- flag )	for the digits behind the first u
\	carry	( u -- flag )	adds 1 to the first u digits; true: there was nothing but nines
\	f>decimal	( u -- addr u n )	( F: r -- )	u digits; the point is before digit n

create big 256 allot
create bigl 0 c,
variable dust

code (big10+)
   0 ,x lda  fcount sta  inx  inx  xsave stx  0 # ldy
   begin,  bigl cpy  ne while,
      big ,y lda  fa sta  0 # lda  fa 1+ sta
      fa asl  fa 1+ rol  fa lda  fa 2 + sta  fa 1+ lda  fa 3 + sta
      fa asl  fa 1+ rol  fa asl  fa 1+ rol
      clc  fa lda  fa 2 + adc  fa sta  fa 1+ lda  fa 3 + adc  fa 1+ sta
      clc  fa lda  fcount adc  big ,y sta  fa 1+ lda  0 # adc  fcount sta  iny
   repeat,
   fcount lda  ne if,  big ,y sta  bigl inc  then,  xsave ldx  next jmp
end-code

code big10/
   xsave stx  0 # lda  fa sta  bigl ldy
   begin,  0 # cpy  ne while,
      dey  big ,y lda  fa 1+ sta  8 # ldx
      begin,
         fa 1+ asl  fa rol  fa lda  10 # cmp  cs if,  10 # sbc  fa sta  fa 1+ inc  then,  dex
      eq until,
      fa 1+ lda  big ,y sta
   repeat,
   bigl ldy  ne if,  dey  big ,y lda  eq if,  bigl dec  then,  then,
   xsave ldx  dex  dex  fa lda  0 ,x sta  0 # lda  1 ,x sta  next jmp
end-code

code big2/
   clc  bigl ldy  ne if,
      begin,  big 1- ,y lda  .a ror  big 1- ,y sta  dey  eq until,
      cs if,  1 # lda  dust sta  then,
   then,  next jmp
end-code

: big-up  big over big + bigl c@ move  big over erase  bigl c@ + bigl c! ;
: big-down  bigl c@ min  dup 0 ?do big i + c@ dust @ or dust ! loop
   big over + big  rot bigl c@ swap - dup bigl c!  move ;
: big-trim  begin bigl c@ dup while 1- dup big + c@ if drop exit then bigl c! repeat drop ;

\ The upper eight bytes, and a bit for what is below.
code big>f
   fpush jsr  fresult sty  fclear-a jsr
   xsave ldx  0 ,x lda  fa-sign sta  2 ,x lda  fa-exponent sta  3 ,x lda  fa-exponent 1+ sta
   inx  inx  inx  inx  xsave stx
   bigl ldy  7 # ldx
   begin,  0 # cpy  ne while,  dey  big ,y lda  fa ,x sta  dex  mi until,  then,
   dust lda
   begin,  0 # cpy  ne while,  dey  big ,y ora  repeat,
   0 # cmp  ne if,  fa lda  1 # ora  fa sta  then,
   fgive jmp
end-code
code f>big
   funary jsr  7 # ldx  begin,  fa ,x lda  big ,x sta  dex  mi until,  8 # lda  bigl sta
   clc  fsp lda  8 # adc  fsp sta  xsave ldx  dex  dex
   sec  fa-exponent lda  63 # sbc  0 ,x sta  fa-exponent 1+ lda  0 # sbc  1 ,x sta  next jmp
end-code

: big-shift  ( n -- )
   dup 0> if dup 7 + 3 rshift dup big-up  3 lshift - then
   negate dup 3 rshift big-down  7 and 0 ?do big2/ loop  big-trim ;
: big-scale  dup 0< if negate 0 ?do big10/ dust @ or dust ! loop exit then  0 ?do 0 (big10+) loop ;

\ A division by 10 takes less than 27 bits of 64.
variable kept
variable scale
: decimal>f  ( sign -- )
   bigl c@ 0=  kept @ scale @ + -326 <  or if 0. d>f fsigned exit then ( sign )
   kept @ scale @ + 310 > if 1. d>f 0. d>f f/ fsigned exit then
   dust off
   scale @ 0< if scale @ negate 27 * 6 rshift 10 + dup big-up else 0 then ( sign bytes )
   scale @ big-scale
   bigl c@ swap - 3 lshift 1- swap big>f ;

64 allot
here constant digits
variable first-digit
: big-digits  ( -- u )  digits first-digit !
   begin bigl c@ while big10/ 48 +  -1 first-digit +!  first-digit @ c! repeat  digits first-digit @ - ;
: round-up?  ( u -- flag )
   first-digit @ +  dup c@ 53 - ?dup if nip 0> exit then
   dust @  over 1+ digits swap ?do i c@ 48 <> or loop if drop true exit then
   dup first-digit @ = if drop false exit then  1- c@ 1 and 0<> ;
: carry  ( u -- flag )
   begin dup while
      1- dup first-digit @ +  dup c@ 57 < if dup c@ 1+ swap c! drop false exit then  48 swap c!
   repeat drop  49 first-digit @ c!  true ;
: f>decimal  ( u -- addr u n )
   40 min >r  dust off
   f>big  dup 63 + 1233 4096 */  r@ 1+ swap - ( exponent scale )
   over 0> if swap big-shift 0 swap then  dup big-scale  swap big-shift
   big-digits swap -
   r@ round-up? if r@ carry if 1+ then then
   first-digit @ r> rot ;
