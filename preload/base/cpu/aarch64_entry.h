/* SPDX-License-Identifier: MIT */
/*
 * aarch64_entry.h - the bodies of functions that the program calls and C cannot write: what
 * x86_64_entry.h explains. Included by preload/base/cpu.h.
 *
 * gcc knows no `naked` functions for arm64. A function that has one asm and does not return needs
 * no frame, so the compiler, which is told to leave out frame pointers, adds nothing before the
 * asm. Nothing promises that: a test (tests/arm64/entries.sh) looks at the first instruction of each.
 */
#ifndef ZPROF_CPU_AARCH64_ENTRY_H
#define ZPROF_CPU_AARCH64_ENTRY_H

#define CPU_ENTRY   __attribute__((noipa, visibility("default")))
#define CPU_HANDLER static __attribute__((noipa)) /* for the kernel to call */

/* clang-format off */
#define CPU_BODY(code)                                                                             \
	do {                                                                                       \
		__asm__ volatile(code);                                                            \
		__builtin_unreachable();                                                           \
	} while (0)

/* All registers that a call may change, but x16 and x17, of which no caller expects anything. */
#define CPU_KEEP                                                                                   \
	"	stp x29, x30, [sp, #-176]!\n	.cfi_def_cfa_offset 176\n"                            \
	"	.cfi_offset 29, -176\n	.cfi_offset 30, -168\n"                                       \
	"	stp x0, x1, [sp, #16]\n	stp x2, x3, [sp, #32]\n	stp x4, x5, [sp, #48]\n"             \
	"	stp x6, x7, [sp, #64]\n	stp x8, x9, [sp, #80]\n	stp x10, x11, [sp, #96]\n"           \
	"	stp x12, x13, [sp, #112]\n	stp x14, x15, [sp, #128]\n	str x18, [sp, #144]\n"
#define CPU_GIVE_BACK                                                                              \
	"	ldp x0, x1, [sp, #16]\n	ldp x2, x3, [sp, #32]\n	ldp x4, x5, [sp, #48]\n"             \
	"	ldp x6, x7, [sp, #64]\n	ldp x8, x9, [sp, #80]\n	ldp x10, x11, [sp, #96]\n"           \
	"	ldp x12, x13, [sp, #112]\n	ldp x14, x15, [sp, #128]\n	ldr x18, [sp, #144]\n"        \
	"	ldp x29, x30, [sp], #176\n	.cfi_def_cfa_offset 0\n"                                  \
	"	.cfi_restore 29\n	.cfi_restore 30\n"
#define CPU_LOAD(variable)                                                                         \
	"	adrp x16, " #variable "\n	ldr x16, [x16, #:lo12:" #variable "]\n"

#define CPU_HOOK(to, is_enter)                                                                     \
	CPU_BODY("0:\n" CPU_LOAD(to)                                                               \
		"	cmp x16, #1\n"                                                            \
		"	b.ls 1f\n"                                                                \
		"	br x16\n"                                                                 \
		"1:	b.eq 2f\n"                                                                \
		"	ret\n"                                                                    \
		"2:\n" CPU_KEEP                                                                    \
		"	mov w0, #" #is_enter "\n"                                                 \
		"	bl hooks_wake\n"                                                          \
		"	and w16, w0, #255\n"                                                      \
		CPU_GIVE_BACK                                                                      \
		"	cbnz w16, 0b\n"                                                           \
		"	ret\n")

/* `elsewhere` counts every block: the way of one thread in few instructions is not written here. */
#define CPU_COUNT_BLOCK(now, elsewhere)                                                            \
	CPU_BODY("	mov x0, x30\n"                                                            \
		"	hint #7\n"                                                                \
		"	b " #elsewhere "\n")

#define CPU_LOOK_FIRST(look, real)                                                                 \
	CPU_BODY(CPU_KEEP "	bl " #look "\n" CPU_GIVE_BACK CPU_LOAD(real) "	br x16\n")

#define CPU_SIGNAL(look)                                                                           \
	CPU_BODY(CPU_KEEP "	bl " #look "\n	mov x16, x0\n" CPU_GIVE_BACK                   \
		"	cbz x16, 1f\n	br x16\n1:	ret\n")

#define CPU_CHOOSE(choose) CPU_SIGNAL(choose)

/* The kernel's own code, in the vDSO, is what a handler returns to. */
#define CPU_SIGNAL_RETURN()            __builtin_unreachable()
#define CPU_SIGNAL_RETURN_OF(function) ((void)(function), (uintptr_t)0)
#define CPU_SIGNAL_RETURN_FLAG         0ul
/* clang-format on */

#define CPU_INTERRUPTED_AT(context)   ((uintptr_t)(context)->uc_mcontext.pc)
#define CPU_INTERRUPTED_SP(context)   ((uintptr_t)(context)->uc_mcontext.sp)
#define CPU_INTERRUPTED_BP(context)   ((uintptr_t)(context)->uc_mcontext.regs[29])
#define CPU_INTERRUPTED_LINK(context) ((uintptr_t)(context)->uc_mcontext.regs[30])

#endif
