; SPDX-License-Identifier: MIT
;
; interpret: the input source and the text interpreter.
;
; Where text comes from is nine cells, in this order: length, address, >IN, SOURCE-ID, line, file, BLK,
; and the file position of the line. Nesting copies them to FRAMES_AT and back.
;
;	source	( -- addr u )
;	>in	( -- addr )	variable
;	source-id	( -- n )	0 the console, -1 a string, else a fileid
;	source-line	( -- addr )	variable: number of the line, from 1
;	source-file	( -- addr )	variable: number of the file, 0 for none
;	blk	( -- addr )	variable
;	(source)	( -- addr )	the nine cells
;	frames	( -- addr )	variable: how many input sources wait
;	nest	( -- )	saves the input source
;	unnest	( n -- )	restores the one saved when n waited, and closes files
;	token	( -- addr )	variable: address and length of the word being interpreted
;	base	( -- addr )	variable
;	parse	( char "text" -- addr u )
;	parse-name	( "name" -- addr u )
;	>number	( ud addr u -- ud' addr' u' )
;	number?	( addr u -- n 1 | d 2 | 0 )
;	local-hook	( -- addr )	variable: xt ( addr u -- addr u false | true ) or 0, asked first while compiling
;	number-hook	( -- addr )	variable: xt ( addr u -- flag ) or 0, asked about what is neither a word nor a number
;	cut-hook	( -- addr )	variable: xt ( -- ) or 0, told of a number that was too large, and has been cut
;	interpret	( -- )	the rest of the input source
;	evaluate	( addr u -- )
;	\	( "text" -- )
;	(	( "text" -- )

THIS_FILE	.set 11

header_source_cells:
code		"(source)", x_sourcecells
		lda #<v_source
		ldy #>v_source
push_ya:	dex
		dex
		sta 0,x
		sty 1,x
		jmp next

v_source:	.word 0
		.word TIB_AT
v_in:		.word 0
v_sourceid:	.word 0
v_line:		.word 0
v_file:		.word 0
v_blk:		.word 0
v_position:	.word 0, 0

fixed		">in", x_toin, v_in
fixed		"blk", x_blk, v_blk
fixed		"source-line", x_sourceline, v_line
fixed		"source-file", x_sourcefile, v_file
cell		"frames", x_frames, v_frames, 0
cell		"token", x_token, v_token, 0
		.word 0
cell		"base", x_base, v_base, 10
cell		"local-hook", x_localhook, v_localhook, 0
cell		"number-hook", x_numberhook, v_numberhook, 0
cell		"cut-hook", x_cuthook, v_cuthook, 0

code		"source", x_source
		dex
		dex
		dex
		dex
		lda v_source
		sta 0,x
		lda v_source+1
		sta 1,x
		lda v_source+2
		sta 2,x
		lda v_source+3
		sta 3,x
		jmp next

colon		"source-id", x_sourceid
		lit v_sourceid
		.word x_fetch, x_exit

; ( n -- addr )
unnamed		x_frame, docol
		lit FRAME_SIZE
		.word x_star
		lit FRAMES_AT
		.word x_plus, x_exit

colon		"nest", x_nest
		.word x_frames, x_fetch, x_dup
		lit FRAMES_MAX-1
		.word x_greater
		lit -256
		.word x_qthrow
		.word x_sourcecells, x_swap, x_frame
		lit FRAME_SIZE
		.word x_move
		.word x_1, x_frames, x_plusstore, x_exit

colon		"unnest", x_unnest
		.word x_tor
@again:		.word x_frames, x_fetch, x_rfetch, x_greater, x_qbranch, @done
		.word x_leavefile
		.word x_m1, x_frames, x_plusstore
		.word x_frames, x_fetch, x_frame, x_sourcecells
		lit FRAME_SIZE
		.word x_move, x_branch, @again
@done:		.word x_rdrop, x_exit

; ( start addr u -- start u' ) the parsed area, up to addr; >IN goes past the delimiter there
unnamed		x_parsed, docol
		.word x_0notequal, x_negate, x_over, x_plus
		.word x_source, x_drop, x_minus, x_toin, x_store
		.word x_over, x_minus, x_exit

; ( -- addr u ) the rest of the input
unnamed		x_rest, docol
		.word x_source, x_toin, x_fetch, x_over, x_min, x_slashstring, x_exit

colon		"parse", x_parse
		.word x_tor, x_rest, x_over, x_swap, x_rfrom, x_scan, x_parsed, x_exit

colon		"parse-name", x_parsename
		.word x_rest, x_bl, x_skip
		.word x_over, x_swap, x_bl, x_scan, x_parsed, x_exit

; Whether the number read last has more bits than there is room for.
unnamed		x_cutoff, dovar
		.word 0

; ( flag -- )
unnamed		x_cut, docol
		.word x_cutoff, x_fetch, x_or, x_cutoff, x_store, x_exit

colon		">number", x_tonumber
@next:		.word x_dup, x_qbranch, @end
		.word x_over, x_cfetch, x_base, x_fetch, x_digit, x_qbranch, @end
		.word x_mrot, x_2tor
		.word x_swap, x_base, x_fetch, x_umstar, x_cut
		.word x_rot, x_base, x_fetch, x_umstar
		.word x_2over, x_dplus, x_2swap, x_2over, x_2swap, x_duless, x_cut
		.word x_2rfrom, x_1, x_slashstring, x_branch, @next
@end:		.word x_exit

; ( addr u -- addr u false | n true ) 'c'
unnamed		x_charq, docol
		.word x_dup
		lit 3
		.word x_equal, x_qbranch, @no
		.word x_over, x_cfetch
		lit '''
		.word x_equal, x_qbranch, @no
		.word x_over, x_2plus, x_cfetch
		lit '''
		.word x_equal, x_qbranch, @no
		.word x_drop, x_1plus, x_cfetch, x_true, x_exit
@no:		.word x_false, x_exit

; ( addr u -- addr' u' base ) takes a prefix
unnamed		x_prefix, docol
		.word x_over, x_cfetch
		.word x_dup
		lit '$'
		.word x_equal, x_qbranch, @dec
		.word x_drop
		lit 16
		.word x_branch, @take
@dec:		.word x_dup
		lit '#'
		.word x_equal, x_qbranch, @bin
		.word x_drop
		lit 10
		.word x_branch, @take
@bin:		lit '%'
		.word x_equal, x_qbranch, @none
		lit 2
@take:		.word x_tor, x_1, x_slashstring, x_rfrom, x_exit
@none:		.word x_base, x_fetch, x_exit

; ( addr u -- addr' u' flag ) takes a minus
unnamed		x_minusq, docol
		.word x_dup, x_qbranch, @no
		.word x_over, x_cfetch
		lit '-'
		.word x_equal, x_qbranch, @no
		.word x_1, x_slashstring, x_true, x_exit
@no:		.word x_false, x_exit

; ( addr u -- d 2 | n 1 | 0 ) digits and perhaps a point, in the current base
unnamed		x_digits, docol
		.word x_dup, x_qbranch, @empty
		.word x_over, x_cfetch, x_base, x_fetch, x_digit, x_qbranch, @empty, x_drop
		.word x_0, x_0, x_2swap, x_tonumber
		.word x_dup, x_0equal, x_qbranch, @point
		.word x_2drop, x_cut, x_1, x_exit
@point:		.word x_1, x_equal, x_swap, x_cfetch
		lit '.'
		.word x_equal, x_and, x_qbranch, @no
		.word x_2, x_exit
@no:		.word x_2drop, x_0, x_exit
@empty:		.word x_2drop, x_0, x_exit

colon		"number?", x_numberq
		.word x_charq, x_qbranch, @number
		.word x_1, x_exit
@number:	.word x_cutoff, x_off, x_base, x_fetch, x_tor
		.word x_prefix, x_base, x_store
		.word x_minusq, x_tor, x_digits, x_rfrom, x_qbranch, @done
		.word x_dup, x_1, x_equal, x_qbranch, @double
		.word x_swap, x_dup
		lit $8000
		.word x_ugreater, x_cut, x_negate, x_swap
@double:	.word x_dup, x_2, x_equal, x_qbranch, @done
		.word x_mrot, x_2dup, x_0
		lit $8000
		.word x_2swap, x_duless, x_cut, x_dnegate, x_rot
@done:		.word x_rfrom, x_base, x_store
		.word x_dup, x_0notequal, x_cutoff, x_fetch, x_and, x_qbranch, @fits
		.word x_cuthook, x_fetchexecute
@fits:		.word x_exit

; ( addr u -- ) a word that is in no word list
unnamed		x_number, docol
		.word x_numberq, x_dup, x_0equal, x_qbranch, @known
		.word x_drop, x_token, x_2fetch, x_numberhook, x_fetch
		.word x_dup, x_qbranch, @unknown
		.word x_execute, x_0equal
		lit -13
		.word x_qthrow, x_exit
@unknown:	lit -13
		.word x_throw
@known:		.word x_state, x_fetch, x_qbranch, @leave
		.word x_1, x_equal, x_qbranch, @double
		.word x_literal, x_exit
@double:	.word x_swap, x_literal, x_literal, x_exit
@leave:		.word x_drop, x_exit

; ( addr u -- addr u false | true )
unnamed		x_localq, docol
		.word x_state, x_fetch, x_qbranch, @no
		.word x_localhook, x_fetch, x_qdup, x_qbranch, @no
		.word x_execute, x_exit
@no:		.word x_false, x_exit

colon		"interpret", x_interpret
@next:		.word x_parsename, x_dup, x_qbranch, @end
		.word x_2dup, x_token, x_2store
		.word x_localq, x_0equal, x_qbranch, @check
		.word x_2dup, x_findname, x_qdup, x_qbranch, @number
		.word x_nip, x_nip
		.word x_dup, x_nametointerpret, x_swap, x_immediateq
		.word x_state, x_fetch, x_0equal, x_or, x_qbranch, @compile
		.word x_execute, x_branch, @check
@compile:	.word x_compilecomma, x_branch, @check
@number:	.word x_number
@check:		.word x_qstack, x_branch, @next
@end:		.word x_2drop, x_exit

colon		"evaluate", x_evaluate
		.word x_nest
		lit v_source
		.word x_2store
		.word x_toin, x_off, x_blk, x_off
		.word x_m1
		lit v_sourceid
		.word x_store
		.word x_interpret, x_frames, x_fetch, x_1minus, x_unnest, x_exit

immediate	"\\", x_backslash
		.word x_blk, x_fetch, x_qbranch, @line
		.word x_toin, x_fetch
		lit 64
		.word x_plus
		lit -64
		.word x_and, x_branch, @set
@line:		.word x_source, x_nip
@set:		.word x_toin, x_store, x_exit

; A comment that is not closed on its line goes on in the next, in a file.
open_paren:	.byte "("
immediate	"(", x_paren
@line:		lit ')'
		.word x_parse, x_2drop
		.word x_source, x_toin, x_fetch, x_1minus, x_min, x_plus, x_cfetch
		lit ')'
		.word x_notequal
		.word x_sourceid, x_0greater, x_and, x_qbranch, @end
		.word x_refill, x_0equal, x_qbranch, @line
		lit open_paren
		.word x_1, x_token, x_2store
		lit -39
		.word x_throw
@end:		.word x_exit
