\ SPDX-License-Identifier: MIT
\
\ help: the purpose of a word, its source in an editor, and notes if a word takes another's name or a number does not fit.
\
\	warnings	( -- addr )	variable: whether notes are printed; true at first
\	(note)	( addr u addr2 u2 -- addr u )	prints a note, the second text, on a word or number, the first
\	(redefined)	( addr u -- addr u )
\	(cut)	( -- )	a note on a number that does not fit
\	asked-word	( "name" -- )	hands a word to a host operation
\	help	( "name" -- )	shows the stack effect of a word and the first line of its description
\	edit	( "name" -- )	opens the editor at the line where a word is defined

variable warnings
: (note)
   outdev@ >r  5 outdev!
   source-line @ if source-line @ source-file @ .at ." : " then  type 2dup type cr
   r> outdev! ;
: (redefined)
   warnings @ if
      2dup current @ find-name-in dup if 5 + c@ $40 and 0= then if
         s" redefined " (note)
      then
   then ;
' (redefined) header-hook !
: (cut)  warnings @ if token 2@ s" cut to fit: " (note) 2drop then ;
' (cut) cut-hook !
: asked-word  known-word FORTH_POS !  0 FORTH_POS 2+ ! ;
: help  asked-word FORTH_HELP host-text type cr ;
: edit  asked-word FORTH_EDIT host throw ;
