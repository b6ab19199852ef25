\ SPDX-License-Identifier: MIT
\ tiny: a compiler, as something worth profiling: statements `name = expression ;` become code of a stack
\ machine, which is then run. Scanner, symbols, emitter, machine and parser are a bucket each, and follow each
\ other in memory, so that boundaries lie within pages.
decimal  warnings off

\prof profiler-bucket [scanner]
variable from  variable left
variable kind                   \ a character, or n: a number, v: a name
variable number
create name 32 allot
: peek-char  left @ if from @ c@ else 0 then ;
: next-char  left @ if 1 from +! -1 left +! then ;
: letter?  ( char -- flag ) 32 or 97 123 within ;
: digit?   ( char -- flag ) 48 58 within ;
: blanks  begin peek-char 33 < left @ 0<> and while next-char repeat ;
: scan-number  0 begin peek-char dup digit? while 48 - swap 10 * + next-char repeat drop number ! ;
: scan-name  name off
   begin peek-char letter? while peek-char name count + c!  name c@ 1+ name c!  next-char repeat ;
: scan  blanks peek-char
   dup digit? if drop scan-number [char] n kind ! exit then
   dup letter? if drop scan-name [char] v kind ! exit then
   kind ! next-char ;
\prof [scanner] end-bucket

\prof profiler-bucket [symbols]
create symbols 2000 allot       \ counted names, each in 16 bytes
variable symbol-count
create values 250 allot
: symbol  ( n -- addr ) 16 * symbols + ;
: find-symbol  ( -- n )
   symbol-count @ 0 ?do
      i symbol count name count compare 0= if i unloop exit then
   loop
   name count 15 min symbol-count @ symbol place  symbol-count @  1 symbol-count +! ;
\prof [symbols] end-bucket

\prof profiler-bucket [emitter]
create code-area 4000 allot
variable code-end
: emit-cell  ( x -- ) code-end @ !  2 code-end +! ;
: emit-op  ( operand op -- ) emit-cell emit-cell ;
\prof [emitter] end-bucket

\prof profiler-bucket [machine]
create stack 64 cells allot
variable top
: push  2 top +! top @ ! ;
: pop  top @ @ -2 top +! ;
: step  ( operand op -- )
   case
      0 of push endof
      1 of cells values + @ push endof
      2 of cells values + pop swap ! endof
      3 of drop pop pop + push endof
      4 of drop pop pop swap - push endof
      5 of drop pop pop * push endof
   endcase ;
: run-code  stack top !
   code-area begin dup code-end @ u< while dup 2+ @ over @ step 4 + repeat drop ;
\prof [machine] end-bucket

\prof profiler-bucket [parser]
defer expression
: expect  ( char -- ) kind @ <> abort" syntax error" scan ;
: factor
   kind @ case
      [char] n of number @ 0 emit-op scan endof
      [char] v of find-symbol 1 emit-op scan endof
      [char] ( of scan expression [char] ) expect endof
      true abort" syntax error"
   endcase ;
: term  factor begin kind @ [char] * = while scan factor 0 5 emit-op repeat ;
: sum  term
   begin kind @ [char] + = if scan term 0 3 emit-op true else
         kind @ [char] - = if scan term 0 4 emit-op true else false then then
   while repeat ;
' sum is expression
: statement  find-symbol scan [char] = expect expression [char] ; expect  2 emit-op ;
: program  scan begin kind @ [char] v = while statement repeat ;
\prof [parser] end-bucket

: source-text  s" a = 1; b = 2; beta = a + b * 3; gamma = (beta - a) * (b + 4); a = gamma - beta * (a + b);" ;
: tiny  ( -- ) code-area code-end !  symbol-count off  source-text left ! from !  program run-code ;
: many  ( n -- ) 0 ?do tiny loop ;
: answer  ( -- n ) name off  s" a" name place find-symbol cells values + @ ;
