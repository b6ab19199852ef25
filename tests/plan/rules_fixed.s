# SPDX-License-Identifier: MIT
# rules_fixed.s - a program built without PIE, where addresses are numbers in code and data; after rules.s.

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

	.text
#= _start outermost
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xor %ebp, %ebp
	call data_within
	call number_within
	call with_table
	call displacement_within
	hlt
	end _start

#= data_within function target
	begin data_within
	push %rbx
.Ldata_within:
	mov %rdi, %rbx
	pop %rbx
	ret
	end data_within

#= number_within function target
	begin number_within
	push %rbx
.Lnumber_within:
	mov %rdi, %rbx
	mov $.Lnumber_within, %eax
	pop %rbx
	ret
	end number_within

#= displacement_within function target
	begin displacement_within
	push %rbx
.Ldisplacement_within:
	mov %rdi, %rbx
	lea .Ldisplacement_within, %rax
	pop %rbx
	ret
	end displacement_within

# A table of addresses: the jump's displacement is the table's.
#= with_table function patched
	begin with_table
	push %rbx
	.cfi_def_cfa_offset 16
	mov %rdi, %rbx
	jmp *table(,%rax,8)
1:	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_def_cfa_offset 16
2:	je evident_by_data
	jne evident_by_number
	pop %rbx
	ret
	end with_table

	.byte 0x90
#= evident_by_data function patched
	.type evident_by_data, @object
evident_by_data:
	.cfi_startproc
	mov %rdi, %rax
	mov $evident_by_number, %eax
	ret
	end evident_by_data

	.p2align 4
	.byte 0x90
#= evident_by_number function patched
	.type evident_by_number, @object
evident_by_number:
	.cfi_startproc
	mov %rdi, %rax
	inc %rax
	ret
	end evident_by_number

	.data
	.p2align 3
	.quad .Ldata_within
	.quad evident_by_data
	.section .rodata
	.p2align 3
table:
	.quad with_table + 11, with_table + 13
	.section .note.GNU-stack, "", @progbits
