\ SPDX-License-Identifier: MIT
\ bench-divide: ten thousand divisions, nearly all of 16-bit numbers.
: bench  10001 1 do i 7 / drop loop ;
bench
