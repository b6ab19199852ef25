\ SPDX-License-Identifier: MIT
\ words, the second version: keywords and operators in lists by their first characters.
64 constant most-words
create word-text most-words cells allot  variable words#
create word-next most-words allot   \ the next word with the same first character; 0: none
create first-words 128 allot  first-words 128 erase
: spelling  ( token -- addr u )  16 - cells word-text + @ count ;
: 'first  ( addr u -- addr' )  drop c@ 127 and first-words + ;
\ At the end of its list, since longer operators must come first.
: link-word  ( token addr u -- )
   'first begin dup c@ while c@ 16 - word-next + repeat  c! ;
: add-word  ( addr u -- token )
   2dup keep  words# @ cells word-text + !  0 words# @ word-next + c!
   words# @ 16 + dup 2swap link-word  1 words# +! ;

: find-word  ( addr u xt -- token | 0 )
   >r 2dup 'first
   begin c@ dup while
      >r 2dup r@ spelling  r> r@ swap >r execute if 2drop r> rdrop exit then
      r> 16 - word-next +
   repeat  rdrop nip nip ;
: find-keyword  ( addr u from to -- token | 0 )  2drop ['] same? find-word ;
: find-operator  ( addr u from to -- token | 0 )  2drop dup 0= if nip exit then  ['] starts? find-word ;
