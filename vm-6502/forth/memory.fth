\ SPDX-License-Identifier: MIT
\
\ memory: Forth 2012's MEMORY. The heap grows down from the end of memory, towards the dictionary, and
\ MEMTOP goes down with it. What is freed is used again, first fit, neighbours joined.
\
\	[size 2, bit 0: in use][room …][size][room] … up to HEAP-END
\	^MEMTOP
\
\ size counts the header and is even. The chain of sizes is complete at any time.
\
\	heap-end	( -- addr )
\	size-of	( block -- u )
\	used?	( block -- flag )
\	join	( block -- )	makes one of a free block and the free ones behind it
\	fit	( u -- block | 0 )	the first free block of that size at least
\	take	( block u -- )	marks a block used, and leaves the rest of it free
\	allocate	( u -- addr ior )
\	block-of	( addr -- block true | false )	the used block that an address belongs to
\	free	( addr -- ior )
\	resize	( addr1 u -- addr2 ior )

$e600 constant heap-end
: size-of  @ -2 and ;
: used?  @ 1 and ;
: join  begin dup dup size-of + dup heap-end u< while dup used? 0= while
      size-of over +! repeat then 2drop ;
: fit  memtop @ begin dup heap-end u< while
      dup used? 0= if dup join  2dup size-of u> 0= if nip exit then then
      dup size-of +
   repeat 2drop 0 ;
: take  2dup swap size-of swap - dup 4 u< if 2drop dup @ 1 or swap ! exit then
   >r 2dup + r> swap !  1 or swap ! ;
\ 64 bytes are left for the word that is being parsed and the like.
: allocate  dup $7ff0 u> if drop 0 -59 exit then
   3 + -2 and 4 max  dup fit ?dup 0= if
      dup unused 64 - 0 max u> if drop 0 -59 exit then
      dup negate memtop +!  dup memtop @ !  memtop @
   then  tuck swap take 2+ 0 ;
: block-of  2-  memtop @ begin dup heap-end u< while
      2dup = if nip dup used? if true else drop false then exit then  dup size-of +
   repeat 2drop false ;
: free  block-of 0= if -60 exit then
   dup size-of over !
   begin memtop @ heap-end u< while memtop @ used? 0= while memtop @ size-of memtop +! repeat then drop 0 ;
: resize  over block-of 0= if drop -61 exit then
   over $7ff0 u> if 2drop -61 exit then
   ( addr u block ) size-of 2- 2dup u> 0= if 2drop 0 exit then
   >r dup allocate if rdrop 2drop -61 exit then
   ( addr u new ) nip 2dup r> move  swap free drop 0 ;
