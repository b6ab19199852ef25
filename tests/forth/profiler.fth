\ SPDX-License-Identifier: MIT
\ profiler: the guest's own bucket profiler. Its layout is compared with a report published for the model; its
\ counts with counts by hand; its cycles with the machine's timer.
include tester.fth
decimal

testing profiling \prof
T{ 1 \prof 2
-> 1 }T
T{ profiling @ profiling on -> 0 }T
T{ 1 \prof 2
-> 1 2 }T

testing profiler-bucket end-bucket bucket-size-report bucket-list
profiler-bucket [squares]
: square  dup * ;
: squares  ( n -- ) 0 ?do i square drop loop ;
: turns  ( n -- ) 0 ?do loop ;
: caught  7 ['] square catch 2drop ;
[squares] end-bucket
profiler-bucket [sums]
: sums  ( n -- ) 0 ?do 5 squares loop ;
[sums] end-bucket
: outside  ;
profiler-bucket [open]
: between  ;
T{ [squares] 4 + @ [sums] 2+ @ - 0= [sums] 4 + @ [sums] 2+ @ u> [open] 4 + @ -> true true 0 }T
T{ bucket-list @ [open] -> [open] [open] }T
T{ s" [sums]" ' bucket-size-report told? s" addr[  ]addr   size  name" ' bucket-size-report told? -> true true }T

testing profiler-metric:[ ]profiler-metric metric-list
profiler-metric:[ both  [squares] [sums] ]profiler-metric
profiler-metric:[ second  [sums] ]profiler-metric
T{ metric-list @ 2+ @ name>string s" second" compare -> 0 }T
: why  ( addr u -- addr u ) throws -2 <> if s" something else" else err-text 2@ then ;
T{ s" profiler-metric:[ m1 [sums] [squares] ]profiler-metric" why s" unordered bucket" compare -> 0 }T
T{ s" profiler-metric:[ m2 [sums] [sums] ]profiler-metric" why s" unordered bucket" compare -> 0 }T
T{ s" profiler-metric:[ m3 [open] ]profiler-metric" why s" bucket has no end" compare -> 0 }T
: b  [sums] ;
T{ s" profiler-metric:[ m4 b b b b b b b b b ]profiler-metric" why s" too many buckets in metric" compare -> 0 }T
T{ metric-list @ 2+ @ name>string s" second" compare -> 0 }T
[open] end-bucket
profiler-bucket [a] [a] end-bucket  profiler-bucket [b] [b] end-bucket  profiler-bucket [c] [c] end-bucket
profiler-bucket [d] [d] end-bucket  profiler-bucket [e] [e] end-bucket
T{ profiler-metric:[ eight  [squares] [sums] [open] [a] [b] [c] [d] [e] ]profiler-metric eight -> }T

testing profiler-start profiler-end profiler-timestamp profiler-init-buckets: each NEXT is counted once
also profiler
variable table
: total  ( table -- ud ) table !  0.  9 0 do i table @ counter@ d+ loop ;
: stamp  ( addr -- ud ) dup @ swap 2+ @ ;
: one  profiler-start  3 squares  profiler-end ;
T{ both one 1 counts counter@ 0 counts counter@ 2 counts counter@ -> 24. 5. 0. }T
T{ counts total tallies stamp ticks total times stamp d= -> 29. 29. true }T
: two  profiler-start  2 sums  profiler-timestamp  4 squares  profiler-end ;
T{ both two 1 counts counter@ 2 counts counter@ stamps c@ -> 2 5 4 * 3 + 5 3 * + * 31 + s>d 9. 2 }T
T{ counts total tallies 4 + stamp d= tallies stamp counts total d< -> true true }T
: three  profiler-start  caught  profiler-end ;
T{ both three 1 counts counter@ -> 34. }T
: four  profiler-start ['] square catch profiler-end ;
T{ both 7 four 2drop 1 counts counter@ -> 12. }T
T{ second 7 four 2drop latch c@ 1 counts counter@ 1 name-of @ name>string s" [sums]" compare -> 0 0. 0 }T
T{ profiler-init-buckets counts total ticks total stamps c@ -> 0. 0. 0 }T
: stamped  profiler-start profiler-timestamp profiler-timestamp profiler-timestamp profiler-end ;
T{ both stamped stamps c@ s" profiler-timestamp" why s" too many timestamps" compare -> 4 0 }T
T{ both one next-at c@ next-at 1+ c@ next-at 2 + c@ -> $a0 1 $b1 }T
previous

testing reset-32bit-timer read-32bit-timer
: waits  ( u -- ud ) reset-32bit-timer 0 do loop read-32bit-timer ;
T{ 1 waits 10 waits d< 3000 waits 4000 waits d< 1001 waits 2001 waits d< -> true true true }T
\ A turn always costs the same, even beyond one timer's 65536 cycles.
T{ 11 waits 1 waits d- d>s 20011 waits 20001 waits d- d>s = 20001 waits 65536. d< -> true false }T
also machine
T{ reset-32bit-timer FORTH_CRA c@ $10 and FORTH_CRA c@ 1 and -> 0 1 }T
previous

testing profiler-report: the layout, to the letter
also profiler
: counter!  ( ud slot table -- ) rot >r 2dup 2>r place! 2r> 18 + r> -rot place! ;
: stamp!  ( ud addr -- ) swap over 2+ ! ! ;
both
587446630. times stamp!  751075942. times 4 + stamp!  5300451. tallies stamp!  6759271. tallies 4 + stamp!
2 stamps c!  223974. 0 counts counter!  24592903. 0 ticks counter!  $3d9b 0 starts place!
-1. 1 counts counter!  999. 1 ticks counter!  $4000 1 starts place!  $c001 1 ends place!
1. 2 counts counter!  0. 2 ticks counter!  $9 2 starts place!  $a 2 ends place!
: part1  s\" profiler report both\ntimestamps\n587.446.630 751.075.942 \ncountstamps\n5.300.451 6.759.271 \n\nbuckets\n" ;
: part2  s\" b# addr[  ]addr  nextcounts  clockticks  name\n0 3D9B FFFF       223974    24592903  (etc)\n" ;
: part3  s\" 1 4000 C001   4294967295         999  [squares]\n2 9 A            1           0  [sums]\n" ;
: unused-row  ( n -- addr u ) 48 + here c!  s\"  FFFF FFFF            0           0  \n" here 1+ swap move  here 39 ;
: same-part  ( text addr u -- text' flag ) 2over 2 pick min 2over compare >r  nip /string  r> 0= ;
T{ ' profiler-report told
   part1 same-part -rot part2 same-part -rot part3 same-part -rot 3 unused-row same-part -rot
   4 unused-row same-part -rot 5 unused-row same-part -rot 6 unused-row same-part -rot
   7 unused-row same-part -rot 8 unused-row same-part -rot nip
   -> true true true true true true true true true 0 }T
999. times stamp!  1000. tallies stamp!  0. times 4 + stamp!  12345. tallies 4 + stamp!
T{ s\" timestamps\n999 0 \ncountstamps\n1.000 12.345 \n\n" ' profiler-report told? -> true }T
hex
T{ s" 0 3D9B FFFF       223974" ' profiler-report told? base @ decimal -> true 16 }T

testing profile2file
T{ profile2file report.txt s" report.txt" r/o open-file throw dup pad 250 rot read-file throw swap close-file throw
   ' profiler-report told drop over pad swap tuck compare outdev@ -> 250 0 0 }T
T{ s" profile2file no/such/folder" throws outdev@ -> -38 0 }T

testing tables and pages: set-slot set-pages mixed activate hook hook-next unhook-next take-stamp find-slot
T{ $1234 3 starts place! 3 starts place@ 3 starts + c@ tables 106 + 3 + c@ -> $1234 $34 $34 }T
T{ metric-depth @ drop last-end @ core-end @ u> both metric @ 2+ @ name>string s" both" compare -> true 0 }T
T{ 0 1 name-of ! [sums] 1 set-slot 1 starts place@ 1 ends place@ names 2+ @ -> [sums] 2+ @ [sums] 4 + @ [sums] 6 + @ }T
create fake  0 , $c010 , $c400 , 0 ,
T{ fake 5 set-slot 5 set-pages pages $c0 + c@ pages $c3 + c@ pages $c4 + c@ -> 5 5 0 }T
T{ $c123 mixed pages $c1 + c@ -> $81 }T
T{ metric-list @ activate pages core-end @ 8 rshift 1- + c@ pages core-end @ 8 rshift + c@ -> $80 $81 }T
T{ slots c@ metric-list @ 4 + @ = -> true }T
\ The hook is a JMP where NEXT begins; it goes on in NEXT's fifth byte.
: hooked  hook-next next-at c@ next-at 1+ @ unhook-next ;
T{ both hooked hook = find-slot hook u< -> $4c true true }T
: stamped  hook-next take-stamp unhook-next ;
T{ both stamped stamps c@ tallies stamp -> 1 1. }T

testing dotted .stamps .name .row
: p1  1234567. dotted 0. dotted 1000. dotted ;
T{ ' p1 told s" 1.234.567 0 1.000 " compare -> 0 }T
: p2  5. tallies stamp! 1 stamps c! tallies .stamps ;
T{ ' p2 told s\" 5 \n" compare -> 0 }T
: p3  [sums] 6 + @ .name 0 .name ;
T{ ' p3 told s" [sums]" compare -> 0 }T
: p4  both 8 .row ;
T{ ' p4 told drop c@ -> char 8 }T
previous

testing counts and ticks of more than a byte, or two
also profiler
: long-run  profiler-start  20000 squares  profiler-end ;
T{ both long-run 1 counts counter@ counts total tallies stamp d= ticks total times stamp d= -> 140003. true true }T
\ 256 turns always cost the same (one of them moves the upper byte of the index), whatever came before.
: ticks-of  ( n -- ud ) both >r profiler-start r@ turns profiler-end rdrop 1 ticks counter@ ;
: turn-ticks  ( n -- ud ) dup 256 + ticks-of rot ticks-of d- ;
T{ 1 turn-ticks 2000 turn-ticks d= 1 turn-ticks 30000 turn-ticks d= 1 turn-ticks 20000. 2swap d< -> true true true }T
: sized  bucket-size-report ;
: size-of-sums  [sums] 4 + @ [sums] 2+ @ - 0 <# bl hold #s bl hold #> keep-string ;
T{ size-of-sums ' sized told? -> true }T
previous

testing gaps between buckets, and what the report of sizes says
also profiler
: in-gap  profiler-start outside outside outside profiler-end ;
T{ eight in-gap 0 counts counter@ counts total d= 1 counts counter@ -> true 0. }T
: hex-of  ( x -- ) base @ swap hex u. base ! ;
: line-of-sums  [sums] 2+ @ hex-of [sums] 4 + @ hex-of ;
T{ ' line-of-sums told keep-string ' sized told? -> true }T
previous
done
