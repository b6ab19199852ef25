\ SPDX-License-Identifier: MIT
\
\ block: Forth 2012's BLOCK and BLOCK EXT. Blocks are in the file blocks.fb, which is made when it is first
\ needed. Two buffers; the one used last is kept.
\
\	block-file	( -- addr )	variable: fileid of blocks.fb, or 0
\	buffers	( -- addr )	two records: number of the block or 0, updated, address
\	newest	( -- addr )	variable: the record used last
\	blocks	( -- fileid )	opens the file
\	position-block	( u -- )
\	save-buffer	( record -- )
\	assign	( u -- record flag )	a record for a block, and whether it holds it
\	buffer	( u -- addr )
\	block	( u -- addr )
\	update	( -- )
\	save-buffers	( -- )
\	empty-buffers	( -- )
\	flush	( -- )
\	block-source	( -- )
\	load	( … u -- … )
\	thru	( … u1 u2 -- … )
\	scr	( -- addr )	variable
\	list	( u -- )
\	refill	( -- flag )
\	save-input	( -- xn … x1 n )
\	restore-input	( xn … x1 n -- flag )

variable block-file
create buffers  0 , 0 , $f600 ,  0 , 0 , $fa00 ,
variable newest  buffers newest !
: blocks  block-file @ ?dup if exit then
   s" blocks.fb" r/w open-file if drop s" blocks.fb" r/w create-file -34 and throw then
   dup block-file ! ;
: position-block  dup 0= -35 ?throw
   1- 1024 um* blocks reposition-file if -35 throw then ;
: save-buffer  dup 2+ @ 0= if drop exit then
   dup @ position-block  dup 4 + @ 1024 blocks write-file if -34 throw then  2+ off ;
: assign
   buffers 2dup @ <> if 6 + 2dup @ <> if drop
      newest @ buffers = 6 and buffers +  dup save-buffer
      tuck !  dup newest !  false exit
   then then
   nip dup newest !  true ;
: buffer  dup 0= -35 ?throw  assign drop 4 + @ ;
\ Blocks beyond the end of the file are read as blanks.
: block  dup 0= -35 ?throw  dup assign if nip 4 + @ exit then
   swap position-block  4 + @  dup 1024 bl fill
   dup 1024 blocks read-file if -33 throw then drop ;
: update  newest @ 2+ on ;
: save-buffers  buffers save-buffer  buffers 6 + save-buffer
   block-file @ if block-file @ flush-file drop then ;
: empty-buffers  buffers off buffers 2+ off  buffers 6 + off buffers 8 + off ;
: flush  save-buffers empty-buffers ;

\ In a block the number of the line is that of the block, and there is no file.
\ The block is looked up again whenever its text goes on, for it may have left its buffer.
: block-source  ( -- ) blk @ dup source-line !  block 1024 (source) 2! ;
: load  dup 0= -35 ?throw  nest  blk !  >in off  source-file off  -1 (source) 6 + !  block-source
   interpret  frames @ 1- unnest  blk @ if block-source then ;
: thru  1+ swap ?do i load loop ;
variable scr
: list  dup scr !  16 0 do cr i 2 .r space  dup block i 64 * + 64 -trailing type loop drop cr ;
: refill  blk @ if 1 blk +! >in off block-source true else refill then ;

\ A line of a file is found again by its position, a block by its number; other sources need only >IN.
: save-input  blk @ if >in @ blk @ 2 exit then
   (source) 14 + 2@  source-line @  >in @  source-id  5 ;
: restore-input
   dup 2 = if drop  blk @ 0= if 2drop true exit then  blk ! >in ! block-source false exit then
   5 <> if true exit then
   source-id <> if 2drop 2drop true exit then
   source-id 0> 0= if >in ! drop 2drop false exit then
   >r 1- source-line !  source-id reposition-file drop
   refill r> >in ! 0= ;
