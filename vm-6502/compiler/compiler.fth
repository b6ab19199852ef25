\ SPDX-License-Identifier: MIT
\ compiler: compiles a small C to machine code of the 6502; a compiler was among the first programs that the profiler was
\ made for. It is written plainly, so that a profile has something to find.
\
\	vm-6502 compiler.fth -- in.c out.bin
\	vm-6502 --machine=flat --load=0400 --putc=f001 --until-loop out.bin
\
\	int and char; variables, arrays, texts; functions, with recursion; if, else, while, for, return; expressions as
\	in C, assignments included; print(value); print("text"); putchar(value). No pointers, no structures.
\
\ Before the file, `1 constant fast-input`, `fast-words` or `fast-symbols` chooses the second version of a module.
[undefined] fast-input [if] 0 constant fast-input [then]
[undefined] fast-words [if] 0 constant fast-words [then]
[undefined] fast-symbols [if] 0 constant fast-symbols [then]
warnings off
\ At a fixed place, so that its cycles do not depend on how large the Forth is.
$8800 here - allot

\prof profiler-bucket [strings]
include strings.fth
\prof [strings] end-bucket
\prof profiler-bucket [files]
include files.fth
\prof [files] end-bucket
\prof profiler-bucket [memory]
include memory.fth
\prof [memory] end-bucket
\prof profiler-bucket [input]
fast-input [if] include input-fast.fth [else] include input.fth [then]
\prof [input] end-bucket
\prof profiler-bucket [scanner]
\prof profiler-bucket [words]
fast-words [if] include words-fast.fth [else] include words.fth [then]
\prof [words] end-bucket
include scanner.fth
\prof [scanner] end-bucket
\prof profiler-bucket [symbols]
fast-symbols [if] include symbols-fast.fth [else] include symbols.fth [then]
\prof [symbols] end-bucket
\prof profiler-bucket [code]
include code.fth
\prof [code] end-bucket
\prof profiler-bucket [parser]
include parser.fth
\prof [parser] end-bucket

: usage  ( -- )  5 outdev! ." vm-6502 compiler.fth -- in.c out.bin" cr 1 (bye) ;
: job  ( -- )
   1 arg nip 0= if usage then  0 arg open-input
   reset-memory  symbols# off  0 scope# !  runtime,  program
   source-file @ close-file throw  code 1 arg write-result ;
\prof include metrics.fth
: measured  ( -- )
   \prof wanted profiler-start
   job
   \prof profiler-end profiler-report
   ;
measured
