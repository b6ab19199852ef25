; SPDX-License-Identifier: MIT
; files: every host operation of the forth machine once. Prints a line for each: its name, the ior in
; hexadecimal, and what came out.
        .include "forth-machine.inc"

        .segment "HEADER"
        .byte "vm65"
        .word $0200, main

buffer  = $3000

.macro set16 reg, value
        lda #<(value)
        sta reg
        lda #>(value)
        sta reg+1
.endmacro

.macro name text
        .local there, behind
        set16 FORTH_ADDR, there
        set16 FORTH_LEN, behind-there
        jmp behind
there:  .byte text
behind:
.endmacro

; Prints text, carries out the operation, prints the ior.
.macro do text, operation
        .local there, behind
        ldx #0
:       lda there,x
        beq behind
        sta FORTH_OUT
        inx
        bne :-
there:  .byte text, ' ', 0
behind: lda #operation
        sta FORTH_OP
        jsr print_ior
.endmacro

        .code
main:   name "new.txt"
        lda #FORTH_FAM_READ | FORTH_FAM_WRITE
        sta FORTH_FAM
        do "create", FORTH_CREATE
        set16 FORTH_ADDR, lines
        set16 FORTH_LEN, lines_end - lines
        do "write", FORTH_WRITE
        do "flush", FORTH_FLUSH
        do "position", FORTH_FILE_POSITION
        jsr print_pos
        do "size", FORTH_FILE_SIZE
        jsr print_pos
        set16 FORTH_POS, 0
        do "reposition", FORTH_REPOSITION
        set16 FORTH_ADDR, buffer
        ldy #4
each_line: set16 FORTH_LEN, 5
        do "line", FORTH_READ_LINE
        lda FORTH_FLAG
        jsr print_hex
        jsr print_buffer
        dey
        beq read
        jmp each_line
read:  set16 FORTH_POS, 1
        do "reposition", FORTH_REPOSITION
        set16 FORTH_LEN, 3
        do "read", FORTH_READ
        jsr print_buffer
        set16 FORTH_POS, 4
        do "resize", FORTH_RESIZE
        do "close", FORTH_CLOSE
        do "close again", FORTH_CLOSE
        name "new.txt"
        do "status", FORTH_STATUS
        jsr print_pos
        set16 FORTH_ADDR2, other
        set16 FORTH_LEN2, 9
        do "rename", FORTH_RENAME
        do "status", FORTH_STATUS
        name "other.txt"
        do "delete", FORTH_DELETE
        do "delete again", FORTH_DELETE
        set16 FORTH_ADDR, buffer
        set16 FORTH_LEN, 40
        do "error", FORTH_ERROR
        jsr print_buffer
        lda #FORTH_FAM_READ
        sta FORTH_FAM
        name "../secret"
        do "outside", FORTH_OPEN
        name "/etc/passwd"
        do "absolute", FORTH_OPEN
        name "link"
        do "link", FORTH_OPEN
        name "../secret"
        do "create outside", FORTH_CREATE
        do "delete outside", FORTH_DELETE
        name "included"
        do "included", FORTH_OPEN
        lda #FORTH_FAM_READ | FORTH_FAM_WRITE
        sta FORTH_FAM
        do "not to write", FORTH_OPEN
        set16 FORTH_ADDR, $fdff
        set16 FORTH_LEN, 2
        do "devices", FORTH_READ
        do "unknown", 99
        do "profiler", 128
        set16 FORTH_ADDR, buffer
        ldy #0
each_arg:  sty FORTH_POS
        set16 FORTH_LEN, 40
        do "argument", FORTH_ARG
        lda FORTH_FLAG
        jsr print_hex
        jsr print_buffer
        iny
        cpy #4
        beq accept
        jmp each_arg
accept:
        set16 FORTH_LEN, 40
        do "accept", FORTH_ACCEPT
        jsr print_buffer
        lda FORTH_IN
        sta FORTH_OUT
        lda FORTH_IN
        sta FORTH_OUT
        lda FORTH_IN
        jsr print_hex
        lda FORTH_CON
        jsr print_hex
        do "accept", FORTH_ACCEPT
        lda FORTH_FLAG
        jsr print_hex
        jsr newline
        lda #'!'
        sta FORTH_ERR
        lda #7
        sta FORTH_EXIT

print_ior:
        lda FORTH_IOR+1
        jsr print_hex2
        lda FORTH_IOR
        jsr print_hex2
newline:
        lda #10
        sta FORTH_OUT
        rts

print_pos:
        lda FORTH_POS+1
        jsr print_hex2
        lda FORTH_POS
        jsr print_hex2
        jmp newline

print_hex:
        jsr print_hex2
        lda #' '
        sta FORTH_OUT
        rts

print_hex2:
        pha
        lsr a
        lsr a
        lsr a
        lsr a
        jsr @digit
        pla
        and #$0f
@digit: cmp #10
        bcc @low
        adc #'a' - '0' - 10 - 1
@low:   adc #'0'
        sta FORTH_OUT
        rts

print_buffer:
        ldx #0
@next:  cpx FORTH_LEN
        beq newline
        lda buffer,x
        sta FORTH_OUT
        inx
        bne @next
        rts

lines:  .byte "ab", 10, "cd", 13, 10, "long one"
lines_end:
other:  .byte "other.txt"
