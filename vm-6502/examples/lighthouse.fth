\ SPDX-License-Identifier: MIT
\ lighthouse: an adventure. The lamp of a lighthouse has gone out, and a ship is near.
\
\	vm-6502 lighthouse.fth -e play
\
\ What the player types are words of Forth: verbs are found in one word list, nouns in another, and neither
\ sees the rest of the system.

wordlist constant verbs
wordlist constant nouns

\ A text of any length, counted by a cell.
: text,  ( addr u -- ) dup , here over allot swap move align ;
: text  ( addr1 -- addr2 u ) dup cell+ swap @ ;
: say  ( addr -- ) text type cr ;

\ ---- scenes: name, description, six ways out (0: none)

6 constant #ways
: scene  ( "name" -- ) create 0 , 0 , #ways 0 do 0 , loop ;
: described  ( addr u scene -- ) here swap !  text, ;
: told  ( addr u scene -- ) here swap cell+ !  text, ;
: exit-of  ( way scene -- addr ) 2 cells + swap cells + ;
: connect  ( scene1 way scene2 -- ) \ there by that way, and back by its opposite
   >r 2dup swap exit-of r@ swap !
   1 xor r> exit-of ! ;

scene shore   s" On the shore" shore described
s" Waves break over black rocks. A path leads north to the lighthouse, and there is a boat house in the east." shore told
scene boats   s" In the boat house" boats described
s" It smells of tar. The boat has been gone for years." boats told
scene hall    s" In the hall of the lighthouse" hall described
s" A round room with bare walls. Stairs wind up; a door in the west stands ajar." hall told
scene kitchen s" In the keeper's kitchen" kitchen described
s" A cold stove, a table, one chair." kitchen told
scene lamp    s" Beside the great lamp" lamp described
s" Glass all around, the sea all around that. The lamp is as large as you are." lamp told
scene hands    \ where the things are that the player has

0 constant north  1 constant south  2 constant east  3 constant west  4 constant up  5 constant down
shore north hall connect   shore east boats connect
hall west kitchen connect  hall up lamp connect

\ ---- things: where they are, their name, what one sees of them

: thing  ( scene "name" -- ) create , 0 , 0 , ;
: called  ( addr u thing -- ) here swap cell+ !  text, ;
: looks  ( addr u thing -- ) here swap 2 cells + !  text, ;

get-order nouns swap 1+ set-order  definitions
boats thing oil      s" a can of oil" oil called      s" It is full. LAMP OIL, says the label." oil looks
kitchen thing match  s" a match" match called         s" The last one." match looks
shore thing shell    s" a shell" shell called         s" You hear the sea in it, and outside of it too." shell looks
forth-wordlist set-current
oil constant the-oil  match constant the-match
create things  oil , match , shell ,  3 constant #things
previous
: each  ( xt -- ) \ ( thing -- ) for each of them
   #things 0 do  i cells things + @ over >r swap execute r>  loop drop ;

\ ---- what is so

variable player     \ where the player is
variable filled   \ there is oil in the lamp
variable over?    \ the story has ended
variable turns

: look-around
   player @ @ say  player @ cell+ @ say ;
: list-thing  ( thing -- ) dup @ player @ = if ." There is " cell+ @ text type ." ." cr else drop then ;
: look-here  cr look-around ['] list-thing each ;
: arrive  ( scene -- ) player ! look-here ;
: go  ( way -- ) player @ exit-of @ ?dup if arrive else ." There is no way in that direction." cr then ;
: held?  ( thing -- flag ) @ hands = ;
: near?  ( thing -- flag ) @ dup hands = swap player @ = or ;

\ ---- nouns: the next word of the line

: unknown  ( addr u -- ) ." I do not know what '" type ." ' is." cr ;
: noun  ( "name" -- thing true | false )
   parse-name dup 0= if 2drop ." What?" cr false exit then
   2dup nouns search-wordlist if nip nip execute true else unknown false then ;
: present  ( "name" -- thing true | false )
   noun dup if drop dup near? dup 0= if nip ." It is not here." cr then then ;

\ ---- verbs

get-current verbs set-current
: look  look-here ;
: n  north go ;  : s  south go ;  : e  east go ;  : w  west go ;  : u  up go ;  : d  down go ;
: inventory
   ." You have"
   0 #things 0 do i cells things + @ dup held? if over if ." ," then space cell+ @ text type 1+ else drop then loop
   if ." ." else ."  nothing." then cr ;
: take
   present if
      dup held? if drop ." You have it." else hands swap ! ." Taken." then cr
   then ;
: drop
   noun if
      dup held? if player @ swap ! ." Dropped." else drop ." You do not have it." then cr
   then ;
: examine  present if 2 cells + @ say then ;
: help  ." Verbs are LOOK, EXAMINE, TAKE, DROP, FILL, LIGHT, INVENTORY, QUIT; ways N, S, E, W, U and D." cr ;
: quit  ." The light stays out." cr over? on ;
set-current

: in-lamp-room?  ( -- flag ) player @ lamp = dup 0= if ." There is nothing here to do that with." cr then ;
: fill-lamp
   in-lamp-room? 0= if exit then
   the-oil held? 0= if ." With what?" cr exit then
   filled on  ." The oil runs into the lamp." cr ;
: light-lamp
   in-lamp-room? 0= if exit then
   the-match held? 0= if ." You have nothing to light it with." cr exit then
   filled @ 0= if ." It is dry. That would waste the match." cr exit then
   ." A flame, then a beam. Out at sea a ship turns, slowly, away from the rocks." cr
   ." You did it in " turns @ . ." turns." cr  over? on ;
get-current verbs set-current
: fill  fill-lamp ;
: light  light-lamp ;
set-current

\ ---- the game

: obey  ( "verb" -- )
   parse-name 2dup verbs search-wordlist if nip nip 1 turns +! execute
   else ." I cannot '" type ." '. HELP says what I can." cr then
   0 parse 2drop ;

\ What is typed is evaluated behind a word that knows what to do with it.
create line  s" obey " dup allot  line swap move  80 allot
variable silence
: listen
   ." > " line 5 + 80 accept  dup if  line swap 5 + evaluate  silence off  exit then
   drop  1 silence +!  silence @ 5 = if cr ." You fall asleep." cr over? on then ;
: play
   turns off  filled off  over? off  silence off
   ." The lamp has gone out, and a ship is near." cr  shore arrive
   begin listen over? @ until ;
