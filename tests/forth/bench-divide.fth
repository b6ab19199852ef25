\ SPDX-License-Identifier: MIT
\ bench-divide: ten thousand divisions, all but few of numbers with sixteen bits.
: bench  10001 1 do i 7 / drop loop ;
bench
