\ SPDX-License-Identifier: MIT
\ code: a list of execution tokens, some with an operand, and the machine that runs it.
create code-buffer 1024 allot  variable code-end  variable pc
\prof profiler-bucket [making]
: code, ( x -- )  code-end @ !  2 code-end +! ;
: begin-code ( -- )  code-buffer code-end ! ;
\prof [making] end-bucket
\prof profiler-bucket [running]
: operand ( -- x )  pc @ @  2 pc +! ;
: do-push ( -- x )  operand ;
: do-load ( -- x )  operand symbol-value @ ;
: do-store ( x -- )  operand symbol-value ! ;
: run-code ( -- )  code-buffer pc !  begin pc @ code-end @ u< while operand execute repeat ;
\prof [running] end-bucket
: push, ( n -- )  ['] do-push code, code, ;
: load, ( i -- )  ['] do-load code, code, ;
: store, ( i -- )  ['] do-store code, code, ;
