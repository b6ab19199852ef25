\ SPDX-License-Identifier: MIT
\ tester: tests of words, reported as TAP.
\
\	TESTING what holds of what
\	T{ 1 2 + -> 3 }T
\	DONE
\
\ The code before the arrow must leave the same on the stack as the code behind it. A group of such lines
\ between one TESTING and the next is one result.

variable results  variable failures  variable base-depth
variable saved  create got 64 cells allot
create title 0 c, 255 allot
: close  title c@ 0= if exit then
   failures @ if ." not " then ." ok " results @ 0 .r ."  - " title count type cr
   0 failures ! ;
: testing  close  1 results +!  0 parse title place ;
: failed  1 failures +!  ." # " source-file @ file-name type ." :" source-line @ . source type cr ;
: T{  depth base-depth ! ;
: ->  depth base-depth @ - dup saved !  0 ?do got i cells + ! loop ;
: }T
   depth base-depth @ - saved @ <> if
      failed ." # left " saved @ . ." cells" cr  begin depth base-depth @ > while drop repeat exit
   then
   true  saved @ 0 ?do swap got i cells + @ = and loop
   0= if failed  ." # left" saved @ 0 ?do got saved @ 1- i - cells + @ space . loop cr then ;
: done  close  ." 1.." results @ . cr ;
\ The code that a text throws; the stack is unchanged.
: throws  ( addr u -- n ) depth >r ['] evaluate catch
   begin depth r@ 1- > while nip repeat  begin depth r@ 1- < while 0 swap repeat rdrop ;
\ What a word prints; whether it prints a text.
create shown 6000 allot
: told  ( xt -- addr u )
   s" out.txt" r/w create-file throw >r
   r@ $80 or outdev!  catch  0 outdev! throw
   0. r@ reposition-file throw  shown 6000 r@ read-file throw  r> close-file throw  shown swap ;
: told?  ( addr u xt -- flag ) told 2swap search nip nip ;
