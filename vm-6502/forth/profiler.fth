\ SPDX-License-Identifier: MIT
\
\ profiler: the bucket profiler. It hooks NEXT and charges every token, and the cycles since the token
\ before, to one of eight ranges of addresses, or to bucket 0. Tokens of the core are charged to the bucket
\ that was current. If the host counts (forth-profiler.h), NEXT is left alone, and the host fills in the
\ tables; these words and their output do not change.
\
\	\prof profiler-bucket [scanner]
\	include scanner.fth
\	\prof [scanner] end-bucket
\
\	profiler-metric:[ all  [scanner] [parser] ]profiler-metric
\	all  profiler-start  main  profiler-end  profiler-report
\
\ A page table gives the bucket of most addresses at once; pages that a boundary lies in are searched. The
\ timer starts again from ffff at each NEXT, so that what it lost is the token's time.
\
\	profiling	( -- addr )	variable: whether \prof lines count
\	\prof	( -- )	goes on with the line, or skips it
\	profiler-bucket	( "name" -- )
\	end-bucket	( bucket -- )
\	profiler-metric:[	( "name" -- )
\	]profiler-metric	( bucket… -- )
\	reset-32bit-timer	( -- )
\	read-32bit-timer	( -- ud )	cycles since
\	profiler-init-buckets	( -- )	counters and stamps to 0
\	profiler-start	( -- )
\	profiler-timestamp	( -- )
\	profiler-end	( -- )
\	profiler-report	( -- )
\	bucket-size-report	( -- )
\	profile2file	( "file" -- )	the report, into a file
\
\	profiler	( -- )	vocabulary of the following
\	tables	( -- addr )	what the host reads and writes; forth-profiler.h draws it
\	latch stamps counts ticks times tallies starts ends names metric	( -- addr )	its parts
\	pages	( -- addr )	for each page its bucket, or 80 core, 81 mixed
\	slots	( -- addr )	how many buckets the metric has, a byte
\	place!	( x slot table -- )
\	place@	( slot table -- x )
\	counter@	( slot table -- ud )
\	name-of	( slot -- addr )
\	mixed	( addr -- )
\	set-slot	( bucket slot -- )
\	set-pages	( slot -- )
\	activate	( metric -- )
\	find-slot hook	( -- addr )	machine code
\	hook-next	( -- )
\	unhook-next	( -- )
\	take-stamp	( -- )
\	dotted	( ud -- )
\	.stamps	( addr -- )
\	.name	( nt -- )
\	.row	( slot -- )
\	last-end	( -- addr )	variable
\	metric-depth	( -- addr )	variable

variable profiling
: \prof  profiling @ 0= if postpone \ then ; immediate

\ A bucket: link, start, end, nt.
: profiler-bucket  create here bucket-list @ , bucket-list !  latest @ dup , 0 , , ;
: end-bucket  here swap 4 + ! ;

vocabulary profiler  also profiler definitions

create tables 162 allot
tables constant latch           tables 1 + constant stamps
tables 2 + constant counts      tables 38 + constant ticks
tables 74 + constant times      tables 90 + constant tallies
tables 106 + constant starts    tables 124 + constant ends
tables 142 + constant names     tables 160 + constant metric
tables 162 erase
create pages 256 allot
create slots 0 c,

\ An address is split over two of the nine-byte tables, a counter over four.
: place!  ( x slot table -- ) + 2dup c!  swap 8 rshift swap 9 + c! ;
: place@  ( slot table -- x ) + dup c@ swap 9 + c@ 8 lshift or ;
: counter@  ( slot table -- ud ) 2dup place@ -rot 18 + place@ ;
: name-of  ( slot -- addr ) cells names + ;
: mixed  ( addr -- ) 8 rshift pages + $81 swap c! ;
: set-slot  ( bucket slot -- )
   over 2+ @ over starts place!  over 4 + @ over ends place!  swap 6 + @ swap name-of ! ;
: set-pages  ( slot -- ) >r
   r@ starts place@ 8 rshift  r@ ends place@ 8 rshift over -  swap pages + swap r> fill ;

\ A metric: link, nt, count, buckets.
: activate  ( metric -- )
   dup metric !
   9 0 do -1 i starts place!  -1 i ends place!  0 i name-of ! loop
   core-end @ 0 starts place!
   pages 256 erase  pages core-end @ 8 rshift $80 fill
   4 + dup @ slots c!  dup @ 1+ 1 ?do 2+ dup @ i set-slot  i set-pages loop drop
   core-end @ mixed
   9 1 do i name-of @ if i starts place@ mixed  i ends place@ mixed then loop ;

also assembler
\ X = bucket of an address in a page that a boundary lies in.
create find-slot
   ip lda  core-end cmp  ip 1+ lda  core-end 1+ sbc
   cc if, latch ldx rts then,
   slots ldx  eq if, rts then,
   begin,
      ip lda  starts ,x cmp  ip 1+ lda  starts 9 + ,x sbc
      cs if,
         ip lda  ends ,x cmp  ip 1+ lda  ends 9 + ,x sbc
         cs if, 0 # ldx then,  rts
      then,
      dex
   eq until,
   rts

\ From stop to start of the timer a path may take any time; from start to stop there are always the same
\ extra cycles.
create hook
   0 # lda  FORTH_CRA sta  xsave stx
   ip 1+ ldy  pages ,y ldx
   mi if,  $81 # cpx  ne if, latch ldx else, find-slot jsr then,  then,
   latch stx
   counts ,x inc  eq if, counts 9 + ,x inc  eq if, counts 18 + ,x inc  eq if, counts 27 + ,x inc then, then, then,
   clc  FORTH_TA lda  $ff # eor  ticks ,x adc  ticks ,x sta
   FORTH_TA 1+ lda  $ff # eor  ticks 9 + ,x adc  ticks 9 + ,x sta
   cs if, ticks 18 + ,x inc  eq if, ticks 27 + ,x inc then, then,
   FORTH_TB ldy  iny  ne if,
      clc  FORTH_TB lda  $ff # eor  ticks 18 + ,x adc  ticks 18 + ,x sta
      FORTH_TB 1+ lda  $ff # eor  ticks 27 + ,x adc  ticks 27 + ,x sta
      $51 # lda  FORTH_CRB sta
   then,
   xsave ldx  $11 # lda  FORTH_CRA sta
   1 # ldy  ip )y lda  next 4 + jmp

\ The host answers 0 when it counts by itself; then there is nothing to hook. The start of the timer is the
\ last thing done, as in the hook.
code hook-next
   tables low # lda  FORTH_ADDR sta  tables high # lda  FORTH_ADDR 1+ sta
   FORTH_PROFILE_START # lda  FORTH_OP sta  FORTH_IOR lda
   ne if,
      $ff # lda  FORTH_TA sta  FORTH_TA 1+ sta  FORTH_TB sta  FORTH_TB 1+ sta
      $4c # lda  next sta  hook low # lda  next 1+ sta  hook high # lda  next 2 + sta
      0 # lda  FORTH_CRA sta  $51 # lda  FORTH_CRB sta  $11 # lda  FORTH_CRA sta
   then,
   next jmp  end-code
code unhook-next
   0 # lda  FORTH_CRA sta
   $a0 # lda  next sta  1 # lda  next 1+ sta  $b1 # lda  next 2 + sta
   FORTH_PROFILE_STOP # lda  FORTH_OP sta
   next jmp  end-code
\ One word, so that no token comes between the counters that it adds up. If the host counts, it has filled them
\ in before; the word adds them up all the same, so that a stamp takes equal cycles in both cases.
code take-stamp
   FORTH_PROFILE_STAMP # lda  FORTH_OP sta
   xsave stx
   stamps lda  .a asl .a asl  tax
   0 # lda  times ,x sta  times 1+ ,x sta  times 2 + ,x sta  times 3 + ,x sta
   tallies ,x sta  tallies 1+ ,x sta  tallies 2 + ,x sta  tallies 3 + ,x sta
   8 # ldy
   begin,
      clc
      ticks ,y lda  times ,x adc  times ,x sta
      ticks 9 + ,y lda  times 1+ ,x adc  times 1+ ,x sta
      ticks 18 + ,y lda  times 2 + ,x adc  times 2 + ,x sta
      ticks 27 + ,y lda  times 3 + ,x adc  times 3 + ,x sta
      clc
      counts ,y lda  tallies ,x adc  tallies ,x sta
      counts 9 + ,y lda  tallies 1+ ,x adc  tallies 1+ ,x sta
      counts 18 + ,y lda  tallies 2 + ,x adc  tallies 2 + ,x sta
      counts 27 + ,y lda  tallies 3 + ,x adc  tallies 3 + ,x sta
      dey
   mi until,
   xsave ldx
   stamps inc
   clc  next jmp  end-code

\ Free-running, both counters from ffff; A is stopped while they are read.
code reset-32bit-timer
   0 # lda  FORTH_CRA sta
   $ff # lda  FORTH_TA sta  FORTH_TA 1+ sta  FORTH_TB sta  FORTH_TB 1+ sta
   $51 # lda  FORTH_CRB sta  $11 # lda  FORTH_CRA sta
   next jmp  end-code
code read-32bit-timer
   dex dex dex dex
   0 # lda  FORTH_CRA sta
   FORTH_TA lda  $ff # eor  2 ,x sta  FORTH_TA 1+ lda  $ff # eor  3 ,x sta
   FORTH_TB lda  $ff # eor  0 ,x sta  FORTH_TB 1+ lda  $ff # eor  1 ,x sta
   1 # lda  FORTH_CRA sta
   next jmp  end-code
previous

: dotted  ( ud -- ) 0 >r
   <# begin # r> 1+ >r  2dup or while  r@ 3 mod 0= if 46 hold then  repeat #> rdrop type space ;
: .stamps  ( addr -- ) stamps c@ 0 ?do dup i 2* cells + dup @ swap 2+ @ dotted loop drop cr ;
: .name  ( nt -- ) ?dup if name>string type then ;
: .row  ( slot -- )
   dup .  hex dup starts place@ u. dup ends place@ u. decimal
   dup counts counter@ 12 ud.r  dup ticks counter@ 12 ud.r  2 spaces
   ?dup if name-of @ .name else ." (etc)" then cr ;
variable last-end
variable metric-depth
previous  forth-wordlist set-current  also profiler

: profiler-init-buckets  latch 0 swap c!  0 stamps c!  counts 36 erase  ticks 36 erase ;
: profiler-metric:[  create 0 , latest @ , 0 ,  depth metric-depth !
   does> activate profiler-init-buckets ;
\ A metric can be used only when it is complete.
: ]profiler-metric
   depth metric-depth @ -  dup 8 > abort" too many buckets in metric"
   core-end @ last-end !  dup >r
   begin dup while  dup roll
      dup 4 + @ 0= abort" bucket has no end"
      dup 2+ @ last-end @ u< abort" unordered bucket"
      dup , 4 + @ last-end !  1-
   repeat drop
   here r@ 1+ cells - r@ over !  4 - metric-list @ over ! metric-list !  rdrop ;

: profiler-start  hook-next ;
: profiler-timestamp  stamps c@ 3 > abort" too many timestamps"  take-stamp ;
: profiler-end  unhook-next profiler-timestamp ;
: reset-32bit-timer  reset-32bit-timer ;
: read-32bit-timer  read-32bit-timer ;
: profiler-report
   base @ >r decimal
   ." profiler report "  metric @ ?dup if 2+ @ .name then cr
   ." timestamps" cr times .stamps  ." countstamps" cr tallies .stamps  cr
   ." buckets" cr ." b# addr[  ]addr  nextcounts  clockticks  name" cr
   9 0 do i .row loop  r> base ! ;
: bucket-size-report
   base @ >r
   ." addr[  ]addr   size  name" cr
   bucket-list begin @ ?dup while
      hex dup 2+ @ u. dup 4 + @ u. decimal  dup 4 + @ over 2+ @ - 6 u.r  2 spaces dup 6 + @ .name cr
   repeat  r> base ! ;
: profile2file  next-name w/o create-file throw  dup $80 or outdev!
   ['] profiler-report catch  0 outdev!  swap close-file throw throw ;
previous
