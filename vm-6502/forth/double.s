; SPDX-License-Identifier: MIT
;
; double: sums and bits of double numbers, and numbers that are words themselves.
;
;	d+	( d1 d2 -- d3 )
;	d-	( d1 d2 -- d3 )
;	dnegate	( d -- -d )
;	d2*	( xd -- xd*2 )
;	d2/	( d -- d/2 )
;	s>d	( n -- d )
;	0	( -- 0 )
;	1	( -- 1 )
;	2	( -- 2 )
;	-1	( -- -1 )

THIS_FILE	.set 14

; A double has its high cell on top: low at 2, high at 0.
code		"d+", x_dplus
		lda 2,x
		adc 6,x
		sta 6,x
		lda 3,x
		adc 7,x
		sta 7,x
		lda 0,x
		adc 4,x
		sta 4,x
		lda 1,x
		adc 5,x
		sta 5,x
		jmp drop2

code		"d-", x_dminus
		sec
		lda 6,x
		sbc 2,x
		sta 6,x
		lda 7,x
		sbc 3,x
		sta 7,x
		lda 4,x
		sbc 0,x
		sta 4,x
		lda 5,x
		sbc 1,x
		sta 5,x
		jmp drop2

code		"dnegate", x_dnegate
		sec
		lda #0
		sbc 2,x
		sta 2,x
		lda #0
		sbc 3,x
		sta 3,x
		lda #0
		sbc 0,x
		sta 0,x
		lda #0
		sbc 1,x
		sta 1,x
		jmp next

code		"d2*", x_d2star
		asl 2,x
		rol 3,x
		rol 0,x
		rol 1,x
		jmp next

code		"d2/", x_d2slash
		lda 1,x
		asl a
		ror 1,x
		ror 0,x
		ror 3,x
		ror 2,x
		jmp next

code		"s>d", x_stod
		lda 1,x
		asl a
		lda #0
		adc #$ff
		eor #$ff
		dex
		dex
		sta 0,x
		sta 1,x
		jmp next

code		"0", x_0
		dex
		dex
		lda #0
		sta 0,x
		sta 1,x
		jmp next

code		"1", x_1
		dex
		dex
		lda #1
		sta 0,x
		lda #0
		sta 1,x
		jmp next

code		"2", x_2
		dex
		dex
		lda #2
		sta 0,x
		lda #0
		sta 1,x
		jmp next

code		"-1", x_m1
		dex
		dex
		lda #$ff
		sta 0,x
		sta 1,x
		jmp next
