# SPDX-License-Identifier: MIT
# rules.s - a library of small functions, one for each rule of the planner. Before each stands what its plan must say:
#
#     #= NAME CLASS REASON        a function
#     #= NAME CLASS of OWNER      a part of one
#
# Names are symbols of objects, because a function's symbol is evidence that it is one. `callers` calls those that are functions.

	.macro begin name
	.p2align 4
	.type \name, @object
\name:
	.cfi_startproc
	.endm
	.macro end name
	.cfi_endproc
	.size \name, .-\name
	.endm
	.macro frame
	push %rbp
	.cfi_def_cfa_offset 16
	.endm
	.macro unframe
	pop %rbp
	.cfi_def_cfa_offset 8
	.endm

	.text
#= callers function patched
	.globl callers
	.type callers, @function
	.p2align 4
callers:
	.cfi_startproc
	frame
	mov %rsp, %rbp
	.irp name, plain, moved, call_within, call_slot_within, call_last, by_loop, by_jrcxz, by_xbegin, by_stack
	call \name
	.endr
	.irp name, by_call_stack, by_syscall, by_int80, short, behind_short, short_padded, short_jump_padded
	call \name
	.endr
	.irp name, falls_short, branch_within, table_within, lea_within, data_within, symbol_within, other_within
	call \name
	.endr
	.irp name, swept_within, behind_endbr, endbr, own_jump, own_jump_part, own_jump_table, no_table, no_table_part
	call \name
	.endr
	.irp name, frameless_jump, with_table, outside, no_instruction, parts_owner, far_call, narrow_address, data_between, target_of_hidden, behind_lock
	call \name
	.endr
	.irp name, no_table_deep, no_table_expression, no_table_one, table_of_ends, data_before_case
	call \name
	.endr
	unframe
	ret
	.cfi_endproc

#= plain function patched
	begin plain
	push %rbx
	mov %rdi, %rbx
	xor %eax, %eax
	pop %rbx
	ret
	end plain

# A conditional jump, an operand relative to rip, and a jump: all of them can move.
#= moved function patched
	begin moved
	je 1f
	cmpb $1, word(%rip)
	jmp plain
1:	ret
	end moved

# ---- calls
#= call_within function call
	begin call_within
	push %rbx
	call *%rax
	pop %rbx
	ret
	end call_within

#= call_slot_within function call
	begin call_slot_within
	call *(%rax)
	nop
	nop
	nop
	ret
	end call_slot_within

#= call_last function patched
	begin call_last
	call plain
	ret
	end call_last

# ---- instructions that cannot move
#= by_loop function byte-branch
	begin by_loop
	loop 1f
	nop
	nop
	nop
1:	ret
	end by_loop

#= by_jrcxz function byte-branch
	begin by_jrcxz
	jrcxz 1f
	nop
	nop
	nop
1:	ret
	end by_jrcxz

#= by_xbegin function byte-branch
	begin by_xbegin
	xbegin 1f
1:	ret
	end by_xbegin

#= by_stack function byte-branch
	begin by_stack
	push %rax
	call *8(%rsp)
	pop %rax
	ret
	end by_stack

#= by_call_stack function byte-branch
	begin by_call_stack
	push %rax
	nop
	nop
	call *%rsp
	ret
	end by_call_stack

#= by_syscall function syscall
	begin by_syscall
	push %rax
	syscall
	pop %rcx
	pop %rcx
	ret
	end by_syscall

#= by_int80 function syscall
	begin by_int80
	push %rax
	int $0x80
	pop %rcx
	pop %rcx
	ret
	end by_int80

#= far_call function unknown
	begin far_call
	lcall *(%rax)
	lea 8(%rdi), %rax
	ret
	end far_call

#= narrow_address function unknown
	begin narrow_address
	lea word(%eip), %rax
	ret
	end narrow_address

# ---- the room
#= short function short
	begin short
	ret
	end short
#= behind_short function patched
	.type behind_short, @object
behind_short:
	.cfi_startproc
	call plain
	ret
	end behind_short

#= short_padded function patched
	begin short_padded
	ret
	end short_padded
	.nops 7
	.byte 0xcc, 0, 0

#= short_jump_padded function patched
	begin short_jump_padded
	jmp 1f
	.p2align 4
1:	ret
	end short_jump_padded

# The function goes on into the next one, so the padding runs.
#= falls_short function short
	begin falls_short
	push %rbx
	pop %rbx
	end falls_short
	.nops 8

# ---- targets
#= branch_within function target
	begin branch_within
	push %rbx
1:	dec %edi
	jnz 1b
	pop %rbx
	ret
	end branch_within

#= table_within function target
	begin table_within
	frame
1:	mov %edi, %eax
	lea table_of_window(%rip), %rdx
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
2:	unframe
	ret
	end table_within

#= lea_within function target
	begin lea_within
	push %rbx
.Llea_within:
	mov %rdi, %rbx
	pop %rbx
	ret
	end lea_within

#= takes_address function patched
	.globl takes_address
	.type takes_address, @function
	.p2align 4
takes_address:
	.cfi_startproc
	lea .Llea_within(%rip), %rax
	jmp *%rax
	.cfi_endproc

#= data_within function target
	begin data_within
	push %rbx
.Ldata_within:
	mov %rdi, %rbx
	pop %rbx
	ret
	end data_within

#= symbol_within function target
	begin symbol_within
	push %rbx
symbol_inside:
	mov %rdi, %rbx
	pop %rbx
	ret
	end symbol_within

#= other_within function target
	begin other_within
	push %rbx
.Lother_within:
	mov %rdi, %rbx
	pop %rbx
	ret
	end other_within

#= jumps_within function patched
	.globl jumps_within
	.type jumps_within, @function
	.p2align 4
jumps_within:
	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	xor %eax, %eax
	jmp .Lother_within
	.cfi_endproc

#= swept_within function target
	begin swept_within
	push %rbx
.Lswept_within:
	mov %rdi, %rbx
	pop %rbx
	ret
	end swept_within

	.p2align 4
	push %rbx # code that no FDE describes
	mov %rsi, %rdi
	jmp .Lswept_within

#= endbr function patched
	begin endbr
	endbr64
	push %rbx
	mov %rdi, %rbx
	pop %rbx
	ret
	end endbr

#= behind_endbr function target
	begin behind_endbr
	endbr64
1:	dec %edi
	mov %rdi, %rax
	jnz 1b
	ret
	end behind_endbr

# ---- turns of a loop
#= own_jump function loop
	begin own_jump
	dec %edi
	mov %rdi, %rax
	jnz own_jump
	ret
	end own_jump

#= own_jump_part function loop
	begin own_jump_part
	test %edi, %edi
	mov %rdi, %rax
	je .Lpart_jumps
	ret
	end own_jump_part

#= own_jump_table function loop
	begin own_jump_table
	lea table_of_entry(%rip), %rdx
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
1:	ret
	end own_jump_table

# ---- indirect jumps
#= no_table function indirect
	begin no_table
	frame
	mov %rdi, %rbp
	jmp *%rax
	end no_table

#= no_table_part function indirect
	begin no_table_part
	frame
	mov %rdi, %rbp
	je .Lpart_without_table
	unframe
	ret
	end no_table_part

# Where this jump stands, the stack frame is larger than anywhere in the window.
#= no_table_deep function patched
	begin no_table_deep
	frame
	sub $0x100, %rsp
	.cfi_def_cfa_offset 0x110
	jmp *%rax
	end no_table_deep

# An expression finds the CFA: nothing is known of where the jump leads.
#= no_table_expression function indirect
	begin no_table_expression
	frame
	sub $0x100, %rsp
	.cfi_escape 0x0f, 0x03, 0x77, 0x90, 0x02
	jmp *%rax
	end no_table_expression

# The same, but the window is one instruction, and nothing can lead behind its begin.
#= no_table_one function patched
	begin no_table_one
	sub $0x100, %rsp
	.cfi_escape 0x0f, 0x03, 0x77, 0x88, 0x02
	jmp *%rax
	end no_table_one

#= frameless_jump function patched
	begin frameless_jump
	mov (%rdi), %rax
	jmp *8(%rax)
	end frameless_jump

#= with_table function patched
	begin with_table
	frame
	mov %rdi, %rbp
	lea table(%rip), %rdx
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
1:	unframe
	ret
	.cfi_def_cfa_offset 16
2:	xor %eax, %eax
	jmp 1b
	end with_table

# The first case never occurs, and has no code; the third leads into the window.
#= table_of_ends function target
	begin table_of_ends
	frame
1:	mov %rdi, %rbp
	lea table_with_end(%rip), %rdx
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
2:	unframe
	ret
	.cfi_endproc
.Ltable_end:
	.byte 0x0f

# A byte of data swallows the begin of the first case.
#= data_before_case function unknown
	begin data_before_case
	frame
	lea table_behind_data(%rip), %rdx
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
	.byte 0x05
.Lbehind_data:
	mov %rdi, %rax
	nop
	unframe
	ret
	end data_before_case

#= outside function outside
	begin outside
	.byte 0x48, 0x8d, 0x05 # lea, 1 GB behind the image
	.long 0x40000000
	ret
	end outside

#= no_instruction function unknown
	begin no_instruction
	push %rbx
	mov %rdi, %rbx
	pop %rbx
	ret
	.byte 0x06, 0x07
	end no_instruction

# A byte of data swallows the jump behind, which leads to where no instruction seems to begin.
#= data_between function unknown
	begin data_between
	test %edi, %edi
	mov %rdi, %rax
	jne 1f
	ret
	.byte 0x05
1:	jmp .Lfrom_data
	nop
	nop
	ret
	end data_between

#= behind_lock function patched
	begin behind_lock
	test %edi, %edi
	mov %rdi, %rax
	je 1f
	.byte 0xf0
1:	incl (%rdi)
	ret
	end behind_lock

#= target_of_hidden function target
	begin target_of_hidden
	push %rbx
.Lfrom_data:
	mov %rdi, %rbx
	pop %rbx
	ret
	end target_of_hidden

# ---- what is no function
#= signal signal
	begin signal
	.cfi_signal_frame
	mov $15, %eax
	syscall
	end signal

#= outermost outermost
	begin outermost
	.cfi_undefined rip
	xor %ebp, %ebp
	call plain
	hlt
	end outermost

#= cold cold of own_jump_part
	begin cold
	.cfi_def_cfa_offset 16
.Lpart_jumps:
	mov %rdi, %rax
	jmp own_jump_part
	end cold

#= cold_without_table cold of no_table_part
	begin cold_without_table
	.cfi_def_cfa_offset 16
.Lpart_without_table:
	mov %rdi, %rax
	jmp *%rax
	end cold_without_table

#= parts_owner function patched
	begin parts_owner
	mov %rdi, %rax
	je jumped_aligned
	jne jumped_unaligned
	jg jumped_back
	js tail_called
	jl evident_by_call
	jl evident_by_lea
	jl evident_by_data
	jl evident_by_symbol
	lea table_of_part(%rip), %rdx
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
.Lback:
	mov %rdi, %rax
	frame
	je jumped_framed
	unframe
	ret
.Lother_case:
	ret
	end parts_owner

# Only a jump of no stack frame leads here, and the start is aligned: a tail call.
#= tail_called function patched
	begin tail_called
	mov %rdi, %rax
	ret
	.p2align 4
	end tail_called

#= jumped_aligned function patched
	begin jumped_aligned
	mov %rdi, %rax
	inc %rax
	ret
	end jumped_aligned

#= jumped_framed jumped of parts_owner
	begin jumped_framed
	mov %rdi, %rax
	ret
	.p2align 4
	end jumped_framed

#= jumped_back jumped of parts_owner
	begin jumped_back
	mov %rdi, %rax
	jmp .Lback
	end jumped_back

#= jumped_by_table jumped of parts_owner
	begin jumped_by_table
	mov %rdi, %rax
	ret
	.p2align 4
	end jumped_by_table

# Begins where no function would.
	.p2align 4
	.byte 0x90
#= jumped_unaligned jumped of parts_owner
	.type jumped_unaligned, @object
jumped_unaligned:
	.cfi_startproc
	mov %rdi, %rax
	je jumped_from_part
	ret
	end jumped_unaligned

# A part of a part: the owner is the function.
	.p2align 4
	.byte 0x90
#= jumped_from_part jumped of parts_owner
	.type jumped_from_part, @object
jumped_from_part:
	.cfi_startproc
	mov %rdi, %rax
	inc %rax
	ret
	end jumped_from_part

# Something tells that these are functions, although they are not aligned.
	.irp name, call, lea, data
	.p2align 4
	.byte 0x90
	.type evident_by_\name, @object
evident_by_\name:
	.cfi_startproc
	mov %rdi, %rax
	inc %rax
	ret
	end evident_by_\name
	.endr
	.p2align 4
	.byte 0x90
	.type evident_by_symbol, @function
evident_by_symbol:
	.cfi_startproc
	mov %rdi, %rax
	inc %rax
	ret
	end evident_by_symbol
#= evident_by_call function patched
#= evident_by_lea function patched
#= evident_by_data function patched
#= evident_by_symbol function patched

#= evidence function patched
	.globl evidence
	.type evidence, @function
	.p2align 4
evidence:
	.cfi_startproc
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	call evident_by_call
	lea evident_by_lea(%rip), %rax
	add $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc

	.section .plt.made, "ax", @progbits
#= stubs plt
	begin stubs
	push %rbx
	mov %rdi, %rbx
	ret
	end stubs

	.section .data.rel.ro, "aw"
	.p2align 3
	.quad .Ldata_within
	.quad evident_by_data

	.section .rodata
	.p2align 2
word:
	.long 0
table_of_window:
	.long table_within + 1 - table_of_window, table_within + 3 - table_of_window
table_of_entry:
	.long own_jump_table - table_of_entry, own_jump_table + 7 - table_of_entry
table:
	.long with_table + 20 - table, with_table + 22 - table
table_with_end:
	.long .Ltable_end - table_with_end, .Ltable_end - table_with_end, table_of_ends + 1 - table_with_end
table_behind_data:
	.long .Lbehind_data - table_behind_data, .Lbehind_data - table_behind_data
table_of_part:
	.long jumped_by_table - table_of_part, .Lother_case - table_of_part
	.long 0x7fffffff
	.section .note.GNU-stack, "", @progbits
