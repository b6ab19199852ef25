\ SPDX-License-Identifier: MIT
\
\ float-functions: exponential, logarithm, powers, circular and hyperbolic functions. Arguments are reduced to a small
\ interval, by constants in two or three parts where precision would be lost otherwise, and there polynomials are used, with the
\ coefficients of Sun's fdlibm. Most results are off by less than two units of the last place; powers with large exponents by
\ more.
\
\	f2dup	( F: r1 r2 -- r1 r2 r1 r2 )
\	fnip	( F: r1 r2 -- r2 )
\	f=	( F: r1 r2 -- ) ( -- flag )
\	f2/	( F: r1 -- r2 )
\	1+f	( F: r1 -- r2 )
\	1-f	( F: r1 -- r2 )	1 less r1
\	polynomial	( addr u -- ) ( F: x -- r )	of u coefficients, the highest first
\	f2**	( n -- ) ( F: -- r )	2 to the n, from -1022 to 1023
\	fscale	( n -- ) ( F: r1 -- r2 )	times 2 to the n
\	f10**	( n -- ) ( F: -- r )	10 to the n
\	finfinite	( F: -- r )
\	fnan	( F: -- r )
\	fln2-high fln2-low	( F: -- r )
\	fexp-terms fln-terms fsin-terms fcos-terms fatan-terms	( -- addr )
\	fexp	( F: r1 -- r2 )
\	fh	( -- addr )	fvariable
\	fsplit	( F: r1 -- r2 ) ( -- n )	r1 is r2 times 2 to the n
\	fln	( F: r1 -- r2 )
\	fexpm1	( F: r1 -- r2 )
\	flnp1	( F: r1 -- r2 )
\	flog	( F: r1 -- r2 )
\	falog	( F: r1 -- r2 )
\	fwhole?	( F: r -- r ) ( -- flag )	is it a whole number?
\	f**n	( u -- ) ( F: r1 -- r2 )
\	fpower?	( F: r -- r ) ( -- flag )	is it a power of 2?
\	f**whole?	( F: r1 r2 -- r1 r2 ) ( -- flag )	is multiplying the best way to the power?
\	f**positive	( F: r1 r2 -- r3 )
\	f**	( F: r1 r2 -- r3 )
\	fquarters	( F: r1 -- r2 ) ( -- u )	r1 is r2 and u quarters of a turn
\	fsin-small fcos-small	( F: r1 -- r2 )
\	fturned	( u -- ) ( F: r1 -- r2 )	the sine, u quarters of a turn further
\	fsin fcos ftan	( F: r1 -- r2 )
\	fsincos	( F: r1 -- r2 r3 )
\	fatan-centres	( -- addr )
\	fatan-near	( u -- ) ( F: t -- r )
\	fatan	( F: r1 -- r2 )
\	pi	( F: -- r )
\	fatan2	( F: y x -- r )
\	fasin facos	( F: r1 -- r2 )
\	fsinh fcosh ftanh fasinh facosh fatanh	( F: r1 -- r2 )

: f2dup  fover fover ;
: fnip  fswap fdrop ;
\ Infinities have no difference.
: f=
   fover f0= fdup f0= and if fdrop fdrop true exit then
   fclass 3 = if fdrop fdrop false exit then  fsame ;
: f2/  0.5e f* ;
: 1+f  1e f+ ;
: 1-f  1e fswap f- ;
: polynomial  0e  0 ?do fover f* dup f@ f+ 8 + loop  drop fnip ;
: f2**  1e  1023 + 4 lshift fhigh 1- ! ;
: fscale
   begin dup -1000 < while -1000 f2** f* 1000 + repeat
   begin dup 1000 > while 1000 f2** f* 1000 - repeat  f2** f* ;
: f10**  scale !  1 big c!  1 bigl c!  1 kept !  0 decimal>f ;
1e 0e f/ fconstant finfinite
0e 0e f/ fconstant fnan

6.93147180369123816490e-01 fconstant fln2-high
1.90821492927058770002e-10 fconstant fln2-low

create fexp-terms
4.13813679705723846039e-08 f,  -1.65339022054652515390e-06 f,  6.61375632143793436117e-05 f,
-2.77777777770155933842e-03 f,  1.66666666666666019037e-01 f,
: fexp
   fclass 3 = if exit then
   fdup 709.79e f< 0= if fdrop finfinite exit then
   fdup -746e f< if fdrop 0e exit then
   fdup 1.4426950408889634e f* fround f>s
   dup s>f fdup fln2-high f* frot fswap f- fswap fln2-low f* ( high low )
   f2dup f- fdup fdup f*  fdup fexp-terms 5 polynomial f*  fover fswap f- ( high low r c )
   fswap fover f*  2e frot f-  f/  f- fswap f- 1-f  fscale ;

create fln-terms
1.479819860511658591e-01 f,  1.531383769920937332e-01 f,  1.818357216161805012e-01 f,  2.222219843214978396e-01 f,
2.857142874366239149e-01 f,  3.999999999940941908e-01 f,  6.666666666666735130e-01 f,
fvariable fh
: fsplit
   0  fhigh 1- @ $7ff0 and 0= if 54 f2** f* 54 - then
   fhigh 1- @ $7ff0 and 4 rshift 1023 - +
   fhigh 1- dup @ $f and $3ff0 or swap !
   fdup 1.4142135623730951e f< 0= if f2/ 1+ then ;
: fln
   fclass case
      0 of fdrop finfinite fnegate exit endof
      3 of exit endof
      fhigh c@ $80 and if drop fdrop fnan exit then
      2 of exit endof
   endcase
   fsplit 1e f-
   fdup fdup 2e f+ f/  fdup fdup f*  fdup fln-terms 7 polynomial f* ( f s R )
   frot fdup fdup f* f2/ fdup fh f! ( s R f h )
   frot f+ frot f*  dup s>f fln2-low f* f+  fh f@ fswap f-  fswap f-
   s>f fln2-high f* fswap f- ;
: fexpm1
   fdup fabs 1e f< 0= if fexp 1e f- exit then
   fdup fexp fdup 1e f-  fdup f0= if fdrop fdrop exit then ( x u u-1 )
   frot f* fswap fln f/ ;
: flnp1
   fclass 1 > if fln exit then
   fdup 1+f fdup 1e f-  fdup f0= if fdrop fdrop exit then ( x u u-1 )
   fswap fln frot f* fswap f/ ;
: flog
   fdup fln 0.4342944819032518e f*  fclass 1 > if fnip exit then
   fdup fround f>s dup f10** frot f= if fdrop s>f else drop then ;
: falog
   fdup fabs 400e f< 0= if 2.302585092994046e f* fexp exit then
   fdup fround fdup f>s f- 2.302585092994046e f* fexp f10** f* ;

: fwhole?  fdup fdup ftrunc f= ;
: f**n  1e fswap
   begin dup while dup 1 and if fdup frot f* fswap then  fdup f*  1 rshift repeat drop fdrop ;
: fpower?  fhigh 1- @ $f and fhigh 3 - @ or fhigh 5 - @ or fhigh 7 - @ or 0= ;
: f**whole?
   fwhole? 0= if false exit then
   fdup fabs 65e f< if true exit then
   fdup fabs 1100e f< 0= if false exit then
   fswap fpower? fswap ;
: f**positive  ( F: r1 r2 -- r3 )
   f**whole? 0= if fswap fln f* fexp exit then
   f>s dup 0< if fpower? if 1e fswap f/ abs f**n exit then abs f**n 1e fswap f/ exit then  f**n ;
: f**
   fdup f0= if fdrop fdrop 1e exit then
   fclass 3 = if fnip exit then
   fover f0= if fnip fhigh c@ $80 and if fdrop finfinite else fdrop 0e then exit then
   fover f0< 0= if f**positive exit then
   fwhole? 0= if fdrop fdrop fnan exit then
   fdup f2/ fwhole? fdrop ( even ) fswap fnegate fswap f**positive 0= if fnegate then ;

create fsin-terms
1.58969099521155010221e-10 f,  -2.50507602534068634195e-08 f,  2.75573137070700676789e-06 f,
-1.98412698298579493134e-04 f,  8.33333333332248946124e-03 f,  -1.66666666666666324348e-01 f,
create fcos-terms
-1.13596475577881948265e-11 f,  2.08757232129817482790e-09 f,  -2.75573143513906633035e-07 f,
2.48015872894767294178e-05 f,  -1.38888888888741095749e-03 f,  4.16666666666666019037e-02 f,
: fquarters
   fclass 1 > if fdup f- 0 exit then
   fdup 0.6366197723675814e f* fround  fdup f>d drop 3 and
   fdup 1.57079632673412561417e f* frot fswap f- fswap
   fdup 6.07710050630396597660e-11 f* frot fswap f- fswap  2.02226624879595063154e-21 f* f- ;
: fsin-small  fdup fdup f*  fdup fsin-terms 6 polynomial f*  fover f* f+ ;
: fcos-small  fdup f*  fdup fcos-terms 6 polynomial  fover f* fover f*  fswap f2/ f- 1+f ;
: fturned  dup 1 and if fcos-small else fsin-small then  2 and if fnegate then ;
: fsin  fquarters fturned ;
: fcos  fquarters 1+ fturned ;
: fsincos  fquarters dup fdup fturned  fswap 1+ fturned ;
: ftan  fsincos f/ ;

create fatan-terms
1.62858201153657823623e-02 f,  -3.65315727442169155270e-02 f,  4.97687799461593236017e-02 f,
-5.83357013379057348645e-02 f,  6.66107313738753120669e-02 f,  -7.69187620504482999495e-02 f,
9.09088713343650656196e-02 f,  -1.11111104054623557880e-01 f,  1.42857142725034663711e-01 f,
-1.99999999998764832476e-01 f,  3.33333333333329318027e-01 f,
\ The arc tangents of 0, 1/2, 1, 3/2 and infinity, each in two parts.
create fatan-centres
0e f, 0e f,
4.63647609000806093515e-01 f,  2.26987774529616870924e-17 f,
7.85398163397448278999e-01 f,  3.06161699786838301793e-17 f,
9.82793723247329054082e-01 f,  1.39033110312309984516e-17 f,
1.57079632679489655800e+00 f,  6.12323399573676603587e-17 f,
: fatan-near
   fdup fdup f*  fdup fatan-terms 11 polynomial f*  fover f*
   4 lshift fatan-centres +  dup 8 + f@ f-  fswap f-  f@ fswap f- ;
: fatan
   fhigh c@ $80 and  fabs
   fdup 0.4375e f< if 0
   else fdup 0.6875e f< if fdup fdup f+ 1e f-  fswap 2e f+ f/  1
   else fdup 1.1875e f< if fdup 1e f-  fswap 1+f f/  2
   else fdup 2.4375e f< if fdup 1.5e f-  fswap 1.5e f* 1+f f/  3
   else -1e fswap f/  4
   then then then then  fatan-near fsigned ;
3.1415926535897932384626433832795e fconstant pi
: fatan2
   fclass 3 = if fnip exit then  fswap fclass 3 = if fnip exit then
   fhigh c@ $80 and fabs  fswap  fhigh c@ $80 and fabs ( y's sign x's sign ) ( F: |y| |x| )
   f2dup fsame if fclass 0= if fdrop fdrop 0e else fdrop fdrop 1e fatan then
   else f/ fatan then
   if pi fswap f- then  fsigned ;
: fasin  fdup fdup 1-f fswap 1+f f* fsqrt  fatan2 ;
: facos  fdup 1-f fsqrt  fswap 1+f fsqrt  fatan2 fdup f+ ;

: fsinh  fdup fabs 1e f< if fexpm1 fdup fdup 1+f f/ f+ f2/ exit then  fexp fdup 1e fswap f/ f- f2/ ;
: fcosh  fabs fexp fdup 1e fswap f/ f+ f2/ ;
: ftanh
   fclass 3 = if exit then
   fdup fabs 22e f< if fdup f+ fexpm1 fdup 2e f+ f/ exit then
   fhigh c@ $80 and fdrop 1e fsigned ;
: fasinh
   fhigh c@ $80 and fabs
   fdup 1e9 f< if fdup fdup f*  fdup 1+f fsqrt 1+f f/  f+ flnp1 else fln fln2-high fln2-low f+ f+ then  fsigned ;
: facosh
   fdup 1e9 f< if 1e f-  fdup fdup fdup f*  fswap fdup f+ f+ fsqrt  f+ flnp1 exit then
   fln fln2-high fln2-low f+ f+ ;
: fatanh  fhigh c@ $80 and fabs  fdup fdup f+  fswap 1-f f/ flnp1 f2/  fsigned ;
