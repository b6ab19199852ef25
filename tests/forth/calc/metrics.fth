\ SPDX-License-Identifier: MIT
\ metrics: three ways to look at calc.
profiler-metric:[ modules  [input] [scanner] [symbols] [code] [parser] ]profiler-metric
profiler-metric:[ scanning  [numbers] [names] [operators] ]profiler-metric
profiler-metric:[ running  [making] [running] ]profiler-metric
