\ SPDX-License-Identifier: MIT
\ floats: the words of the library's floating.fth. Results of functions are compared with those of other systems.
include tester.fth
decimal
variable taken  unused taken !
need floating
unused negate taken +!
: near  ( F: r1 r2 -- ) ( -- flag ) -5e-16 f~ ;
: bits  ( F: r -- ) ( -- x1 x2 x3 x4 ) here f!  4 0 do here i 2* + @ loop ;

testing that the library takes no more room than it asks for
T{ taken @ 13600 u> taken @ 13000 u> -> false true }T
T{ s" need floating" ' evaluate catch depth 1- -> 0 0 }T

testing fdepth fdup fdrop fswap fover frot fclear and the ends of the stack
T{ fdepth 1e 2e fdepth fdrop fdrop fdepth -> 0 2 0 }T
T{ 1e 2e fswap f>s f>s -> 1 2 }T
T{ 1e 2e fover f>s f>s f>s -> 1 2 1 }T
T{ 1e 2e 3e frot f>s f>s f>s -> 1 3 2 }T
T{ 5e fdup f>s f>s -> 5 5 }T
T{ s" fdrop" throws s" 1e f+" throws fdepth fclear fdepth -> -45 -45 1 0 }T
T{ s" 1e fswap" throws fclear s" 1e 2e frot" throws fclear s" fsqrt" throws s" pad f!" throws -> -45 -45 -45 -45 }T
: many  32 0 do 1e loop ;
T{ ' many catch fdepth -> -44 0 }T
: most  31 0 do i s>f loop  31 0 do fdrop loop ;
T{ most fdepth -> 0 }T
: fails  1e 2e 3e -7 throw ;
T{ 4e ' fails catch fdepth fclear -> -7 1 }T

testing d>f f>d s>f f>s
T{ -2147483648. d>f f>d 2147483647. d>f f>d 0. d>f f>d -> -2147483648. 2147483647. 0. }T
T{ 2.9e f>s -2.9e f>s 0.9e f>d -1e-300 f>d -> 2 -2 0. 0. }T
T{ s" 2147483648e f>d" throws s" -2147483649e f>d" throws s" 1e300 f>d" throws fclear -> -11 -11 -11 }T
T{ s" finfinite f>d" throws s" fnan f>d" throws fclear -2147483648.9e f>d -> -11 -11 -2147483648. }T

testing f+ f- f* f/ fsqrt fabs fnegate, of numbers and of what is none
T{ 1e 3e f/ bits -> $5555 $5555 $5555 $3fd5 }T
T{ 2e fsqrt bits -> $3bcd $667f $a09e $3ff6 }T
T{ 0.1e 0.2e f+ bits -> $3334 $3333 $3333 $3fd3 }T
T{ 0.1e 0.3e f* bits -> $1eb8 $eb85 $b851 $3f9e }T
T{ 1e 1e-16 f- bits -> $ffff $ffff $ffff $3fef }T
T{ 5e-324 2e f/ f0= 5e-324 1.5e f* 1e-323 f= 2.2250738585072014e-308 2e f/ 1.1125369292536007e-308 f= -> true true true }T
T{ 1.7976931348623157e308 fdup f+ finfinite f= -1e308 10e f* finfinite fnegate f= -> true true }T
T{ finfinite fdup f- fclass fdrop 0e finfinite f* fclass fdrop 0e 0e f/ fclass fdrop -1e fsqrt fclass fdrop -> 3 3 3 3 }T
T{ 1e -0e f/ bits 1e finfinite f/ f0= -> 0 0 0 $fff0 true }T
T{ 0e fnegate bits -0e fabs bits 0e -0e f+ bits -0e -0e f+ bits -> 0 0 0 $8000 0 0 0 0 0 0 0 0 0 0 0 $8000 }T
T{ 0e fclass fdrop 1e fclass fdrop finfinite fclass fdrop -> 0 1 2 }T

testing f< f> f= f0< f0= f~ fmax fmin
T{ 1e 2e f< 2e 1e f< 1e 1e f< -0e 0e f< -1e308 1e308 f< -> true false false false true }T
T{ 2e 1e f> -0e 0e f= 1e 1e f= fnan fnan f= finfinite fdup f= 5e-324 0e f> -> true true true false true true }T
T{ -1e f0< -0e f0< 0e f0= 1e f0= fnan f0< fnan 1e f< -> true false true false false false }T
T{ 1e 1.1e 0.2e f~ 1e 1.1e 0.05e f~ 1e 1e 0e f~ 0e -0e 0e f~ 100e 101e -0.01e f~ 100e 101e -0.001e f~ -> true false true false true false }T
T{ 1e 2e fmax f>s 1e 2e fmin f>s -1e -2e fmax f>s -1e -2e fmin f>s -> 2 1 -1 -2 }T

testing floor fround ftrunc
T{ 1.5e floor f>s -1.5e floor f>s -0.5e floor f>s 2e floor f>s 1e300 floor 1e300 f= -> 1 -2 -1 2 true }T
T{ 1.5e fround f>s 2.5e fround f>s -1.5e fround f>s 0.49e fround f>s -> 2 2 -2 0 }T
T{ 1.9e ftrunc f>s -1.9e ftrunc f>s -0.4e ftrunc bits -> 1 -1 0 0 0 $8000 }T

testing f@ f! df@ df! sf@ sf! f, fvariable fconstant fvalue to fliteral
fvariable fv  1.5e fconstant fc  2.5e fvalue fw
T{ fc fv f! fv f@ 1.5e f= fw 2.5e f= 3.5e to fw fw 3.5e f= -> true true true }T
: sets  4.5e to fw ;
T{ sets fw 4.5e f= 7 value n7 8 to n7 n7 -> true 8 }T
: local-first  {: fw -- n :} 9 to fw fw ;
T{ 1 local-first fw 4.5e f= -> 9 true }T
T{ s" 1 to dup" throws 1e fv df! fv df@ f>s -> -32 1 }T
T{ 1e 3e f/ fv sf! fv @ fv 2 + @ fv sf@ bits -> $aaab $3eaa 0 $6000 $5555 $3fd5 }T
T{ 1e-45 fv sf! fv @ fv 2 + @ 1e39 fv sf! fv @ fv 2 + @ -0e fv sf! fv 2 + @ fnan fv sf! fv 2 + @ -> 1 0 0 $7f80 $8000 $7fc0 }T
T{ 16777217e fv sf! fv sf@ 16777216e f= 1.4e-45 fv sf! fv sf@ 0e f> finfinite fv sf! fv sf@ finfinite f= -> true true true }T
: half  [ 1e 2e f/ ] fliteral ;
T{ half 0.5e f= here 1e f, here swap - -> true 8 }T

testing floats float+ sfloats sfloat+ dfloats dfloat+ alignment and fields
T{ 3 floats 3 dfloats 3 sfloats 1 float+ 1 dfloat+ 1 sfloat+ -> 24 24 12 9 9 5 }T
T{ here falign sfalign dfalign here - 5 faligned 5 sfaligned 5 dfaligned -> 0 5 5 5 }T
T{ 0 ffield: p.x sffield: p.y dffield: p.z  0 p.x 0 p.y 0 p.z -> 20 0 8 12 }T

testing numbers as the interpreter reads them
T{ 1e f>s -1e f>s +1e f>s 1.e f>s 1.5E1 f>s 150e-1 f>s -> 1 -1 1 1 15 15 }T
T{ s" e" throws s" 1e1e" throws s" hex 1e decimal" evaluate s" 1e5x" throws s" .5e" throws -> -13 -13 30 -13 -13 }T
: compiled  2.5e ;
T{ compiled 2.5e f= -> true }T

testing >float
: float?  ( addr u -- flag ) >float dup if fdrop then ;
T{ s" 1" float? s" 1." float? s" .5" float? s" 1d2" float? s" 1+2" float? s"   " float? s" 1e+" float? -> true true true true true true true }T
T{ s" ." float? s" e1" float? s" 1e1.0" float? s"  1" float? s" 1 " float? s" 1x" float? s" +" float? -> false false false false false false false }T
T{ s" 9007199254740993" >float bits -> true 0 0 0 $4340 }T
T{ s" 9007199254740993.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001" >float bits -> true 1 0 0 $4340 }T
T{ s" 2.4703282292062327e-324" >float f0= s" 2.4703282292062328e-324" >float 5e-324 f= -> true true true true }T
T{ s" 1e400" >float finfinite f= s" -1e400" >float finfinite fnegate f= s" 1e-400" >float f0= -> true true true true true true }T
T{ s" 1.7976931348623158e308" >float 1.7976931348623157e308 f= s" 0e999" >float f0= -> true true true true }T

testing represent precision set-precision f. fe. fs.
T{ 1234.5e pad 4 represent pad 4 s" 1234" compare -> 4 false true 0 }T
T{ -1235.5e pad 4 represent pad 4 s" 1236" compare -> 4 true true 0 }T
T{ 999.96e pad 4 represent pad 4 s" 1000" compare -> 4 false true 0 }T
T{ 5e-324 pad 17 represent pad 17 s" 49406564584124654" compare -> -323 false true 0 }T
T{ 1.7976931348623157e308 pad 17 represent pad 17 s" 17976931348623157" compare -> 309 false true 0 }T
T{ 0.1e pad 30 represent pad 30 s" 100000000000000005551115123126" compare -> 0 false true 0 }T
T{ 0e pad 3 represent pad 3 s" 000" compare finfinite pad 3 represent nip nip pad 3 s" inf" compare -> 1 false true 0 false 0 }T
: prints  1e f. 0.1e f. -2.5e f. 1e20 f. 1e-20 f. 0e f. finfinite f. fnan fs. ;
T{ ' prints told s" 1. 0.1 -2.5 100000000000000000000. 0. 0. inf nan " compare -> 0 }T
: notations  5 set-precision 1e fs. -0.02e fs. 12345.6e fs. 20e fe. 300e fe. 4000e fe. 1e 3e f/ fe. 200e 3e f/ f. 0.000236e f. 0.99999e f. 999999e f. ;
T{ ' notations told s" 1.0000E0 -2.0000E-2 1.2346E4 20.000E0 300.00E0 4.0000E3 333.33E-3 66.667 0.00024 0.99999 1000000. " compare -> 0 }T
T{ precision 15 set-precision 99 set-precision precision 15 set-precision -> 5 17 }T

testing fexp fexpm1 fln flnp1 flog falog f**
T{ 1e fexp 2.718281828459045e near -1e fexp 0.36787944117144233e near 700e fexp 1.0142320547350045e304 near -> true true true }T
T{ 0e fexp 1e f= 1000e fexp finfinite f= -1000e fexp f0= -745e fexp 5e-324 f= -> true true true true }T
T{ 1e-10 fexpm1 1.00000000005e-10 near 0.5e fexpm1 0.6487212707001282e near 2e fexpm1 6.38905609893065e near 0e fexpm1 f0= -> true true true true }T
T{ 2e fln 0.6931471805599453e near 1e fln f0= 1e-300 fln -690.7755278982137e near 5e-324 fln -744.4400719213812e near -> true true true true }T
T{ 0e fln finfinite fnegate f= -1e fln fclass fdrop finfinite fln finfinite f= -> true 3 true }T
T{ 1e-10 flnp1 9.9999999995e-11 near 1e flnp1 0.6931471805599453e near 0e flnp1 f0= -1e flnp1 finfinite fnegate f= -> true true true true }T
T{ 1000e flog f>s 1e-5 flog f>s 2e flog 0.3010299956639812e near 3e falog f>s 0.5e falog 3.1622776601683795e near 500e falog finfinite f= -> 3 -5 true 1000 true true }T
T{ 2e 10e f** f>s 2e -1074e f** 5e-324 f= 10e 22e f** 1e22 f= 3e -2e f** 9e f* 1e near 2e 0.5e f** 1.4142135623730951e near -> 1024 true true true true }T
T{ -2e 3e f** f>s -2e 2e f** f>s -2e 0.5e f** fclass fdrop 0e 0e f** f>s 0e 2e f** f0= 0e -1e f** finfinite f= -> -8 4 3 1 true true }T
T{ 1.0001e 10000e f** 2.7181459268249255e -1e-12 f~ -3e 101e f** -1.546132562196033e48 -1e-12 f~ -> true true }T

testing fsin fcos fsincos ftan fasin facos fatan fatan2 pi
T{ 1e fsin 0.8414709848078965e near 10e fsin -0.5440211108893698e near 1e6 fsin -0.3499935021712930e near pi fsin 1.2246467991473532e-16 near -> true true true true }T
T{ 1e fcos 0.5403023058681398e near 10e fcos -0.8390715290764524e near 0e fcos 1e f= 2e fcos -0.4161468365471424e near 4e fcos -0.6536436208636119e near -> true true true true true }T
T{ 1e ftan 1.5574077246549023e near 1e fsincos f- 0.3011686789397568e near finfinite fsin fclass fdrop -> true true 3 }T
T{ s" 1e300 fsin" throws fclear -> -11 }T
T{ 0.5e fasin 0.5235987755982989e near 0.5e facos 1.0471975511965979e near 1e fasin fdup f+ pi f= -1e facos pi f= 2e fasin fclass fdrop -> true true true true 3 }T
T{ 0.3e fatan 0.2914567944778671e near 0.6e fatan 0.5404195002705842e near 1e fatan 4e f* pi f= 2e fatan 1.1071487177940904e near -10e fatan -1.4711276743037347e near -> true true true true true }T
T{ 1e 1e fatan2 4e f* pi f= 1e -1e fatan2 2.356194490192345e near -0e -1e fatan2 pi fnegate f= -1e 0e fatan2 fdup f+ pi fnegate f= -> true true true true }T
T{ finfinite finfinite fatan2 4e f* pi f= 0e 0e fatan2 bits -0e 0e fatan2 bits fnan 1e fatan2 fclass fdrop -> true 0 0 0 0 0 0 0 $8000 3 }T

testing fsinh fcosh ftanh fasinh facosh fatanh
T{ 1e fsinh 1.1752011936438014e near 0.1e fsinh 0.10016675001984403e near 5e fsinh 74.20321057778875e near 1e fcosh 1.543080634815244e near -> true true true true }T
T{ 0.5e ftanh 0.46211715726000973e near -30e ftanh -1e f= 1e fasinh 0.881373587019543e near -1e-9 fasinh -1e-9 near 1e200 fasinh 461.2101657793691e near -> true true true true true }T
T{ 2e facosh 1.3169578969248166e near 1e facosh f0= 1e200 facosh 461.2101657793691e near 0.5e fatanh 0.5493061443340548e near -0.9e fatanh -1.4722194895832204e near -> true true true true true }T

testing environment? and what is left of it without the library
T{ s" FLOATING" environment? s" FLOATING-EXT" environment? s" FLOATING-STACK" environment? s" MAX-FLOAT" environment? 1.7976931348623157e308 f= s" MAX-N" environment? -> true true true true 31 true true true 32767 true }T
done
