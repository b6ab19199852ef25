\ SPDX-License-Identifier: MIT
\
\ system: what the kernel is made to load when the system is built. It ends with the image written.
\
\	machine	( -- )	vocabulary: the names of forth-machine.h
\	prompt	( -- )	after a line from a terminal
\	(save)	( addr u -- )
\	save-system	( "file" -- )	an image of all there is
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
include tools.fth
include see.fth
include facility.fth
include memory.fth
include block.fth
include locals.fth
include assembler.fth
include profiler.fth

: prompt  ."  " state @ if ." compiled" else ." ok" then cr ;
' prompt prompt-hook !

: (save)  ( addr u -- )
   w/o create-file throw >r
   s" vm65" r@ write-file throw
   $200 pad !  $200 pad 2+ !  pad 4 r@ write-file throw
   $200 here over - r@ write-file throw
   r> close-file throw ;
: save-system  parse-name (save) ;
\ The image's start hook runs the word as the console would, so that errors are told.
variable application
: start-application  application @ catch ?dup if 5 outdev! report-hook @execute 1 (bye) then bye ;
: turnkey  application !  ['] start-application start-hook !  parse-name (save)  start-hook off ;

here core-end !
previous
save-system system.img
