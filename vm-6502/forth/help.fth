\ SPDX-License-Identifier: MIT
\
\ help: what a word is for, its source in an editor, and a warning where a word takes another's name.
\
\	warnings	( -- addr )	variable: whether redefining a word prints a warning; true at first
\	(redefined)	( addr u -- addr u )
\	known-word	( "name" -- )	hands a word to a host operation
\	help	( "name" -- )	shows the stack effect of a word and the first line of its description
\	edit	( "name" -- )	opens the editor at the line where a word is defined

variable warnings
: (redefined)
   warnings @ if
      2dup current @ find-name-in dup if 5 + c@ $40 and 0= then if
         outdev@ >r  5 outdev!
         source-line @ if source-line @ source-file @ .at ." : " then
         ." redefined " 2dup type cr
         r> outdev!
      then
   then ;
' (redefined) header-hook !
: known-word  parse-name 2dup token 2! find-name dup 0= -13 ?throw  FORTH_POS !  0 FORTH_POS 2+ ! ;
: help  known-word FORTH_HELP host-text type cr ;
: edit  known-word FORTH_EDIT host throw ;
