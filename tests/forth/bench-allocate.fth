\ SPDX-License-Identifier: MIT
\ bench-allocate: four hundred blocks, and one more ten thousand times.
: one  8 allocate drop ;
: many  400 0 do one drop loop ;
: bench  10000 0 do one free drop loop ;
many bench
