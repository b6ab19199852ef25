; SPDX-License-Identifier: MIT
; cmos: what the 65C02 has and the 6502 lacks, and what it does differently, on values that step
; through all of their bits; A, X, Y, P and memory after each go into a checksum. sim65 and vm-6502
; run it: their checksums (as exit status) and their cycles agree. Left out is what sim65 2.19 lacks
; (RMB, SMB, BBR, BBS, WAI, STP) and what it does unlike the data sheet (BIT # leaves N and V alone,
; JMP (abs) takes 6 cycles, shifts of abs,X one more across a page; SBC in decimal mode, ROL abs,X).
        .setcpu "65C02"
        .include "header.inc"

pointer = $10
value   = $12
sum     = $14
other   = $16
data    = $2000

start:  sei
        cld
        ldx #$ff
        txs
        lda #<data
        sta pointer
        lda #>data
        sta pointer+1
        stz sum
        stz sum+1
        stz value
        stz other
round:  lda other
        clc
        adc #37
        sta other
        ldx #3
        ldy #5
        sta data
        lda value               ; (zp)
        sta (pointer)
        jsr note
        ora (pointer)
        jsr note
        and (pointer)
        jsr note
        eor other
        eor (pointer)
        jsr note
        adc (pointer)
        jsr note
        sbc (pointer)
        jsr note
        cmp (pointer)
        jsr note
        lda (pointer)
        jsr note
        inc a
        jsr note
        dec a
        dec a
        jsr note
        lda other               ; TSB, TRB
        tsb value
        jsr note
        trb value
        jsr note
        stx data+1
        tsb data+1
        jsr note
        trb data+1
        lda data+1
        jsr note
        lda other               ; BIT
        bit other-3,x
        jsr note
        bit data-3,x
        jsr note
        phx                     ; stack
        phy
        plx
        ply
        jsr note
        ldx other
        ldy value
        phx
        ply
        jsr note
        stz data,x
        stz other-3
        ldx #2
        stz data+$20,x
        lda data+$22
        jsr note
        bra over
        inc value
over:   ldx #2
        jmp (table,x)
        inc value
there:  jsr note
        bra again
        inc value
again:  sed                     ; decimal, with right flags
        lda value
        and #$77
        sta data
        lda other
        and #$77
        clc
        adc data
        jsr note
        cld
        lda value
        asl data,x
        jsr note
        lsr data,x
        jsr note
        ror data,x
        jsr note
        inc count
        beq done
        lda value
        adc #91
        sta value
        jmp round
done:   lda sum
        eor sum+1
        jsr $fff9

count:  .byte 0
table:  .word 0, there

; A, X, Y, P and value into the sum. Keeps all of them.
note:   php
        pha
        phx
        phy
        clc
        adc sum
        adc value
        sta sum
        txa
        eor sum+1
        rol a
        adc sum
        sta sum+1
        tya
        adc sum+1
        rol sum
        sta sum+1
        ply
        plx
        pla
        plp
        php
        pha
        php
        pla
        and #$cf                ; (bits 4 and 5 mean nothing)
        eor sum
        sta sum
        pla
        plp
        rts
