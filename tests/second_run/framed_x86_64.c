/* SPDX-License-Identifier: MIT */
/* framed_x86_64.c - see report_unwind.c. */
__asm__(".pushsection .text\n"
	".globl framed, framed_inside\n"
	".type framed, @function\n"
	"framed:\n"
	"	.cfi_startproc\n"
	"	sub $40, %rsp\n"
	"	.cfi_adjust_cfa_offset 40\n"
	"	nop\n"
	"framed_inside:\n"
	"	nop\n"
	"	add $40, %rsp\n"
	"	.cfi_adjust_cfa_offset -40\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size framed, . - framed\n"
	".popsection\n");
