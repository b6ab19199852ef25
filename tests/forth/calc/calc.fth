\ SPDX-License-Identifier: MIT
\
\ calc: compiles assignments to a stack code and runs it. It exists to be profiled: modules, each a bucket,
\ buckets within buckets, and words that are left in every way there is.
1 profiling !  warnings off
\ At a fixed place, so that addresses and cycles do not depend on how large the Forth is.
$9000 here - allot
\prof profiler-bucket [input]
include input.fth
\prof [input] end-bucket
\prof profiler-bucket [scanner]
include scanner.fth
\prof [scanner] end-bucket
\prof profiler-bucket [symbols]
include symbols.fth
\prof [symbols] end-bucket
\prof profiler-bucket [code]
include code.fth
\prof [code] end-bucket
\prof profiler-bucket [parser]
include parser.fth
\prof [parser] end-bucket
\prof include metrics.fth

create text-buffer 512 allot  variable text-length
: line, ( addr u -- )  tuck text-buffer text-length @ + swap move
   text-length +!  10 text-buffer text-length @ + c!  1 text-length +! ;
s" a = 12 ; b = a * (a + 3) ;" line,
s" total = b - 7 * (2 + a * (b - 100)) ;" line,
s" c = a + ; d = c ;" line,
s" counter = 1 + 2 + 3 + 4 + 5 + 6 ; total = total + counter ;" line,
s" e = ((((a)))) ; a = e - undefined ;" line,

: job ( -- )  reset  text-buffer text-length @ open-text  parse-all  run-code ;
: show ( -- )  symbols @ 0 ?do  i symbol-name @ count type ."  = " i symbol-value @ . cr loop
   errors @ . ." errors" cr ;
: measure ( -- )
   \prof modules profiler-start
   job
   \prof profiler-timestamp
   job
   \prof profiler-end profiler-report
   \prof scanning profiler-start
   job job
   \prof profiler-end profiler-report
   \prof running profiler-start
   job
   \prof profiler-end profiler-report
   ;
measure show
