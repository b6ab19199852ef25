\ SPDX-License-Identifier: MIT
\ digits: a game. Guess four digits, all different. Each guess is answered with how many are right, and how many
\ more are in another place.
\
\	vm-6502 digits.fth -e game               another secret each time
\	vm-6502 digits.fth -e '2012 secret play'  that of number 2012

4 constant places
create hidden places allot
create guess places allot

variable seed
: random  ( n -- 0..n-1 ) seed @ 31421 * 6927 + dup seed !  um* nip ;

\ The first four of ten shuffled digits.
create mixed 10 allot
: exchange  ( addr1 addr2 -- ) over c@ over c@ >r swap c! r> swap c! ;
: mix  10 0 do [char] 0 i + mixed i + c! loop  10 0 do mixed i + mixed 10 random + exchange loop ;
: secret  ( n -- ) seed !  mix  mixed hidden places move ;

: nth  ( n addr -- char ) + c@ ;
: within?  ( char addr -- flag ) places 0 do 2dup i swap nth = if 2drop true unloop exit then loop 2drop false ;
: right  ( -- n ) 0 places 0 do i guess nth i hidden nth = if 1+ then loop ;
: elsewhere  ( -- n ) 0 places 0 do i guess nth hidden within? if 1+ then loop right - ;

: digits?  ( addr u -- flag ) places <> if drop false exit then
   places 0 do count [char] 0 - 10 u< 0= if drop false unloop exit then loop drop true ;
: alike?  ( -- flag ) places 0 ?do i 0 ?do i guess nth j guess nth = if true unloop unloop exit then loop loop false ;

\ False at the end of the input, or for an empty line.
: ask  ( -- flag )
   begin
      ." ? " pad 80 accept  dup 0= if exit then
      pad over digits? if drop pad guess places move  alike? 0= if true exit then  0 then
      drop ." four digits, all different" cr
   again ;
: play
   0 begin 1+ ask while
      right dup places = if drop ." found, with " . ." guesses" cr exit then
      . ." right, " elsewhere . ." elsewhere" cr
   repeat
   drop ." it was " hidden places type cr ;
: game  utime drop secret play ;
