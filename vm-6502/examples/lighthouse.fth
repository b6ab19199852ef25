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
s" A round room with bare walls. In the west is a kitchen. Stairs wind up behind an iron door." hall told
scene kitchen s" In the keeper's kitchen" kitchen described
s" A cold stove, a table, one chair. A trap door is open, and a ladder leads down." kitchen told
scene cellar  s" In the cellar" cellar described
s" The walls are wet. A cask of lamp oil takes up half of the room." cellar told
scene top     s" Beside the great lamp" top described
s" Glass all around, the sea all around that. The lamp is as large as you are." top told
scene hands    \ where the player's things are
scene nowhere  \ those that are hidden, or used up

0 constant north  1 constant south  2 constant east  3 constant west  4 constant up  5 constant down
shore north hall connect   shore east boats connect
hall west kitchen connect  kitchen down cellar connect

\ ---- things: where they are, name, how they look, whether they can be taken

: thing  ( scene "name" -- ) create , 0 , 0 , true , ;
: called  ( addr u thing -- ) here swap cell+ !  text, ;
: looks  ( addr u thing -- ) here swap 2 cells + !  text, ;
: loose?  ( thing -- addr ) 3 cells + ;
: fixed  ( thing -- ) loose? off ;

\ From here on nouns are found first, so KEY is a thing.
get-order nouns swap 1+ set-order  definitions
boats thing can       s" a can" can called            s" LAMP OIL, says the label. There is none in it." can looks
boats thing lantern   s" a lantern" lantern called    s" Its glass keeps the wind out." lantern looks
kitchen thing match   s" a match" match called        s" The last one. Mind the wind." match looks
shore thing shell     s" a shell" shell called        s" You hear the sea in it, and outside of it too." shell looks
nowhere thing key     s" a key" key called            s" It is of iron, and rusty." key looks
hall thing door       s" the door" door called        s" Iron, with a keyhole." door looks     door fixed
cellar thing cask     s" the cask" cask called        s" It has a tap." cask looks             cask fixed
top thing lamp        s" the lamp" lamp called        s" A wick as thick as your arm." lamp looks  lamp fixed
create things  can , lantern , match , shell , key , door , cask , lamp ,  8 constant #things
forth-wordlist set-current
: each  ( xt -- ) \ ( thing -- ) for each of them
   #things 0 do  i cells things + @ over >r swap execute r>  loop drop ;

\ ---- the state of the story

variable player     \ where the player is
variable burning    \ the lantern is
variable full       \ the can is
variable filled     \ there is oil in the lamp
variable unlocked   \ the door is
variable over?      \ the story has ended
variable turns
40 constant too-late

: held?  ( thing -- flag ) @ hands = ;
: near?  ( thing -- flag ) @ dup hands = swap player @ = or ;
: dark?  ( -- flag ) player @ cellar =  burning @ lantern near? and 0= and ;
: lies-here?  ( thing -- flag ) dup loose? @ swap @ player @ = and ;
: list-thing  ( thing -- ) dup lies-here? if ." There is " cell+ @ text type ." ." cr else drop then ;
: look-here
   cr player @ @ say
   dark? if ." It is dark. Something drips." cr exit then
   player @ cell+ @ say  ['] list-thing each ;
: arrive  ( scene -- ) player ! look-here ;
: go  ( way -- )
   dup up = player @ hall = and unlocked @ 0= and if drop ." The iron door is locked." cr exit then
   player @ exit-of @ ?dup if arrive else ." There is no way in that direction." cr then ;

\ ---- nouns: the next word of the line

: unknown  ( addr u -- ) ." I do not know what '" type ." ' is." cr ;
: noun  ( "name" -- thing true | false )
   parse-name dup 0= if 2drop ." What?" cr false exit then
   2dup nouns search-wordlist if nip nip execute true else unknown false then ;
: seen?  ( thing -- flag ) dup held? if drop true exit then near? dark? 0= and ;
: present  ( "name" -- thing true | false )
   noun dup 0= if exit then
   over seen? if exit then
   2drop  dark? if ." It is too dark for that." else ." It is not here." then cr false ;

\ ---- what things do

: use-up  ( thing -- ) nowhere swap ! ;
: show-key
   key @ nowhere = unlocked @ 0= and if ." A key falls out of it." cr  player @ key ! then ;
: unlock-door
   unlocked @ if ." It is open." cr exit then
   key held? 0= if ." You have no key." cr exit then
   unlocked on  key use-up  hall up top connect
   ." The key turns, and breaks. The door is open." cr ;
: light-lantern
   burning @ if ." It burns." cr exit then
   match held? 0= if ." You have nothing to light it with." cr exit then
   match use-up
   player @ shore = if ." The wind blows the match out. It was the last one." cr exit then
   burning on  ." It burns with a small, steady flame." cr ;
: light-lamp
   filled @ 0= if ." It is dry. That would be no use." cr exit then
   burning @ lantern held? and 0= if
      match held? if ." The match is too small for such a wick." else ." You have nothing to light it with." then cr exit
   then
   ." A flame, then a beam. Out at sea a ship turns, slowly, away from the rocks." cr
   ." You did it in " turns @ 1+ . ." turns." cr  over? on ;
: fill-can
   full @ if ." It is full." cr exit then
   can held? 0= if ." You do not have it." cr exit then
   player @ cellar <> dark? or if ." There is nothing here to fill it with." cr exit then
   full on  ." Oil runs from the tap." cr ;
: fill-lamp
   full @ can held? and 0= if ." With what?" cr exit then
   full off  filled on  ." The oil runs into the lamp." cr ;
: not-so  ( thing -- ) drop ." That is no use." cr ;

\ ---- verbs

verbs set-current
: look  look-here ;
: n  north go ;  : s  south go ;  : e  east go ;  : w  west go ;  : u  up go ;  : d  down go ;
: inventory
   ." You have"
   0 #things 0 do i cells things + @ dup held? if over if ." ," then space cell+ @ text type 1+ else drop then loop
   if ." ." else ."  nothing." then cr ;
: take
   present if
      dup held? if drop ." You have it." else
      dup loose? @ if hands swap ! ." Taken." else drop ." It stays where it is." then then cr
   then ;
: drop
   noun if
      dup held? if player @ swap ! ." Dropped." else drop ." You do not have it." then cr
   then ;
: examine
   present if
      dup can = full @ and if drop ." It is full of oil." cr exit then
      dup 2 cells + @ say  shell = if show-key then
   then ;
: unlock  present if dup door = if drop unlock-door else not-so then then ;
: light  present if dup lantern = if drop light-lantern else dup lamp = if drop light-lamp else not-so then then then ;
: fill  present if dup can = if drop fill-can else dup lamp = if drop fill-lamp else not-so then then then ;
: help
   ." Verbs are LOOK, EXAMINE, TAKE, DROP, FILL, LIGHT, UNLOCK, INVENTORY, QUIT; ways N, S, E, W, U and D." cr
   ." The ship will not wait for ever." cr ;
: quit  ." The light stays out." cr over? on ;
forth-wordlist set-current

\ ---- the game

: pass-time
   1 turns +!  over? @ if exit then
   turns @ 24 = if ." Out at sea, a ship's horn." cr then
   turns @ 32 = if ." The horn again, much nearer." cr then
   turns @ too-late = if ." Wood breaks on the rocks. You are too late." cr over? on then ;
: obey  ( "verb" -- )
   parse-name 2dup verbs search-wordlist if nip nip execute pass-time
   else ." I cannot '" type ." '. HELP says what I can." cr then
   0 parse 2drop ;

\ What is typed is evaluated after a word that handles it.
create line  s" obey " dup allot  line swap move  80 allot
variable silence
: listen
   ." > " line 5 + 80 accept  dup if  line swap 5 + evaluate  silence off  exit then
   drop  1 silence +!  silence @ 5 = if cr ." You fall asleep." cr over? on then ;

: lay  ( scene thing -- ) ! ;
: play
   boats can lay  boats lantern lay  kitchen match lay  shore shell lay  nowhere key lay
   0 up hall exit-of !
   turns off  burning off  full off  filled off  unlocked off  over? off  silence off
   ." The lamp has gone out, and a ship is near." cr  shore arrive
   begin listen over? @ until ;
previous
