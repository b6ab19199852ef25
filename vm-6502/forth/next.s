; SPDX-License-Identifier: MIT
;
; next: the inner interpreter, the code fields it jumps to, and the start of the system. NEXT runs in
; zero page and holds IP and W as operands, which saves it ten cycles of forty-four. Nothing may jump
; into the middle of it, except to the last instruction.
;
;	next-at	( -- addr )	NEXT's address
;	core-end	( -- addr )	variable: where the words of the system end
;	bucket-list	( -- addr )	variable: the newest profiler bucket
;	metric-list	( -- addr )	variable: the newest profiler metric
;	cold	( -- )	starts again, with what is in memory
;
; NEXT takes 34 cycles; 11 more when IP crosses a page, and 1 when its cell does. It leaves C clear and
; Y = 1.

THIS_FILE	.set 1

; Addresses in the image that a host may need, at a fixed place. forth-image.h has the same list.
		jmp cold
		.byte "itc1"
		.word next, ip, w
		.word docol, dodoes, x_exit
		.word v_forth			; the first word list
		.word v_voclink			; cell: the newest word list
		.word v_files			; cell: the newest name of a source file
		.word v_dp			; cell: HERE
		.word v_core			; cell: the end of the Forth core
		.word v_buckets			; cell: the newest bucket
		.word v_metrics			; cell: the newest metric

v_files:	.word file_names
v_core:		.word kernel_end
v_buckets:	.word 0
v_metrics:	.word 0

next_image:	.org NEXT_AT
next:		ldy #1
		lda (ip),y
		sta w+1
		.assert * = ip-1, error, "IP is not where layout.inc says"
		lda $ffff
		sta w
		lda ip
		clc
		adc #2
		sta ip
		bcs next_page
		.assert * = w-1, error, "W is not where layout.inc says"
next_go:	jmp ($fffe)
next_page:	inc ip+1
		clc
		bcc next_go
next_size	= *-next
		.org next_image+next_size

; Calls check whether the stacks are within their bounds, for infinite recursion and words that take too
; much; BRANCH does it for loops. An overflow that is missed damages only the Forth.
docol:		stx XSAVE
		tsx
		cpx #RETURN_LOW
		ldx XSAVE
		bcc return_over
		cpx #STACK_LOW
		bcc stack_over
		cpx #SP0+1
		bcs stack_under
		lda ip+1
		pha
		lda ip
		pha
		lda w
		adc #2
		sta ip
		lda w+1
		adc #0
		sta ip+1
		jmp next

; THROW needs room on both stacks, and takes the return stack back to HANDLER anyway.
return_over:	lda #<-5
		bne give_up
stack_over:	lda #<-3
		bne give_up
stack_under:	lda #<-4
give_up:	tsx
		stx FORTH_MARK
		ldx v_handler
		txs
		ldx #SP0
		clc
		jmp throw_marked

dovar:		dex
		dex
		lda w
		adc #2
		sta 0,x
		lda w+1
		adc #0
		sta 1,x
		jmp next

; A constant and a value differ only in whether TO accepts them.
docon:		dex
		dex
		ldy #2
		lda (w),y
		sta 0,x
		iny
		lda (w),y
		sta 1,x
		jmp next

dovalue:	dex
		dex
		ldy #2
		lda (w),y
		sta 0,x
		iny
		lda (w),y
		sta 1,x
		jmp next

do2value:	dex
		dex
		dex
		dex
		ldy #2
		lda (w),y
		sta 0,x
		iny
		lda (w),y
		sta 1,x
		iny
		lda (w),y
		sta 2,x
		iny
		lda (w),y
		sta 3,x
		jmp next

dodefer:	ldy #2
		lda (w),y
		pha
		iny
		lda (w),y
		sta w+1
		pla
		sta w
		jmp next_go

; The code field of a child points at a JMP DODOES inside its parent; the parent's thread follows.
dodoes:		lda ip+1
		pha
		lda ip
		pha
		ldy #0
		lda (w),y
		adc #3
		sta ip
		iny
		lda (w),y
		adc #0
		sta ip+1
		dex
		dex
		lda w
		adc #2
		sta 0,x
		lda w+1
		adc #0
		sta 1,x
		jmp next

fixed		"next-at", x_nextat, NEXT_AT
fixed		"core-end", x_coreend, v_core
fixed		"bucket-list", x_bucketlist, v_buckets
fixed		"metric-list", x_metriclist, v_metrics

code		"cold", x_cold
cold:		sei
		cld
		ldx #next_size-1
@copy:		lda next_image,x
		sta next,x
		dex
		bpl @copy
		lda #<broken
		sta $fffa
		lda #>broken
		sta $fffb
		lda #<interrupted
		sta $fffe
		lda #>interrupted
		sta $ffff
		ldx #$ff
		txs
		ldx #SP0
		lda #0
		sta OUTDEV
		sta LP
		lda #<cold_thread
		sta ip
		lda #>cold_thread
		sta ip+1
		jmp next
cold_thread:	.word x_start

; Ctrl-C. The running words are abandoned, so no register need be kept.
broken:		lda #<-28
		bne given_up
; BRK, met where there is no code, or a timer without a handler.
interrupted:	pha
		txa
		pha
		tsx
		lda $103,x
		and #$10
		bne @brk
		lda FORTH_ICR
		pla
		tax
		pla
		rti
@brk:		lda #<-9
given_up:	cld
		ldx #SP0
		; falls through

; For primitives that meet an error: THROW the negative code in A. IP is still the primitive's when
; the host is told to note it.
throw_a:	stx XSAVE
		tsx
		stx FORTH_MARK
		ldx XSAVE
throw_marked:	dex
		dex
		sta 0,x
		lda #$ff
		sta 1,x
		lda #<throw_thread
		sta ip
		lda #>throw_thread
		sta ip+1
		jmp next
throw_thread:	.word x_throwmarked
