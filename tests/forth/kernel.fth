\ SPDX-License-Identifier: MIT
\ kernel: the words of the assembly files.
include tester.fth
decimal

testing dup ?dup drop swap over nip tuck rot -rot
T{ 1 dup -> 1 1 }T
T{ $1234 dup -> $1234 $1234 }T
T{ 0 ?dup -> 0 }T
T{ $100 ?dup -> $100 $100 }T
T{ 1 ?dup -> 1 1 }T
T{ 1 2 drop -> 1 }T
T{ $1234 $5678 swap -> $5678 $1234 }T
T{ $1234 $5678 over -> $1234 $5678 $1234 }T
T{ $1234 $5678 nip -> $5678 }T
T{ $1234 $5678 tuck -> $5678 $1234 $5678 }T
T{ $123 $456 $789 rot -> $456 $789 $123 }T
T{ $123 $456 $789 -rot -> $789 $123 $456 }T

testing pick roll 2dup 2drop 2swap 2over
T{ 10 20 30 0 pick -> 10 20 30 30 }T
T{ 10 20 $1230 2 pick -> 10 20 $1230 10 }T
T{ 10 20 30 0 roll -> 10 20 30 }T
T{ 10 20 30 1 roll -> 10 30 20 }T
T{ $110 20 30 40 3 roll -> 20 30 40 $110 }T
T{ $101 $202 2dup -> $101 $202 $101 $202 }T
T{ 1 2 3 2drop -> 1 }T
T{ $101 $202 $303 $404 2swap -> $303 $404 $101 $202 }T
T{ $101 $202 $303 $404 2over -> $101 $202 $303 $404 $101 $202 }T

testing depth sp@ sp! rp@ rp!
T{ depth 1 2 depth nip nip swap - -> 3 }T
T{ 1 2 sp@ @ -> 1 2 2 }T
T{ 1 2 3 sp@ 4 + sp! -> 1 }T
: rp-test  rp@ 5 >r 6 >r rp! 7 ;
T{ rp-test -> 7 }T
T{ sp@ sp@ - -> 2 }T

testing >r r> r@ rdrop 2>r 2r> 2r@
: r1  $1234 >r r@ r> ;
: r2  $1234 $5678 2>r 2r@ 2r> ;
: r3  1 2 2>r r> r> ;
: r4  5 6 >r rdrop ;
T{ r1 -> $1234 $1234 }T
T{ r2 -> $1234 $5678 $1234 $5678 }T
T{ r3 -> 2 1 }T
T{ r4 -> 5 }T

testing + - 1+ 1- 2+ 2- 2* 2/ cells cell+ negate abs
T{ $00ff $0001 + -> $100 }T
T{ $ffff 2 + -> 1 }T
T{ 5 -7 + -> -2 }T
T{ $100 1 - -> $ff }T
T{ 3 5 - -> -2 }T
T{ $ff 1+ -> $100 }T
T{ $ffff 1+ -> 0 }T
T{ $100 1- -> $ff }T
T{ 0 1- -> -1 }T
T{ $fe 2+ -> $100 }T
T{ $100 2- -> $fe }T
T{ $80 2* -> $100 }T
T{ -1 2* -> -2 }T
T{ -1 2/ -> -1 }T
T{ $101 2/ -> $80 }T
T{ $80 cells -> $100 }T
T{ $ff cell+ -> $101 }T
T{ 1 negate -> -1 }T
T{ $8000 negate -> $8000 }T
T{ -300 abs -> 300 }T
T{ 300 abs -> 300 }T

testing invert and or xor lshift rshift
T{ $ff00 invert $1234 invert -> $00ff $edcb }T
T{ $f0f0 $ff00 and -> $f000 }T
T{ $f0f0 $ff00 or -> $fff0 }T
T{ $f0f0 $ff00 xor -> $0ff0 }T
T{ 1 0 lshift -> 1 }T
T{ 1 15 lshift -> $8000 }T
T{ 1 16 lshift -> 0 }T
T{ 1 256 lshift -> 0 }T
T{ $8000 15 rshift -> 1 }T
T{ $8001 0 rshift -> $8001 }T
T{ $8000 16 rshift -> 0 }T
T{ $8000 $1001 rshift -> 0 }T

testing * um* um/mod
T{ 300 -7 * -> -2100 }T
T{ 255 257 * -> $ffff }T
T{ 0 5 * -> 0 }T
T{ $1234 $5678 um* -> $0060 $0626 }T
T{ $ffff $ffff um* -> 1 $fffe }T
T{ 0 $ffff um* -> 0 0 }T
T{ $0060 $0626 $5678 um/mod -> 0 $1234 }T
T{ $ffff $fffe $ffff um/mod -> $fffe $ffff }T
T{ 7 0 2 um/mod -> 1 3 }T
T{ s" 1 0 0 um/mod" throws -> -10 }T

testing d+ d- dnegate d2* d2/ s>d
T{ $ffff. 1. d+ -> $10000. }T
T{ -1. 1. d+ -> 0. }T
T{ $10000. 1. d- -> $ffff. }T
T{ 0. 1. d- -> -1. }T
T{ 1. dnegate -> -1. }T
T{ $ffff8000. d2* -> $ffff0000. }T
T{ -2. d2/ -> -1. }T
T{ $30001. d2/ -> $18000. }T
T{ -5 s>d -> -5. }T
T{ 5 s>d -> 5. }T
T{ 0 1 2 -1 -> 2 2 - 2 1- 1 1+ 1 2- }T

testing = <> < > u< u> 0= 0<> 0< 0>
T{ $1234 $1234 = -> true }T
T{ $1234 $1334 = -> false }T
T{ $1234 $1235 = -> false }T
T{ $1234 $1234 <> -> false }T
T{ $1234 $1334 <> -> true }T
T{ $1234 $1235 <> -> true }T
T{ 1 2 < 2 1 < 1 1 < -> true false false }T
T{ -1 1 < 1 -1 < $8000 $7fff < $7fff $8000 < -> true false true false }T
T{ 1 2 > 2 1 > 1 1 > -> false true false }T
T{ -1 1 > 1 -1 > $8000 $7fff > $7fff $8000 > -> false true false true }T
T{ 1 2 u< 2 1 u< 1 1 u< 1 -1 u< -1 1 u< -> true false false true false }T
T{ 1 2 u> 2 1 u> 1 1 u> 1 -1 u> -1 1 u> -> false true false false true }T
T{ 0 0= 1 0= $100 0= -> true false false }T
T{ 0 0<> 1 0<> $100 0<> -> false true true }T
T{ 0 0< -1 0< 1 0< $8000 0< -> false true false true }T
T{ 0 0> -1 0> 1 0> $100 0> $8000 0> -> false false true true false }T

testing min max within d= d< du< true false
T{ 1 2 min 2 1 min -1 1 min $8000 $7fff min -> 1 1 -1 $8000 }T
T{ 1 2 max 2 1 max -1 1 max $8000 $7fff max -> 2 2 1 $7fff }T
T{ 1 1 3 within 3 1 3 within 0 1 3 within 2 1 3 within -> true false false true }T
T{ -1 -2 2 within 5 -2 2 within 5 2 -2 within 0 2 -2 within -> true false true false }T
T{ 1. 1. d= 1. 2. d= $10000. 0. d= $100. 0. d= -> true false false false }T
T{ 1. 2. d< 2. 1. d< -1. 1. d< 1. -1. d< $10000. $1ffff. d< -> true false true false true }T
T{ 1. 2. du< -1. 1. du< 1. -1. du< 1. 1. du< -> true false true false }T
T{ true false -> -1 0 }T

testing @ ! c@ c! +! 2@ 2! count on off
create m 16 allot
T{ $1234 m ! m @ m c@ m 1+ c@ -> $1234 $34 $12 }T
T{ $ff m c! m @ -> $12ff }T
T{ 1 m +! m @ -> $1300 }T
T{ -1 m +! m @ -> $12ff }T
T{ $1111 $2222 m 2! m 2@ m @ m 2+ @ -> $1111 $2222 $2222 $1111 }T
T{ m on m @ -> -1 }T
T{ m off m @ -> 0 }T
T{ 3 m c! m count -> m 1+ 3 }T
create edge $fe here $ff and - 256 + $ff and allot 4 allot
T{ $1234 edge ! edge @ 1 edge +! edge @ -> $1234 $1235 }T

testing fill cmove cmove> move
create area 800 allot
: sum  0 -rot over + swap ?do i c@ + loop ;
T{ area 800 0 fill area 800 sum -> 0 }T
T{ area 1+ 300 1 fill area 800 sum -> 300 }T
T{ area c@ area 300 + c@ area 301 + c@ -> 0 1 0 }T
T{ area 0 7 fill area c@ -> 0 }T
T{ area 256 2 fill area 255 + c@ area 256 + c@ -> 2 1 }T
: ramp  800 0 do i area i + c! loop ;
T{ ramp area area 1+ 5 cmove area 5 + c@ area 6 + c@ -> 0 6 }T
T{ ramp area area 1+ 5 cmove> area c@ area 1+ c@ area 5 + c@ -> 0 0 4 }T
T{ ramp area area 300 + 400 move area 300 + c@ area 699 + c@ area 700 + c@ -> 0 399 $ff and 700 $ff and }T
T{ ramp area 300 + area 400 move area c@ area 399 + c@ -> 300 $ff and 699 $ff and }T
T{ ramp area area 256 + 256 cmove> area 256 + c@ area 511 + c@ -> 0 255 }T
T{ ramp area area 100 + 600 move area 100 + c@ area 400 + c@ area 699 + c@ area 99 + c@ -> 0 300 $ff and 599 $ff and 99 }T
T{ ramp area 100 + area 600 move area c@ area 300 + c@ area 599 + c@ area 600 + c@ -> 100 400 $ff and 699 $ff and 600 $ff and }T
T{ ramp area area 3 + 0 move area 3 + c@ -> 3 }T
T{ ramp area 3 + area 500 cmove area c@ area 499 + c@ -> 3 502 $ff and }T

testing dp here allot , c,
T{ here 5 allot here swap - -> 5 }T
T{ here 5 allot -5 allot here swap - -> 0 }T
T{ s" 40000 allot" throws s" -30000 allot" throws memtop @ here - 1+ ' allot catch nip -> -8 -8 -8 }T
: fills  here begin dup , again ;
: fills-bytes  here begin 1 c, again ;
T{ here ' fills catch swap dp !  here ' fills-bytes catch swap dp ! -> -8 -8 }T
T{ here $1234 , here over - swap @ -> 2 $1234 }T
T{ here $12 c, here over - swap c@ -> 1 $12 }T
T{ dp @ -> here }T

testing exit execute @execute branch ?branch (lit)
: e1  1 exit 2 ;
T{ e1 -> 1 }T
T{ 3 ' 1+ execute -> 4 }T
variable x  ' 1+ x !
T{ 3 x @execute -> 4 }T
T{ 3 0 x ! x @execute -> 3 }T
: e2  if 1 else $1234 then ;
T{ 0 e2 1 e2 $100 e2 -> $1234 1 1 }T

testing (do) (?do) (loop) (+loop) (leave) unloop i j
: d1  do i loop ;
T{ 4 1 d1 -> 1 2 3 }T
T{ $8001 $7ffe d1 -> $7ffe $7fff $8000 }T
T{ 1 -2 d1 -> -2 -1 0 }T
: d2  ?do i loop ;
T{ 3 3 d2 -> }T
T{ 3 0 d2 -> 0 1 2 }T
: d4  10 0 do i 3 +loop ;
T{ d4 -> 0 3 6 9 }T
: d5  0 10 do i -3 +loop ;
T{ d5 -> 10 7 4 1 }T
: d6  0 3 do i -1 +loop ;
T{ d6 -> 3 2 1 0 }T
: d7  10 0 do i dup 2 = if leave then loop ;
T{ d7 -> 0 1 2 }T
: d8  10 0 do i 2 = if i unloop exit then loop 99 ;
T{ d8 -> 2 }T
: d9  2 0 do 12 10 do j i loop loop ;
T{ d9 -> 0 10 0 11 1 10 1 11 }T
: d11  0 300 0 do 1+ loop ;
T{ d11 -> 300 }T

testing (of) case endcase
: c1  case 1 of 10 endof $102 of 20 endof 99 swap endcase ;
T{ 1 c1 $102 c1 2 c1 -> 10 20 99 }T

testing bl /string scan skip compare same? upper digit?
T{ bl -> 32 }T
T{ s" abc" 1 /string nip -> 2 }T
T{ s" abc" 1 /string drop c@ -> char b }T
T{ s" a,b" char , scan nip -> 2 }T
T{ s" a b" char , scan nip -> 0 }T
T{ s" ab" drop 0 char a scan nip -> 0 }T
T{ s" a b" bl scan nip -> 2 }T
T{ s" xxa" char x skip nip -> 1 }T
T{ s"   a" bl skip nip -> 1 }T
create tabbed 9 c, 32 c, 13 c, char z c,
T{ tabbed 4 bl skip nip -> 1 }T
T{ tabbed 4 char z scan nip -> 1 }T
T{ s" abc" s" abc" compare -> 0 }T
T{ s" abc" s" abd" compare s" abd" s" abc" compare -> -1 1 }T
T{ s" ab" s" abc" compare s" abc" s" ab" compare -> -1 1 }T
T{ s" " s" " compare s" " s" a" compare -> 0 -1 }T
T{ s" aBc" s" AbC" same? s" abc" s" abd" same? s" ab" s" abc" same? -> true false false }T
T{ s" [" s" {" same? s" @" s" `" same? -> false false }T
T{ char a upper char A upper char z upper char { upper char 1 upper -> char A char A char Z char { char 1 }T
T{ char 7 10 digit? char 8 8 digit? char f 16 digit? char F 16 digit? -> 7 true false 15 true 15 true }T
T{ char : 16 digit? char @ 16 digit? char / 10 digit? -> false false false }T

testing find-name find-name-in name>interpret name>string forth-wordlist (order)
T{ s" dup" find-name name>interpret -> ' dup }T
T{ s" DuP" find-name name>interpret -> ' dup }T
T{ s" no-such-word" find-name -> 0 }T
T{ s" dup" forth-wordlist find-name-in name>interpret -> ' dup }T
T{ s" du" forth-wordlist find-name-in -> 0 }T
T{ s" dup" find-name name>string s" dup" compare -> 0 }T
T{ (order) @ (order) 2+ @ -> 2 forth-wordlist }T
T{ here 0 find-name -> 0 }T

testing emit type cr space key? outdev@ outdev! host
T{ outdev@ -> 0 }T
T{ key? -> true }T
T{ s" " type -> }T
T{ $ff host -> -21 }T
T{ s" no such file" r/o open-file nip -> -38 }T
T{ 200 close-file 0= -> false }T

testing catch throw ?throw handler lp@ lp!
: t1  1 2 3 -5 throw ;
T{ ' t1 catch -> -5 }T
T{ 7 ' t1 catch -> 7 -5 }T
: t2  0 throw 4 ;
T{ ' t2 catch -> 4 0 }T
: t3  ['] t1 catch 1+ throw ;
T{ ' t3 catch -> -4 }T
T{ true -7 ' ?throw catch nip nip -> -7 }T
T{ false -7 ?throw -> }T
T{ lp@ dup lp! lp@ = -> true }T
T{ handler @ 0<> -> true }T
T{ s" 1 2 3 bad" throws -> -13 }T
T{ s" drop drop drop drop" ' evaluate catch >r 2drop r> -> -4 }T

testing place string, even header, reveal latest last-xt current voclink create : ; :noname does> immediate
T{ s" abc" m place m count s" abc" compare -> 0 }T
T{ here s" abc" string, count s" abc" compare here 4 - c@ -> 0 3 }T
T{ even here 1 and -> 0 }T
T{ create c2 here ' c2 >body = -> true }T
: mk  create , does> @ 1+ ;
T{ 5 mk five five -> 6 }T
: mk2  create 1 , does> @ does> @ 10 + ;
T{ mk2 q q q -> 1 11 }T
T{ :noname 1 2 ; execute -> 1 2 }T
T{ : imm 42 ; immediate : use [ imm ] literal ; use -> 42 }T
T{ latest @ name>string s" use" compare -> 0 }T
T{ last-xt @ ' use = -> true }T
T{ current @ voclink @ 0<> -> forth-wordlist true }T
T{ s" zork" header, docon , 77 , s" zork" find-name -> 0 }T
T{ reveal s" zork" evaluate -> 77 }T
T{ s" : abcdefghijklmnopqrstuvwxyz0123456 ;" throws -> -19 }T
T{ s" create" throws -> -16 }T

testing [ ] state compile, literal postpone ' ['] >body docol dovar docon dovalue do2value dodefer dodoes (;)
T{ state @ -> 0 }T
T{ : s1 [ state @ ] literal ; s1 -> 0 }T
T{ : s2 [ ' 1+ compile, ] ; 5 s2 -> 6 }T
T{ : s3 postpone if ; immediate : s4 s3 1 else 2 then ; 0 s4 1 s4 -> 2 1 }T
T{ : s5 postpone dup ; immediate : s6 s5 + ; 4 s6 -> 8 }T
T{ : s7 ['] 1+ ; s7 -> ' 1+ }T
T{ ' s7 @ ' m @ ' source-file @ -> docol dovar docon }T
T{ 3 value v1 ' v1 @ 1. 2value v2 ' v2 @ defer v3 ' v3 @ -> dovalue do2value dodefer }T
T{ ' five @ c@ ' five @ 1+ @ -> $4c dodoes }T
T{ s" if" throws s" postpone" throws s" ' nowhere" throws -> -14 -14 -13 }T
T{ s" : bad if ;" throws [ -> -22 }T

testing source >in parse parse-name >number number? base evaluate token
T{ source nip >in @ u< -> false }T
T{ char ) parse abc) s" abc" compare -> 0 }T
T{ parse-name   word1   s" word1" compare -> 0 }T
T{ s" 1 2 +" evaluate -> 3 }T
T{ s" " evaluate -> }T
T{ 0. s" 123x" >number nip -> 123. 1 }T
T{ hex 0. s" fF" >number nip decimal -> 255. 0 }T
T{ s" 12" number? s" -12" number? s" 12." number? s" x" number? -> 12 1 -12 1 12. 2 0 }T
T{ s" $fF" number? s" #12" number? s" %101" number? s" 'A'" number? s" $-a" number? -> 255 1 12 1 5 1 65 1 -10 1 }T
T{ s" -" number? s" " drop 0 number? s" $" number? s" ." number? s" 1.2" number? -> 0 0 0 0 0 }T
T{ -1. s" -1." evaluate -> -1. -1. }T
T{ token 2@ nip -> 2 }T
T{ base @ -> 10 }T

testing source-id source-line source-file blk frames nest unnest (source) \ (
T{ source-id 0> source-line @ 0> source-file @ file-name s" kernel.fth" compare blk @ -> true true 0 0 }T
T{ s" source-id" evaluate -> -1 }T
T{ frames @ s" frames @" evaluate -> frames @ dup 1+ }T
T{ (source) 2 + @ source drop = -> true }T
T{ 1 ( a comment ) 2 \ another
-> 1 2 }T
T{ 1 ( over
   lines ) 2 -> 1 2 }T

testing include included include-file add-file find-file file-name file-names
T{ s" kernel.fth" find-file 0<> s" nowhere.fth" find-file -> true 0 }T
T{ s" kernel.fth" add-file source-file @ -> source-file @ dup }T
T{ s" include no-such-file.fth" throws s" no-such.fth" ' included catch nip nip -> -38 -38 }T
T{ s" three.fth" w/o create-file throw dup s" 3" rot write-file throw close-file -> 0 }T
T{ include three.fth s" three.fth" included -> 3 3 }T
T{ s" three.fth" r/o open-file throw include-file -> 3 }T
T{ s" three.fth" find-file 0<> -> true }T

testing err-file err-line err-word err-text report-hook prompt-hook start-hook quit (main) cold bye (bye) abort
T{ s" frobnicate" throws err-word count s" frobnicate" compare -> -13 0 }T
T{ ' abort catch -> -1 }T
T{ s" start-hook @" evaluate -> 0 }T
T{ report-hook @ 0<> prompt-hook @ 0<> greet-hook @ 0<> -> true true true }T
T{ next-at core-end @ here u< bucket-list @ metric-list @ -> $c8 true 0 0 }T
T{ : too-deep s" too-deep" evaluate ; s" too-deep" throws -> -256 }T

T{ 1 \ 2
-> 1 }T

testing (lit) branch ?branch (do) (?do) (loop) (+loop) (leave) (of) (s") (c") (does>): the tokens, laid down by hand
create t-lit ] (lit) [ 77 , ] exit [
: runs  ( thread -- ) >r ;
T{ t-lit runs -> 77 }T
create t-branch ] branch [ here 4 + , ] 1 2 exit [
T{ t-branch runs -> 2 }T
create t-if ] ?branch [ here 6 + , ] 1 exit 2 exit [
T{ 0 t-if runs 1 t-if runs -> 2 1 }T
create t-do ] (do) [ here ] i (loop) [ , ] exit [
T{ 3 0 t-do runs -> 0 1 2 }T
create t-qdo ] (?do) [ here 0 , here ] i 2 (+loop) [ , here swap ! ] exit [
T{ 5 0 t-qdo runs 5 5 t-qdo runs -> 0 2 4 }T
create t-leave ] (do) (leave) [ here 2+ , ] 5 exit [
T{ 3 0 t-leave runs -> 5 }T
create t-of ] (of) [ here 8 + , ] 8 exit 9 exit [
T{ 1 1 t-of runs 1 2 t-of runs -> 8 1 9 }T
create t-s" ] (s") [ 2 c, char h c, char i c, even
T{ t-s" 2+ count s" hi" compare -> 0 }T
: t-s  s" xyz" ;
: t-c  c" xyz" ;
T{ ' t-s >body @ ' t-c >body @ -> ' (s") ' (c") }T
: t-does  create does> drop 6 ;
T{ ' t-does >body 2+ @ t-does t6 t6 -> ' (does>) 6 }T

testing (locals) (locals+) (unlocals) (local@) (local!)
create t-locals ] (locals) [ 2 c, ] (local@) [ 0 c, ] (local@) [ 1 c, ] 9 (local!) [ 0 c, ] (local@) [ 0 c, ] (unlocals) [ 2 c, ] exit [
T{ 4 5 t-locals runs -> 4 5 9 }T
create t-more ] (locals) [ 1 c, ] (locals+) [ 2 c, ] (local@) [ 2 c, ] (local@) [ 0 c, ] (local@) [ 1 c, ] (unlocals) [ 3 c, ] exit [
T{ 4 5 6 t-more runs -> 6 4 5 }T

testing ?stack nest unnest interpret local-hook \ err-file err-line
T{ ?stack -> }T
: too-few  drop drop drop drop drop drop drop drop  ?stack ;
T{ ' too-few catch -> -4 }T
T{ s" drop-all-of-it" throws err-line @ source-line @ = err-file @ source-file @ = err-frames @ frames @ - -> -13 true true 1 }T
\ Asked for one word, then off.
: eaten  local-hook off  2drop 55 postpone literal true ;
T{ : el [ ' eaten local-hook ! ] whatever ; el -> 55 }T
: nested  frames @ nest frames @ over unnest frames @ ;
T{ s" nested" evaluate over - -rot swap - -> -1 1 }T
: rest  source >in @ /string ;
T{ s" 1 2 interpret" evaluate -> 1 2 }T

testing emit space key type accept (accept) key? file! name! file-names
: prints  65 emit space s" bc" type cr ;
T{ ' prints told s\" A bc\n" compare -> 0 }T
T{ pad 5 accept pad 5 (accept) key -> 0 0 false 0 }T
also machine
T{ pad 7 3 file! FORTH_FILE c@ FORTH_ADDR @ FORTH_LEN @ -> 3 pad 7 }T
T{ here 9 name! FORTH_ADDR @ FORTH_LEN @ -> here 9 }T
previous
T{ file-names @ 3 + count s" three.fth" compare -> 0 }T

testing colon-depth (;) ?open
T{ : cd [ depth colon-depth @ - ] literal ; cd -> 0 }T
: two-open  2 ['] ?open catch dup if nip then postpone literal ; immediate
T{ : one [ 1 ] two-open [ drop ] ; one -> -22 }T
T{ : two [ 1 2 ] two-open [ 2drop ] ; two s" 0 ?open" throws -> 0 -14 }T
T{ :noname [ (;) -> last-xt @ }T

\ What a word forgets to write must not be there by chance, so: cells with other values, every byte different,
\ addresses across pages, more than a page.
testing stale cells: r> r@ 2r> 2r@ lit s" i j
: stale  $a5a5 dup 2dup 2dup 2drop 2drop 2drop ;
: st1  $1234 >r stale r@ stale drop r> ;
: st2  $1234 $5678 2>r stale 2r@ stale 2drop 2r> ;
: st4  stale $77 stale drop 1 stale 0 2 -1 true false bl ;
: st5  stale s" ab" nip stale depth stale + ;
: st6  1 0 do 1 0 do stale i stale j loop loop ;
T{ st1 st2 -> $1234 $1234 $5678 }T
: st7  $1234 $5678 2>r stale 2r@ 2r> ;
T{ st7 st4 -> $1234 $5678 $1234 $5678 1 0 2 -1 -1 0 32 }T
T{ st6 -> 0 0 }T
T{ stale 0 s>d stale -1 s>d stale m count nip stale 0= -> 0 0 -1 -1 m c@ 0= }T
T{ stale 5 dup stale over stale tuck 2dup stale ?dup -> 5 5 5 5 5 5 5 }T

testing bytes that differ: d= d< du< = compare within d2* d2/
T{ $01020304. 2dup d= $01020304. $01020305. d= $01020304. $01020404. d= $01020304. $01030304. d= $01020304. $02020304. d=
   -> true false false false false }T
T{ $7fffffff. -1. d< -1. $7fffffff. d< $80000000. 1. d< 1. $80000000. d< $7fffffff. $80000000. d< -> false true true false false }T
T{ 1. $100. d< $100. $10000. d< $10000. $1000000. d< $100. 1. d< -> true true true false }T
T{ $80000000. 1. du< 1. $80000000. du< 1. $100. du< $100ff. $10100. du< -> false true true true }T
T{ $01018181. d2* $81018181. d2/ -> $02030302. $c080c0c0. }T
T{ 100 200 300 within 250 200 300 within $7fff $7ffe $8001 within $8000 $7ffe $8001 within $8001 $7ffe $8001 within
   -> false true true true false }T
T{ 0 200 100 within 150 200 100 within 99 200 100 within 0 -1 1 within -1 0 1 within -> true false true true false }T

testing across pages: @ ! +! 2@ 2! c@ on off fill cmove move compare same? scan skip count
: edge  here $2ff + $ff00 and 1- ;
T{ edge $ff and -> $ff }T
T{ $1234 edge ! edge @ edge c@ edge 1+ c@ $ff edge +! edge @ 1 edge +! edge @ -> $1234 $34 $12 $1333 $1334 }T
T{ $1122 $3344 edge 2! edge 2@ edge @ edge 2+ @ edge 1- @ 8 rshift -> $1122 $3344 $3344 $1122 $44 }T
T{ $1122 $3344 edge 2- 2! edge 2- 2@ -> $1122 $3344 }T
T{ edge on edge @ edge off edge @ -> -1 0 }T
T{ area 800 1 fill area 800 sum area 799 + 1 7 fill area 800 sum -> 800 806 }T
T{ area 512 3 fill area 511 + c@ area 512 + c@ area 512 sum -> 3 1 1536 }T
T{ 2 edge 1- c! edge 1- count nip edge c! edge count drop edge 1+ = -> true }T
: texts  s" abcdefgh" edge 3 - swap move  s" abcdefgi" edge 297 - swap move ;
T{ texts edge 3 - 8 s" abcdefgh" compare s" abcdefgh" edge 3 - 8 compare edge 3 - 8 edge 297 - 8 compare -> 0 0 -1 }T
T{ edge 3 - 8 s" ABCDEFGH" same? s" abcdefgh" edge 3 - 8 same? edge 3 - 8 edge 297 - 8 same? -> true true false }T
T{ edge 3 - 8 char h scan nip edge 3 - 8 char a skip nip edge 3 - 8 char z scan nip -> 1 7 0 }T
T{ edge 3 - 600 char q fill  edge 3 - 600 char q skip nip  edge 3 - 600 char z scan nip -> 0 0 }T

testing add-file numbers, the timer's interrupt, outdev
T{ s" new1" add-file s" new2" add-file over - swap s" new1" add-file - -> 1 0 }T
also machine  also assembler
code interrupted  cli  $ff # lda  FORTH_TA sta  FORTH_TA 1+ sta  0 # lda  FORTH_CRB sta
   $81 # lda  FORTH_ICR sta  $11 # lda  FORTH_CRA sta  next jmp  end-code
code calm  sei  1 # lda  FORTH_ICR sta  0 # lda  FORTH_CRA sta  next jmp  end-code
previous previous
: busy  0 20000 0 do i + loop ;
T{ busy interrupted busy calm = -> true }T
done
