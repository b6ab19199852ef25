; SPDX-License-Identifier: MIT
;
; multiply: products, and signs for products and quotients. They are here because little else in a Forth is run
; so often for so long.
;
;	*	( n1 n2 -- n3 )
;	um*	( u1 u2 -- ud )
;	m*	( n1 n2 -- d )

THIS_FILE	.set 13

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
