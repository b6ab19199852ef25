\ SPDX-License-Identifier: MIT
\
\ search: Forth 2012's SEARCH and SEARCH EXT. A word list is its newest header, the word list made before
\ it, and its name's header or 0.
\
\	wordlist	( -- wid )
\	root-wordlist	( -- wid )	what ONLY leaves below FORTH: the words to find the others again
\	get-order	( -- widn … wid1 n )
\	set-order	( widn … wid1 n -- )
\	get-current	( -- wid )
\	set-current	( wid -- )
\	definitions	( -- )
\	search-wordlist	( addr u wid -- 0 | xt 1 | xt -1 )
\	also	( -- )
\	previous	( -- )
\	forth	( -- )
\	only	( -- )
\	(vocabulary)	( wid -- )	replaces the first of the search order
\	vocabulary	( "name" -- )
\	.wordlist	( wid -- )
\	order	( -- )

: wordlist  here 0 , voclink @ , dup voclink !  0 , ;
wordlist constant root-wordlist  latest @ root-wordlist 4 + !
: get-order  (order) @ 0 ?do (order) @ i - cells (order) + @ loop (order) @ ;
: set-order  dup -1 = if drop root-wordlist forth-wordlist 2 then
   dup 9 u> -49 ?throw  dup (order) !  0 ?do i 1+ cells (order) + ! loop ;
: get-current  current @ ;
: set-current  current ! ;
: definitions  (order) 2+ @ current ! ;
: search-wordlist  find-name-in dup if
   dup name>interpret swap 5 + c@ $80 and if 1 else -1 then then ;
: also  get-order over swap 1+ set-order ;
: previous  get-order dup 0= -50 ?throw  nip 1- set-order ;
: (vocabulary)  ( wid -- ) >r get-order dup 0= -50 ?throw  nip r> swap set-order ;
: forth  forth-wordlist (vocabulary) ;
: only  -1 set-order ;
: vocabulary  wordlist create latest @ over 4 + ! , does> @ (vocabulary) ;
: .wordlist  dup forth-wordlist = if drop ." Forth " exit then
   dup 4 + @ ?dup if nip name>string type space else u. then ;
: order  get-order 0 ?do .wordlist loop  ."   compiling to " current @ .wordlist cr ;
