\ SPDX-License-Identifier: MIT
\ code: machine code for what a program says. A value is in A and X; the left one of two waits on the stack.
include runtime.fth
also assembler

\ ---- jumps: until a target is known, each jump there has the address of the one before
: chain,  ( variable opcode -- )  a[ c,  here over @ ,  swap ! ]a ;
: resolve-chain  ( target addr -- )  begin dup while dup @ >r  over swap !  r> repeat  2drop ;
: call,  ( target -- )  a[ jsr ]a ;
: jump-back,  ( target -- )  a[ jmp ]a ;
: jump,  ( -- patch )  a[ $4c c, here 0 , ]a ;
: resolve  ( patch -- )  there swap ! ;
: jump-if-false,  ( -- patch )  a[ right stx right ora $d0 c, 3 c, ]a jump, ;
: jump-if-true,  ( -- patch )  a[ right stx right ora $f0 c, 3 c, ]a jump, ;

\ ---- values
: constant,  ( n -- )  a[ dup low # lda high # ldx ]a ;
: push,  ( -- )  a[ pha txa pha ]a ;
: pop-left,  ( -- )  a[ right sta right 1+ stx pla tax pla ]a ;
: extend,  ( -- )  a[ 0 # ldx tay mi if, dex then, ]a ;
: double,  ( -- )  a[ .a asl tay txa .a rol tax tya ]a ;
: put-character,  ( -- )  a[ console sta ]a ;
: show-text,  ( addr u -- )  rt-text call,  a[ 0 ?do count c, loop drop 0 c, ]a ;

\ ---- variables: where they are is known, or their address is on the stack (element)
: load-global,  ( addr size -- )
   1 = if a[ lda ]a extend, else a[ dup lda 1+ ldx ]a then ;
: store-global,  ( addr size -- )
   1 = if a[ sta ]a extend, else a[ dup sta 1+ stx ]a then ;
: load-local,  ( offset size -- )
   1 = if a[ # ldy fp )y lda ]a extend, else a[ 1+ # ldy fp )y lda tax dey fp )y lda ]a then ;
: store-local,  ( offset size -- )
   1 = if a[ # ldy fp )y sta ]a extend, else a[ # ldy fp )y sta iny pha txa fp )y sta pla ]a then ;
: address-global,  ( addr -- )  a[ clc dup low # adc pha txa high # adc pha ]a ;
: address-local,  ( offset -- )
   a[ clc # adc cs if, inx then,  clc fp adc pha txa fp 1+ adc pha ]a ;
: copy-address,  ( -- )  a[ pla ptr 1+ sta pla ptr sta pha ptr 1+ lda pha ]a ;
: load-through,  ( size -- )
   1 = if a[ 0 # ldy ptr )y lda ]a extend, else a[ 1 # ldy ptr )y lda tax dey ptr )y lda ]a then ;
: load-element,  ( size -- )  a[ pla ptr 1+ sta pla ptr sta ]a load-through, ;
: store-element,  ( size -- )
   a[ right sta right 1+ stx  pla ptr 1+ sta pla ptr sta  0 # ldy  right lda ptr )y sta ]a
   1 = if extend, else a[ iny txa ptr )y sta  right lda ]a then ;

\ ---- operators
: add,  ( -- )  pop-left, a[ clc right adc tay txa right 1+ adc tax tya ]a ;
: add-constant,  ( n -- )  a[ clc dup low # adc tay txa high # adc tax tya ]a ;
: subtract,  ( -- )  pop-left, a[ sec right sbc tay txa right 1+ sbc tax tya ]a ;
: and,  ( -- )  pop-left, a[ right and tay txa right 1+ and tax tya ]a ;
: or,  ( -- )  pop-left, a[ right ora tay txa right 1+ ora tax tya ]a ;
: xor,  ( -- )  pop-left, a[ right eor tay txa right 1+ eor tax tya ]a ;
: invert,  ( -- )  a[ $ff # eor tay txa $ff # eor tax tya ]a ;
: multiply,  ( -- )  pop-left, rt-multiply call, ;
: divide,  ( -- )  pop-left, rt-quotient call, ;
: modulo,  ( -- )  pop-left, rt-modulo call, ;
: shift-left,  ( -- )  pop-left, rt-left call, ;
: shift-right,  ( -- )  pop-left, rt-right call, ;
: not,  ( -- )  rt-not call, ;
: less,  ( -- )  pop-left, rt-less call, ;
: greater,  ( -- )  pop-left, rt-greater call, ;
: less-or-equal,  ( -- )  greater, not, ;
: greater-or-equal,  ( -- )  less, not, ;
: equal,  ( -- )  pop-left, rt-equal call, ;
: not-equal,  ( -- )  equal, not, ;
: negate,  ( -- )  rt-negate call, ;
: truth,  ( -- )  not, not, ;

\ ---- functions
: pop-argument,  ( i -- )  2* arguments + a[ pla dup 1+ sta pla sta ]a ;
\ Where the frame's size will be stored.
: enter-function,  ( arguments -- addr )
   a[ here 1+ swap  0 # lda  2* # ldx  rt-enter jsr ]a ;
: leave-function,  ( size -- )  a[ # ldy rt-leave jmp ]a ;
previous
