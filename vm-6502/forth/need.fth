\ SPDX-License-Identifier: MIT
\
\ need: loads files of Forth that a program asks for by name. The system's own files are in forth/library/.
\
\	needs-room	( u -- )	throws unless there are as many bytes; for the first line of a file
\	need	( "name" -- )	requires the file NAME.fth, from the program's folders or the system's

\ Nothing has been defined yet, so the file can be needed again.
: needs-room  64 + unused u> if source-file @ file-name find-file refused !  -8 throw then ;
: need  next-name pad place  s" .fth" pad count + swap move  pad count 4 + required ;
