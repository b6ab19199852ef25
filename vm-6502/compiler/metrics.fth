\ SPDX-License-Identifier: MIT
\ metrics: three ways to look at the compiler: all of it; what finds the next word; what compares words. The host's profiler
\ shows all of them; the guest's own takes one, the first, or the one that `2 constant metric#` before the compiler chooses.
[undefined] metric# [if] 1 constant metric# [then]
profiler-metric:[ compiler  [strings] [files] [memory] [input] [scanner] [symbols] [code] [parser] ]profiler-metric
profiler-metric:[ scanner  [input] [words] [blanks] [literals] [names] [operators] [next-word] ]profiler-metric
profiler-metric:[ words  [strings] [words] [symbols] ]profiler-metric
: wanted  ( -- )  metric# 1 = if compiler else metric# 2 = if scanner else words then then ;
