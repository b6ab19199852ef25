\ SPDX-License-Identifier: MIT
\ standard: the words of core.fth, core-ext.fth, double.fth, string.fth and search.fth.
include tester.fth
decimal

testing if else then ahead begin until again while repeat
: i1  if 1 else 2 then ;
T{ 0 i1 -1 i1 -> 2 1 }T
: i2  ahead 1 then 2 ;
T{ i2 -> 2 }T
: i3  0 begin 1+ dup 5 = until ;
T{ i3 -> 5 }T
: i4  begin dup while 1- dup 3 = if exit then repeat ;
T{ 5 i4 2 i4 -> 3 0 }T
: i5  begin 1+ dup 9 > if exit then again ;
T{ 5 i5 -> 10 }T

testing do ?do loop +loop leave recurse leaves (close)
: l1  0 10 0 do i + i 4 = if leave then loop ;
T{ l1 -> 10 }T
: l2  0 ?do i 3 = if leave then i loop ;
T{ 0 l2 2 l2 9 l2 -> 0 1 0 1 2 }T
: l3  dup 1 > if dup 1- recurse * then ;
T{ 7 l3 leaves @ -> 5040 0 }T

testing char [char] constant variable decimal hex align aligned chars char+
T{ char A : k1 [char] Bc ; k1 -> 65 66 }T
T{ 5 constant c5 c5 -> 5 }T
T{ variable v v @ 7 v ! v @ -> 0 7 }T
T{ hex 10 decimal 10 -> 16 10 }T
T{ here align here - 5 aligned 3 chars 3 char+ -> 0 5 3 4 }T

testing m* sm/rem fm/mod /mod / mod */ */mod
T{ -300 300 m* -> -90000. }T
T{ -7. 2 sm/rem 7. -2 sm/rem -> -1 -3 1 -3 }T
T{ -7. 2 fm/mod 7. -2 fm/mod -7. -2 fm/mod -> 1 -4 -1 -4 -1 3 }T
T{ -7 2 /mod 7 2 / -7 2 mod -> 1 -4 3 1 }T
T{ 20000 3 4 */ -20000 3 7 */mod -> 15000 4 -8572 }T
T{ s" 1 0 /" throws s" 1 0 mod" throws -> -10 -10 }T

testing <# # #s #> hold sign holds hld . u. spaces .r u.r
T{ 0. <# #s #> s" 0" compare -> 0 }T
T{ 123456. <# # # char . hold #s #> s" 1234.56" compare -> 0 }T
T{ -5 dup abs 0 <# #s rot sign #> s" -5" compare -> 0 }T
T{ hex $beef 0 <# #s #> decimal s" BEEF" compare -> 0 }T
: endless  <# begin 1 hold again ;
T{ ' endless catch -> -17 }T
T{ 0. <# s" abc" holds #> s" abc" compare hld @ c@ -> 0 char a }T

testing s" ." abort" (abort") sliteral keep-string c" strings word find
: q1  s" hello" ;
T{ q1 s" hello" compare -> 0 }T
T{ s" ab" s" cd" 2swap drop c@ -rot drop c@ strings @ 256 u> -> char a char c false }T
: q2  c" xyz" count ;
T{ q2 s" xyz" compare -> 0 }T
: q3  [ s" lit" ] sliteral ;
T{ q3 s" lit" compare -> 0 }T
: q4  abort" told" 5 ;
T{ 0 q4 1 ' q4 catch nip err-text 2@ s" told" compare -> 5 -2 0 }T
T{ bl word  abc count s" abc" compare -> 0 }T
T{ char / word //xy/ count s" xy" compare -> 0 }T
T{ bl word dup find nip bl word if find nip bl word nowhere find nip -> -1 1 0 }T
: q5  c" dup" find drop ;
T{ q5 -> ' dup }T

testing environment? case of endof endcase .( erase pad unused memtop
T{ s" MAX-N" environment? s" max-ud" environment? s" nothing" environment? -> 32767 true -1. true false }T
: k2  case 1 of 10 endof 2 of 20 endof dup 100 + swap endcase ;
T{ 1 k2 2 k2 5 k2 -> 10 20 105 }T
T{ 5 pad ! pad 2 erase pad @ -> 0 }T
T{ unused here + memtop @ = -> true }T
T{ .( # text) -> }T cr

testing value to (to) defer is action-of defer@ defer! (defer) to-local
T{ 5 value v5 v5 6 to v5 v5 -> 5 6 }T
: k3  7 to v5 ;
T{ k3 v5 -> 7 }T
T{ 1. 2value v6 v6 2. to v6 v6 -> 1. 2. }T
: k4  3. to v6 ;
T{ k4 v6 -> 3. }T
defer d1
T{ ' 1+ is d1 5 d1 action-of d1 -> 6 ' 1+ }T
: k5  ['] 1- is d1 action-of d1 ;
T{ k5 5 d1 -> ' 1- 4 }T
T{ ' 2+ ' d1 defer! 5 d1 ' d1 defer@ -> 7 ' 2+ }T
T{ s" 5 to dup" throws s" ' dup is dup" throws s" defer d9 d9" throws -> -32 -32 -262 }T
T{ to-local @ -> 0 }T

testing buffer: marker [compile] save-input restore-input >digit escape s\" trim trim-all
T{ 10 buffer: b10 here b10 - -> 10 }T
T{ here s" marker gone : tmp 1 ; vocabulary tmp-words" evaluate gone here - [defined] tmp [defined] tmp-words -> 0 false false }T
: k6  [compile] if ; immediate
: k10  k6 1 else 2 then ;
T{ 0 k10 -> 2 }T
variable si
: again?  1 si +!  si @ 1 = if restore-input then ;
T{ 0 si ! s" save-input again? si @" evaluate -> false 2 }T
T{ 0 si ! save-input again? si @ -> false 2 }T
T{ char a >digit char F >digit char 9 >digit -> 10 15 9 }T
T{ s\" a\nb\x41\"\m\\\z" drop 9 s" x" drop 0 compare -> 1 }T
T{ s\" \n\t\q\x4a" s" x" nip swap drop nip -> 1 }T
: k7  s\" A\x42\"" ;
T{ k7 nip k7 drop count swap count swap c@ -> 3 65 66 34 }T
T{ s\" \m" nip s\" \a\b\e\f\l\r\v" nip -> 2 7 }T

testing 2constant 2variable 2literal 2rot d0= d0< d>s dabs dmax dmin m+ m*/
T{ 1. 2constant k8 k8 2variable v8 2. v8 2! v8 2@ -> 1. 2. }T
: k9  [ 5. ] 2literal ;
T{ k9 1. 2. 3. 2rot -> 5. 2. 3. 1. }T
T{ 0. d0= $10000. d0= -1. d0< 1. d0< -5. d>s -> true false true false -5 }T
T{ -5. dabs 1. -1. dmax 1. -1. dmin 1. -2 m+ -> 5. 1. -1. -1. }T
T{ 100000. 3 7 m*/ -100000. 3 7 m*/ 100000. -3 7 m*/ -> 42857. -42858. -42858. }T
T{ $7fffffff. 32767 32767 m*/ -> $7fffffff. }T

testing d. d.r ud. ud.r
T{ outdev@ s" out.txt" w/o create-file throw dup $80 or outdev! -5. d. 7. 4 d.r -1. ud. 5. 3 ud.r 3 .  -2 u. 7 3 .r 8 3 u.r 2 spaces cr 0 outdev! close-file -> 0 0 }T
T{ s" out.txt" r/o open-file throw dup pad 100 rot read-line throw rot close-file throw -> 37 true }T
T{ pad 37 s" -5    74294967295   53 65534   7  8  " compare -> 0 }T

testing -trailing blank search replaces unescape substitute
T{ s" ab  " -trailing nip s"   " -trailing nip -> 2 0 }T
T{ pad 3 blank pad c@ pad 2+ c@ -> 32 32 }T
: found  search rot drop ;
T{ s" abcde" s" cd" found s" abcde" s" x" found s" ab" s" abc" found -> 3 true 5 false 2 false }T
T{ s" abc" s" " found s" ababc" s" abc" found -> 3 true 3 true }T
T{ s" red" s" colour" replaces s" a %colour% b" pad 50 substitute -rot s" a red b" compare -> 1 0 }T
T{ s" 100%% %none% x%" pad 50 substitute -rot s" 100% %none% x%" compare -> 0 0 }T
T{ s" blue" s" colour" replaces s" %colour%%colour%" pad 50 substitute -rot s" blueblue" compare -> 2 0 }T
T{ s" %colour%" pad 2 substitute nip nip -> -78 }T
T{ s" 5%" pad unescape s" 5%%" compare -> 0 }T

testing wordlist get-order set-order get-current set-current definitions search-wordlist
T{ get-order -> root-wordlist forth-wordlist 2 }T
T{ wordlist constant wl get-current -> forth-wordlist }T
T{ wl set-current : inner 3 ; forth-wordlist set-current s" inner" wl search-wordlist nip -> -1 }T
T{ s" inner" forth-wordlist search-wordlist s" if" forth-wordlist search-wordlist nip -> 0 1 }T
T{ get-order wl swap 1+ set-order inner previous -> 3 }T
T{ also (order) @ previous (order) @ -> 3 2 }T
T{ only (order) @ forth get-order -> 2 root-wordlist forth-wordlist 2 }T
vocabulary voc  also voc definitions  : in-voc 4 ;  previous definitions
T{ [defined] in-voc also voc in-voc previous -> false 4 }T
T{ get-current also voc definitions get-current = previous definitions -> false }T
: emptied  0 set-order ['] previous catch only ;
T{ emptied -> -50 }T
T{ s" 10 set-order" throws -> -49 }T

testing (abort") (close) keep-string
T{ 0 s" x" (abort") 1 s" told" ' (abort") catch nip nip nip -> -2 }T
: hand-loop  10 0 [ leaves @ 0 leaves ! ] [ ' (do) , here ] i [ ' (loop) (close) ] ;
T{ hand-loop leaves @ -> 0 1 2 3 4 5 6 7 8 9 0 }T
T{ s" abc" keep-string s" abc" compare -> 0 }T

testing (defer) (to) escape trim trim-all
defer d3
T{ s" (defer) d3" evaluate s" (defer) dup" throws -> ' d3 -32 }T
9 value v9
: setting  ' (to) ; immediate
: sets  setting v9 ;
T{ 10 sets v9  s" ' dup (to)" throws -> 10 -32 }T
T{ s" nb" s\" \\nb" escape >r 2drop 2drop r> s" ab" escape nip nip -> 10 char a }T
create chain 0 ,
: linked  here chain @ , chain ! ;
linked  here  linked linked  value from-here
T{ 0 chain from-here trim chain @ @ chain @ 0= -> 0 false }T
T{ voclink @ here trim-all voclink @ = -> true }T

testing add-char add-text length result room substitution substitutions
T{ pad result ! 3 room ! 0 length ! char a add-char s" bcd" add-text length @ pad 3 s" abc" compare -> 4 0 }T
T{ s" colour" substitution substitutions @ = s" nothing" substitution -> true 0 }T

testing (vocabulary) .wordlist order
: in-order  wordlist (vocabulary) get-order nip forth (order) @ ;
T{ in-order nip nip -> 2 }T
T{ s" Forth root-wordlist   compiling to Forth" ' order told? -> true }T
: shows  forth-wordlist .wordlist ;
T{ ' shows told s" Forth " compare -> 0 }T
testing that all words of the word sets are there
: there  ( "names" -- flag )  true
   begin parse-name dup while
      2dup find-name 0= if ." # missing: " 2dup type cr  rot drop false -rot then  2drop
   repeat 2drop ;
\ CORE
there ! # #> #s ' ( * */ */mod + +! +loop , - . ." / /mod 0< 0= 1+ 1- 2! 2* 2/ 2@ 2drop 2dup 2over 2swap : ; < <# = > >body
there >in >number >r ?dup @ abort abort" abs accept align aligned allot and base begin bl c! c, c@ cell+ cells char char+ chars
there constant count cr create decimal depth do does> drop dup else emit environment? evaluate execute exit fill find fm/mod
there here hold i if immediate invert j key leave literal loop lshift m* max min mod move negate or over postpone quit r> r@
there recurse repeat rot rshift s" s>d sign sm/rem source space spaces state swap then type u. u< um* um/mod unloop until
there variable while word xor [ ['] [char] ]
value core1  value core2  value core3  value core4  value core5  value core6
T{ core1 core2 core3 core4 core5 core6 -> true true true true true true }T
\ CORE EXT
there .( .r 0<> 0> 2>r 2r> 2r@ :noname <> ?do action-of again buffer: c" case compile, defer defer! defer@ endcase endof erase
there false hex holds is marker nip of pad parse parse-name pick refill restore-input roll s\" save-input source-id to true
there tuck u.r u> unused value within [compile] \
value ext1  value ext2  value ext3
T{ ext1 ext2 ext3 -> true true true }T
\ EXCEPTION, DOUBLE, STRING, SEARCH and their EXT
there catch throw  2constant 2literal 2variable d+ d- d. d.r d0< d0= d2* d2/ d< d= d>s dabs dmax dmin dnegate m*/ m+ 2rot 2value du<
there -trailing /string blank cmove cmove> compare search sliteral replaces substitute unescape
there definitions forth-wordlist get-current get-order search-wordlist set-current set-order wordlist also forth only order previous
\ TOOLS, FILE, FACILITY, MEMORY, LOCALS, BLOCK and their EXT
there .s ? dump see words ;code ahead assembler bye code cs-pick cs-roll forget n>r name>compile name>interpret name>string nr>
there synonym traverse-wordlist [defined] [else] [if] [then] [undefined]
there bin close-file create-file delete-file file-position file-size include-file included open-file r/o r/w read-file read-line
there reposition-file resize-file w/o write-file write-line file-status flush-file include rename-file require required
there at-xy key? page +field begin-structure cfield: ekey ekey>char ekey>fkey ekey? emit? end-structure field: ms time&date
there k-alt-mask k-ctrl-mask k-delete k-down k-end k-f1 k-f12 k-home k-insert k-left k-next k-prior k-right k-shift-mask k-up
there allocate free resize  (local) locals| {:
there blk block buffer flush load save-buffers update empty-buffers list scr thru
: all  ( flag… n -- flag ) true swap 0 ?do and loop ;
11 all value all-there
T{ all-there -> true }T

testing word: what it skips, and where it stops
T{ char , word ,,,one, count s" one" compare -> 0 }T
T{ s" char , word a,1" evaluate swap count nip -> 1 1 }T
T{ s" bl word" evaluate count nip -> 0 }T
T{ bl word long-name-that-ends-here count nip bl word x count nip -> 24 1 }T
T{ wordlist voclink @ = -> true }T
: sum  ( addr u -- n ) 0 -rot over + swap ?do i c@ + loop ;
\ All of WORD's buffer belongs to the program, whatever is searched for meanwhile.
T{ bl word xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
   count sum -> 228 120 * }T
T{ base @ 2 base ! s" 101" evaluate swap base ! 5. 3 base ! <# #s #> decimal s" 12" compare -> 5 0 }T
T{ s" colour" pad 300 + 0 substitute nip nip s" %colour%" pad 300 substitute nip nip -> -78 1 }T

testing signs and names, to the letter: . .r d. d.r u. s\" also order vocabulary environment?
: z1  -5 . 5 . 0 . -32768 . -5 4 .r 5 1 .r -7. d. 7. d. -7. 4 d.r 65535 u. ;
T{ ' z1 told s" -5 5 0 -32768   -55-7 7   -765535 " compare -> 0 }T
: z2  s\" a\mb" ;
T{ z2 nip z2 drop 1+ c@ z2 drop 2 + c@ z2 drop 3 + c@ -> 4 13 10 98 }T
vocabulary odd-words
: z3  also odd-words also order previous previous ;
T{ s" odd-words odd-words Forth " ' z3 told? get-order -> true root-wordlist forth-wordlist 2 }T
T{ s" /COUNTED-STRING" environment? s" /HOLD" environment? s" /PAD" environment? s" ADDRESS-UNIT-BITS" environment?
   -> 255 true 256 true 256 true 8 true }T
T{ s" FLOORED" environment? s" MAX-CHAR" environment? s" MAX-D" environment? s" MAX-U" environment? s" #LOCALS" environment?
   -> true true 255 true $7fffffff. true -1 true 16 true }T
T{ s" RETURN-STACK-CELLS" environment? s" STACK-CELLS" environment? s" WORDLISTS" environment? -> 116 true 80 true 8 true }T
done
