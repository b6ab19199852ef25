; SPDX-License-Identifier: MIT
;
; stack: words that move cells on the two stacks and do nothing else with them.
;
;	dup	( x -- x x )
;	?dup	( x -- 0 | x x )
;	drop	( x -- )
;	swap	( x1 x2 -- x2 x1 )
;	over	( x1 x2 -- x1 x2 x1 )
;	nip	( x1 x2 -- x2 )
;	tuck	( x1 x2 -- x2 x1 x2 )
;	rot	( x1 x2 x3 -- x2 x3 x1 )
;	-rot	( x1 x2 x3 -- x3 x1 x2 )
;	pick	( xu … x0 u -- xu … x0 xu )
;	roll	( xu … x0 u -- xu-1 … x0 xu )
;	2dup	( x1 x2 -- x1 x2 x1 x2 )
;	2drop	( x1 x2 -- )
;	2swap	( x1 x2 x3 x4 -- x3 x4 x1 x2 )
;	2over	( x1 x2 x3 x4 -- x1 x2 x3 x4 x1 x2 )
;	depth	( -- +n )
;	sp@	( -- addr )
;	sp!	( addr -- )
;	rp@	( -- addr )
;	rp!	( addr -- )
;	>r	( x -- ) ( R: -- x )
;	r>	( -- x ) ( R: x -- )
;	r@	( -- x ) ( R: x -- x )
;	rdrop	( -- ) ( R: x -- )
;	2>r	( x1 x2 -- ) ( R: -- x1 x2 )
;	2r>	( -- x1 x2 ) ( R: x1 x2 -- )
;	2r@	( -- x1 x2 ) ( R: x1 x2 -- x1 x2 )
;	?stack	( -- )	THROWs -3 or -4 when the data stack has left its bounds

THIS_FILE	.set 2

code		"dup", x_dup
dup:		dex
		dex
		lda 2,x
		sta 0,x
		lda 3,x
		sta 1,x
		jmp next

code		"?dup", x_qdup
		lda 0,x
		ora 1,x
		bne dup
		jmp next

code		"drop", x_drop
drop:		inx
		inx
		jmp next

code		"swap", x_swap
		lda 0,x
		ldy 2,x
		sta 2,x
		sty 0,x
		lda 1,x
		ldy 3,x
		sta 3,x
		sty 1,x
		jmp next

code		"over", x_over
		dex
		dex
		lda 4,x
		sta 0,x
		lda 5,x
		sta 1,x
		jmp next

code		"nip", x_nip
nip:		lda 0,x
		sta 2,x
		lda 1,x
		sta 3,x
		inx
		inx
		jmp next

code		"tuck", x_tuck
		dex
		dex
		lda 2,x
		sta 0,x
		ldy 4,x
		sty 2,x
		sta 4,x
		lda 3,x
		sta 1,x
		ldy 5,x
		sty 3,x
		sta 5,x
		jmp next

code		"rot", x_rot
		ldy 4,x
		lda 2,x
		sta 4,x
		lda 0,x
		sta 2,x
		sty 0,x
		ldy 5,x
		lda 3,x
		sta 5,x
		lda 1,x
		sta 3,x
		sty 1,x
		jmp next

code		"-rot", x_mrot
		ldy 0,x
		lda 2,x
		sta 0,x
		lda 4,x
		sta 2,x
		sty 4,x
		ldy 1,x
		lda 3,x
		sta 1,x
		lda 5,x
		sta 3,x
		sty 5,x
		jmp next

code		"pick", x_pick
		lda 0,x
		asl a
		stx N
		adc N
		tay
		lda a:2,y
		sta 0,x
		lda a:3,y
		sta 1,x
		jmp next

code		"roll", x_roll
		lda 0,x
		inx
		inx
		stx N
		asl a
		adc N
		tay
		lda a:0,y
		sta N+2
		lda a:1,y
		sta N+3
@up:		cpy N
		beq @done
		dey
		dey
		lda a:0,y
		sta a:2,y
		lda a:1,y
		sta a:3,y
		jmp @up
@done:		lda N+2
		sta 0,x
		lda N+3
		sta 1,x
		jmp next

code		"2dup", x_2dup
		dex
		dex
		dex
		dex
		lda 4,x
		sta 0,x
		lda 5,x
		sta 1,x
		lda 6,x
		sta 2,x
		lda 7,x
		sta 3,x
		jmp next

code		"2drop", x_2drop
drop2:		inx
		inx
		inx
		inx
		jmp next

code		"2swap", x_2swap
		lda 0,x
		ldy 4,x
		sta 4,x
		sty 0,x
		lda 1,x
		ldy 5,x
		sta 5,x
		sty 1,x
		lda 2,x
		ldy 6,x
		sta 6,x
		sty 2,x
		lda 3,x
		ldy 7,x
		sta 7,x
		sty 3,x
		jmp next

code		"2over", x_2over
		dex
		dex
		dex
		dex
		lda 8,x
		sta 0,x
		lda 9,x
		sta 1,x
		lda 10,x
		sta 2,x
		lda 11,x
		sta 3,x
		jmp next

code		"depth", x_depth
		stx N
		lda #SP0
		sec
		sbc N
		lsr a
push_a:		dex
		dex
		sta 0,x
		lda #0
		sta 1,x
		jmp next

code		"sp@", x_spfetch
		txa
		jmp push_a

code		"sp!", x_spstore
		lda 0,x
		tax
		jmp next

code		"rp@", x_rpfetch
		stx XSAVE
		tsx
		txa
		ldx XSAVE
		dex
		dex
		sta 0,x
		lda #1
		sta 1,x
		jmp next

code		"rp!", x_rpstore
		lda 0,x
		inx
		inx
		stx XSAVE
		tax
		txs
		ldx XSAVE
		jmp next

code		">r", x_tor
		lda 1,x
		pha
		lda 0,x
		pha
		inx
		inx
		jmp next

code		"r>", x_rfrom
		dex
		dex
		pla
		sta 0,x
		pla
		sta 1,x
		jmp next

code		"r@", x_rfetch
		stx XSAVE
		tsx
		ldy $101,x
		lda $102,x
		ldx XSAVE
		dex
		dex
		sty 0,x
		sta 1,x
		jmp next

code		"rdrop", x_rdrop
		pla
		pla
		jmp next

code		"2>r", x_2tor
		lda 3,x
		pha
		lda 2,x
		pha
		lda 1,x
		pha
		lda 0,x
		pha
		inx
		inx
		inx
		inx
		jmp next

code		"2r>", x_2rfrom
		dex
		dex
		dex
		dex
		pla
		sta 0,x
		pla
		sta 1,x
		pla
		sta 2,x
		pla
		sta 3,x
		jmp next

code		"2r@", x_2rfetch
		dex
		dex
		dex
		dex
		pla
		sta 0,x
		pla
		sta 1,x
		pla
		sta 2,x
		pla
		sta 3,x
		pha
		lda 2,x
		pha
		lda 1,x
		pha
		lda 0,x
		pha
		jmp next

code		"?stack", x_qstack
		cpx #STACK_LOW
		bcc @over
		cpx #SP0+1
		bcs @under
		jmp next
@over:		jmp stack_over
@under:		jmp stack_under
