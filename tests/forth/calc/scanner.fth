\ SPDX-License-Identifier: MIT
\ scanner: tokens. 0 is the end, 1 a number, 2 a name, 3 an operator.
variable kind  variable value  create name 32 allot
: blank? ( char -- flag )  dup bl = swap 10 = or ;
: skip-blanks ( -- )  begin peek-char blank? while next-char repeat ;
: digit-char? ( char -- flag )  '0' ':' within ;
: letter? ( char -- flag )  'a' '{' within ;
\prof profiler-bucket [numbers]
: scan-number ( -- )
   0 begin peek-char dup digit-char? while '0' - swap 10 * +  next-char repeat drop
   value !  1 kind ! ;
\prof [numbers] end-bucket
\prof profiler-bucket [names]
: name-char ( -- )  peek-char name count + c!  name c@ 1+ name c!  next-char ;
: scan-name ( -- )  0 name c!  begin peek-char letter? while name-char repeat  2 kind ! ;
\prof [names] end-bucket
\prof profiler-bucket [operators]
: scan-operator ( -- )  peek-char value !  next-char  3 kind ! ;
\prof [operators] end-bucket
: scan ( -- )
   skip-blanks peek-char
   dup 0= if drop 0 kind ! exit then
   dup digit-char? if drop scan-number exit then
   letter? if scan-name else scan-operator then ;
: operator? ( char -- flag )  kind @ 3 = swap value @ = and ;
