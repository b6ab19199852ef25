\ SPDX-License-Identifier: MIT
\ scanner: TOKEN is the next word of the program: 0 at the end, 1 a number, 2 a name, 3 a text, or the number of a
\ keyword or an operator. AMOUNT of a number and TEXT of the others come with it.
variable token  variable amount  create text 256 allot
1 constant t-number  2 constant t-name  3 constant t-text

: word:  ( "name" "spelling" -- )  create here 0 ,  parse-name add-word swap !  does> @ ;
word: t-int int          word: t-char char        word: t-if if            word: t-else else
word: t-while while      word: t-for for          word: t-return return    word: t-print print
word: t-putchar putchar
words# @ 16 + constant t-operators
word: t== ==     word: t!= !=     word: t<= <=     word: t>= >=     word: t&& &&     word: t|| ||
word: t<< <<     word: t>> >>     word: t++ ++     word: t-- --     word: t+= +=     word: t-= -=
word: t*= *=     word: t/= /=     word: t%= %=
word: t( (       word: t) )       word: t{ {       word: t} }       word: t[ [       word: t] ]
word: t; ;       word: t, ,       word: t= =       word: t+ +       word: t- -       word: t* *
word: t/ /       word: t% %       word: t& &       word: t| |       word: t^ ^       word: t~ ~
word: t! !       word: t< <       word: t> >
words# @ 16 + constant t-none

\prof profiler-bucket [blanks]
: blank?  ( char -- flag )  dup 32 = over 9 = or over 10 = or swap 13 = or ;
: skip-comment  ( -- )
   begin  rest-of-line s" */" starts? 0= while
      peek 0= if s" the comment has no end" error then  next-char
   repeat  2 skip-chars ;
: skip-space  ( -- )
   begin
      begin peek blank? while next-char repeat
      peek '/' <> if exit then
      rest-of-line s" //" starts? if skip-line else
      rest-of-line s" /*" starts? if line-number @ word-line !  2 skip-chars skip-comment else exit then then
   again ;

\prof [blanks] end-bucket

\prof profiler-bucket [literals]
: digit-value  ( char -- n )  dup digit? if '0' - else $20 or 'a' - 10 + then ;
: scan-number  ( -- )
   10  rest-of-line s" 0x" starts? if drop 16 2 skip-chars then
   0 begin peek dup digit? over letter? or while  digit-value  dup 3 pick < 0= if
      s" a number has a wrong digit" error then  swap 2 pick * +  next-char
   repeat  drop nip  amount !  t-number token ! ;
: escaped  ( char -- char' )
   dup 'n' = if drop 10 exit then  dup 't' = if drop 9 exit then  dup '0' = if drop 0 then ;
\ A character of a text or a constant.
: scan-char  ( -- char )
   peek dup 10 = over 0= or if s" the text has no end" error then
   next-char  dup '\' = if drop peek escaped next-char then ;
: scan-text  ( -- )
   next-char 0 text c!  begin peek '"' <> while scan-char text add-to repeat
   next-char  t-text token ! ;
: scan-constant  ( -- )
   next-char scan-char amount !
   peek ''' <> if s" a character has no end" error then
   next-char  t-number token ! ;
\prof [literals] end-bucket

\prof profiler-bucket [names]
: scan-name  ( -- )
   0 text c!
   begin peek dup letter? over digit? or while text add-to next-char repeat drop
   text count 16 t-operators find-keyword  ?dup 0= if t-name then  token ! ;
\prof [names] end-bucket
\prof profiler-bucket [operators]
: scan-operator  ( -- )
   rest-of-line t-operators t-none find-operator
   dup 0= if  0 text c!  peek text add-to  text count s" is no character of a program" error-about then
   dup token !  spelling nip skip-chars ;
\prof [operators] end-bucket

\prof profiler-bucket [next-word]
: next-word  ( -- )
   skip-space  line-number @ word-line !  peek
   dup 0= if token ! exit then
   dup digit? if drop scan-number exit then
   dup letter? if drop scan-name exit then
   dup '"' = if drop scan-text exit then
   ''' = if scan-constant else scan-operator then ;
: token?  ( token -- flag )  token @ = ;
: accept?  ( token -- flag )  token? dup if next-word then ;
: shown  ( -- addr u )
   token @ 0= if s" the end" exit then
   token @ 16 < if token @ t-number = if amount @ 0 <# #s #> else text count then exit then
   token @ spelling ;
: expect  ( token -- )
   dup token? if drop next-word exit then
   .where spelling ." expected '" type ." ' before '" shown type ." '" give-up ;
\prof [next-word] end-bucket
