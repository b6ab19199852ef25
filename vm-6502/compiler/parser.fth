\ SPDX-License-Identifier: MIT
\ parser: by recursive descent. What can be assigned to is three cells until it is known if it is read or written:
\
\	kind a size	0: a value, made already.  1: variable at A.  2: local at offset A.  3: an element, its address on
\			the stack.  SIZE is 1 or 2
variable frame-size  variable returns
defer expression  ( -- )
defer statement  ( -- )

: load,  ( kind a size -- )
   rot case
      0 of 2drop endof  1 of load-global, endof  2 of load-local, endof  3 of nip load-element, endof
   endcase ;
: store,  ( kind a size -- )
   rot case  1 of store-global, endof  2 of store-local, endof  3 of nip store-element, endof  endcase ;
\ Loads, and keeps the address of an element for a store.
: copy,  ( kind a size -- kind a size )
   2 pick 3 = if copy-address, dup load-through, else 2 pick 2 pick 2 pick load, then ;
: must-assign  ( kind a size -- kind a size )  2 pick 0= if s" this is nothing to assign to" error then ;

: name  ( -- i )
   text count find-symbol dup 0< if drop text count s" is not known" error-about then ;
: element  ( i -- kind a size )
   t[ expect  >r expression  r>  t] expect
   dup symbol-size @ 2 = if double, then
   dup symbol-at @  over symbol-kind @ k-array = if address-global, else address-local, then
   3 0 rot symbol-size @ ;
: call-function  ( i -- )
   dup symbol-kind @ k-declared = if symbol-at $20 chain, else symbol-at @ call, then ;
: call  ( i -- kind a size )
   t( expect
   0 t) token? 0= if begin expression push, 1+ t, accept? 0= until then
   t) expect
   2dup swap symbol-count @ <> if drop symbol-name @ count s" has another number of arguments" error-about then
   begin dup while 1- dup pop-argument, repeat drop
   call-function  0 0 0 ;
: named  ( -- kind a size )
   name next-word
   dup symbol-kind @ case
      k-function of call endof  k-declared of call endof
      k-array of element endof  k-local-array of element endof
      k-variable of dup symbol-at @ swap symbol-size @ 1 -rot endof
      k-local of dup symbol-at @ swap symbol-size @ 2 -rot endof
   endcase ;

\ ---- operators before a value and behind it
: nothing  ( -- kind a size )  0 0 0 ;
: add-to-it  ( kind a size n -- )  >r must-assign copy,  r> add-constant,  store, ;
: primary  ( -- kind a size )
   t-number token? if amount @ constant, next-word nothing exit then
   t-name token? if named exit then
   t( accept? if expression t) expect nothing exit then
   shown s" is no value" error-about ;
\ The result is the value before the step.
: postfix  ( kind a size -- kind a size )
   t++ accept? if dup >r 1 add-to-it -1 add-constant, r> 1 = if extend, then nothing exit then
   t-- accept? if dup >r -1 add-to-it 1 add-constant, r> 1 = if extend, then nothing then ;
: unary  ( -- kind a size )
   t- accept? if recurse load, negate, nothing exit then
   t+ accept? if recurse load, nothing exit then
   t! accept? if recurse load, not, nothing exit then
   t~ accept? if recurse load, invert, nothing exit then
   t++ accept? if recurse 1 add-to-it nothing exit then
   t-- accept? if recurse -1 add-to-it nothing exit then
   primary postfix ;

\ ---- operators between values; the higher the number, the closer they bind
create precedences most-words allot  precedences most-words erase
create makers most-words cells allot
: operator  ( xt precedence token -- )  16 - tuck precedences + c!  cells makers + ! ;
: precedence  ( -- n )  token @ 16 < if 0 else token @ 16 - precedences + c@ then ;
: make  ( token -- )  16 - cells makers + @ execute ;
: by-jumps ;  \ see OPERATORS
' by-jumps 1 t|| operator          ' by-jumps 2 t&& operator
' or, 3 t| operator                ' xor, 4 t^ operator              ' and, 5 t& operator
' equal, 6 t== operator            ' not-equal, 6 t!= operator
' less, 7 t< operator              ' greater, 7 t> operator
' less-or-equal, 7 t<= operator    ' greater-or-equal, 7 t>= operator
' shift-left, 8 t<< operator       ' shift-right, 8 t>> operator
' add, 9 t+ operator               ' subtract, 9 t- operator
' multiply, 10 t* operator         ' divide, 10 t/ operator          ' modulo, 10 t% operator

defer more  ( precedence -- )
: right-side  ( precedence -- )  unary load, 1+ more ;
: and-also  ( precedence -- )  jump-if-false, >r right-side truth, jump, r> resolve 0 constant, resolve ;
: or-else  ( precedence -- )  jump-if-true, >r right-side truth, jump, r> resolve 1 constant, resolve ;
\ A value has been made; goes on while operators follow that bind at least so closely.
: operators  ( precedence -- )
   begin precedence 2dup > 0= over and while
      token @ next-word
      dup t&& = if drop and-also else
      dup t|| = if drop or-else else
      push, >r right-side r> make then then
   repeat  2drop ;
' operators is more

: assigning-operator  ( -- token | 0 )
   token @ case
      t+= of t+ endof  t-= of t- endof  t*= of t* endof  t/= of t/ endof  t%= of t% endof
      drop 0 exit
   endcase ;
: assignment  ( -- )
   unary
   t= token? if must-assign next-word recurse store, exit then
   assigning-operator ?dup if
      next-word >r must-assign copy, push,  recurse  r> make store, exit then
   load, 1 operators ;
' assignment is expression

\ ---- declarations
variable scope#  \ the first symbol of the block
: type?  ( -- size | 0 )  t-int accept? if 2 else t-char accept? if 1 else 0 then then ;
: must-be-name  ( -- )  t-name token? 0= if shown s" is no name" error-about then ;
: new-symbol  ( -- i )
   must-be-name
   text count find-symbol scope# @ < 0= if text count s" is there already" error-about then
   text count add-symbol next-word ;
: constant-value  ( -- n )
   t- accept?  t-number token? 0= if shown s" is no number" error-about then
   amount @ next-word  swap if negate then ;
: room  ( n -- offset )
   frame-size @ tuck +  dup 250 > if s" a function has too many variables" error then  frame-size ! ;
: local-array  ( i -- )
   >r constant-value t] expect  r@ symbol-size @ * room r@ symbol-at !  k-local-array r> symbol-kind ! ;
: local  ( size -- )
   new-symbol >r  r@ symbol-size !
   t[ accept? if r> local-array exit then
   2 room r@ symbol-at !  k-local r@ symbol-kind !
   t= accept? if expression  r@ symbol-at @ r@ symbol-size @ store-local, then  rdrop ;
: locals  ( size -- )  begin dup local t, accept? 0= until drop  t; expect ;

: data,  ( n size -- )  a[ 1 = if c, else , then ]a ;
: text-data  ( -- n )  text count 0 ?do count 1 data, loop drop  0 1 data,  text c@ 1+  next-word ;
: list-data  ( size -- n )
   t{ expect  0 begin constant-value 2 pick data,  1+ t, accept? 0= until  nip  t} expect ;
\ The rest of an array that has more elements than values.
: fill-data  ( n size count -- )  rot - 0 max 0 ?do 0 over data, loop drop ;
: array-data  ( i count -- )
   there 2 pick symbol-at !  over symbol-size @ >r
   t-text token? if text-data else r@ list-data then
   2dup < if over 1+ if s" there are too many values" error then then
   r> rot fill-data drop ;
: global-array  ( i -- )
   k-array over symbol-kind !
   t] token? if -1 else constant-value then  t] expect
   t= accept? if array-data exit then
   dup 1 < if s" an array needs a number of elements" error then
   over symbol-size @ * reserve swap symbol-at ! ;
: global  ( i -- )
   t[ accept? if global-array exit then
   k-variable over symbol-kind !
   t= accept? if there swap symbol-at !  constant-value 2 data, else 2 reserve swap symbol-at ! then ;

\ ---- statements
: block  ( -- )
   t{ expect  scope# @ symbols# @ dup scope# !
   begin t} token? 0= while statement repeat  next-word
   forget-symbols scope# ! ;
: condition  ( -- )  t( expect expression t) expect ;
: if-statement  ( -- )
   condition jump-if-false, statement
   t-else accept? if jump, swap resolve statement then  resolve ;
: while-statement  ( -- )  there condition jump-if-false, statement  swap jump-back, resolve ;
: for-begin  ( -- )
   t( expect  t; accept? if exit then
   type? ?dup if locals else expression t; expect then ;
\ The code of the step lies before the body, which ends with a jump to it.
: for-statement  ( -- )
   scope# @ symbols# @ dup scope# !  for-begin
   there  t; token? if 0 else expression jump-if-false, then  t; expect
   jump, there  t) token? 0= if expression then  t) expect
   3 roll jump-back,  swap resolve  statement  jump-back,  ?dup if resolve then
   forget-symbols scope# ! ;
: return-statement  ( -- )
   t; token? if 0 constant, else expression then  t; expect  returns $4c chain, ;
: print-statement  ( -- )
   t( expect
   t-text token? if text count show-text, next-word else expression rt-number call, then
   t) expect t; expect ;
: putchar-statement  ( -- )  condition put-character, t; expect ;
: one-statement  ( -- )
   t{ token? if block exit then
   t; accept? if exit then
   type? ?dup if locals exit then
   t-if accept? if if-statement exit then
   t-while accept? if while-statement exit then
   t-for accept? if for-statement exit then
   t-return accept? if return-statement exit then
   t-print accept? if print-statement exit then
   t-putchar accept? if putchar-statement exit then
   expression t; expect ;
' one-statement is statement

\ ---- functions and programs
: parameters  ( -- n )
   0 t) token? if exit then
   begin
      type? dup 0= if shown s" is no type" error-about then
      new-symbol  tuck symbol-size !  2 room over symbol-at !  k-local swap symbol-kind !
      1+ dup 8 > if s" a function has too many arguments" error then
   t, accept? 0= until ;
: check-arguments  ( n i -- )
   tuck symbol-count @ dup -1 = >r over = r> or if 2drop exit then
   drop symbol-name @ count s" has another number of arguments" error-about ;
: function-body  ( n i -- )
   k-function over symbol-kind !  there over symbol-at @ resolve-chain  there swap symbol-at !
   returns off  enter-function,  block  0 constant,
   there returns @ resolve-chain  frame-size @ leave-function,  frame-size @ swap c! ;
: function  ( i -- )
   t( expect  frame-size off  symbols# @ dup scope# ! swap
   parameters t) expect  swap
   2dup check-arguments  2dup symbol-count !
   t; accept? if 2drop else function-body then
   forget-symbols  0 scope# ! ;
\ A function can be declared before it is defined, and be called in between.
: global-symbol  ( size -- i )
   must-be-name
   text count find-symbol dup 0< if
      drop text count add-symbol
      k-declared over symbol-kind !  0 over symbol-at !  -1 over symbol-count !
   else
      dup symbol-kind @ k-declared <> if symbol-name @ count s" is there already" error-about then
   then
   tuck symbol-size !  next-word ;
: declaration  ( -- )
   type? dup 0= if shown s" is no declaration" error-about then
   begin
      dup global-symbol
      t( token? if function drop exit then
      global  t, accept? 0=
   until  drop t; expect ;
: check-functions  ( -- )
   symbols# @ 0 ?do
      i symbol-kind @ k-declared = if i symbol-name @ count s" has no body" error-about then
   loop ;
: program  ( -- )
   next-word begin token @ while declaration repeat
   check-functions
   s" main" find-symbol dup 0< if s" there is no main" error then
   symbol-at @ main-call @ ! ;
