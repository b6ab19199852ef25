\ SPDX-License-Identifier: MIT
\
\ memory: Forth 2012's MEMORY. The heap grows down from the end of memory, towards the dictionary, and
\ MEMTOP goes down with it. Freed blocks are used again, first fit, and free neighbours are joined.
\
\	[size 2, bit 0 set][check 2][room …]	in use; check is what CHECK makes of address and size
\	[size 2][the next free block 2][…]	free
\
\ size counts all of it and is even. Blocks lie side by side from MEMTOP to HEAP-END. The free ones are in a
\ list by their addresses; no two of them touch, and none begins at MEMTOP. So neither ALLOCATE nor FREE
\ looks at blocks in use.
\
\	heap-end	( -- addr )
\	free-blocks	( -- addr )	variable: the first free block, or 0
\	size-of	( block -- u )
\	check	( block -- x )
\	use	( block u -- addr )	makes a block of that size, which is in use
\	fit	( u -- link block | 0 )	the first free block of that size at least, and the cell that leads to it
\	carve	( u1 link block1 -- block2 u2 )	takes the upper part of a free block, or all of it
\	extend	( u -- block | 0 )	takes a block from below MEMTOP
\	allocate	( u -- addr ior )
\	block-of	( addr -- block true | false )	the block in use that begins there
\	before	( block -- link )	the cell that leads to the first free block behind it
\	join	( block -- )	makes one of a free block and the one it leads to, if they touch
\	shrink	( -- )	gives the first free block back, if it begins at MEMTOP
\	free	( addr -- ior )
\	resize	( addr1 u -- addr2 ior )

$e600 constant heap-end
variable free-blocks
: size-of  @ -2 and ;
: check  dup @ xor invert ;
: use  over >r  1 or over !  dup check swap 2+ !  r> 4 + ;
: fit  free-blocks begin dup @ dup while ( u link block )
      dup @ 3 pick u< 0= if rot drop exit then
   nip 2+ repeat nip nip ;
\ The rest of a block that is split must have room for its size and the link.
: carve  dup @ 3 pick - dup 4 u< if drop  dup 2+ @ rot !  nip dup @ exit then
   ( u link block rest ) rot drop  2dup swap !  + swap ;
\ 64 bytes are kept for the word being parsed and the like.
: extend  dup unused 64 - 0 max u> if drop 0 exit then  negate memtop +!  memtop @ ;
: allocate  dup $7ff0 u> if drop 0 -59 exit then
   5 + -2 and  dup fit dup if carve
   else drop  dup extend dup 0= if nip -59 exit then  swap then  use 0 ;
: block-of  4 -
   dup memtop @ heap-end within  over 1 and 0= and  0= if drop false exit then
   dup @ 1 and 0= if drop false exit then
   dup check over 2+ @ = dup 0= if nip then ;
: before  free-blocks begin dup @ dup while  2 pick u< while  @ 2+ repeat nip exit then drop nip ;
: join  dup 2+ @ dup 0= if 2drop exit then
   ( block next ) over dup @ + over <> if 2drop exit then
   2dup @ swap +!  2+ @ swap 2+ ! ;
: shrink  free-blocks @ memtop @ = if  memtop @ 2+ @  memtop @ @ memtop +!  free-blocks ! then ;
: free  block-of 0= if -60 exit then
   dup size-of over !  dup before ( block link )
   2dup @ swap 2+ !  2dup !
   swap join  dup free-blocks <> if 2- join else drop then  shrink 0 ;
: resize  over block-of 0= if drop -61 exit then
   over $7ff0 u> if 2drop -61 exit then
   ( addr u block ) size-of 4 - 2dup u> 0= if 2drop 0 exit then
   >r dup allocate if rdrop 2drop -61 exit then
   ( addr u new ) nip 2dup r> move  swap free drop 0 ;
