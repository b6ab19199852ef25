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
private (big10+) (f") (precision) .exponent .pointed .zeros 1+f 1-f big big-digits big-down big-scale big-shift big-trim big-up
private big10/ big2/ big>f bigl decimal>f digits dofvalue dust eight+ eight- end-subroutine f**n f**positive f**whole? f-digits
private f10** f2** f2^52 f>a f>big f>decimal fa fa-class fa-exponent fa-less fa-more fa-negate4 fa-sign fadd faddress
private fatan-centres fatan-near fatan-terms fb fb-class fb-exponent fb-sign fbit fboth fclass fclear fclear-a fcos-small
private fcos-terms fcount fdistance fdivide fdivide-bit fdone fempty fexchange fexp-terms fflag ffull fgive fgive-infinite
private fgive-nan fgive-zero fh fhigh finfinite finteger first-digit fln-terms fln2-high fln2-low float-number float-page
private fmax-float fmultiply fmultiply-byte fnan fnormal? fnormalize foverflow fpack fpower? fpush fput fput-infinite fput-nan
private fput-zero fquarters fr frange frange-out fresult froot-bit froot-shift fround-single fround-up fsame fscale fshift-b
private fshl fshr fshr8 fsigned fsin-small fsin-terms fsp fsplit fsticky fsum fthree fthrow fto ftop fturned ftwo funary
private funderflow funpack fvalue fwhole? fzero? kept mark? negative? peek polynomial read-digit read-digits read-exponent
private read-number read-on read-sign round-up? scale seen special? trimmed unread warned
warned @ warnings !
