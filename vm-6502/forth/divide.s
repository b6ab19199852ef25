; SPDX-License-Identifier: MIT
;
; divide: quotients and remainders. They are here because nothing else in a Forth is run so often for so long.
;
;	um/mod	( ud u -- rem quotient )
;	sm/rem	( d n -- rem quotient )	rounds towards 0
;	fm/mod	( d n -- rem quotient )	rounds down
;	/mod	( n1 n2 -- rem quotient )	these five round down
;	/	( n1 n2 -- quotient )
;	mod	( n1 n2 -- rem )
;	*/mod	( n1 n2 n3 -- rem quotient )
;	*/	( n1 n2 n3 -- quotient )

THIS_FILE	.set 15

; The double in N, four bytes, by the cell in N+4, unsigned: the quotient is in N, the remainder in N+2. The
; quotient's bits follow those of the dividend out of their cell. A dividend below 256 takes eight turns,
; not sixteen. X is lost.
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
; The shifted remainder has seventeen bits.
@more:		lda N+2
		sbc N+4
		tay
		lda N+3
		sbc N+5
		sec
		bcs @take

; As above, for signed numbers; the quotient is rounded down.
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

; The divisor goes from the top of the stack to N+4. If it is 0, THROWs instead of returning.
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
