\ SPDX-License-Identifier: MIT
\ input: the characters of the text that is compiled.
variable text  variable text-end  variable line-number
: open-text ( addr u -- )  over + text-end !  text !  1 line-number ! ;
: peek-char ( -- char | 0 )  text @ text-end @ u< if text @ c@ else 0 then ;
: next-char ( -- )  peek-char 10 = if 1 line-number +! then
   text @ text-end @ u< if 1 text +! then ;
