; SPDX-License-Identifier: MIT
;
; include: source files, the names of files that have been read, and the system's work from its start
; until the first line or program.
;
;	include-file	( fileid -- )
;	included	( addr u -- )
;	include	( "name" -- )
;	file-names	( -- addr )	variable: newest record of a file that was read
;	add-file	( addr u -- n )	the number of a source file, which it gets now if it has none
;	find-file	( addr u -- record | 0 )
;	file-name	( n -- addr u )	the name of a source file
;	refill	( -- flag )
;	quit	( -- ) ( R: … -- )
;	abort	( … -- ) ( R: … -- )
;	bye	( -- )
;	report-hook	( -- addr )	variable: xt ( n -- ) that prints the message of an uncaught THROW
;	start-hook	( -- addr )	variable: xt that a saved system starts with, or 0
;	greet-hook	( -- addr )	variable: xt that is run before the first line from a terminal, or 0
;	prompt-hook	( -- addr )	variable: xt that is run after a line from a terminal, or 0
;	start	( -- )	what COLD ends in
;	(main)	( -- )	does what the command line says, or else is interactive
;
; A record: link, number in a byte, counted name.

THIS_FILE	.set 12

cell		"report-hook", x_reporthook, v_reporthook, x_report
cell		"start-hook", x_starthook, v_starthook, 0
cell		"greet-hook", x_greethook, v_greethook, 0
cell		"prompt-hook", x_prompthook, v_prompthook, 0

fixed		"file-names", x_filenames, v_files

.macro		source_file number, name
previous	.set last_name
last_name	.set *
		.word previous
		.byte number, .strlen(name), name
.endmacro
last_name	.set 0
		source_file 1, "next.s"
		source_file 2, "stack.s"
		source_file 3, "number.s"
		source_file 4, "compare.s"
		source_file 5, "memory.s"
		source_file 6, "control.s"
		source_file 7, "text.s"
		source_file 8, "console.s"
		source_file 9, "exception.s"
		source_file 10, "dictionary.s"
		source_file 11, "interpret.s"
		source_file 12, "include.s"
		source_file 13, "multiply.s"
		source_file 14, "double.s"
		source_file 15, "divide.s"
file_names	= last_name


colon		"find-file", x_findfile
		.word x_filenames
@next:		.word x_fetch, x_dup, x_qbranch, @end
		.word x_tor, x_2dup, x_rfetch
		lit 3
		.word x_plus, x_count, x_compare, x_0equal, x_qbranch, @other
		.word x_2drop, x_rfrom, x_exit
@other:		.word x_rfrom, x_branch, @next
@end:		.word x_nip, x_nip, x_exit

colon		"add-file", x_addfile
		.word x_2dup, x_findfile, x_qdup, x_qbranch, @new
		.word x_nip, x_nip, x_2plus, x_cfetch, x_exit
@new:		.word x_here, x_filenames, x_fetch, x_dup, x_comma
		.word x_2plus, x_cfetch, x_1plus, x_dup, x_ccomma
		.word x_swap, x_filenames, x_store
		.word x_mrot, x_stringcomma, x_exit

colon		"file-name", x_filename
		.word x_filenames
@next:		.word x_fetch, x_dup, x_qbranch, @end
		.word x_2dup, x_2plus, x_cfetch, x_equal, x_qbranch, @next
		lit 3
		.word x_plus, x_nip, x_count, x_exit
@end:		.word x_exit

; How many files are nested; each has its own line buffer.
unnamed		x_files, dovar
v_nested:	.word 0

; ( -- ) closes the file that is the input source, if one is
unnamed		x_leavefile, docol
		.word x_sourceid, x_0greater, x_qbranch, @no
		.word x_sourceid, x_closefile, x_drop
		.word x_m1, x_files, x_plusstore
@no:		.word x_exit

; ( fileid n -- ) n: the number of its name
unnamed		x_includenumbered, docol
		.word x_files, x_fetch
		lit LINES_MAX-1
		.word x_greater
		lit -256
		.word x_qthrow
		.word x_nest
		.word x_sourcefile, x_store
		lit v_sourceid
		.word x_store
		.word x_1, x_files, x_plusstore
		.word x_sourceline, x_off, x_blk, x_off
		.word x_files, x_fetch
		lit 8
		.word x_lshift
		lit LINES_AT-256
		.word x_plus, x_0
		lit v_source
		.word x_2store
@line:		.word x_refill, x_qbranch, @end
		.word x_interpret, x_branch, @line
@end:		.word x_frames, x_fetch, x_1minus, x_unnest, x_exit

colon		"include-file", x_includefile
		.word x_0, x_includenumbered, x_exit

colon		"included", x_included
		.word x_2dup, x_ro, x_openfile, x_qdup, x_qbranch, @opened
		.word x_nip, x_mrot, x_token, x_2store, x_throw
@opened:	.word x_mrot, x_addfile, x_includenumbered, x_exit

colon		"include", x_include
		.word x_nextname, x_included, x_exit

colon		"refill", x_refill
		.word x_0, x_0, x_token, x_2store
		.word x_sourceid, x_qdup, x_qbranch, @console
		.word x_0greater, x_qbranch, @none
		.word x_toin, x_off
		.word x_sourceid, x_fileposition, x_drop
		lit v_position
		.word x_2store
		lit v_source+2
		.word x_fetch
		lit LINE_MAX
		.word x_sourceid, x_readline, x_throw
		.word x_dup, x_negate, x_sourceline, x_plusstore
		.word x_over
		lit LINE_MAX
		.word x_equal
		lit -257
		.word x_qthrow
		.word x_swap
		lit v_source
		.word x_store, x_exit
@console:	.word x_toin, x_off
		lit TIB_AT
		.word x_dup
		lit LINE_MAX
		.word x_accept1, x_mrot
		lit v_source
		.word x_2store
		.word x_exit
@none:		.word x_false, x_exit

; ( -- ) the console becomes the input source, all others are closed
unnamed		x_console, docol
		.word x_0, x_unnest, x_leavefile
		.word x_blk, x_off, x_toin, x_off, x_sourceline, x_off, x_sourcefile, x_off
		lit TIB_AT
		.word x_0
		lit v_source
		.word x_2store
		.word x_0
		lit v_sourceid
		.word x_store, x_exit

; ( -- flag ) whether input is a terminal
unnamed		x_ttyq, docol
		lit FORTH_CON
		.word x_cfetch
		lit FORTH_CON_TTY
		.word x_and, x_exit

; ( -- ) one line of the console
unnamed		x_line, docol
		.word x_refill, x_0equal, x_qbranch, @go
		.word x_bye
@go:		.word x_interpret
		.word x_ttyq, x_qbranch, @end
		.word x_prompthook, x_fetchexecute
@end:		.word x_exit

; ( n -- ) to stderr
unnamed		x_tell, docol
		lit 5
		.word x_outdevstore, x_reporthook, x_fetchexecute
		.word x_0, x_outdevstore, x_exit

; ( n -- ) ends the run, unless a person can try again
unnamed		x_failed, docol
		.word x_tell
		.word x_ttyq, x_0equal, x_qbranch, @stay
		.word x_1, x_bye1
@stay:		.word x_exit

colon		"quit", x_quit
		lit $ff
		.word x_rpstore
		.word x_0, x_lpstore
		.word x_handler, x_off, x_state, x_off
		.word x_0, x_outdevstore
		.word x_console
@line:		lit x_line
		.word x_catch, x_qdup, x_qbranch, @line
		.word x_failed
		lit SP0
		.word x_spstore, x_branch, x_quit+2

colon		"abort", x_abort
		.word x_m1, x_throw, x_exit

colon		"bye", x_bye
		.word x_0, x_bye1, x_exit

; The number of the next argument. It is not on a stack, since programs may clear the stacks.
unnamed		x_argumentnumber, dovar
		.word 0

; ( -- ) all that the command line asks for
unnamed		x_arguments, docol
		.word x_argumentnumber, x_off
@next:		.word x_argumentnumber, x_fetch
		lit FORTH_POS
		.word x_store, x_0
		lit FORTH_POS+2
		.word x_store
		lit PAD_AT
		lit LINE_MAX
		.word x_namestore
		lit FORTH_ARG
		.word x_host, x_drop
		lit FORTH_FLAG
		.word x_cfetch
		.word x_dup
		lit FORTH_ARG_FILE
		.word x_equal, x_qbranch, @text
		.word x_drop, x_argument, x_included, x_branch, @next
@text:		lit FORTH_ARG_TEXT
		.word x_equal, x_qbranch, @none
		.word x_argument, x_evaluate, x_branch, @next
@none:		.word x_argumentnumber, x_fetch, x_qbranch, @idle
		.word x_state, x_fetch, x_qbranch, @bye
		.word x_latest, x_fetch, x_qdup, x_qbranch, @open
		.word x_nametostring, x_token, x_2store
@open:		lit -261
		.word x_throw
@bye:		.word x_bye
@idle:		.word x_exit

; ( -- addr u ) the argument just read, where nothing overwrites it; counts it as done
unnamed		x_argument, docol
		.word x_1, x_argumentnumber, x_plusstore
		lit PAD_AT
		.word x_here
		lit FORTH_LEN
		.word x_fetch
		lit LINE_MAX
		.word x_min
		.word x_dup, x_allot
		.word x_2dup, x_2tor, x_move, x_2rfrom, x_exit

colon		"(main)", x_main
		lit x_arguments
		.word x_catch, x_qdup, x_qbranch, @ready
		.word x_tell, x_1, x_bye1
@ready:		.word x_ttyq, x_qbranch, @quit
		.word x_greethook, x_fetchexecute
@quit:		.word x_quit, x_exit

colon		"start", x_start
		.word x_0, x_0, x_token, x_2store
		.word x_handler, x_off, x_state, x_off
		.word x_0, x_frames, x_store, x_0, x_files, x_store
		.word x_0
		lit v_sourceid
		.word x_store
		.word x_console
		.word x_starthook, x_fetchexecute
		.word x_main, x_exit

; ( n -- ) the report of a kernel that has nothing loaded: file line word code, in hexadecimal
unnamed		x_report, docol
		.word x_errfile, x_fetch, x_filename, x_type, x_space
		.word x_errline, x_fetch, x_hex, x_errword, x_count, x_type, x_space
		.word x_hex, x_cr, x_exit

; ( u -- )
unnamed		x_hex, *+2
		lda 1,x
		jsr @byte
		lda 0,x
		jsr @byte
		lda #' '
		sta FORTH_ERR
		jmp drop
@byte:		pha
		lsr a
		lsr a
		lsr a
		lsr a
		jsr @digit
		pla
		and #$0f
@digit:		cmp #10
		bcc @low
		adc #6
@low:		adc #'0'
		sta FORTH_ERR
		rts
