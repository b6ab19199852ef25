; SPDX-License-Identifier: MIT
;
; number: arithmetic and bits. The loops of * UM* and UM/MOD are here because nothing else in a Forth is
; run so often for so long.
;
;	+	( n1 n2 -- n3 )
;	-	( n1 n2 -- n3 )
;	1+	( n -- n+1 )
;	1-	( n -- n-1 )
;	2+	( n -- n+2 )
;	2-	( n -- n-2 )
;	2*	( x -- x*2 )
;	2/	( n -- n/2 )
;	cells	( n -- n*2 )
;	cell+	( addr -- addr+2 )
;	negate	( n -- -n )
;	abs	( n -- u )
;	invert	( x -- ~x )
;	and	( x1 x2 -- x3 )
;	or	( x1 x2 -- x3 )
;	xor	( x1 x2 -- x3 )
;	lshift	( x u -- x<<u )
;	rshift	( x u -- x>>u )
;	*	( n1 n2 -- n3 )
;	um*	( u1 u2 -- ud )
;	um/mod	( ud u -- rem quotient )
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

THIS_FILE	.set 3

code		"+", x_plus
		lda 0,x
		adc 2,x
		sta 2,x
		lda 1,x
		adc 3,x
		sta 3,x
		inx
		inx
		jmp next

code		"-", x_minus
		sec
		lda 2,x
		sbc 0,x
		sta 2,x
		lda 3,x
		sbc 1,x
		sta 3,x
		inx
		inx
		jmp next

code		"1+", x_1plus
		inc 0,x
		bne @done
		inc 1,x
@done:		jmp next

code		"1-", x_1minus
		lda 0,x
		bne @low
		dec 1,x
@low:		dec 0,x
		jmp next

code		"2+", x_2plus
plus2:		lda 0,x
		adc #2
		sta 0,x
		bcc @done
		inc 1,x
@done:		jmp next

code		"cell+", x_cellplus
		jmp plus2

code		"2-", x_2minus
		lda 0,x
		sec
		sbc #2
		sta 0,x
		bcs @done
		dec 1,x
@done:		jmp next

code		"2*", x_2star
twice:		asl 0,x
		rol 1,x
		jmp next

code		"cells", x_cells
		jmp twice

code		"2/", x_2slash
		lda 1,x
		asl a
		ror 1,x
		ror 0,x
		jmp next

code		"negate", x_negate
negate:		sec
		lda #0
		sbc 0,x
		sta 0,x
		lda #0
		sbc 1,x
		sta 1,x
		jmp next

code		"abs", x_abs
		lda 1,x
		bmi negate
		jmp next

code		"invert", x_invert
		lda 0,x
		eor #$ff
		sta 0,x
		lda 1,x
		eor #$ff
		sta 1,x
		jmp next

code		"and", x_and
		lda 0,x
		and 2,x
		sta 2,x
		lda 1,x
		and 3,x
		sta 3,x
		inx
		inx
		jmp next

code		"or", x_or
		lda 0,x
		ora 2,x
		sta 2,x
		lda 1,x
		ora 3,x
		sta 3,x
		inx
		inx
		jmp next

code		"xor", x_xor
		lda 0,x
		eor 2,x
		sta 2,x
		lda 1,x
		eor 3,x
		sta 3,x
		inx
		inx
		jmp next

code		"lshift", x_lshift
		lda 1,x
		bne shifted_out
		ldy 0,x
		inx
		inx
		cpy #16
		bcs shifted_all
		tya
		beq @done
@bit:		asl 0,x
		rol 1,x
		dey
		bne @bit
@done:		jmp next

code		"rshift", x_rshift
		lda 1,x
		bne shifted_out
		ldy 0,x
		inx
		inx
		cpy #16
		bcs shifted_all
		tya
		beq @done
@bit:		lsr 1,x
		ror 0,x
		dey
		bne @bit
@done:		jmp next
shifted_out:	inx
		inx
shifted_all:	lda #0
		sta 0,x
		sta 1,x
		jmp next

; The multiplier in N runs out at its highest bit, so small numbers are quick.
code		"*", x_star
		lda 0,x
		sta N
		lda 1,x
		sta N+1
		inx
		inx
		lda #0
		sta N+2
		sta N+3
@bit:		lsr N+1
		ror N
		bcc @next
		clc
		lda N+2
		adc 0,x
		sta N+2
		lda N+3
		adc 1,x
		sta N+3
@next:		asl 0,x
		rol 1,x
		lda N
		ora N+1
		bne @bit
		lda N+2
		sta 0,x
		lda N+3
		sta 1,x
		jmp next

; The product's high half builds up in N+2; its low half follows the bits of u1 out of their cell.
code		"um*", x_umstar
		lda 0,x
		sta N
		lda 1,x
		sta N+1
		lda #0
		sta N+2
		sta N+3
		ldy #16
		lsr 3,x
		ror 2,x
@bit:		bcc @shift
		clc
		lda N+2
		adc N
		sta N+2
		lda N+3
		adc N+1
		sta N+3
@shift:		ror N+3
		ror N+2
		ror 3,x
		ror 2,x
		dey
		bne @bit
		lda N+2
		sta 0,x
		lda N+3
		sta 1,x
		jmp next

code		"um/mod", x_umslashmod
		lda 0,x
		ora 1,x
		beq @zero
		ldy #16
@bit:		asl 4,x
		rol 5,x
		rol 2,x
		rol 3,x
		bcs @sub
		lda 2,x
		cmp 0,x
		lda 3,x
		sbc 1,x
		bcc @next
@sub:		lda 2,x
		sbc 0,x
		sta 2,x
		lda 3,x
		sbc 1,x
		sta 3,x
		inc 4,x
@next:		dey
		bne @bit
		inx
		inx
		lda 0,x
		ldy 2,x
		sta 2,x
		sty 0,x
		lda 1,x
		ldy 3,x
		sta 3,x
		sty 1,x
		jmp next
@zero:		lda #<-10
		jmp throw_a

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
