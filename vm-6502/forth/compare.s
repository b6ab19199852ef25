; SPDX-License-Identifier: MIT
;
; compare: words that leave a flag, and the two that choose by one. True is all bits set.
;
;	=	( x1 x2 -- flag )
;	<>	( x1 x2 -- flag )
;	<	( n1 n2 -- flag )
;	>	( n1 n2 -- flag )
;	u<	( u1 u2 -- flag )
;	u>	( u1 u2 -- flag )
;	0=	( x -- flag )
;	0<>	( x -- flag )
;	0<	( n -- flag )
;	0>	( n -- flag )
;	min	( n1 n2 -- n3 )
;	max	( n1 n2 -- n3 )
;	within	( x1 x2 x3 -- flag )
;	d=	( xd1 xd2 -- flag )
;	d<	( d1 d2 -- flag )
;	du<	( ud1 ud2 -- flag )
;	true	( -- true )
;	false	( -- false )

THIS_FILE	.set 4

code		"=", x_equal
		lda 0,x
		cmp 2,x
		bne false2
		lda 1,x
		cmp 3,x
		bne false2
true2:		inx
		inx
true1:		lda #$ff
		sta 0,x
		sta 1,x
		jmp next

code		"<>", x_notequal
		lda 0,x
		cmp 2,x
		bne true2
		lda 1,x
		cmp 3,x
		bne true2
false2:		inx
		inx
false1:		lda #0
		sta 0,x
		sta 1,x
		jmp next

code		"<", x_less
		lda 2,x
		cmp 0,x
		lda 3,x
		sbc 1,x
		bvc @sign
		eor #$80
@sign:		bmi true2
		bpl false2

code		">", x_greater
		lda 0,x
		cmp 2,x
		lda 1,x
		sbc 3,x
		bvc @sign
		eor #$80
@sign:		bmi true2
		bpl false2

code		"0=", x_0equal
		lda 0,x
		ora 1,x
		bne false0
true0:		lda #$ff
		sta 0,x
		sta 1,x
		jmp next

code		"0<>", x_0notequal
		lda 0,x
		ora 1,x
		bne true0
		jmp next

code		"0>", x_0greater
		lda 1,x
		bmi false0
		ora 0,x
		bne true0
		jmp next

code		"u<", x_uless
		lda 2,x
		cmp 0,x
		lda 3,x
		sbc 1,x
		inx
		inx
		bcc true0
false0:		lda #0
		sta 0,x
		sta 1,x
		jmp next

code		"u>", x_ugreater
		lda 0,x
		cmp 2,x
		lda 1,x
		sbc 3,x
		inx
		inx
		bcc true0
		bcs false0

code		"0<", x_0less
		lda 1,x
		asl a
		lda #0
		adc #$ff
		eor #$ff
		sta 0,x
		sta 1,x
		jmp next

code		"min", x_min
		lda 0,x
		cmp 2,x
		lda 1,x
		sbc 3,x
		bvc @sign
		eor #$80
@sign:		bpl @drop
		jmp nip
@drop:		jmp drop

code		"max", x_max
		lda 0,x
		cmp 2,x
		lda 1,x
		sbc 3,x
		bvc @sign
		eor #$80
@sign:		bmi @drop
		jmp nip
@drop:		jmp drop

; x1 - x2 u< x3 - x2, which is right for signed, unsigned and ranges that wrap around
code		"within", x_within
		sec
		lda 4,x
		sbc 2,x
		sta 4,x
		lda 5,x
		sbc 3,x
		sta 5,x
		sec
		lda 0,x
		sbc 2,x
		sta N
		lda 1,x
		sbc 3,x
		sta N+1
		inx
		inx
		lda 2,x
		cmp N
		lda 3,x
		sbc N+1
		bcc @true
		jmp false2
@true:		jmp true2

code		"d=", x_dequal
		lda 0,x
		cmp 4,x
		bne @false
		lda 1,x
		cmp 5,x
		bne @false
		lda 2,x
		cmp 6,x
		bne @false
		lda 3,x
		cmp 7,x
		bne @false
		beq dtrue
@false:		bne dfalse
dtrue:		inx
		inx
		inx
		inx
		jmp true2

code		"d<", x_dless
		lda 6,x
		cmp 2,x
		lda 7,x
		sbc 3,x
		lda 4,x
		sbc 0,x
		lda 5,x
		sbc 1,x
		bvc @sign
		eor #$80
@sign:		bmi dtrue
dfalse:		inx
		inx
		inx
		inx
		jmp false2

code		"du<", x_duless
		lda 6,x
		cmp 2,x
		lda 7,x
		sbc 3,x
		lda 4,x
		sbc 0,x
		lda 5,x
		sbc 1,x
		bcc dtrue
		bcs dfalse

code		"true", x_true
		dex
		dex
		jmp true1

code		"false", x_false
		dex
		dex
		jmp false1
