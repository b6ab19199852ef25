\ SPDX-License-Identifier: MIT
\
\ floating: FLOATING and FLOATING EXT of Forth 2012, for `need floating`: doubles of IEEE 754, computed by the 6502, with a
\ stack of their own. If the dictionary has no room for all of it, NEED throws before anything is defined.
\
\	warned	( -- addr )	what WARNINGS was

13600 needs-room
variable warned  warnings @ warned !  warnings off
include float-core.fth
include float-arithmetic.fth
include float-stack.fth
include float-words.fth
include float-decimal.fth
include float-text.fth
include float-functions.fth
warned @ warnings !
