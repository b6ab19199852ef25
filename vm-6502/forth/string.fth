\ SPDX-License-Identifier: MIT
\
\ string: Forth 2012's STRING and STRING EXT, except what the kernel has.
\
\	-trailing	( addr u1 -- addr u2 )
\	blank	( addr u -- )
\	search	( addr1 u1 addr2 u2 -- addr3 u3 flag )
\	substitutions	( -- addr )	variable: records of link, room for 255 characters, counted name
\	substitution	( addr u -- record | 0 )
\	replaces	( addr1 u1 addr2 u2 -- )
\	unescape	( addr1 u1 addr2 -- addr2 u2 )
\	result	( -- addr )	variable: where SUBSTITUTE writes to
\	room	( -- addr )	variable: how much it may write
\	length	( -- addr )	variable: how much it has written
\	add-char	( char -- )
\	add-text	( addr u -- )
\	substitute	( addr1 u1 addr2 u2 -- addr2 u3 n )

: -trailing  begin dup while 2dup 1- + c@ 33 < while 1- repeat then ;
: blank  bl fill ;
: search
   2over
   begin dup 3 pick u< 0= while
      over 3 pick 5 pick over compare 0= if 2swap 2drop 2swap 2drop true exit then
      1 /string
   repeat 2drop 2drop false ;

create substitutions 0 ,
: substitution
   substitutions begin @ dup while
      >r 2dup r@ 258 + count same? if 2drop r> exit then r>
   repeat nip nip ;
: replaces
   2dup substitution ?dup 0= if
      here substitutions @ , 256 allot  substitutions !  string,
      substitutions @ >r
   else nip nip >r then
   dup 255 u> -79 ?throw  r> 2+ place ;
: unescape  dup >r -rot over + swap ?do
      i c@ 2dup swap c! dup 37 = if over 1+ c! 2+ else drop 1+ then
   loop r> tuck - ;

\ The result being made: its address, its room, and the length that the whole result has.
variable result  variable room  variable length
: add-char  length @ room @ u< if length @ result @ + c! else drop then  1 length +! ;
: add-text  over + swap ?do i c@ add-char loop ;
\ The text is copied first, because the result may lie over it.
\ %% is one %, a known name between two is replaced, an unknown one stays as it is.
: substitute
   room ! result ! 0 length !  0 >r
   dup unused 64 - u> -8 ?throw  tuck here 64 + swap move here 64 + swap
   begin dup while
      over c@ 37 <> if over c@ add-char 1 /string else
         1 /string 2dup 37 scan  ( rest closing )
         dup 0= if 2drop 37 add-char add-text 0 0 else
            2over 2 pick - dup 0= if 2drop 37 add-char else
               2dup substitution ?dup if nip nip 2+ count add-text r> 1+ >r
               else 37 add-char add-text 37 add-char then
            then
            1 /string 2swap 2drop
         then
      then
   repeat 2drop
   result @ length @  dup room @ u> if rdrop -78 else r> then ;
