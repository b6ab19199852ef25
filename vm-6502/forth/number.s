; SPDX-License-Identifier: MIT
;
; number: sums and bits of single numbers.
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
