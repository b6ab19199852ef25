; SPDX-License-Identifier: MIT
; Calls each entry of the c64 machine's system, provokes each error of its drive, and prints what came of it. For ca65 -t c64,
; which makes PETSCII of text. What it prints is in kernal.expected; it wants the keys `k`, `line`, RETURN, `g`.

status  = $90
row     = $d6
blink   = $cc
queue   = $c6
pointer = $fb
fails   = $fd

CONOUT = $e716
CINT   = $ff81
IOINIT = $ff84
RESTOR = $ff8a
SECOND = $ff93
TKSA   = $ff96
ACPTR  = $ffa5
CIOUT  = $ffa8
UNTLK  = $ffab
UNLSN  = $ffae
LISTEN = $ffb1
TALK   = $ffb4
READST = $ffb7
SETLFS = $ffba
SETNAM = $ffbd
OPEN   = $ffc0
CLOSE  = $ffc3
CHKIN  = $ffc6
CHKOUT = $ffc9
CLRCHN = $ffcc
CHRIN  = $ffcf
CHROUT = $ffd2
LOAD   = $ffd5
SAVE   = $ffd8
STOP   = $ffe1
GETIN  = $ffe4
UDTIM  = $ffea
PLOT   = $fff0
STRING = $ab1e

.macro say text
	jsr print
	.byte text, 0
.endmacro

; Opens a channel of the drive by its name.
.macro channel number, name
	lda #number
	jsr open_channel
	.byte name, 0
.endmacro

; Sends text to a channel.
.macro send number, text
	lda #number
	jsr to_channel
	.byte text, 0
.endmacro

.macro named name
	.local here, over
	lda #over - here
	ldx #<here
	ldy #>here
	jmp over
here:	.byte name
over:	jsr SETNAM
.endmacro

.macro file number, device, secondary
	lda #number
	ldx #device
	ldy #secondary
	jsr SETLFS
.endmacro

.org $0801
	.word end_of_line, 10
	.byte $9e, " 2064", 0
end_of_line:
	.word 0
	.res $0810 - *

	jsr IOINIT
	jsr CINT
	lda #5
	sta queue
	jsr RESTOR
	say "screen "
	lda $d1
	jsr hex
	lda $d2
	jsr hex
	lda $d3
	jsr hex
	lda queue
	jsr hex
	jsr line
	ldx #5
	ldy #7
	clc
	jsr PLOT
	say "PLOT "
	sec
	jsr PLOT
	tya
	pha
	txa
	jsr hex
	pla
	jsr hex
	lda row
	jsr hex
	jsr line
	ldx #0
	ldy #0
	clc
	jsr PLOT
	ldx #$12
	lda #'c'
	jsr CONOUT
	cpx #$12
	bne @not
	cmp #'c'
	bne @not
	lda #'K'
	jsr CHROUT
@not:	jsr line

	say "drive: "
	jsr drive
	say "no device: "
	lda #0
	sta status
	lda #9
	jsr LISTEN
	jsr READST
	jsr hex
	lda #0
	sta status
	lda #9
	jsr TALK
	jsr READST
	jsr hex
	jsr line
	say "is it there: "
	lda #0
	sta status
	lda #8
	jsr LISTEN
	lda #$60
	jsr SECOND
	jsr UNLSN
	jsr READST
	jsr hex
	jsr line

	say "read none: "
	channel 2, "none,s,r"
	lda #2
	jsr get
	jsr hex
	jsr drive
	say "out of the folder: "
	channel 2, "../up"
	jsr drive
	say "no name: "
	channel 2, ""
	jsr drive
	say "not open: "
	send 6, "x"
	jsr drive
	say "write: "
	channel 3, "New,s,w"
	send 3, "abc"
	jsr drive
	jsr close_3
	say "exists: "
	channel 3, "New,s,w"
	jsr drive
	say "append: "
	channel 3, "New,s,a"
	send 3, "De"
	jsr close_3
	jsr drive
	say "append to none: "
	channel 3, "none,s,a"
	jsr drive
	say "replace: "
	channel 4, "@:other,p,w"
	send 4, "1"
	channel 4, "@0:other,p,w"
	send 4, "23"
	jsr drive
	lda #4
	jsr close_channel
	say "two at once: "
	channel 3, "New"
	channel 4, "other,p"
	ldx #3
@both:	txa
	pha
	lda #3
	jsr get
	lda #4
	jsr get
	pla
	tax
	dex
	bne @both
	jsr line
	lda #3
	jsr get
	lda #3
	jsr get
	lda #3
	jsr get
	jsr line
	jsr close_3
	lda #4
	jsr close_channel

	say "directory:"
	jsr line
	channel 0, "$"
	lda #8
	jsr TALK
	lda #$60
	jsr TKSA
	jsr ACPTR
	jsr ACPTR
@entry:	jsr ACPTR
	jsr ACPTR
	jsr READST
	bne @listed
	jsr ACPTR
	jsr hex
	jsr ACPTR
	jsr hex
@name:	jsr ACPTR
	cmp #0
	beq @named
	jsr CHROUT
	jmp @name
@named:	jsr line
	jmp @entry
@listed:
	jsr UNTLK
	lda #0
	jsr close_channel

	say "s0: alone: "
	send 15, "s0:"
	jsr drive
	say "s0: in two halves: "
	lda #8
	jsr LISTEN
	lda #$6f
	jsr SECOND
	lda #'s'
	jsr CIOUT
	lda #'0'
	jsr CIOUT
	lda #':'
	jsr CIOUT
	send 15, "s0:New"
	jsr drive
	say "TALK ends a message: "
	lda #8
	jsr LISTEN
	lda #$6f
	jsr SECOND
	lda #'x'
	jsr CIOUT
	jsr drive
	say "s0:*: "
	send 15, "s0:o*"
	jsr drive
	say "i: "
	send 15, "i"
	jsr drive

	say "files: "
	file 2, 8, 2
	named "text,s,w"
	jsr OPEN
	jsr carry
	jsr OPEN
	jsr carry
	ldx #2
	jsr CHKOUT
	lda #'t'
	jsr CHROUT
	lda #'u'
	jsr CHROUT
	jsr CLRCHN
	lda #2
	jsr CLOSE
	file 3, 8, 3
	named "text"
	jsr OPEN
	ldx #3
	jsr CHKIN
	jsr CHRIN
	jsr put
	jsr READST
	jsr put_hex
	jsr GETIN
	jsr put
	jsr READST
	jsr put_hex
	jsr CLRCHN
	ldx #0
@put:	lda kept,x
	jsr CHROUT
	inx
	cpx keep
	bne @put
	lda #3
	jsr CLOSE
	jsr line
	say "CHKIN, CHKOUT not open: "
	ldx #9
	jsr CHKIN
	jsr carry
	ldx #9
	jsr CHKOUT
	jsr carry
	file 4, 9, 1
	jsr OPEN
	jsr carry
	jsr line
	say "SAVE, LOAD: "
	file 1, 8, 1
	named "saved"
	lda #<saved
	sta pointer
	lda #>saved
	sta pointer + 1
	lda #pointer
	ldx #<(saved + 4)
	ldy #>(saved + 4)
	jsr SAVE
	jsr carry
	lda #0
	sta saved
	file 1, 8, 0
	lda #0
	ldx #<target
	ldy #>target
	jsr LOAD
	jsr carry
	lda target
	jsr hex
	lda target + 3
	jsr hex
	lda #0
	file 1, 8, 1
	lda #0
	jsr LOAD
	lda saved
	jsr hex
	named "none"
	lda #0
	jsr LOAD
	jsr carry
	jsr line

	say "key: "
	lda #0
	sta blink
	lda queue
	jsr hex
	lda $0277
	jsr CHROUT
	lda #0
	sta queue
	lda #1
	sta blink
	jsr line
	say "line: "
	ldx #0
@line:	jsr CHRIN
	sta target,x
	inx
	cmp #13
	bne @line
	txa
	jsr hex
	lda target + 1
	jsr CHROUT
	say " GETIN: "
	jsr GETIN
	jsr CHROUT
	jsr line

	say "STOP: "
	jsr UDTIM
	jsr STOP
	php
	pla
	and #2
	jsr hex
	lda #$12
	ldx #$34
	jsr $fd0f
	jsr hex
	txa
	jsr hex
	lda #<text
	ldy #>text
	jsr STRING
	jsr line
	say "timers: "
	lda #$ff
	sta $dd04
	sta $dd05
	sta $dd06
	sta $dd07
	lda #$51
	sta $dd0f
	lda #$11
	sta $dd0e
	nop
	nop
	lda $dd04
	jsr hex
	lda $dd06
	jsr hex
	lda #0
	sta $dd0e
	lda $dd0d
	jsr hex
	jsr line

	say "ROM's place is RAM: "
	ldx #0
@copy:	lda $ff40,x
	sta $ff40,x
	inx
	cpx #$c0
	bne @copy
	lda #$5a
	sta $e716
	lda $e716
	jsr hex
	jsr line
	rts

; ---- what they need

; The text behind the call.
print:	pla
	sta pointer
	pla
	sta pointer + 1
@next:	jsr step
	beq @out
	jsr CHROUT
	jmp @next
@out:	jmp go_on

; A byte behind the call; Z: it is the end.
step:	inc pointer
	bne @get
	inc pointer + 1
@get:	ldy #0
	lda (pointer),y
	rts

go_on:	lda pointer + 1
	pha
	lda pointer
	pha
	rts

open_channel:
	ora #$f0
	bne message
to_channel:
	ora #$60
message:
	sta fails
	pla
	sta pointer
	pla
	sta pointer + 1
	lda #0
	sta status
	lda #8
	jsr LISTEN
	lda fails
	jsr SECOND
@next:	jsr step
	beq @out
	jsr CIOUT
	jmp @next
@out:	jsr UNLSN
	jmp go_on

close_3:
	lda #3
close_channel:
	pha
	lda #8
	jsr LISTEN
	pla
	ora #$e0
	jsr SECOND
	jmp UNLSN

; A byte of a channel, printed with the status in front of it.
get:	pha
	lda #0
	sta status
	lda #8
	jsr TALK
	pla
	ora #$60
	jsr TKSA
	jsr ACPTR
	pha
	jsr UNTLK
	jsr READST
	jsr hex
	pla
	cmp #13
	beq @out
	jsr CHROUT
@out:	rts

; The drive's status, and what the bus says with its last byte.
drive:	lda #0
	sta status
	lda #8
	jsr TALK
	lda #$6f
	jsr TKSA
@next:	jsr ACPTR
	cmp #13
	beq @last
	jsr CHROUT
	jmp @next
@last:	lda #' '
	jsr CHROUT
	jsr UNTLK
	jsr READST
	jsr hex
	jmp line

; Keeps a byte for when output is the screen's again.
put:	ldx keep
	sta kept,x
	inc keep
	rts

put_hex:
	pha
	lsr
	lsr
	lsr
	lsr
	jsr digit
	jsr put
	pla
	and #15
	jsr digit
	jmp put

; The carry, and with it A.
carry:	bcc @good
	jsr hex
	rts
@good:	lda #'.'
	jmp CHROUT

hex:	pha
	lsr
	lsr
	lsr
	lsr
	jsr digit
	jsr CHROUT
	pla
	and #15
	jsr digit
	jmp CHROUT

digit:	cmp #10
	bcc @low
	adc #6
@low:	adc #'0'
	rts

line:	lda #13
	jmp CHROUT

text:	.byte " string", 0
saved:	.byte $11, $22, $33, $44
target:	.res 8
keep:	.byte 0
kept:	.res 16
