; SPDX-License-Identifier: MIT
;
; dictionary: words that make words. A definition gets its header at once, and is found from REVEAL on.
; Other defining words and control structures are made of these in Forth source.
;
;	place	( addr1 u addr2 -- )	stores a counted string
;	string,	( addr u -- )	lays down a counted string
;	current	( -- addr )	variable: the word list that gets new definitions
;	latest	( -- addr )	variable: nt of the newest header, and its word list
;	last-xt	( -- addr )	variable: the newest execution token
;	voclink	( -- addr )	variable: the newest word list
;	header-hook	( -- addr )	variable: xt ( addr u -- addr u ) that is told each name that is to be defined
;	header,	( addr u -- )	lays down a header, its code field to come
;	reveal	( -- )	lets the newest header be found
;	even	( -- )	makes HERE fit for a code field
;	create	( "name" -- )
;	:	( "name" -- colon-sys )
;	;	( colon-sys -- )
;	:noname	( -- xt colon-sys )
;	(;)	( colon-sys -- )	what ; does besides compiling EXIT
;	does>	( -- )
;	immediate	( -- )
;	[	( -- )
;	]	( -- )
;	state	( -- addr )	variable
;	colon-depth	( -- addr )	variable: depth of the data stack when the definition began
;	compile,	( xt -- )
;	literal	( x -- )
;	next-name	( "name" -- addr u )	throws when there is none
;	known-word	( "name" -- nt )	throws when there is none
;	postpone	( "name" -- )
;	'	( "name" -- xt )
;	[']	( "name" -- )
;	>body	( xt -- addr )
;	docol	( -- addr )	code that the code field of : words points to
;	dovar	( -- addr )	that of CREATE
;	docon	( -- addr )	that of CONSTANT
;	dovalue	( -- addr )	that of VALUE
;	do2value	( -- addr )	that of 2VALUE
;	dodefer	( -- addr )	that of DEFER
;	dodoes	( -- addr )	that of DOES>, by way of a JMP

THIS_FILE	.set 10

fixed		"docol", x_docol, docol
fixed		"dovar", x_dovar, dovar
fixed		"docon", x_docon, docon
fixed		"dovalue", x_dovalue, dovalue
fixed		"do2value", x_do2value, do2value
fixed		"dodefer", x_dodefer, dodefer
fixed		"dodoes", x_dodoes, dodoes

cell		"current", x_current, v_current, v_forth
cell		"latest", x_latest, v_latest, kernel_last
		.word v_forth
cell		"last-xt", x_lastxt, v_lastxt, 0
cell		"voclink", x_voclink, v_voclink, v_forth
cell		"state", x_state, v_state, 0

colon		"place", x_place
		.word x_2dup, x_cstore, x_1plus, x_swap, x_move, x_exit

colon		"string,", x_stringcomma
		.word x_dup, x_ccomma, x_here, x_swap, x_dup, x_allot, x_move, x_exit

colon		"even", x_even
		.word x_here, x_1, x_and, x_qbranch, @even
		.word x_0, x_ccomma
@even:		.word x_exit

cell		"header-hook", x_headerhook, v_headerhook, 0

colon		"header,", x_headercomma
		.word x_dup, x_0equal
		lit -16
		.word x_qthrow
		.word x_dup
		lit NAME_MAX
		.word x_ugreater
		lit -19
		.word x_qthrow
		.word x_headerhook, x_fetchexecute
		.word x_here, x_over, x_xor, x_1, x_and, x_qbranch, @even
		.word x_0, x_ccomma
@even:		.word x_here, x_latest, x_store
		.word x_current, x_fetch, x_dup, x_latest, x_2plus, x_store
		.word x_fetch, x_comma
		.word x_sourceline, x_fetch, x_comma
		.word x_sourcefile, x_fetch, x_ccomma
		.word x_stringcomma
		.word x_here, x_lastxt, x_store, x_exit

colon		"reveal", x_reveal
		.word x_latest, x_fetch, x_dup, x_qbranch, @none
		.word x_dup, x_latest, x_2plus, x_fetch, x_store
@none:		.word x_drop, x_exit

colon		"create", x_create
		.word x_parsename, x_headercomma, x_reveal
		lit dovar
		.word x_comma, x_exit

colon		":", x_colon
		.word x_parsename, x_headercomma
begin_colon:	lit docol
		.word x_comma, x_depth, x_colondepth, x_store, x_rbracket, x_exit

colon		":noname", x_noname
		.word x_even, x_0, x_latest, x_store
		.word x_here, x_dup, x_lastxt, x_store
		.word x_branch, begin_colon

cell		"colon-depth", x_colondepth, v_colondepth, 0

colon		"(;)", x_semi1
		.word x_depth, x_colondepth, x_fetch, x_notequal
		lit -22
		.word x_qthrow, x_lbracket, x_reveal, x_exit

immediate	";", x_semicolon
		.word x_qcomp
		lit x_exit
		.word x_comma, x_semi1, x_exit

; ( -- ) for words without interpretation semantics
unnamed		x_qcomp, docol
		.word x_state, x_fetch, x_0equal
		lit -14
		.word x_qthrow, x_exit

immediate	"does>", x_doesto
		.word x_qcomp
		lit x_does
		.word x_comma
		lit $4c
		.word x_ccomma
		lit dodoes
		.word x_comma, x_exit

colon		"immediate", x_immediate
		.word x_latest, x_fetch
		lit 5
		.word x_plus, x_dup, x_cfetch
		lit IMMEDIATE
		.word x_or, x_swap, x_cstore, x_exit

immediate	"[", x_lbracket
		.word x_state, x_off, x_exit

colon		"]", x_rbracket
		.word x_state, x_on, x_exit

colon		"compile,", x_compilecomma
		.word x_comma, x_exit

immediate	"literal", x_literal
		.word x_qcomp
		lit x_lit
		.word x_comma, x_comma, x_exit

colon		"next-name", x_nextname
		.word x_parsename, x_dup, x_0equal
		lit -16
		.word x_qthrow, x_exit

colon		"known-word", x_knownword
		.word x_nextname, x_2dup, x_token, x_2store
		.word x_findname, x_dup, x_0equal
		lit -13
		.word x_qthrow, x_exit

; ( nt -- flag )
unnamed		x_immediateq, docol
		lit 5
		.word x_plus, x_cfetch
		lit IMMEDIATE
		.word x_and, x_exit

colon		"'", x_tick
		.word x_knownword, x_nametointerpret, x_exit

immediate	"[']", x_brackettick
		.word x_tick, x_literal, x_exit

immediate	"postpone", x_postpone
		.word x_qcomp, x_knownword, x_dup, x_nametointerpret, x_swap
		.word x_immediateq, x_0equal, x_qbranch, @now
		.word x_literal
		lit x_compilecomma
@now:		.word x_compilecomma, x_exit

code		">body", x_tobody
		jmp plus2
