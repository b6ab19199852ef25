; SPDX-License-Identifier: MIT
;
; memory: words that read and write memory, and the dictionary pointer.
;
;	@	( addr -- x )
;	!	( x addr -- )
;	c@	( addr -- char )
;	c!	( char addr -- )
;	+!	( n addr -- )
;	2@	( addr -- x1 x2 )	x2 is at addr, x1 in the cell after it
;	2!	( x1 x2 addr -- )
;	count	( addr -- addr+1 u )
;	on	( addr -- )	stores true
;	off	( addr -- )	stores 0
;	fill	( addr u char -- )
;	cmove	( from to u -- )	byte by byte, lowest first
;	cmove>	( from to u -- )	byte by byte, highest first
;	move	( from to u -- )	as if all were read before any is written
;	dp	( -- addr )	variable: where the dictionary ends
;	memtop	( -- addr )	variable: the end of the memory that the dictionary may grow into
;	here	( -- addr )
;	allot	( n -- )	THROWs -8 when HERE would leave the room between the system and MEMTOP
;	,	( x -- )
;	c,	( char -- )

THIS_FILE	.set 5

code		"@", x_fetch
fetch:
		lda (0,x)
		tay
		inc 0,x
		bne @high
		inc 1,x
@high:		lda (0,x)
		sty 0,x
		sta 1,x
		jmp next

code		"!", x_store
		lda 2,x
		sta (0,x)
		inc 0,x
		bne @high
		inc 1,x
@high:		lda 3,x
		sta (0,x)
		jmp drop2

code		"c@", x_cfetch
		lda (0,x)
		sta 0,x
		lda #0
		sta 1,x
		jmp next

code		"c!", x_cstore
		lda 2,x
		sta (0,x)
		jmp drop2

code		"+!", x_plusstore
		lda (0,x)
		adc 2,x
		sta (0,x)
		inc 0,x
		bne @high
		inc 1,x
@high:		lda (0,x)
		adc 3,x
		sta (0,x)
		jmp drop2

; Moves the top cell to N as a pointer.
pop_n:		lda 0,x
		sta N
		lda 1,x
		sta N+1
		inx
		inx
		rts

code		"2@", x_2fetch
		lda 0,x
		sta N
		lda 1,x
		sta N+1
		dex
		dex
		ldy #3
		lda (N),y
		sta 3,x
		dey
		lda (N),y
		sta 2,x
		dey
		lda (N),y
		sta 1,x
		dey
		lda (N),y
		sta 0,x
		jmp next

code		"2!", x_2store
		jsr pop_n
		ldy #0
		lda 0,x
		sta (N),y
		iny
		lda 1,x
		sta (N),y
		iny
		lda 2,x
		sta (N),y
		iny
		lda 3,x
		sta (N),y
		jmp drop2

code		"count", x_count
		lda (0,x)
		inc 0,x
		bne @push
		inc 1,x
@push:		jmp push_a

code		"on", x_on
		lda #$ff
set_both:	sta (0,x)
		inc 0,x
		bne @high
		inc 1,x
@high:		sta (0,x)
		jmp drop

code		"off", x_off
		lda #0
		beq set_both

; addr at 4, u at 2, char at 0. Whole pages first, then the rest.
code		"fill", x_fill
		lda 4,x
		sta N
		lda 5,x
		sta N+1
		lda 0,x
		ldy 3,x
		sty N+2
		ldy #0
@page:		dec N+2
		bmi @rest
@byte:		sta (N),y
		iny
		bne @byte
		inc N+1
		bne @page
		beq @done
@rest:		pha
		lda 2,x
		sta N+2
		pla
		ldy #0
@last:		cpy N+2
		beq @done
		sta (N),y
		iny
		bne @last
@done:		inx
		inx
		jmp drop2

; from to u: N = from, N+2 = to, N+4 = u
move_args:	lda 4,x
		sta N
		lda 5,x
		sta N+1
		lda 2,x
		sta N+2
		lda 3,x
		sta N+3
		lda 0,x
		sta N+4
		lda 1,x
		sta N+5
		rts

code		"cmove", x_cmove
		jsr move_args
move_up:	ldy #0
@page:		dec N+5
		bmi @rest
@byte:		lda (N),y
		sta (N+2),y
		iny
		bne @byte
		inc N+1
		inc N+3
		jmp @page
@rest:		ldy #0
@last:		cpy N+4
		beq @done
		lda (N),y
		sta (N+2),y
		iny
		bne @last
@done:		inx
		inx
		jmp drop2

code		"cmove>", x_cmoveup
		jsr move_args
; The odd bytes of the last, partial page first, then whole pages downwards.
move_down:	clc
		lda N+1
		adc N+5
		sta N+1
		clc
		lda N+3
		adc N+5
		sta N+3
		ldy N+4
		beq @pages
@part:		dey
		lda (N),y
		sta (N+2),y
		tya
		bne @part
@pages:		lda N+5
		beq @done
@page:		dec N+1
		dec N+3
		ldy #0
@byte:		dey
		lda (N),y
		sta (N+2),y
		tya
		bne @byte
		dec N+5
		bne @page
@done:		inx
		inx
		jmp drop2

; Upwards unless from < to < from + u.
code		"move", x_move
		jsr move_args
		sec
		lda N+2
		sbc N
		tay
		lda N+3
		sbc N+1
		sta N+6
		cpy N+4
		lda N+6
		sbc N+5
		bcc move_down
		jmp move_up

cell		"dp", x_dp, v_dp, kernel_end
cell		"memtop", x_memtop, v_memtop, MEMTOP

code		"here", x_here
		dex
		dex
		lda v_dp
		sta 0,x
		lda v_dp+1
		sta 1,x
		jmp next

code		"allot", x_allot
		lda 0,x
		adc v_dp
		sta N
		lda 1,x
		adc v_dp+1
		sta N+1
		lda N
		cmp v_core
		lda N+1
		sbc v_core+1
		bcc dictionary_over
		lda v_memtop
		cmp N
		lda v_memtop+1
		sbc N+1
		bcc dictionary_over
		lda N
		sta v_dp
		lda N+1
		sta v_dp+1
		clc
		jmp drop
dictionary_over:
		clc
		lda #<-8
		jmp throw_a

; Called with MEMTOP's page reached, C set: two bytes may still fit.
last_page:	bne @over
		lda v_memtop
		sbc v_dp
		cmp #2
		bcc @over
		clc
		rts
@over:		pla
		pla
		jmp dictionary_over

code		",", x_comma
		lda v_dp
		sta N
		lda v_dp+1
		sta N+1
		cmp v_memtop+1
		bcc @fits
		jsr last_page
@fits:
		ldy #0
		lda 0,x
		sta (N),y
		iny
		lda 1,x
		sta (N),y
		clc
		lda N
		adc #2
		sta v_dp
		bcc @done
		inc v_dp+1
@done:		jmp drop

code		"c,", x_ccomma
		lda v_dp
		sta N
		lda v_dp+1
		sta N+1
		cmp v_memtop+1
		bcc @fits
		jsr last_page
@fits:
		ldy #0
		lda 0,x
		sta (N),y
		inc v_dp
		bne @done
		inc v_dp+1
@done:		jmp drop
