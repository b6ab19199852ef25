; SPDX-License-Identifier: MIT
; calls: a program that does little but call: four subroutines, one of them called by another, a call every 55 cycles.
; Ends like asm.s.
        .include "header.inc"

        lda #40
        sta count+2
next:   jsr sum
        jsr shift
        jsr twice
        dec count
        bne next
        dec count+1
        bne next
        dec count+2
        bne next
        jmp $fff9

; A and result: the sum of the first bytes of the table.
sum:    ldy #4
        lda #0
@more:  clc
        adc table,y
        dey
        bne @more
        sta result
        rts

; Shifts result+1 left by three bits.
shift:  lda result
        ldx #3
@more:  asl
        rol result+1
        dex
        bne @more
        rts

twice:  lda result
        eor result+1
        tax
        jsr sum
        inx
        stx result+1
        rts

table:  .byte 1, 2, 3, 4, 5
result: .word 0
count:  .res 3
