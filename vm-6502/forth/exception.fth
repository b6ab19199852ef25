\ SPDX-License-Identifier: MIT
\
\ exception: prints the report of an uncaught THROW: file, line, word, and the error; the line itself, the files that included
\ it, and the words that were running, which the host has kept, with their names. Codes are those of Forth 2012;
\ codes below -255 are our own.
\
\	messages	( -- addr )	variable: records of link, code, counted text
\	message:	( n "text" -- )
\	message	( n -- addr u )	u is 0 when there is none
\	.at	( line file -- )	a place in a source; file 0 is the blocks
\	.included	( -- )	from where the file of the last THROW was included
\	host-text	( op -- addr u )	the text that a host operation gives
\	noted	( u -- addr u flag )	line u of what the host noted at the last THROW; false past the last
\	.why	( n -- )	for a file's error: which file it was, and the host's words for what failed
\	.source	( -- )	the line of the last THROW, with a mark below the word
\	.backtrace	( -- )	the words that were running
\	.error	( n -- )

create messages 0 ,
: message:  here messages @ , messages !  ,  0 parse string, ;

-3 message: stack overflow
-4 message: stack underflow
-5 message: return stack overflow
-6 message: return stack underflow
-8 message: dictionary overflow
-9 message: invalid memory address
-10 message: division by zero
-11 message: result out of range
-12 message: argument type mismatch
-13 message: undefined word
-14 message: interpreting a compile-only word
-15 message: invalid FORGET
-16 message: a name is missing
-17 message: pictured numeric output string overflow
-18 message: parsed string overflow
-19 message: definition name too long
-20 message: write to a read-only location
-21 message: unsupported operation
-22 message: control structure mismatch
-24 message: invalid numeric argument
-25 message: return stack imbalance
-28 message: interrupted
-29 message: compiler nesting
-31 message: >BODY used on a word not made by CREATE
-32 message: not a value, a local or a deferred word
-33 message: block read error
-34 message: block write error
-35 message: invalid block number
-36 message: invalid file position
-37 message: file input or output error
-38 message: no such file
-39 message: unexpected end of file
-49 message: search-order overflow
-50 message: search-order underflow
-56 message: QUIT
-58 message: condition without an end
-59 message: out of memory
-60 message: invalid memory block
-61 message: cannot resize a memory block
-78 message: SUBSTITUTE's result is too long
-79 message: text too long for REPLACES
-256 message: input sources nested too deep
-257 message: line longer than 254 characters
-258 message: too many locals
-259 message: no such addressing mode
-260 message: branch too far
-261 message: definition without an end
-262 message: deferred word without an action

: message  messages
   begin @ dup while 2dup 2+ @ = if nip 4 + count exit then repeat 2drop 0 0 ;
: .at  ?dup if file-name type 58 emit else ." block " then 0 <# #s #> type ;
\ The input sources have been left, but their saved state is still in memory. A text that is evaluated
\ has the place of the source that evaluates it.
: .included
   err-line @ err-file @
   err-frames @ begin ?dup while 1- >r
      r@ 18 * $e708 + 2@ swap ( line file line' file' )
      2over 2over d= if 2drop else 2swap 2drop  2dup or if ."    included at " 2dup .at cr then then
   r> repeat 2drop ;
: host-text  ( op -- addr u )  pad 255 name! host drop  pad FORTH_LEN @ 255 min ;
: noted  ( u -- addr u flag )  FORTH_POS ! 0 FORTH_POS 2+ !  FORTH_BACKTRACE host-text  FORTH_FLAG c@ ;
: .why
   FORTH_ERROR_FILE host-text 2dup err-word count same? 0= over and if ." : " 2dup type then 2drop
   -37 = if FORTH_ERROR host-text dup if ."  (" 2dup type ." )" then 2drop then ;
\ A line that was typed is still on the screen, so it is not printed again.
: .source  err-frames @ 0= FORTH_CON c@ $20 and and if exit then
   2 0 do  i noted drop dup if 2dup type cr then 2drop loop ;
: .backtrace  2 begin dup noted while type cr 1+ repeat 2drop drop ;
: .error
   dup -1 = if drop exit then
   err-line @ if err-line @ err-file @ .at ." : " then
   err-word count dup if 2dup type ." : " then 2drop
   dup -2 = if drop err-text 2@ type
   else dup message dup if type  dup -37 = over -38 = or if .why else drop then
   else 2drop ." exception " . then then cr  .source .included .backtrace
   error-hook @execute ;
' .error report-hook !
