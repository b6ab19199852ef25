\ SPDX-License-Identifier: MIT
\ parser: by recursive descent. A wrong statement is left by THROW, and no part of it runs.
variable errors
defer expression ( -- )
: wrong ( -- )  1000 throw ;
: expect ( char -- )  operator? 0= if wrong then scan ;
: factor ( -- )
   kind @ 1 = if value @ push, scan exit then
   kind @ 2 = if name find-symbol dup 0< if wrong then load, scan exit then
   '(' expect expression ')' expect ;
: term ( -- )  factor begin '*' operator? while scan factor ['] * code, repeat ;
: sum ( -- )
   term begin
      '+' operator? if scan term ['] + code, else
      '-' operator? if scan term ['] - code, else exit then then
   again ;
' sum is expression
\ At the end of the text returns from its caller.
: ?end ( -- )  kind @ 0= if r> drop then ;
: assignment ( -- )
   kind @ 2 <> if wrong then
   name find-symbol dup 0< if drop name add-symbol then >r
   scan '=' expect  expression  ';' operator? 0= if r> drop wrong then  r> store, ;
: skip-statement ( -- )  begin kind @ 0=  ';' operator? or 0= while scan repeat ;
: statement ( -- )
   ?end  code-end @ >r
   ['] assignment catch if r@ code-end !  1 errors +!  skip-statement then
   rdrop ?end scan ;
: parse-all ( -- )  scan begin kind @ while statement repeat ;
: reset ( -- )  begin-code  0 symbols !  0 errors ! ;
