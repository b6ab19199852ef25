\ SPDX-License-Identifier: MIT
\ memory: the machine code that is made, and where it will be; variables of the program that is compiled.
$0400 constant origin     \ where the code is loaded
$8000 constant variables  \ where global variables begin
$f000 constant stack-top  \ locals and arguments are below
6144 constant most-code
create code-buffer most-code allot
variable code-end  variable variables-end

: reset-memory  ( -- )  code-buffer code-end !  variables variables-end ! ;
: >there  ( addr -- target )  code-buffer - origin + ;
: >here  ( target -- addr )  origin - code-buffer + ;
: there  ( -- target )  code-end @ >there ;
: code  ( -- addr u )  code-buffer code-end @ over - ;
\ Between these the assembler's words write into the code.
variable saved-here
: a[  ( -- )  here saved-here !  code-end @ dp ! ;
: ]a  ( -- )  here dup code-buffer most-code + 300 - u> if s" the program is too long" error then
   code-end !  saved-here @ dp ! ;
: reserve  ( n -- target )  variables-end @  swap variables-end +! ;
