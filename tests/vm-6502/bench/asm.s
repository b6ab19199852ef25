; SPDX-License-Identifier: MIT
; asm: what assembly programs do all day: a sieve, a CRC, multiplications, an insertion sort, a copy.
; Ends with JSR $FFF9, where sim65 and the benchmark's stop address are.
        .setcpu "6502"
        .include "header.inc"

pointer   = $10
from      = $12
count     = $14
crc       = $16
product   = $18
factor    = $1a
rounds    = $1c                 ; two bytes
flags     = $2000               ; sieve: 2,048 bytes
table     = $3000               ; sort: 128 bytes
target    = $4000               ; copy: 4 KiB

start:  ldx #$ff
        txs
        cld
        lda #0
        sta rounds
        lda #3                  ; 3 x 256 rounds
        sta rounds+1
again:  jsr sieve
        jsr checksum
        jsr multiply
        jsr sort
        jsr copy
        dec rounds
        bne again
        dec rounds+1
        bne again
        lda #0
        jsr $fff9

; Odd numbers up to 4,096.
sieve:  lda #>flags
        sta pointer+1
        ldy #0
        sty pointer
        ldx #8
        lda #1
@fill:  sta (pointer),y
        iny
        bne @fill
        inc pointer+1
        dex
        bne @fill
        lda #3                  ; the number
        sta count
@next:  lda count
        lsr a
        tay
        lda flags,y
        beq @skip
        lda count               ; strike from its square, here from 3 times itself
        asl a
        adc count
        lsr a
        sta pointer
        lda #>flags
        sta pointer+1
        ldy #0
@strike:
        tya
        sta (pointer),y
        clc
        lda pointer
        adc count
        sta pointer
        bcc @strike
        inc pointer+1
        lda pointer+1
        cmp #>flags+8
        bcc @strike
@skip:  inc count
        inc count
        lda count
        cmp #63
        bcc @next
        rts

; CRC-16/XMODEM of 512 bytes.
checksum:
        lda #>flags
        sta pointer+1
        lda #0
        sta pointer
        sta crc
        sta crc+1
        ldx #2
        ldy #0
@byte:  lda (pointer),y
        eor crc+1
        sta crc+1
        stx count
        ldx #8
@bit:   asl crc
        rol crc+1
        bcc @no
        lda crc
        eor #$21
        sta crc
        lda crc+1
        eor #$10
        sta crc+1
@no:    dex
        bne @bit
        ldx count
        iny
        bne @byte
        inc pointer+1
        dex
        bne @byte
        rts

; 256 products of 8 by 8 bits.
multiply:
        ldy #0
@next:  sty factor
        tya
        eor #$5a
        sta factor+1
        lda #0
        ldx #8
        lsr factor
@bit:   bcc @no
        clc
        adc factor+1
@no:    ror a
        ror factor
        dex
        bne @bit
        sta product+1
        iny
        bne @next
        rts

; Insertion sort of 128 bytes that come in a mixed-up order.
sort:   ldx #127
        lda #17
@fill:  sta table,x
        asl a
        bcc @keep
        eor #$1d
@keep:  dex
        bpl @fill
        ldx #1
@next:  lda table,x
        sta count
        stx from
        dex
@shift: lda table,x
        cmp count
        bcc @place
        beq @place
        sta table+1,x
        dex
        bpl @shift
@place: lda count
        sta table+1,x
        ldx from
        inx
        cpx #128
        bcc @next
        rts

; 4 KiB.
copy:   lda #>flags
        sta from+1
        lda #>target
        sta pointer+1
        ldy #0
        sty from
        sty pointer
        ldx #16
@page:  lda (from),y
        sta (pointer),y
        iny
        lda (from),y
        sta (pointer),y
        iny
        bne @page
        inc from+1
        inc pointer+1
        dex
        bne @page
        rts
