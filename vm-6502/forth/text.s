; SPDX-License-Identifier: MIT
;
; text: words on strings, characters and the dictionary's names. Names are found in any case.
;
;	bl	( -- char )
;	/string	( addr u n -- addr+n u-n )
;	scan	( addr u char -- addr' u' )	to the first char; for BL, to the first white space
;	skip	( addr u char -- addr' u' )	past all char; for BL, past white space
;	compare	( addr1 u1 addr2 u2 -- n )
;	same?	( addr1 u1 addr2 u2 -- flag )	equal but for the case of letters
;	upper	( char -- char' )
;	digit?	( char base -- u true | false )
;	find-name	( addr u -- nt | 0 )	in the search order
;	find-name-in	( addr u wid -- nt | 0 )
;	name>interpret	( nt -- xt )
;	name>string	( nt -- addr u )
;	(order)	( -- addr )	variable: the count of the search order, then its word lists, first first
;	forth-wordlist	( -- wid )

THIS_FILE	.set 7

code		"bl", x_bl
		lda #' '
		jmp push_a

code		"/string", x_slashstring
		lda 0,x
		adc 4,x
		sta 4,x
		lda 1,x
		adc 5,x
		sta 5,x
		sec
		lda 2,x
		sbc 0,x
		sta 2,x
		lda 3,x
		sbc 1,x
		sta 3,x
		jmp drop

; Both keep address and length on the stack up to date, and go on until C (found) or length 0.
code		"scan", x_scan
		jsr text_args
@byte:		lda 0,x
		ora 1,x
		beq @done
		lda (2,x)
		jsr matches
		beq @done
		jsr step
		jmp @byte
@done:		clc
		jmp next

code		"skip", x_skip
		jsr text_args
@byte:		lda 0,x
		ora 1,x
		beq @done
		lda (2,x)
		jsr matches
		bne @done
		jsr step
		jmp @byte
@done:		clc
		jmp next

text_args:	lda 0,x
		sta N
		inx
		inx
		rts
; Z when the byte in A is the one in N, or both are white.
matches:	cmp N
		beq @yes
		cmp #' '
		bcc @white
		ora #1
		rts
@white:		lda N
		cmp #' '
@yes:		rts
step:		inc 2,x
		bne @length
		inc 3,x
@length:	lda 0,x
		bne @low
		dec 1,x
@low:		dec 0,x
		rts

; addr1 at 6, u1 at 4, addr2 at 2, u2 at 0
code		"compare", x_compare
@byte:		lda 4,x
		ora 5,x
		beq @end1
		lda 0,x
		ora 1,x
		beq @more
		lda (2,x)
		sta N
		lda (6,x)
		cmp N
		bcc @less
		bne @more
		inc 6,x
		bne @a
		inc 7,x
@a:		lda 4,x
		bne @b
		dec 5,x
@b:		dec 4,x
		jsr step
		jmp @byte
@end1:		lda 0,x
		ora 1,x
		beq @equal
@less:		lda #$ff
		tay
		bne @set
@more:		lda #1
		ldy #0
		beq @set
@equal:		lda #0
		tay
@set:		sta 6,x
		sty 7,x
		inx
		inx
		jmp drop2

; A in capitals; C is lost, X and Y are kept
upper:		cmp #'a'
		bcc @done
		cmp #'z'+1
		bcs @done
		and #$df
@done:		rts

code		"same?", x_same
		lda 0,x
		cmp 4,x
		bne @no
		lda 1,x
		cmp 5,x
		bne @no
@byte:		lda 0,x
		ora 1,x
		beq @yes
		lda (6,x)
		jsr upper
		sta N
		lda (2,x)
		jsr upper
		cmp N
		bne @no
		inc 6,x
		bne @next
		inc 7,x
@next:		jsr step
		jmp @byte
@yes:		clc
		jmp dtrue
@no:		clc
		jmp dfalse

code		"upper", x_upper
		lda 0,x
		jsr upper
		sta 0,x
		clc
		jmp next

code		"digit?", x_digit
		lda 2,x
		jsr upper
		sec
		sbc #'0'
		bcc @no
		cmp #10
		bcc @check
		sbc #7
		cmp #10
		bcc @no
@check:		cmp 0,x
		bcs @no
		sta 2,x
		lda #0
		sta 3,x
		jmp true1
@no:		clc
		inx
		inx
		jmp false1

; Makes KEY_AT of the string at A = addr's offset from X; length in N+2. C when it is too long.
take_key:	lda 2,x
		sta N
		lda 3,x
		sta N+1
		lda 1,x
		bne @long
		lda 0,x
		beq @long
		cmp #NAME_MAX+1
		bcs @long
		sta N+2
		tay
@byte:		dey
		lda (N),y
		jsr upper
		sta KEY_AT,y
		tya
		bne @byte
		clc
		rts
@long:		sec
		rts

; Looks through one word list: its address is in N+4. On return N+4 is the nt, or C is set for none.
; The list's cell and a header both begin with a link. X is lost.
search:		ldy #1
		lda (N+4),y
		beq @none
		tax
		dey
		lda (N+4),y
		sta N+4
		stx N+5
		ldy #5
		lda (N+4),y
		and #NAME_MAX
		cmp N+2
		bne search
		tay
		clc
		lda N+4
		adc #5
		sta N+6
		lda N+5
		adc #0
		sta N+7
@byte:		lda (N+6),y
		eor KEY_AT-1,y
		beq @same
		cmp #'a'-'A'
		bne search
		lda KEY_AT-1,y
		cmp #'A'
		bcc search
		cmp #'Z'+1
		bcs search
@same:		dey
		bne @byte
		clc
		rts
@none:		sec
		rts

code		"find-name-in", x_findnamein
		jsr pop_n
		lda N
		sta N+4
		lda N+1
		sta N+5
		jsr take_key
		bcs not_found
		stx XSAVE
		jsr search
		ldx XSAVE
		bcs not_found
found:		inx
		inx
		lda N+4
		sta 0,x
		lda N+5
		sta 1,x
		jmp next
not_found:	inx
		inx
		clc
		jmp false1

code		"find-name", x_findname
		jsr take_key
		bcs not_found
		stx XSAVE
		lda #0
		sta N+8
@list:		lda N+8
		cmp v_order
		bcs @none
		asl a
		tay
		lda v_order+2,y
		sta N+4
		lda v_order+3,y
		sta N+5
		inc N+8
		jsr search
		bcs @list
		ldx XSAVE
		jmp found
@none:		ldx XSAVE
		jmp not_found

code		"name>interpret", x_nametointerpret
		lda 0,x
		sta N
		lda 1,x
		sta N+1
		ldy #5
		lda (N),y
		sta N+2
		and #NAME_MAX
		clc
		adc #6
		adc N
		sta 0,x
		lda N+1
		adc #0
		sta 1,x
		lda N+2
		and #ALIAS
		beq @done
		jmp fetch
@done:		jmp next

code		"name>string", x_nametostring
		lda 0,x
		sta N
		adc #6
		sta 0,x
		lda 1,x
		sta N+1
		adc #0
		sta 1,x
		ldy #5
		lda (N),y
		and #NAME_MAX
		jmp push_a

cell		"(order)", x_order, v_order, 1
		.word v_forth
		.res 16
fixed		"forth-wordlist", x_forthwordlist, v_forth
; A word list: its newest header, the word list made before it, its name's header or 0.
v_forth:	.word kernel_last, 0, 0
