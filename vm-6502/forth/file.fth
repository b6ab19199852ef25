\ SPDX-License-Identifier: MIT
\
\ file: Forth 2012's FILE and FILE EXT, upon the host's operations. Names of the machine's registers and
\ operations are those of forth-machine.h and are in the word list MACHINE.
\
\	w/o	( -- fam )
\	r/w	( -- fam )
\	bin	( fam -- fam )
\	(name)	( addr u op -- ior )	an operation on a name
\	(file)	( fileid op -- ior )	an operation on an open file
\	create-file	( addr u fam -- fileid ior )
\	delete-file	( addr u -- ior )
\	rename-file	( addr1 u1 addr2 u2 -- ior )
\	file-status	( addr u -- x ior )
\	file-size	( fileid -- ud ior )
\	resize-file	( ud fileid -- ior )
\	reposition-file	( ud fileid -- ior )
\	read-file	( addr u1 fileid -- u2 ior )
\	write-file	( addr u fileid -- ior )
\	write-line	( addr u fileid -- ior )
\	flush-file	( fileid -- ior )
\	refused	( -- addr )	variable: the record of a file for which there was no room, or 0
\	required	( addr u -- )
\	require	( "name" -- )

FORTH_FAM_WRITE constant w/o
FORTH_FAM_READ FORTH_FAM_WRITE or constant r/w
: bin ;
: (name)  >r name! r> host ;
: (file)  swap FORTH_FILE c! host ;
: create-file  FORTH_FAM c!  FORTH_CREATE (name)  FORTH_FILE c@ swap ;
: delete-file  FORTH_DELETE (name) ;
: rename-file  FORTH_LEN2 ! FORTH_ADDR2 !  FORTH_RENAME (name) ;
: file-status  FORTH_STATUS (name) 0 swap ;
: file-size  FORTH_FILE_SIZE (file) >r  FORTH_POS @ FORTH_POS 2+ @ r> ;
: resize-file  >r FORTH_POS 2+ ! FORTH_POS !  r> FORTH_RESIZE (file) ;
: reposition-file  >r FORTH_POS 2+ ! FORTH_POS !  r> FORTH_REPOSITION (file) ;
: read-file  file!  FORTH_READ host  FORTH_LEN @ swap ;
: write-file  file!  FORTH_WRITE host ;
: write-line  dup >r write-file ?dup if rdrop exit then
   10 hld !  hld 1 r> write-file ;
: flush-file  FORTH_FLUSH (file) ;

\ A file counts as read from the moment it is begun.
variable refused
: required
   2dup find-file  dup refused @ = if drop false then  if 2drop else refused off included then ;
: require  next-name required ;
