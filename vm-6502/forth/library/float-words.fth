\ SPDX-License-Identifier: MIT
\
\ float-words: the words of FLOATING and FLOATING EXT that follow from arithmetic and the stack.
\
\	s>f	( n -- ) ( F: -- r )
\	f>s	( F: r -- ) ( -- n )
\	f,	( F: r -- )
\	floats sfloats dfloats	( n1 -- n2 )
\	float+ sfloat+ dfloat+	( addr1 -- addr2 )
\	falign sfalign dfalign	( -- )	nothing: floats are aligned everywhere
\	faligned sfaligned dfaligned	( addr -- addr )
\	ffield: sffield: dffield:	( n1 "name" -- n2 )
\	fconstant	( F: r -- ) ( "name" -- )
\	fvariable	( "name" -- )
\	fvalue	( F: r -- ) ( "name" -- )
\	dofvalue	( -- x )	what a word made by FVALUE has in its code field
\	fto	( addr u -- flag )	does TO's work if that is its name, and no local's
\	to	( x "name" -- )	for floats, too
\	(f")	( addr u -- ) ( F: -- r )
\	fliteral	( F: r -- )
\	f<	( F: r1 r2 -- ) ( -- flag )
\	f>	( F: r1 r2 -- ) ( -- flag )
\	fmax fmin	( F: r1 r2 -- r3 )
\	fsame	( F: r1 r2 -- ) ( -- flag )	byte for byte
\	f~	( F: r1 r2 r3 -- ) ( -- flag )
\	fhigh	( -- addr )	the byte with the sign of the top
\	fsigned	( x -- ) ( F: r1 -- r2 )	with this sign; 0 or 80
\	f2^52	( -- addr )
\	fround	( F: r1 -- r2 )	to nearest, ties to even
\	floor	( F: r1 -- r2 )
\	ftrunc	( F: r1 -- r2 )
\	fclass	( F: r -- r ) ( -- u )	0 zero, 1 finite, 2 infinite, 3 not a number
\	catch	( … xt -- … 0 | … n )	restores the depth of floats, too
\	fclear	( -- )	empties the stack of floats
\	fmax-float	( -- addr )	the largest there is
\	environment?	( addr u -- false | … true )

: s>f  s>d d>f ;
: f>s  f>d drop ;
: f,  here 8 allot f! ;
: floats  3 lshift ;
: sfloats  2 lshift ;
: dfloats  floats ;
: float+  8 + ;
: sfloat+  4 + ;
: dfloat+  8 + ;
: falign ;
: sfalign ;
: dfalign ;
: faligned ;
: sfaligned ;
: dfaligned ;
: ffield:  8 +field ;
: sffield:  4 +field ;
: dffield:  8 +field ;
: fconstant  create f, does> f@ ;
: fvariable  create 8 allot ;
: fvalue  create f, does> f@ ;
0 s>f fvalue dofvalue
' dofvalue @  forget dofvalue  constant dofvalue
: fto  ( addr u -- flag )
   state @ if to-local @ if 2dup to-local @ execute if 2drop true exit then then then
   find-name dup if name>interpret dup @ dofvalue = if
      >body state @ if postpone literal ['] f! , else f! then true exit then drop false then ;
: to  >in @ parse-name fto if drop exit then  >in ! postpone to ; immediate

: (f")  drop f@ ;
: fliteral  fsp c@ float-page + 8 postpone sliteral ['] (f") , fdrop ; immediate

: f<  f- f0< ;
: f>  fswap f< ;
: fmax  fover fover f< if fswap then fdrop ;
: fmin  fover fover f< 0= if fswap then fdrop ;
: fsame  fsp c@ float-page + dup 8 + 8 tuck compare 0= fdrop fdrop ;
: f~
   fdup f0= if fdrop fsame exit then
   fdup f0< if
      fabs frot frot  fover fabs fover fabs f+  frot frot f- fabs  frot frot f* f< exit
   then
   frot frot f- fabs fswap f< ;

: fhigh  fsp c@ float-page + 7 + ;
: fsigned  fhigh c@ $7f and or fhigh c! ;
create f2^52 0 , 0 , 0 , $4330 ,
: fround  fdup fabs f2^52 f@ f< if
   fhigh c@ $80 and  fabs f2^52 f@ f+ f2^52 f@ f-  fsigned then ;
: floor  fdup fround fswap fover f< if 1 s>f f- then ;
: ftrunc  fhigh c@ $80 and  fabs floor fsigned ;
: fclass  fhigh 1- @ $7ff0 and  dup $7ff0 = if
   drop fhigh 1- @ $f and fhigh 7 - @ or fhigh 5 - @ or fhigh 3 - @ or if 3 else 2 then exit then
   drop fdup f0= 1+ ;

: catch  fsp c@ >r catch dup if r> fsp c! else rdrop then ;
: fclear  0 fsp c! ;
' fclear error-hook !
create fmax-float -1 , -1 , -1 , $7fef ,
: environment?
   2dup s" FLOATING" same? if 2drop true true exit then
   2dup s" FLOATING-EXT" same? if 2drop true true exit then
   2dup s" FLOATING-STACK" same? if 2drop 31 true exit then
   2dup s" MAX-FLOAT" same? if 2drop fmax-float f@ true exit then
   environment? ;
