; SPDX-License-Identifier: MIT
;
; control: words that change IP, and the tokens with an operand in line. A loop keeps two cells on the
; return stack, made so that the end is a signed overflow of the upper one:
;
;	limit - $8000, index - limit + $8000
;
;	exit	( -- ) ( R: ip -- )
;	execute	( … xt -- … )
;	@execute	( … addr -- … )	nothing when the cell there is 0
;	(lit)	( -- x )	in line: x
;	(s")	( -- addr u )	in line: counted string
;	(c")	( -- addr )	in line: counted string
;	branch	( -- )	in line: where to
;	?branch	( x -- )	in line: where to when x is 0
;	(do)	( limit index -- ) ( R: -- loop )
;	(?do)	( limit index -- ) ( R: -- | loop )	in line: where to when they are equal
;	(loop)	( -- ) ( R: loop -- | loop )	in line: where to while it goes on
;	(+loop)	( n -- ) ( R: loop -- | loop )	in line: where to while it goes on
;	(leave)	( -- ) ( R: loop -- )	in line: where to
;	(of)	( x1 x2 -- | x1 )	in line: where to when they differ
;	unloop	( -- ) ( R: loop -- )
;	i	( -- n ) ( R: loop -- loop )
;	j	( -- n ) ( R: loop1 loop2 -- loop1 loop2 )
;	(does>)	( -- ) ( R: ip -- )	gives the newest definition the thread behind it, and exits
;	(locals)	( xu … x1 -- ) ( R: -- locals )	in line: u in a byte
;	(locals+)	( xu … x1 -- ) ( R: locals -- locals' )	in line: u in a byte; THROWs -25 when something lies above
;	(unlocals)	( -- ) ( R: locals -- )
;	(local@)	( -- x )	in line: number of the local, in a byte
;	(local!)	( x -- )	in line: number of the local, in a byte

THIS_FILE	.set 6

code		"exit", x_exit
exit:		pla
		sta ip
		pla
		sta ip+1
		jmp next

code		"execute", x_execute
execute:	lda 0,x
		sta w
		lda 1,x
		sta w+1
		inx
		inx
		jmp next_go

code		"@execute", x_fetchexecute
		lda (0,x)
		sta w
		inc 0,x
		bne @high
		inc 1,x
@high:		lda (0,x)
		sta w+1
		inx
		inx
		ora w
		beq @none
		jmp next_go
@none:		jmp next

code		"(lit)", x_lit
		dex
		dex
		lda (ip),y
		sta 1,x
		dey
		lda (ip),y
		sta 0,x
skip_cell:	lda ip
		adc #2
		sta ip
		bcs @page
		jmp next
@page:		inc ip+1
		jmp next

code		"(s\")", x_sliteral
		dey
		lda (ip),y
		pha
		dex
		dex
		dex
		dex
		sta 0,x
		sty 1,x
		lda ip
		adc #1
		sta 2,x
		lda ip+1
		adc #0
		sta 3,x
skip_string:	pla
		sec
		adc ip
		sta ip
		bcc @done
		inc ip+1
@done:		jmp next

code		"(c\")", x_cliteral
		dey
		lda (ip),y
		pha
		dex
		dex
		lda ip
		sta 0,x
		lda ip+1
		sta 1,x
		jmp skip_string

code		"branch", x_branch
branch:		cpx #STACK_LOW
		bcc @over
		cpx #SP0+1
		bcs @under
		lda (ip),y
		sta N
		dey
		lda (ip),y
		sta ip
		lda N
		sta ip+1
		jmp next
@over:		jmp stack_over
@under:		jmp stack_under

code		"?branch", x_qbranch
		inx
		inx
		lda $fe,x
		ora $ff,x
		beq branch
		lda ip
		adc #2
		sta ip
		bcs @page
		jmp next
@page:		inc ip+1
		jmp next

code		"(do)", x_do
do:		lda 3,x
		eor #$80
		sta 3,x
		pha
		lda 2,x
		pha
		sec
		lda 0,x
		sbc 2,x
		tay
		lda 1,x
		sbc 3,x
		pha
		tya
		pha
		jmp drop2

code		"(?do)", x_qdo
		lda 0,x
		cmp 2,x
		bne @enter
		lda 1,x
		cmp 3,x
		bne @enter
		inx
		inx
		inx
		inx
		jmp branch
@enter:		lda ip
		clc
		adc #2
		sta ip
		bcc do
		inc ip+1
		bcs do

code		"(loop)", x_loop
		stx XSAVE
		tsx
		inc $101,x
		bne @again
		inc $102,x
		lda $102,x
		cmp #$80
		beq @end
@again:		ldx XSAVE
		jmp branch
@end:		ldx XSAVE
end_loop:	pla
		pla
		pla
		pla
		clc
		jmp skip_cell

code		"(+loop)", x_plusloop
		lda 0,x
		sta N
		lda 1,x
		sta N+1
		inx
		inx
		stx XSAVE
		tsx
		lda $101,x
		adc N
		sta $101,x
		lda $102,x
		adc N+1
		sta $102,x
		ldx XSAVE
		bvs end_loop
		jmp branch

code		"(leave)", x_leave
		pla
		pla
		pla
		pla
		jmp branch

code		"(of)", x_of
		inx
		inx
		lda $fe,x
		cmp 0,x
		bne @differ
		lda $ff,x
		cmp 1,x
		bne @differ
		inx
		inx
		clc
		jmp skip_cell
@differ:	jmp branch

code		"unloop", x_unloop
		pla
		pla
		pla
		pla
		jmp next

code		"i", x_i
		stx XSAVE
		tsx
		lda $101,x
		adc $103,x
		tay
		lda $102,x
		adc $104,x
		ldx XSAVE
		dex
		dex
		sty 0,x
		sta 1,x
		jmp next

code		"j", x_j
		stx XSAVE
		tsx
		lda $105,x
		adc $107,x
		tay
		lda $106,x
		adc $108,x
		ldx XSAVE
		dex
		dex
		sty 0,x
		sta 1,x
		jmp next

code		"(does>)", x_does
		lda v_lastxt
		sta N
		lda v_lastxt+1
		sta N+1
		ldy #0
		lda ip
		sta (N),y
		iny
		lda ip+1
		sta (N),y
		jmp exit

; A frame of locals on the return stack. LP is the stack pointer when it is complete. Local 0 is the
; deepest of those taken from the data stack; n is at LP + 1 + 2n.
;
;	[free][local 0][local 1]…[local u-1][the caller's LP, 1][…]
;	     ^LP
;
; More locals go below, and are the first from then on.
code		"(locals)", x_locals
		lda #1
		pha
		lda LP
		pha
take_locals:	dey
		lda (ip),y
		tay
@push:		dey
		bmi @done
		lda 1,x
		pha
		lda 0,x
		pha
		inx
		inx
		jmp @push
@done:		stx XSAVE
		tsx
		stx LP
		ldx XSAVE
skip_byte:	inc ip
		bne @next
		inc ip+1
@next:		jmp next

code		"(locals+)", x_morelocals
		stx XSAVE
		tsx
		cpx LP
		clc
		bne @other
		ldx XSAVE
		jmp take_locals
@other:		ldx XSAVE
		lda #<-25
		jmp throw_a

code		"(unlocals)", x_unlocals
		dey
		lda (ip),y
		asl a
		adc LP
		stx XSAVE
		tax
		txs
		ldx XSAVE
		pla
		sta LP
		pla
		jmp skip_byte

; The offset of the local in line, in X; the caller's X in XSAVE.
local_x:	dey
		lda (ip),y
		asl a
		adc LP
		inc ip
		bne @x
		inc ip+1
@x:		stx XSAVE
		tax
		rts

code		"(local@)", x_localfetch
		jsr local_x
		ldy $101,x
		lda $102,x
		ldx XSAVE
		dex
		dex
		sty 0,x
		sta 1,x
		jmp next

code		"(local!)", x_localstore
		jsr local_x
		ldy XSAVE
		lda a:0,y
		sta $101,x
		lda a:1,y
		sta $102,x
		tya
		tax
		jmp drop
