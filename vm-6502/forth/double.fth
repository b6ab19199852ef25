\ SPDX-License-Identifier: MIT
\
\ double: Forth 2012's DOUBLE and DOUBLE EXT, except what the kernel has.
\
\	2constant	( x1 x2 "name" -- )
\	2variable	( "name" -- )
\	2literal	( x1 x2 -- )
\	2value	( x1 x2 "name" -- )
\	2rot	( xd1 xd2 xd3 -- xd2 xd3 xd1 )
\	d0=	( xd -- flag )
\	d0<	( d -- flag )
\	d>s	( d -- n )
\	dabs	( d -- ud )
\	dmax	( d1 d2 -- d3 )
\	dmin	( d1 d2 -- d3 )
\	m+	( d1 n -- d2 )
\	m*/	( d1 n1 +n2 -- d2 )
\	d.r	( d n -- )
\	d.	( d -- )
\	ud.r	( ud n -- )
\	ud.	( ud -- )

: 2constant  create , , does> 2@ ;
: 2variable  create 0 , 0 , ;
: 2literal  swap postpone literal postpone literal ; immediate
: 2value  create do2value last-xt @ ! , , ;
: 2rot  5 roll 5 roll ;
: d0=  or 0= ;
: d0<  nip 0< ;
: d>s  drop ;
: dabs  dup 0< if dnegate then ;
: dmax  2over 2over d< if 2swap then 2drop ;
: dmin  2over 2over d< 0= if 2swap then 2drop ;
: m+  s>d d+ ;
\ The product has three cells: low, middle, high. Rounds down, as / does.
: m*/  >r 2dup xor 0< r> swap >r >r  abs >r dabs r>
   tuck um* 2swap um* swap >r 0 d+ r>
   -rot r@ um/mod -rot r> um/mod rot
   r> if rot if 1. d+ then dnegate else rot drop then ;
: d.r  >r tuck dabs <# #s rot sign #>  r> over - spaces type ;
: d.  0 d.r space ;
: ud.r  >r <# #s #>  r> over - spaces type ;
: ud.  0 ud.r space ;
