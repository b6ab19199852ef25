; SPDX-License-Identifier: MIT
; A small Forth that is not ours, for what --next and its companions watch: indirect-threaded, or direct-threaded when
; assembled with -D DIRECT. Its return stack is a pointer in zero page, NEXT is copied there when it starts, IP and W are
; operands inside, it has two tasks, and a profiler of its own that patches NEXT in the middle. It prints what that counted:
; all NEXTs, those outside of the bucket, those inside.
;
; words: code_ in machine code, w_ in threads of tokens.

putc = $f001

rp   = $02              ; the return stack, growing down
hold = $04              ; of the task that doesn't run: its rp, and ip
scratch = $08
next = $10
ip   = next + 7
w    = next + 23

count  = $40            ; all, outside, inside
latch  = $46            ; 0 or 2

.macro primitive name
.ifdef DIRECT
name:
.else
name:	.word * + 2
.endif
.endmacro

.macro colon name
.ifdef DIRECT
name:	jsr docol
.else
name:	.word docol
.endif
.endmacro

.ifdef DIRECT
HEAD = 3                ; bytes of a word before its body
.else
HEAD = 2
.endif

.org $0400
start:	cld
	ldx #next_end - next_code - 1
@copy:	lda next_code,x
	sta next,x
	dex
	bpl @copy
	ldx #$f0                ; the data stack: from ef down, low byte first
	lda #<$8000
	sta rp
	lda #>$8000
	sta rp + 1
	lda #<$7000             ; the other task begins on a stack of its own
	sta hold
	lda #>$7000
	sta hold + 1
	lda #<(w_other + HEAD)
	sta hold + 2
	lda #>(w_other + HEAD)
	sta hold + 3
	lda #<(w_main + HEAD)
	sta ip
	lda #>(w_main + HEAD)
	sta ip + 1
	jmp next

next_code:
	ldy #1
	lda (ip),y
	sta w + 1
	lda $ffff               ; the operand is ip
	sta w
	clc                     ; these three bytes are patched
	lda ip
	adc #2
	sta ip
	bcc @go
	inc ip + 1
@go:
.ifdef DIRECT
	jmp $ffff               ; the operand is w
.else
	.byte $6c, $ff, $ff
.endif
next_end:

; What the patch jumps to: counts, and goes on behind the patch.
hook:	inc count
	bne @row
	inc count + 1
@row:	lda ip + 1
	cmp #>w_quadruple
	bne @where
	lda ip
	cmp #<w_quadruple
@where:	bcc @charge             ; the system: the one charged last
	ldy #0
	lda ip
	cmp #<w_quadruple
	lda ip + 1
	sbc #>w_quadruple
	bcc @set
	lda ip
	cmp #<w_constant
	lda ip + 1
	sbc #>w_constant
	bcs @set
	ldy #2
@set:	sty latch
@charge:
	ldy latch
	lda count + 2,y
	clc
	adc #1
	sta count + 2,y
	bcc @done
	lda count + 3,y
	adc #0
	sta count + 3,y
@done:	ldy #1
	clc
	lda ip
	jmp next + 14

docol:
.ifdef DIRECT
	pla
	pla
.endif
	jsr push_ip
	clc
	lda w
	adc #HEAD
	sta ip
	lda w + 1
	adc #0
	sta ip + 1
	jmp next

; Called by what DOES> left in the defining word: the thread begins behind the call.
dodoes:	jsr push_ip
	pla
	clc
	adc #1
	sta ip
	pla
	adc #0
	sta ip + 1
.ifdef DIRECT
	pla
	pla
.endif
	clc
	lda w
	adc #HEAD
	pha
	lda w + 1
	adc #0
	dex
	dex
	sta 1,x
	pla
	sta 0,x
	jmp next

push_ip:
	lda rp
	sec
	sbc #2
	sta rp
	bcs @put
	dec rp + 1
@put:	ldy #0
	lda ip
	sta (rp),y
	iny
	lda ip + 1
	sta (rp),y
	rts

primitive code_exit
	ldy #0
	lda (rp),y
	sta ip
	iny
	lda (rp),y
	sta ip + 1
	jmp drop_r

; R> DROP
primitive code_forget
drop_r:	lda rp
	clc
	adc #2
	sta rp
	bcc @out
	inc rp + 1
@out:	jmp next

primitive code_lit
	dex
	dex
	ldy #0
	lda (ip),y
	sta 0,x
	iny
	lda (ip),y
	sta 1,x
	lda ip
	clc
	adc #2
	sta ip
	bcc @out
	inc ip + 1
@out:	jmp next

primitive code_dup
	dex
	dex
	lda 2,x
	sta 0,x
	lda 3,x
	sta 1,x
	jmp next

primitive code_drop
	inx
	inx
	jmp next

primitive code_plus
	clc
	lda 0,x
	adc 2,x
	sta 2,x
	lda 1,x
	adc 3,x
	sta 3,x
	inx
	inx
	jmp next

primitive code_fetch
	lda (0,x)
	pha
	inc 0,x
	bne @high
	inc 1,x
@high:	lda (0,x)
	sta 1,x
	pla
	sta 0,x
	jmp next

; While the counter on the stack isn't 0, takes one from it and goes on at the address in line.
primitive code_again
	lda 0,x
	beq @out
	dec 0,x
	ldy #0
	lda (ip),y
	sta scratch
	iny
	lda (ip),y
	sta ip + 1
	lda scratch
	sta ip
	jmp next
@out:	inx
	inx
	lda ip
	clc
	adc #2
	sta ip
	bcc @end
	inc ip + 1
@end:	jmp next

; No NEXT: the token is on the stack.
primitive code_execute
	lda 0,x
	sta w
	lda 1,x
	sta w + 1
	inx
	inx
	jmp w - 1

; The other task goes on.
primitive code_pause
	ldy #1
@swap:	lda rp,y
	pha
	lda hold,y
	sta rp,y
	pla
	sta hold,y
	lda ip,y
	pha
	lda hold + 2,y
	sta ip,y
	pla
	sta hold + 2,y
	dey
	bpl @swap
	jmp next

primitive code_patch
	lda #<hook
	sta next + 12
	lda #>hook
	sta next + 13
	lda #$4c
	sta next + 11
	jmp next

primitive code_unpatch
	lda #$18
	sta next + 11
	lda #$a5
	sta next + 12
	lda #ip
	sta next + 13
	jmp next

; A number in hexadecimal, and a space.
primitive code_print
	lda 1,x
	jsr byte
	lda 0,x
	jsr byte
	lda #' '
	sta putc
	inx
	inx
	jmp next

byte:	pha
	lsr
	lsr
	lsr
	lsr
	jsr digit
	pla
	and #15
digit:	cmp #10
	bcc @low
	adc #6
@low:	adc #'0'
	sta putc
	rts

primitive code_bye
	lda #10
	sta putc
@stop:	jmp @stop

; : 2*  dup + ;                 the last of the system
colon w_double
	.word code_dup, code_plus, code_exit

; : quadruple  2* 2* ;
colon w_quadruple
	.word w_double, w_double, code_exit

; : constant  create , does> @ ;
colon w_constant
	.word code_exit
does_fetch:
	jsr dodoes
	.word code_fetch, code_exit
w_thousand:
.ifdef DIRECT
	jsr does_fetch
.else
	.word does_fetch
.endif
	.word 1000

; : escape  r> drop ;           returns for its caller
colon w_escape
	.word code_forget, code_exit
; : caller  escape 1 2 3 ;
colon w_caller
	.word w_escape, code_lit, 1, code_exit

; : other  begin 5 2* drop pause again ;
colon w_other
@loop:	.word code_lit, 5, w_double, code_drop, code_pause, code_lit, 1, code_again, @loop
; : yields  pause 7 2* drop ;
colon w_yields
	.word code_pause, code_lit, 7, w_double, code_drop, code_exit

colon w_main
	.word code_lit, 3, w_quadruple, code_drop
	.word code_patch, code_lit, 9
@loop:	.word code_lit, 1, w_quadruple, w_thousand, code_plus, code_drop, code_again, @loop
	.word code_unpatch
	.word code_lit, 4, code_lit, w_quadruple, code_execute, code_drop
	.word w_caller, w_yields, w_yields
	.word code_lit, count, code_fetch, code_print, code_lit, count + 2, code_fetch, code_print
	.word code_lit, count + 4, code_fetch, code_print, code_bye
