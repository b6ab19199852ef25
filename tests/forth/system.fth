\ SPDX-License-Identifier: MIT
\ system: the words of tools, see, file, facility, memory, locals, block, assembler and exception.
include tester.fth
decimal

testing .s ? dump words locate message .error message: messages
: o1  1 2 .s 2drop ;
T{ s" > " ' o1 told? s"  1 2 " ' o1 told? -> true true }T
variable ov  7 ov !
: o2  ov ? ;
T{ s" 7 " ' o2 told? -> true }T
create bytes char H c, char i c, 0 c,
: o3  bytes 3 dump ;
T{ s" 48 69 00" ' o3 told? -> true }T
T{ s" told?" ' words told? -> true }T
: o4  s" locate dup" evaluate ;
T{ s" stack.s:" ' o4 told? -> true }T
T{ -13 message s" undefined word" compare 12345 message nip -> 0 0 }T
: o5  s" nowhere" throws .error ;
T{ s" system.fth:" ' o5 told? s" nowhere: undefined word" ' o5 told? -> true true }T
: o6  s" see o2" evaluate ;
T{ s" : o2" ' o6 told? s" ov" ' o6 told? s" exit" ' o6 told? -> true true true }T
5 constant five  6 value six  defer later ' dup is later  1. 2value pair
: o8  s" see five see six see later see pair see ov see dup" evaluate ;
T{ s" 5 constant five" ' o8 told? s" 6 value six" ' o8 told? s" defer later is dup" ' o8 told? -> true true true }T
T{ s" create ov" ' o8 told? s" code dup" ' o8 told? s" 2value pair" ' o8 told? -> true true true }T
: maker  create , does> @ ;  3 maker made
: o9  s" see made" evaluate ;
T{ s" does> made" ' o9 told? s" @" ' o9 told? -> true true }T

testing >name .xt .hex .byte .line name-place name>compile traverse-wordlist synonym
T{ ' dup >name name>string s" dup" compare 0 >name -> 0 0 }T
T{ s" dup" find-name name-place file-name s" stack.s" compare swap 0> -> 0 true }T
T{ s" if" find-name name>compile nip s" dup" find-name name>compile nip -> ' execute ' compile, }T
: count-words  drop 1+ true ;
: one-word  2drop 1 false ;
T{ 0 ' count-words forth-wordlist traverse-wordlist 500 > 0 ' one-word forth-wordlist traverse-wordlist -> true 1 }T
synonym dupe dup  synonym wenn if
T{ 5 dupe : sy wenn 1 else 2 then ; 0 sy ' dupe -> 5 5 2 ' dup }T

testing cs-pick cs-roll n>r nr> [if] [else] [then] [defined] [undefined] forget
: back  begin 1+ [ 0 cs-pick ] dup 3 > until dup 7 = until ;
T{ 0 back -> 7 }T
: over-there  if 1 exit ahead [ 1 cs-roll ] then 2 exit then 3 ;
T{ 0 over-there 1 over-there -> 2 1 }T
: nr  1 2 3 3 n>r 9 nr> ;
T{ nr -> 9 1 2 3 3 }T
T{ 1 [if] 2 [else] 3 [then] 0 [if] 2 [else] 3 [then] -> 2 3 }T
T{ 0 [if] 1 [if] 5 [else] 6 [then] [else]
   7 [then] -> 7 }T
T{ [defined] dup [undefined] dup [defined] nowhere -> true false false }T
T{ here s" : scratch 1 ;" evaluate forget scratch here swap - 2 u< [defined] scratch s" forget dup" throws -> true false -15 }T

testing r/w w/o bin create-file write-file write-line read-file file-size file-position
0 value fd
T{ s" f.txt" r/w bin create-file swap to fd -> 0 }T
T{ s" hello" fd write-line s" world" fd write-file fd file-size fd file-position -> 0 0 11. 0 11. 0 }T
T{ 6. fd reposition-file pad 20 fd read-file pad c@ pad 20 fd read-file -> 0 5 0 char w 0 0 }T
T{ 3. fd resize-file fd file-size 0. fd reposition-file pad 20 fd read-line fd flush-file fd close-file -> 0 3. 0 0 3 true 0 0 0 }T
T{ s" f.txt" file-status nip s" f.txt" s" g.txt" rename-file s" f.txt" file-status nip 0= -> 0 0 false }T
T{ s" g.txt" delete-file s" g.txt" delete-file 0= -> 0 false }T
T{ s" ../x" r/o open-file nip s" /etc/passwd" r/o open-file nip -> -37 -37 }T
T{ s" r.fth" w/o create-file throw dup s" 1" rot write-file throw close-file require r.fth require r.fth s" r.fth" required -> 0 1 }T

testing ms time&date utime at-xy page ekey ekey? ekey>char ekey>fkey emit? begin-structure +field field: cfield: end-structure
T{ 1 ms time&date 2020 > >r 13 < >r 32 < >r 24 < >r 60 < >r 61 < r> r> r> r> r> -> true true true true true true }T
T{ utime 2 ms utime d< -> true }T
: o10  3 5 at-xy page ;
T{ s\" \e[6;4H" ' o10 told? s\" \e[2J" ' o10 told? -> true true }T
T{ ekey? emit? char A ekey>char char A ekey>fkey k-up k-f1 <> -> true true char A true char A false true }T
begin-structure point field: p.x field: p.y cfield: p.c 3 +field p.rest end-structure
T{ point 0 p.x 0 p.y 0 p.c 0 p.rest -> 8 0 2 4 5 }T

testing allocate free resize heap-end
T{ memtop @ heap-end = 100 allocate nip unused 0> -> true 0 true }T
variable a1  variable a2  variable a3
T{ 50 allocate swap a1 ! 60 allocate swap a2 ! 70 allocate swap a3 ! -> 0 0 0 }T
T{ a1 @ 50 1 fill a2 @ 60 2 fill a3 @ 70 3 fill a1 @ c@ a2 @ c@ a3 @ c@ -> 1 2 3 }T
T{ a2 @ free a2 @ free 0= 40 allocate swap a2 @ u< 0= -> 0 false 0 true }T
T{ a1 @ 200 resize swap dup a1 ! dup c@ swap 49 + c@ -> 0 1 1 }T
T{ a1 @ 10 resize swap a1 @ = -> 0 true }T
T{ -1 allocate nip unused 70 - allocate 5000 allocate nip rot free a1 @ 1+ free 0 free -> -59 0 -59 0 -60 -60 }T
T{ a3 @ $7fff resize nip 5 9 resize nip -> -61 -61 }T

testing {: locals| (local) exit to locals in does> and catch
: lo1  {: a b | c -- d :} a b + to c c b ;
T{ 3 4 lo1 -> 7 4 }T
: lo2  locals| x y | x y ;
T{ 1 2 lo2 -> 2 1 }T
: lo3  {: n :} n 0= if 99 exit then n 10 0 do i n + loop 10 0 do nip loop ;
T{ 0 lo3 5 lo3 -> 99 14 }T
: lo4  {: n :} n 1 > if n n 1- recurse * else 1 then ;
T{ 7 lo4 -> 5040 }T
: lo5  {: x :} 5 >r x r> + ;
T{ 3 lo5 -> 8 }T
: lo6  {: x :} ['] 1+ is later -5 throw ;
: lo7  {: y :} 1 ['] lo6 catch nip y ;
T{ 42 lo7 -> -5 42 }T
: lo8  {: x
   y :} x y - ;
T{ 9 4 lo8 -> 5 }T
: lo9  create {: n :} n , does> @ {: m :} m m + ;
T{ 6 lo9 twelve twelve -> 12 }T
T{ :noname {: a :} a a ; 8 swap execute -> 8 8 }T
\ A second declaration lies below the first.
: lo10  {: a b :} a b - {: c | d :} c 10 * to d  a b c d ;
T{ 9 4 lo10 -> 9 4 5 50 }T
: lo11  {: a :} a 1+ {: a :} a 1+ locals| b c | a b c ;
T{ 100 5 lo11 -> 6 7 100 }T
: lo12  {: a :} a 2* {: b :} a 0= if b exit then a b ;
T{ 0 lo12 3 lo12 -> 0 3 6 }T
: lo13  {: a :} a >r 1 {: b :} r> ;
T{ s" 5 lo13" throws -> -25 }T
T{ s" : x {: a :} if {: b :} then ;" throws [ no-locals -> -22 }T
T{ s" : many {: a b c d e f g h i j k l m n o p q :} ;" throws [ no-locals -> -258 }T
T{ lp@ #locals @ -> 0 0 }T

testing block buffer update flush save-buffers empty-buffers load thru list scr refill blk
T{ s" blocks.fb" delete-file drop 1 block 1024 blank 1 block c@ -> 32 }T
: put  ( addr u block -- ) block dup 1024 blank swap move update ;
T{ s" 11 22" 1 put s" 33 refill 44" 2 put s" 55" 3 put flush -> }T
T{ 1 load 2 3 thru 1 block 2 + c@ -> 11 22 33 true 55 55 32 }T
T{ s" blk @ \ comment" 5 put 5 load blk @ -> 5 0 }T
T{ 6 buffer drop empty-buffers 1 block c@ -> char 1 }T
: o11  1 list ;
T{ s" 11 22" ' o11 told? scr @ -> true 1 }T
T{ s" 0 block" throws s" 0 load" throws -> -35 -35 }T
variable si
: again?  1 si +!  si @ 1 = if restore-input then ;
T{ 0 si ! s" save-input again? si @" 4 put 4 load -> false 2 }T
T{ flush s" blocks.fb" file-status nip -> 0 }T

testing code end-code ;code assembler
code double  0 ,x asl  1 ,x rol  next jmp  end-code
T{ 300 double -> 600 }T
code pushes  ( -- 5 )  dex dex  5 # lda  0 ,x sta  0 # lda  1 ,x sta  next jmp  end-code
T{ pushes -> 5 }T
code looped  ( n -- sum )
   0 ,x ldy  0 # lda  begin, clc  0 ,x adc  dey eq until,  0 ,x sta  next jmp  end-code
T{ 5 looped -> 25 }T
code chosen  ( n -- n )  0 ,x lda  7 # cmp eq if, 1 # lda else, 2 # lda then,  0 ,x sta  next jmp  end-code
T{ 7 chosen 8 chosen -> 1 2 }T
code through  ( addr -- char )
   0 ,x lda n sta  1 ,x lda n 1+ sta  0 # ldy  n )y lda  0 ,x sta  0 # lda  1 ,x sta  next jmp  end-code
create letter char Q c,
T{ letter through -> char Q }T
: konst  create , ;code  2 # ldy  w )y lda  pha  iny  w )y lda  dex dex  1 ,x sta  pla  0 ,x sta  next jmp  end-code
T{ $1234 konst k1234 k1234 -> $1234 }T
code spun  ( n -- 0 )  begin, 0 ,x lda ne while, 0 ,x dec repeat,  next jmp  end-code
T{ 9 spun -> 0 }T
T{ s" code bad 5 # sta" throws previous s" code bad2 5 ) lda" throws previous -> -259 -259 }T
T{ s" code far 1 # lda next bne" throws previous -> -260 }T
create opcodes  also assembler
   $10 lda $1000 lda $10 ,x lda $1000 ,x lda $1000 ,y lda $10 x) lda $10 )y lda $10 # lda
   $1000 ) jmp $1000 jsr $10 ,y ldx $10 ,x ldy .a lsr $10 bit brk rts
previous
create expected  hex
   a5 c, 10 c, ad c, 00 c, 10 c, b5 c, 10 c, bd c, 00 c, 10 c, b9 c, 00 c, 10 c, $a1 c, 10 c, b1 c, 10 c, a9 c, 10 c,
   6c c, 00 c, 10 c, 20 c, 00 c, 10 c, b6 c, 10 c, b4 c, 10 c, 4a c, 24 c, 10 c, 00 c, 60 c,  decimal
T{ opcodes 34 expected 34 compare -> 0 }T

testing .hex .xt .place .byte .line .cell in-line operand-kind see-thread see-xt thread-end wanted-xt (words)
: x1  $12fe .hex $a .byte ['] dup .xt 0 .xt ;
T{ ' x1 told s" 12FE 0A dup 0000 " compare -> 0 }T
T{ ' (lit) operand-kind ' dup operand-kind in-line @ -> 5 0 ' (lit) }T
: x2  s" find-me" bytes swap cmove bytes .line ;
: x3  ['] o2 >body .cell drop ;
T{ s" ov " ' x3 told? ' dup >name 0= wanted-xt @ -> true false ' dup }T
: x4  ['] o2 >body see-thread ;
T{ s" exit" ' x4 told? thread-end @ -> true 0 }T
: x5  ['] o2 see-xt ;
T{ s" : o2" ' x5 told? -> true }T
: x6  s" o2" find-name .place ;
T{ s" system.fth:" ' x6 told? -> true }T
: x7  bytes .line ;
T{ s" 48 69 00" ' x7 told? -> true }T
: x8  0 s" dup" find-name (words) 2drop ;
T{ ' x8 told s" dup " compare -> 0 }T

testing message: messages
-4000 message: a message of ours
T{ -4000 message s" a message of ours" compare messages @ 2+ @ -> 0 -4000 }T

testing .at .included .source .backtrace noted host-text .why
: x10  7 s" stack.s" find-file 2+ c@ .at ;
: x11  4 0 .at ;
T{ ' x10 told s" stack.s:7" compare ' x11 told s" block 4" compare -> 0 0 }T
s" inner.fth" w/o create-file throw value fd1  s" nonsense" fd1 write-file throw fd1 close-file throw
: x12  s" include inner.fth" throws .error ;
T{ s\" inner.fth:1: nonsense: undefined word\n   nonsense\n   ^^^^^^^^\n   included at system.fth:" ' x12 told? -> true }T
: x13  s" 5 nonsense" throws drop .included ;
T{ ' x13 told nip -> 0 }T
: x14  s" 5 nonsense 6" throws drop .source ;
T{ s\"    5 nonsense 6\n     ^^^^^^^^\n" ' x14 told? -> true }T
: failing  0 um/mod ;
: x15  ['] failing catch drop .backtrace ;
T{ s\"    in um/mod (divide.s:" ' x15 told? -> true }T
T{ ' failing catch 2 noted nip nip 0 noted nip nip 100 noted nip nip -> -10 1 1 0 }T
: x16  s" ../x" r/o open-file nip .why ;
T{ s" : ../x (the name leads out of --dir)" ' x16 told? -> true }T
also machine
T{ FORTH_ERROR host-text s" the name leads out of --dir" compare -> 0 }T
previous

testing .ansi ekey keys: k-left to k-f12, the masks
: x9  7 .ansi 120 .ansi ;
T{ ' x9 told s" 7120" compare ekey -> 0 0 }T
T{ k-left k-right k-up k-down k-home k-end k-prior k-next k-insert k-delete -> $100 $101 $102 $103 $104 $105 $106 $107 $108 $109 }T
T{ k-f1 k-f2 k-f3 k-f4 k-f5 k-f6 k-f7 k-f8 k-f9 k-f10 k-f11 k-f12 -> $110 $111 $112 $113 $114 $115 $116 $117 $118 $119 $11a $11b }T
T{ k-shift-mask k-ctrl-mask k-alt-mask or or k-f12 and -> 0 }T
T{ s" $300 keys: k-1 k-2" evaluate k-2 -> $301 }T

testing size-of check use fit carve extend block-of before join shrink free-blocks
variable p1  variable p2  variable p3  variable p4
: block-at  ( addr -- block ) 4 - ;
heap-end memtop !  free-blocks off
T{ 40 allocate swap p1 ! p1 @ block-of swap p1 @ block-at = p1 @ block-at size-of p1 @ block-at dup check swap 2+ @ = -> 0 true true 44 true }T
T{ p1 @ free p1 @ block-of p1 @ free -> 0 false -60 }T
T{ $7000 fit $7000 extend -> 0 0 }T
\ Freed in any order, all blocks become one again, and are given back.
: four  100 allocate drop p1 !  50 allocate drop p2 !  20 allocate drop p3 !  0 allocate drop p4 ! ;
: heap-is-empty  memtop @ heap-end =  free-blocks @ 0= and ;
create blocks-at  p1 , p2 , p3 , p4 ,
: frees  ( n1 n2 n3 n4 -- flag ) four  4 0 do cells blocks-at + @ @ free throw loop  heap-is-empty ;
T{ 0 1 2 3 frees 3 2 1 0 frees 0 2 1 3 frees 2 0 3 1 frees 1 3 0 2 frees -> true true true true true }T
\ One between used ones: taken from above, and at last whole.
T{ four p2 @ free free-blocks @ p2 @ block-at = free-blocks @ size-of -> 0 true 54 }T
T{ p4 @ block-at before free-blocks = p1 @ block-at before p2 @ block-at 2+ = -> true true }T
T{ 20 allocate swap p2 @ 30 + = free-blocks @ size-of -> 0 true 30 }T
T{ 24 allocate swap p2 @ = free-blocks @ -> 0 true 0 }T
T{ p2 @ free p2 @ 30 + free free-blocks @ size-of p1 @ free p3 @ free p4 @ free heap-is-empty -> 0 0 54 0 0 0 true }T
create block1 40 allot
T{ block1 10 use block1 - block1 size-of block1 c@ -> 4 10 11 }T
T{ block1 20 over ! dup 2+ off free-blocks ! 12 free-blocks block1 carve swap block1 - block1 @ free-blocks @ block1 = -> 12 8 8 true }T
T{ 6 free-blocks block1 carve swap block1 = free-blocks @ -> 8 true 0 }T
T{ 8 block1 ! block1 8 + block1 2+ ! 6 block1 8 + ! block1 10 + off block1 join block1 @ block1 2+ @ shrink -> 14 0 }T
\ Blocks in use cost nothing.
: cycles-of  ( xt -- ud ) reset-32bit-timer execute read-32bit-timer ;
: one  8 allocate drop p1 ! ;
: cost  ['] one cycles-of drop  p1 @ free drop ;
variable cost1
T{ cost cost1 ! -> }T
T{ : many 400 0 do one loop ; many cost cost1 @ - abs 200 < -> true }T

testing (local) add-local begin-locals compile-local drop-locals local? local-end local-names renumber fresh next-local store-local top-first wanted word?
2variable found
: by-hand  [ s" p" (local) s" q" (local) 0 0 (local) s" q" local? found 2! ] p q ;
T{ 1 2 by-hand found 2@ top-first @ fresh @ local-end @ local-names = -> 2 1 0 true 0 0 true }T
T{ :noname [ s" z" add-local begin-locals ] z z ; 5 swap execute -> 5 5 }T
T{ s" z" add-local fresh @ renumber local-names c@ no-locals fresh @ -> 1 0 0 }T
T{ here 0 ' add-local catch nip nip -> -16 }T
T{ s" none" compile-local nip nip s" none" store-local wanted 2@ s" none" compare here drop-locals here = -> false false 0 true }T
T{ next-local abc s" abc" compare s" x" s" x" word? nip nip s" x" s" y" word? nip nip -> 0 true false }T

testing blocks block-file block-source buffers newest assign position-block save-buffer save-buffers
T{ blocks block-file @ = buffers 12 + newest @ u> -> true true }T
T{ 7 assign >r @ r> 7 assign nip -> 7 false true }T
T{ 2 position-block blocks file-position s" 0 position-block" throws -> 1024. 0 -35 }T
T{ 3 block drop update newest @ dup save-buffer 2+ @ save-buffers -> 0 }T
T{ s" blk @ block-source source nip" 8 put 8 load -> 8 1024 }T

testing (file) (name)
also machine
T{ s" no such file" FORTH_DELETE (name) 77 FORTH_FLUSH (file) 0= -> -38 false }T
previous

testing assembler: each instruction
: asm{  ( -- addr ) also assembler here ;
: }asm  ( addr -- byte… ) here over dp !  swap ?do i c@ loop  previous ;
T{ asm{ $12 ora $12 and $12 eor $12 adc $12 sta $12 lda $12 cmp $12 sbc }asm
   -> $05 $12 $25 $12 $45 $12 $65 $12 $85 $12 $a5 $12 $c5 $12 $e5 $12 }T
T{ asm{ $12 asl $12 rol $12 lsr $12 ror $12 dec $12 inc }asm -> $06 $12 $26 $12 $46 $12 $66 $12 $c6 $12 $e6 $12 }T
T{ asm{ $12 ldx $12 stx $12 ldy $12 sty $12 cpx $12 cpy $12 bit }asm
   -> $a6 $12 $86 $12 $a4 $12 $84 $12 $e4 $12 $c4 $12 $24 $12 }T
T{ asm{ $1234 ora $1234 stx $1234 sty $1234 cpx $1234 bit }asm
   -> $0d $34 $12 $8e $34 $12 $8c $34 $12 $ec $34 $12 $2c $34 $12 }T
T{ asm{ $12 # ora $12 # ldx $12 # ldy $12 # cpx $12 # cpy }asm -> $09 $12 $a2 $12 $a0 $12 $e0 $12 $c0 $12 }T
T{ asm{ $12 ,x sta $1234 ,x sta $12 ,y sta $12 x) sta $12 )y sta }asm
   -> $95 $12 $9d $34 $12 $99 $12 0 $81 $12 $91 $12 }T
T{ asm{ .a asl .a rol .a lsr .a ror $12 ,x inc $1234 ,x dec $12 ,y stx $1234 ,y ldx $12 ,x sty $1234 ,x ldy }asm
   -> $0a $2a $4a $6a $f6 $12 $de $34 $12 $96 $12 $be $34 $12 $94 $12 $bc $34 $12 }T
T{ asm{ $12 jmp $1234 jsr $1234 ) jmp }asm -> $4c $12 0 $20 $34 $12 $6c $34 $12 }T
T{ asm{ brk php plp pha pla rti rts clc sec cli sei clv cld sed }asm
   -> $00 $08 $28 $48 $68 $40 $60 $18 $38 $58 $78 $b8 $d8 $f8 }T
T{ asm{ dey iny dex inx nop txa tya tax tay txs tsx }asm -> $88 $c8 $ca $e8 $ea $8a $98 $aa $a8 $9a $ba }T
T{ asm{ here bpl here bmi here bvc here bvs here bcc here bcs here bne here beq }asm
   -> $10 $fe $30 $fe $50 $fe $70 $fe $90 $fe $b0 $fe $d0 $fe $f0 $fe }T

testing assembler: conditions and what the instructions are made of
also assembler
T{ mi pl vs vc cs cc eq ne -> $10 $30 $50 $70 $90 $b0 $d0 $f0 }T
previous
T{ asm{ eq if, nop else, dex then, begin, nop cs until, }asm
   -> $d0 4 $ea $b8 $50 1 $ca $ea $90 $fd }T

T{ asm{ begin, again, }asm -> $4c here $ff and here 8 rshift }T
also assembler
T{ $1234 low $1234 high next ip w xsave n -> $34 $12 next-at next-at 7 + next-at $15 + $e4 $e8 }T
T{ alu c@ store 2 + c@ shift 14 + c@ incdec 1+ c@ to-x 6 + c@ from-x 6 + c@ to-y 4 + c@ from-y 4 + c@
   -> 4 $ff 8 $0c $14 $14 $14 $14 }T
T{ cpxy 2 + c@ tests 1+ c@ jump 13 + c@ call 13 + c@ mode @ -> 0 $0c $20 $ff 0 }T
T{ 5 ?mode here 3 + distance -> 5 2 }T
previous
T{ s" $ff also assembler ?mode" throws previous -> -259 }T
also assembler definitions
alu $01 does-op my-ora  $ea plain my-nop  $d0 branch: my-bne
modes mine  $01 $02  $ff $ff  $ff $ff  $ff $ff  $ff $ff  $ff $ff  $ff $ff  $ff $ff
previous definitions
T{ asm{ $12 my-ora my-nop here my-bne $12 $10 mine operation }asm -> $05 $12 $ea $d0 $fe $11 $12 }T

testing to the letter: dump page see .error
: y4  page ;
T{ ' y4 told s\" \e[2J\e[1;1H" compare -> 0 }T
create y5 char a c, char z c, 0 c, 127 c, 10 c, 255 c, 10 allot
: y6  y5 1 dump ;
T{ s" 61 7A 00 7F 0A FF 00 00 00 00 00 00 00 00 00 00  az.............." ' y6 told? -> true }T
: y7  if 1 exit then 2 exit ;
: y8  begin dup while exit repeat ;
: y9  s" see y7 see y8" evaluate ;
: count-of  ( addr u char -- n ) 0 2swap over + swap ?do over i c@ = if 1+ then loop nip ;
\ y7: ?branch 1 exit 2 exit, and no further; y8: dup ?branch exit branch exit; and the lines of their names.
T{ ' y9 told 10 count-of -> 5 5 + 2 + }T
: y10  s" 1 throw" throws drop 0 err-word c!  77 .error ;
T{ s" : exception 77" ' y10 told? -> true }T

testing files beyond 64 KiB
T{ s" big" r/w create-file swap to fd 70000. fd resize-file fd file-size 69999. fd reposition-file fd file-position fd close-file
   s" big" delete-file -> 0 0 70000. 0 0 69999. 0 0 0 }T

testing blocks, to the letter: list load >in; see of strings
T{ s" >in @" 6 put 6 load -> 6 }T
: w1  6 list ;
T{ s\" \n 0 >in @\n 1 \n 2 \n" ' w1 told? s\" \n15 \n" ' w1 told? -> true true }T
: w2  s" in it" drop c" so" ;
: w3  s" see w2" evaluate ;
T{ s\" (s\") in it\"" ' w3 told? s\" (c\") so\"" ' w3 told? s" exit" ' w3 told? -> true true true }T
T{ s" w2" find-name name-place file-name s" system.fth" compare swap source-line @ swap - 9 u< -> 0 true }T

testing see, to the letter
: told-alike  ( xt1 xt2 -- flag ) told keep-string rot told compare 0= ;
258. 2value see-pair  $1234 value see-value  77 constant see-constant
: v1  s" see see-pair see see-value see see-constant" evaluate ;
: v2  ." 258 0 2value see-pair " cr ." 4660 value see-value " cr ." 77 constant see-constant " cr ;
T{ ' v1 ' v2 told-alike -> true }T
variable see-held  9 see-held !
: v3  s" see see-held" evaluate ;
: v4  ." create see-held body " see-held .hex ." holds 9 " cr ;
T{ ' v3 ' v4 told-alike -> true }T
: see-branches  begin if $1234 then again ;
: v5  s" see see-branches" evaluate ;
: line  ( addr -- ) cr 3 spaces .hex ;
: v6  ['] see-branches >body
   dup line ." ?branch " dup 8 + .hex  4 + dup line ." (lit) 4660 "  4 + line ." branch " ['] see-branches >body .hex ;
T{ ' v6 told keep-string ' v5 told? -> true }T
: see-maker  create , does> @ ;  3 see-maker see-made
: v7  s" see see-made" evaluate ;
: v8  ['] see-maker >body 9 + line ." @ " ;
T{ ' v8 told keep-string ' v7 told? -> true }T

testing warnings header-hook (redefined) known-word asked-word next-name help edit
\ A comment on the word below.
\ It goes on.
: h1  ( n -- ) drop ;
: h2  s" help h1" evaluate ;
: h3  s" help c@" evaluate ;
T{ s" h1 ( n -- ) A comment on the word below." ' h2 told? s" c@ ( addr -- char )" ' h3 told? -> true true }T
T{ header-hook @ warnings @ -> ' (redefined) true }T
T{ s" h1" 2dup warnings off (redefined) warnings on d= -> true }T
: h4  s" asked-word nowhere" evaluate ;
: h5  s" edit h1" evaluate ;
T{ ' h4 catch ' h5 catch -> -13 -21 }T
T{ s" next-name some nip" evaluate s" next-name" throws s" known-word h4" evaluate name>interpret -> 4 -16 ' h4 }T
testing number-hook error-hook unhook needs-room refused need
: answers  ( addr u -- flag ) s" forty-two" compare 0= if 42 true else false then ;
T{ ' answers number-hook ! s" forty-two" evaluate s" forty-three" throws number-hook off s" forty-two" throws -> 42 -13 -13 }T
T{ s" marker hooked : hook ; ' hook error-hook ! error-hook @ 0<> hooked error-hook @" evaluate -> true 0 }T
T{ variable hook-cell  7 hook-cell !  8 hook-cell unhook hook-cell @  7 hook-cell unhook hook-cell @ -> 8 7 7 0 }T
T{ s" $7ff0 needs-room" throws refused @ s" system.fth" find-file = refused off s" 100 needs-room" throws -> -8 true 0 }T
T{ s" need tester" evaluate -> }T
testing .text
: lines-of  s\" a\nb\x7f\eé" .text ;
T{ ' lines-of told s" a.b..é" compare -> 0 }T
done
