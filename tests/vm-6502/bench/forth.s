; SPDX-License-Identifier: MIT
; forth: the inner loops of an indirect-threaded Forth: NEXT in zero page with IP inside it, a data stack in
; zero page by X, the return stack in page 1; words that count, add, fetch, store, branch and call each other.
; Ends like asm.s.
        .setcpu "6502"
        .include "header.inc"

next    = $40                   ; NEXT runs here
ip      = next+3                ; operand of the first LDA
ip2     = next+8                ; operand of the second
w       = $60

start:  cld
        ldx #$ff
        txs
        ldx #next_end - next_code - 1
@copy:  lda next_code,x
        sta next,x
        dex
        bpl @copy
        ldx #$e0
        lda #<program
        ldy #>program
        jmp set_ip

; The token at IP into W, IP two on, and jump through W.
next_code:
        ldy #1
        lda $ffff
        sta w
        lda $ffff,y
        sta w+1
        clc
        lda ip
        adc #2
        sta ip
        sta ip2
        bcs @carry
@go:    jmp (w)
@carry: inc ip+1
        inc ip2+1
        bne @go
next_end:

; IP two on, and NEXT: after a token that took the cell behind itself.
skip:   clc
        lda ip
        adc #2
        sta ip
        sta ip2
        bcs @carry
        jmp next
@carry: inc ip+1
        inc ip2+1
        jmp next

set_ip: sta ip
        sta ip2
        sty ip+1
        sty ip2+1
        jmp next

; A colon definition's code: JSR docol before its tokens gives their address.
docol:  lda ip+1
        sta w
        lda ip
        sta w+1
        pla
        tay
        pla
        sta ip+1
        sta ip2+1
        iny
        sty ip
        sty ip2
        bne @low
        inc ip+1
        inc ip2+1
@low:   lda w
        pha
        lda w+1
        pha
        jmp next

exit:   pla
        sta ip
        sta ip2
        pla
        sta ip+1
        sta ip2+1
        jmp next

lit:    lda ip
        sta w
        lda ip+1
        sta w+1
        ldy #0
        dex
        dex
        lda (w),y
        sta 0,x
        iny
        lda (w),y
        sta 1,x
        jmp skip

dup:    dex
        dex
        lda 2,x
        sta 0,x
        lda 3,x
        sta 1,x
        jmp next

drop:   inx
        inx
        jmp next

swap:   lda 0,x
        ldy 2,x
        sta 2,x
        sty 0,x
        lda 1,x
        ldy 3,x
        sta 3,x
        sty 1,x
        jmp next

plus:   clc
        lda 0,x
        adc 2,x
        sta 2,x
        lda 1,x
        adc 3,x
        sta 3,x
        inx
        inx
        jmp next

minus_one:
        lda 0,x
        bne @low
        dec 1,x
@low:   dec 0,x
        jmp next

fetch:  lda (0,x)
        tay
        inc 0,x
        bne @same
        inc 1,x
@same:  lda (0,x)
        sta 1,x
        sty 0,x
        jmp next

store:  lda 2,x
        sta (0,x)
        inc 0,x
        bne @same
        inc 1,x
@same:  lda 3,x
        sta (0,x)
        inx
        inx
        inx
        inx
        jmp next

; Takes a flag: back to the address that follows, unless it is 0.
until_zero:
        inx
        inx
        lda $fe,x
        ora $ff,x
        bne branch
        jmp skip
branch: lda ip
        sta w
        lda ip+1
        sta w+1
        ldy #1
        lda (w),y
        pha
        dey
        lda (w),y
        sta ip
        sta ip2
        pla
        sta ip+1
        sta ip2+1
        jmp next

bye:    lda #0
        jsr $fff9

double: jsr docol
        .word dup, plus, exit
count:  jsr docol               ; ( address -- ) adds 3 to the cell there
        .word dup, fetch, lit, 3, plus, swap, store, exit
turn:   jsr docol
        .word lit, $3000, count, lit, 21, double, double, drop, exit

program:
        .word lit, 50000
loop:   .word turn, turn, minus_one, dup, until_zero, loop
        .word drop, bye
