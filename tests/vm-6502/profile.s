; SPDX-License-Identifier: MIT
; profile: a program whose true profile is known by counting: calls, recursion, an RTS used as a jump, a return
; address thrown away, an interrupt. Runs on the forth machine.
        .include "forth-machine.inc"

        .segment "HEADER"
        .byte "vm65"
        .word $0200, main

        .code
main:   lda #<handler
        sta $fffe
        lda #>handler
        sta $ffff
        lda #99                 ; an IRQ after 100 cycles, once
        sta FORTH_TA
        lda #0
        sta FORTH_TA+1
        lda #$81
        sta FORTH_ICR
        lda #$09
        sta FORTH_CRA
        cli
        ldx #10
@again: jsr leaf
        jsr twice
        dex
        bne @again
        lda #4
        jsr down
        jsr by_rts
        jsr escape
        lda #0
        sta FORTH_EXIT

leaf:   nop
        rts

twice:  jsr leaf
        jsr leaf
        rts

down:   sec                     ; calls itself A times
        sbc #1
        beq @end
        jsr down
@end:   rts

by_rts: lda #>(leaf - 1)        ; jumps to leaf, which returns for it
        pha
        lda #<(leaf - 1)
        pha
        rts

escape: jsr deep                ; deep returns to main in its place
        brk

deep:   pla
        pla
        rts

handler:
        pha
        lda FORTH_ICR
        pla
        rti
