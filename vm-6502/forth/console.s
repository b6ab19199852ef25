; SPDX-License-Identifier: MIT
;
; console: characters in and out, and the way to the host's operations (forth-machine.h). OUTDEV
; says where output goes: 0 stdout, 5 stderr, 80 + n the open file n.
;
;	emit	( char -- )
;	type	( addr u -- )
;	cr	( -- )
;	space	( -- )
;	key	( -- char )
;	key?	( -- flag )
;	accept	( addr +n1 -- +n2 )
;	(accept)	( addr +n1 -- +n2 flag )	flag: not the end of the input
;	outdev!	( x -- )	where EMIT and TYPE write to
;	outdev@	( -- x )
;	host	( op -- ior )	does an operation with what is in the device page
;	(bye)	( n -- )	leaves with exit status n
;	open-file	( addr u fam -- fileid ior )
;	close-file	( fileid -- ior )
;	read-line	( addr u1 fileid -- u2 flag ior )
;	file-position	( fileid -- ud ior )
;	r/o	( -- fam )
;	file!	( addr u fileid -- )	readies a host operation
;	name!	( addr u -- )	readies a host operation

THIS_FILE	.set 8

code		"emit", x_emit
		lda 0,x
		ldy OUTDEV
		bmi @file
		sta FORTH_OUT,y
		jmp drop
; The stack's own byte is written, a cell being low byte first.
@file:		stx FORTH_ADDR
		lda #0
		sta FORTH_ADDR+1
		sta FORTH_LEN+1
		lda #1
		sta FORTH_LEN
		jsr to_file
		jmp drop

to_file:	tya
		and #$7f
		sta FORTH_FILE
		lda #FORTH_WRITE
		sta FORTH_OP
		rts

code		"type", x_type
		ldy OUTDEV
		bmi @file
@byte:		lda 0,x
		ora 1,x
		beq @done
		lda (2,x)
		sta FORTH_OUT,y
		jsr step
		jmp @byte
@file:		lda 0,x
		sta FORTH_LEN
		lda 1,x
		sta FORTH_LEN+1
		lda 2,x
		sta FORTH_ADDR
		lda 3,x
		sta FORTH_ADDR+1
		jsr to_file
@done:		jmp drop2

colon		"cr", x_cr
		lit 10
		.word x_emit, x_exit

colon		"space", x_space
		.word x_bl, x_emit, x_exit

code		"key", x_key
		lda FORTH_IN
		jmp push_a

code		"key?", x_keyq
		lda FORTH_CON
		asl a
		lda #0
		adc #$ff
		eor #$ff
		dex
		dex
		sta 0,x
		sta 1,x
		jmp next

code		"host", x_host
		lda 0,x
		sta FORTH_OP
		lda FORTH_IOR
		sta 0,x
		lda FORTH_IOR+1
		sta 1,x
		jmp next

code		"outdev!", x_outdevstore
		lda 0,x
		sta OUTDEV
		jmp drop

code		"outdev@", x_outdevfetch
		lda OUTDEV
		jmp push_a

code		"(bye)", x_bye1
		lda 0,x
		sta FORTH_EXIT
		jmp drop

colon		"name!", x_namestore
		lit FORTH_LEN
		.word x_store
		lit FORTH_ADDR
		.word x_store, x_exit

colon		"file!", x_filestore
		lit FORTH_FILE
		.word x_cstore, x_namestore, x_exit

colon		"(accept)", x_accept1
		.word x_namestore
		lit FORTH_ACCEPT
		.word x_host, x_drop
		lit FORTH_LEN
		.word x_fetch
		lit FORTH_FLAG
		.word x_cfetch, x_0notequal, x_exit

colon		"accept", x_accept
		.word x_accept1, x_drop, x_exit

fixed		"r/o", x_ro, FORTH_FAM_READ

colon		"open-file", x_openfile
		lit FORTH_FAM
		.word x_cstore, x_namestore
		lit FORTH_OPEN
		.word x_host
		lit FORTH_FILE
		.word x_cfetch, x_swap, x_exit

colon		"close-file", x_closefile
		lit FORTH_FILE
		.word x_cstore
		lit FORTH_CLOSE
		.word x_host, x_exit

colon		"read-line", x_readline
		.word x_filestore
		lit FORTH_READ_LINE
		.word x_host
		lit FORTH_LEN
		.word x_fetch
		lit FORTH_FLAG
		.word x_cfetch, x_0notequal, x_rot, x_exit

colon		"file-position", x_fileposition
		lit FORTH_FILE
		.word x_cstore
		lit FORTH_FILE_POSITION
		.word x_host, x_tor
		lit FORTH_POS
		.word x_fetch
		lit FORTH_POS+2
		.word x_fetch, x_rfrom, x_exit
