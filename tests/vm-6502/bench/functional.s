; SPDX-License-Identifier: MIT
; functional: what a functional test does: every kind of instruction and addressing mode in turn, flags saved
; and compared, subroutines and the stack all the time, decimal mode. Ends like asm.s.
        .setcpu "6502"
        .include "header.inc"

zp      = $10
ptr     = $20
rounds  = $30
data    = $2000

start:  cld
        ldx #$ff
        txs
        lda #0
        sta ptr
        sta rounds
        lda #30                 ; 30 x 256 rounds
        sta rounds+1
        lda #>data
        sta ptr+1
again:  ldx #0
@value: jsr logic
        jsr arithmetic
        jsr shifts
        jsr stack
        jsr indexed
        jsr decimal
        inx
        inx
        bne @value
        dec rounds
        bne again
        dec rounds+1
        bne again
        lda #0
        jsr $fff9

logic:  txa
        sta zp
        eor #$ff
        and #$0f
        ora zp
        sta zp+1
        bit zp
        bmi @minus
        bvc @done
        clv
@minus: bpl @done
        sec
@done:  cmp zp
        beq @same
        bcs @same
        nop
@same:  rts

arithmetic:
        clc
        txa
        adc #$55
        php
        pla
        sta zp+2
        sec
        sbc zp
        sta data
        adc data
        inc zp+2
        dec data
        ldy zp+2
        cpy #$30
        bne @a
        iny
@a:     cpx zp
        beq @b
        dey
@b:     tya
        rts

shifts: txa
        sta zp+3
        asl a
        rol zp+3
        lsr a
        ror zp+3
        lsr zp+3
        asl data
        asl data,x              ; (sim65 2.19 gets ROL abs,X wrong)
        ror data,x
        rts

stack:  txa
        pha
        php
        lda #$41
        pha
        plp
        bvc @bad
        plp
        pla
        tsx
        txa
        tay
        ldx zp
        jmp (@vector)
@bad:   jmp @bad
@back:  rts
@vector:
        .word @back

indexed:
        ldy #$80
        lda data,y
        sta data+$80,x
        lda (ptr),y
        sta (ptr),y
        stx zp+4
        lda zp,y
        ldx #ptr-2
        lda (2,x)
        sta (2,x)
        ldx zp+4
        sty data+1
        ldy data+1
        lda data+$f0,x
        rts

decimal:
        sed
        clc
        lda #$19
        adc #$28
        sec
        sbc #$09
        cld
        cmp #$38
        bne @bad
        rts
@bad:   jmp @bad
