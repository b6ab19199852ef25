\ SPDX-License-Identifier: MIT
\ words: keywords and operators, looked for one by one. Each has a number, from 16.
64 constant most-words
create word-text most-words cells allot  variable words#
: spelling  ( token -- addr u )  16 - cells word-text + @ count ;
: add-word  ( addr u -- token )  keep  words# @ cells word-text + !  words# @ 16 +  1 words# +! ;

\ The word, from FROM up to TO, that is this text; 0: none.
: find-keyword  ( addr u from to -- token | 0 )
   swap do  2dup i spelling same? if 2drop i unloop exit then  loop  2drop 0 ;
\ The one that this text begins with.
: find-operator  ( addr u from to -- token | 0 )
   swap do  2dup i spelling starts? if 2drop i unloop exit then  loop  2drop 0 ;
