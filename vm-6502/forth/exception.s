; SPDX-License-Identifier: MIT
;
; exception: CATCH and THROW. A frame restores both stacks, LP and the input source. THROW notes where
; it was called (word, file, line; the host notes the line's text and the return stack), because when
; the message is printed, the input sources have been closed.
;
;	catch	( … xt -- … 0 | … n )
;	throw	( … n -- … | … n )	nothing when n is 0
;	?throw	( flag n -- )	THROW n when flag is not 0
;	handler	( -- addr )	variable: return stack at the newest CATCH
;	err-file	( -- addr )	variable: source file of the last THROW, as in headers
;	err-line	( -- addr )	variable
;	err-frames	( -- addr )	variable: how many input sources waited then
;	err-word	( -- addr )	counted string: the word that was being interpreted
;	err-text	( -- addr )	variable: address and length of ABORT"'s message
;	lp@	( -- x )
;	lp!	( x -- )

THIS_FILE	.set 9

cell		"handler", x_handler, v_handler, 0
cell		"err-file", x_errfile, v_errfile, 0
cell		"err-line", x_errline, v_errline, 0
cell		"err-frames", x_errframes, v_errframes, 0
cell		"err-text", x_errtext, v_errtext, 0
		.word 0
cell		"err-word", x_errword, v_errword, 0
		.res NAME_MAX+1

code		"lp@", x_lpfetch
		lda LP
		jmp push_a

code		"lp!", x_lpstore
		lda 0,x
		sta LP
		jmp drop

colon		"catch", x_catch
		.word x_lpfetch, x_tor
		.word x_toin, x_fetch, x_tor
		.word x_frames, x_fetch, x_tor
		.word x_spfetch, x_tor
		.word x_handler, x_fetch, x_tor
		.word x_rpfetch, x_handler, x_store
		.word x_execute
		.word x_rfrom, x_handler, x_store
		.word x_rdrop, x_rdrop, x_rdrop, x_rdrop
		.word x_0, x_exit

colon		"throw", x_throw
		.word x_qdup, x_qbranch, @none
		.word x_mark, x_throwmarked
@none:		.word x_exit

; ( -- ) the host notes where the program is, for the report
unnamed		x_mark, *+2
		stx XSAVE
		tsx
		stx FORTH_MARK
		ldx XSAVE
		jmp next

; ( … n -- … n ) the rest of THROW; n is not 0
unnamed		x_throwmarked, docol
		.word x_note
		.word x_handler, x_fetch, x_qdup, x_qbranch, @uncaught
		.word x_rpstore
		.word x_rfrom, x_handler, x_store
		.word x_rfrom, x_swap, x_tor, x_spstore, x_drop, x_rfrom
		.word x_rfrom, x_unnest
		.word x_rfrom, x_toin, x_store
		.word x_rfrom, x_lpstore, x_exit
@uncaught:	.word x_failed, x_quit

colon		"?throw", x_qthrow
		.word x_swap, x_qbranch, @none
		.word x_throw
@none:		.word x_drop, x_exit

; ( -- ) where THROW was called
unnamed		x_note, docol
		.word x_sourcefile, x_fetch, x_errfile, x_store
		.word x_sourceline, x_fetch, x_errline, x_store
		.word x_frames, x_fetch, x_errframes, x_store
		.word x_token, x_2fetch
		.word x_2dup
		lit FORTH_LEN2
		.word x_store
		lit FORTH_ADDR2
		.word x_store
		.word x_source, x_namestore
		lit FORTH_SOURCE
		.word x_host, x_drop
		lit NAME_MAX
		.word x_min, x_errword, x_place, x_exit
