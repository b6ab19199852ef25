\ SPDX-License-Identifier: MIT
\
\ system: the file that the kernel loads when the system is built. At its end, it writes the image.
\
\	machine	( -- )	vocabulary: the names of forth-machine.h
\	greet	( -- )	before the first line from a terminal
\	prompt	( -- )	after a line from it
\	argument	( u1 -- addr u2 kind )	of the command line, from 0: a file 1, a text 2, behind -- 3; 0 past the last
\	arg	( u1 -- addr u2 )	of those behind --, from 0; 0 0 past the last
\	write-image	( fileid -- fileid )
\	(save)	( addr u -- )
\	save-system	( "file" -- )	an image of all there is but the heap
\	application	( -- addr )	variable
\	start-application	( -- )
\	turnkey	( xt "file" -- )	one that starts with xt, and leaves when it returns

include core.fth
include search.fth
vocabulary machine  also machine definitions
include forth-machine.fth
previous  forth-wordlist set-current  also machine
include file.fth
include core-ext.fth
include exception.fth
include double.fth
include string.fth
include need.fth
include tools.fth
include see.fth
include facility.fth
include memory.fth
include block.fth
include locals.fth
include assembler.fth
include profiler.fth
include help.fth

: greet  ." Forth on a 6502, " unused u. ." bytes free. WORDS lists what there is, BYE leaves." cr ;
' greet greet-hook !
: prompt  ."  " state @ if ." compiled" else ." ok" then cr ;
' prompt prompt-hook !

: argument  ( u1 -- addr u2 kind )
   FORTH_POS ! 0 FORTH_POS 2+ !  pad 255 name!  FORTH_ARG host drop
   pad FORTH_LEN @ 255 min FORTH_FLAG c@ ;
: arg  ( u1 -- addr u2 ) 0
   begin dup argument dup while
      3 = if  3 pick 0= if 2swap 2drop exit then  2>r swap 1- swap 2r>  then  2drop 1+
   repeat  2drop 2drop drop 0 0 ;

\ Memory above HERE is not saved, so block buffers and the heap start empty.
: write-image  ( fileid -- fileid )
   s" vm65" 2 pick write-file throw
   $200 pad !  $200 pad 2+ !  pad 4 2 pick write-file throw
   $200 here over - 2 pick write-file throw ;
: (save)  ( addr u -- )
   flush  block-file @ ?dup if close-file drop  block-file off then
   w/o create-file throw
   memtop @ free-blocks @ 2>r  heap-end memtop !  free-blocks off
   ['] write-image catch  2r> free-blocks ! memtop !
   swap close-file swap throw throw ;
: save-system  next-name (save) ;
\ The image's start hook runs the word as the console would, so that errors are reported.
variable application
: start-application  application @ catch ?dup if 5 outdev! report-hook @execute 1 (bye) then bye ;
: turnkey  next-name rot application !  ['] start-application start-hook !  (save)  start-hook off ;

include private.fth

only
here core-end !
warnings on
save-system system.img
