; SPDX-License-Identifier: MIT
; sim65-calls: a program for sim65 that makes the calls and reads the counter of a cc65 newer than the installed one. It leaves
; with 100, or with the number of the checks that passed before the first that failed. The C stack's pointer is at $80.
	.byte "sim65", 2, 0, $80
	.word $0200, start
	.org $0200
name:	.byte "seek.txt", 0
way:	.byte "way/x", 0
text:	.byte "0123456789"
latch = $ffc0
select = $ffc1
value = $ffc2
.macro push low, high
	lda #low
	ldx #high
	jsr pushax
.endmacro
.macro expect low, high
	ldy #low
	sty wanted
	ldy #high
	sty wanted+1
	jsr check
.endmacro
.macro pushfile
	lda file
	ldx #0
	jsr pushax
.endmacro
passed:	.byte 0
pushax:	pha
	lda $80
	sec
	sbc #2
	sta $80
	bcs :+
	dec $81
:	pla
	ldy #0
	sta ($80),y
	iny
	txa
	sta ($80),y
	rts
check:	cmp wanted
	bne wrong
	cpx wanted+1
	bne wrong
	inc passed
	rts
wrong:	lda passed
leave:	jmp $fff9
start:	lda #0
	sta $80
	lda #$e0
	sta $81
	push <name, >name       ; open(name, O_RDWR | O_CREAT | O_TRUNC)
	push $33, 0
	ldy #4
	jsr $fff4
	sta file
	pushfile            ; write(file, text, 10)
	push <text, >text
	lda #10
	ldx #0
	jsr $fff7
	expect 10, 0
	pushfile               ; lseek(file, -3, SEEK_END)
	push $ff, $ff
	push $fd, $ff
	lda #1
	ldx #0
	jsr $fff1
	expect 7, 0
	pushfile               ; lseek(file, 1, SEEK_CUR)
	push 0, 0
	push 1, 0
	lda #0
	tax
	jsr $fff1
	expect 8, 0
	pushfile                ; lseek(file, 0, 9)
	push 0, 0
	push 0, 0
	lda #9
	ldx #0
	jsr $fff1
	expect $ff, $ff
	lda #5                  ; errno
	ldx #0
	jsr $fff3
	expect $ff, $ff
	lda #0
	tax
	jsr $fff3
	expect 0, 0
	lda #<name              ; remove(name), twice
	ldx #>name
	jsr $fff2
	expect 0, 0
	lda #<name
	ldx #>name
	jsr $fff2
	expect $ff, $ff
	lda #<way
	ldx #>way
	jsr $fff2
	expect $ff, $ff
	lda $9000               ; memory that nothing was loaded to
	ldx $00f0
	expect $ff, $ff
	lda #0                  ; 24 cycles from latch to latch
	sta select
	sta latch
	lda value
	pha
	pla
	nop
	nop
	nop
	sta $00
	sta latch
	sec
	lda value
	sbc $00
	ldx #0
	expect 24, 0
	lda #$81                ; the year is after 2004
	sta select
	lda value+7
	cmp #$40
	lda #0
	tax
	rol
	expect 1, 0
	lda #100
	jmp leave
file:	.byte 0
wanted:	.word 0
