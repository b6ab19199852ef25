; SPDX-License-Identifier: MIT
;
; number: arithmetic and bits. Multiplication and division are here because nothing else in a Forth is
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
;	m*	( n1 n2 -- d )
;	um/mod	( ud u -- rem quotient )
;	sm/rem	( d n -- rem quotient )	rounds towards 0
;	fm/mod	( d n -- rem quotient )	rounds down
;	/mod	( n1 n2 -- rem quotient )	these five round down
;	/	( n1 n2 -- quotient )
;	mod	( n1 n2 -- rem )
;	*/mod	( n1 n2 n3 -- rem quotient )
;	*/	( n1 n2 n3 -- quotient )
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

; N+4 := -N+4
negate_divisor:	sec
		lda #0
		sbc N+4
		sta N+4
		lda #0
		sbc N+5
		sta N+5
		rts

; N := -N, four bytes
negate_double:	sec
		lda #0
		sbc N
		sta N
		lda #0
		sbc N+1
		sta N+1
		lda #0
		sbc N+2
		sta N+2
		lda #0
		sbc N+3
		sta N+3
		rts

; N, four bytes, := the product of the signed cells at N and N+4. X is kept.
multiply:	lda N+1
		eor N+5
		sta N+6
		lda N+1
		bpl @first
		sec
		lda #0
		sbc N
		sta N
		lda #0
		sbc N+1
		sta N+1
@first:		lda N+5
		bpl @second
		jsr negate_divisor
@second:	lda #0
		sta N+2
		sta N+3
		ldy #16
		lsr N+1
		ror N
@bit:		bcc @shift
		clc
		lda N+2
		adc N+4
		sta N+2
		lda N+3
		adc N+5
		sta N+3
@shift:		ror N+3
		ror N+2
		ror N+1
		ror N
		dey
		bne @bit
		bit N+6
		bmi negate_double
		rts

; The double in N, four bytes, by the cell in N+4, unsigned: the quotient is in N, the remainder in N+2. The
; quotient's bits follow those of the dividend out of their cell. What is below 256 takes eight turns, not
; sixteen. X is lost.
udivide:	ldx #16
		lda N+1
		ora N+2
		ora N+3
		bne @begin
		ldx N
		stx N+1
		sta N
		ldx #8
@begin:		asl N
		rol N+1
@bit:		rol N+2
		rol N+3
		bcs @more
		lda N+2
		sec
		sbc N+4
		tay
		lda N+3
		sbc N+5
		bcc @next
@take:		sta N+3
		sty N+2
@next:		rol N
		rol N+1
		dex
		bne @bit
		rts
; The remainder has seventeen bits.
@more:		lda N+2
		sbc N+4
		tay
		lda N+3
		sbc N+5
		sec
		bcs @take

; The same with signs; the quotient is rounded down.
floored:	lda N+5
		sta N+7
		eor N+3
		sta N+6
		bit N+7
		bpl @divisor
		jsr negate_divisor
@divisor:	lda N+3
		bpl @divide
		jsr negate_double
@divide:	jsr udivide
		bit N+6
		bpl @remainder
		lda N+2
		ora N+3
		beq @exact
		lda N
		eor #$ff
		sta N
		lda N+1
		eor #$ff
		sta N+1
		sec
		lda N+4
		sbc N+2
		sta N+2
		lda N+5
		sbc N+3
		sta N+3
@remainder:	bit N+7
		bmi negate_rest
		rts
@exact:		sec
		lda #0
		sbc N
		sta N
		lda #0
		sbc N+1
		sta N+1
		rts
negate_rest:	sec
		lda #0
		sbc N+2
		sta N+2
		lda #0
		sbc N+3
		sta N+3
		rts

; Rounded towards 0: the remainder has the dividend's sign.
towards_zero:	lda N+3
		sta N+7
		eor N+5
		sta N+6
		lda N+5
		bpl @divisor
		jsr negate_divisor
@divisor:	bit N+7
		bpl @divide
		jsr negate_double
@divide:	jsr udivide
		bit N+6
		bpl @remainder
		sec
		lda #0
		sbc N
		sta N
		lda #0
		sbc N+1
		sta N+1
@remainder:	bit N+7
		bmi negate_rest
		rts

; The divisor goes from the top of the stack to N+4. Whoever called is left for good when it is 0.
take_divisor:	lda 0,x
		sta N+4
		ora 1,x
		beq @zero
		lda 1,x
		sta N+5
		rts
@zero:		pla
		pla
		clc
		lda #<-10
		jmp throw_a

; ( d n ) to N and N+4; X goes past n.
take_double:	jsr take_divisor
		lda 4,x
		sta N
		lda 5,x
		sta N+1
		lda 2,x
		sta N+2
		lda 3,x
		sta N+3
		inx
		inx
		stx XSAVE
		rts

; ( n1 n2 ) likewise, n1 with its sign in N+2.
take_single:	jsr take_divisor
		lda 2,x
		sta N
		lda 3,x
		sta N+1
		asl a
		lda #0
		adc #$ff
		eor #$ff
		sta N+2
		sta N+3
		stx XSAVE
		rts

; ( n1 n2 n3 ) likewise, the product of n1 and n2; X goes past n3.
take_product:	jsr take_divisor
		lda N+4
		pha
		lda N+5
		pha
		lda 4,x
		sta N
		lda 5,x
		sta N+1
		lda 2,x
		sta N+4
		lda 3,x
		sta N+5
		jsr multiply
		pla
		sta N+5
		pla
		sta N+4
		inx
		inx
		stx XSAVE
		rts

; The two cells at XSAVE become remainder and quotient, or the upper one alone is left and becomes one of them.
give_both:	ldx XSAVE
		lda N+2
		sta 2,x
		lda N+3
		sta 3,x
		lda N
		sta 0,x
		lda N+1
		sta 1,x
		clc
		jmp next
give_quotient:	ldx XSAVE
		inx
		inx
		lda N
		sta 0,x
		lda N+1
		sta 1,x
		clc
		jmp next

code		"m*", x_mstar
		lda 0,x
		sta N+4
		lda 1,x
		sta N+5
		lda 2,x
		sta N
		lda 3,x
		sta N+1
		jsr multiply
		lda N
		sta 2,x
		lda N+1
		sta 3,x
		lda N+2
		sta 0,x
		lda N+3
		sta 1,x
		clc
		jmp next

code		"um/mod", x_umslashmod
		jsr take_double
		jsr udivide
		jmp give_both

code		"sm/rem", x_smrem
		jsr take_double
		jsr towards_zero
		jmp give_both

code		"fm/mod", x_fmmod
		jsr take_double
		jsr floored
		jmp give_both

code		"/mod", x_slashmod
		jsr take_single
		jsr floored
		jmp give_both

code		"/", x_slash
		jsr take_single
		jsr floored
		jmp give_quotient

code		"mod", x_mod
		jsr take_single
		jsr floored
		ldx XSAVE
		inx
		inx
		lda N+2
		sta 0,x
		lda N+3
		sta 1,x
		clc
		jmp next

code		"*/mod", x_starslashmod
		jsr take_product
		jsr floored
		jmp give_both

code		"*/", x_starslash
		jsr take_product
		jsr floored
		jmp give_quotient

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
