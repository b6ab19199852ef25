\ SPDX-License-Identifier: MIT
\ ways: words that are left in every way there is. The test knows who calls whom, and how often.
: leaf  1 drop ;
: by-exit  leaf exit leaf ;
: early  r> drop ;
: left-early  leaf early leaf ;
: early-caller  left-early leaf ;
: peeks  r> leaf >r leaf ;
: thrower  leaf 7 throw ;
: thrown-through  thrower leaf ;
: catches  ['] thrown-through catch drop leaf ;
: executes  ['] leaf execute ;
defer later
: target  leaf ;
' target is later
: deferred  later later ;
: maker  create , does> leaf @ drop ;
3 maker child
: does  child child ;
: recurses ( n -- )  dup if 1- recurse else drop leaf then ;
: loops  3 0 do leaf loop ;
: leaves-loop  3 0 do i if leaf unloop exit then loop leaf ;
: locals {: a b -- c :} leaf a b + ;
:noname leaf ; constant nameless
: noname  nameless execute ;
: all  by-exit early-caller peeks catches executes deferred does 4 recurses loops leaves-loop
   1 2 locals drop noname ;
: quits  leaf quit ;
: outer  all quits leaf ;
outer
