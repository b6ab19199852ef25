/* SPDX-License-Identifier: MIT */
/*
 * x86_64_alone.h - the body of the hook that a function without an exit hook calls as it begins: the
 * usual case of entry_enter() (track/entry.h), as instructions. Included by preload/base/cpu.h.
 *
 * The compiler's code for this case saves nine registers and takes a fifth longer. This code saves
 * five. It does what entry.h says, step by step, with the offsets of what that header includes, and
 * leaves all that is unusual to C: the functions `again` and `nested` start over, and `settle` is
 * charge_settle(). `self`, `before`, `looks`, `otherwise` and `after` are instructions, too; `self` is
 * CPU_ALONE_SELF, or finds the track that the hook is measured on (hooks/entry_price.c).
 *
 * There are two such hooks. One is called by the compiler's own code, as a function's first
 * instruction. The other is called by a trampoline (code/areas.h), where all registers and flags are
 * as the function's caller left them, and the 128 bytes below the stack pointer too.
 *
 * After the pushes:
 *
 *     called by a function                       called by a trampoline
 *
 *     56(%rsp)  the function's CFA               200(%rsp)
 *     48(%rsp)  the return address into          192(%rsp)
 *               its caller                        64(%rsp)  128 bytes that are the program's
 *                                                 56(%rsp)  the program's rax
 *                                                 48(%rsp)  the hook's return address
 *     40(%rsp)  the hook's return address,        40(%rsp)  the function's address, which
 *               in the function's first                     was in rax
 *               instructions
 *      8(%rsp)  rax, rcx, rdx, rsi                 8(%rsp)  rcx, rdx, rsi, rdi
 *       (%rsp)  rdi                                 (%rsp)  flags, by lahf and seto
 *
 * Registers: rdx is the distance of the track from %fs; rcx the return address, then the caller's
 * node, then the callee's; rsi what is known of the place of the call, then the zone; rdi the open
 * zone; rax is free. `busy` holds rsp; where C goes on, it is made what C stores.
 */
#ifndef ZPROF_CPU_X86_64_ALONE_H
#define ZPROF_CPU_X86_64_ALONE_H

/* clang-format off */
#define CPU_ALONE_PUSH(r) "	push %%" #r "\n	.cfi_adjust_cfa_offset 8\n"
#define CPU_ALONE_POP(r)  "	pop %%" #r "\n	.cfi_adjust_cfa_offset -8\n"

/* The parts in which the two hooks differ. */
#define CPU_ALONE_BY_FUNCTION_CALL(c)      "	call " #c "\n"
#define CPU_ALONE_BY_FUNCTION_SECOND       "	xor %%esi, %%esi\n"
#define CPU_ALONE_BY_FUNCTION_KEEP         ""
#define CPU_ALONE_BY_FUNCTION_GIVE_BACK    ""
#define CPU_ALONE_BY_FUNCTION_RETURN       48
#define CPU_ALONE_BY_FUNCTION_BEHIND       EVENT_CALL_BYTES

/* C expects the direction flag to be clear. */
#define CPU_ALONE_BY_TRAMPOLINE_CALL(c)                                                            \
	"	pushf\n	.cfi_adjust_cfa_offset 8\n	cld\n	call " #c "\n"                     \
	"	popf\n	.cfi_adjust_cfa_offset -8\n"
#define CPU_ALONE_BY_TRAMPOLINE_SECOND     "	mov 40(%%rsp), %%rsi\n"
#define CPU_ALONE_BY_TRAMPOLINE_KEEP       "	lahf\n	seto %%al\n" CPU_ALONE_PUSH(rax)
#define CPU_ALONE_BY_TRAMPOLINE_GIVE_BACK  CPU_ALONE_POP(rax) "	add $0x7f, %%al\n	sahf\n"
#define CPU_ALONE_BY_TRAMPOLINE_RETURN     192
#define CPU_ALONE_BY_TRAMPOLINE_BEHIND     0

/* Another way of a call: to the C function `c`, which gets what again() gets. `looks` jumps here. */
#define CPU_ALONE_OTHERWISE(by, c)                                                                 \
	"40:	lea %c[ret](%%rsp), %%rdi\n" CPU_ALONE_##by##_SECOND                                \
	"	mov %%rbp, %%rdx\n" CPU_ALONE_##by##_CALL(c) "	jmp 33b\n"

#define CPU_ALONE_SELF "	mov track_self@gottpoff(%%rip), %%rdx\n"

/* Of a track whose distance from the thread's pointer is in the thread's variable `v`. */
#define CPU_ALONE_AT(v) "	mov " #v "@gottpoff(%%rip), %%rdx\n	mov %%fs:(%%rdx), %%rdx\n"

#define CPU_ENTER_ALONE(by, self, before, looks, again, nested, settle, otherwise, after)			\
	__asm__(before "	.cfi_remember_state\n"										\
		CPU_ALONE_PUSH(rax) CPU_ALONE_PUSH(rcx) CPU_ALONE_PUSH(rdx) CPU_ALONE_PUSH(rsi) CPU_ALONE_PUSH(rdi)	\
		CPU_ALONE_##by##_KEEP looks							\
		self										\
		/* hot_begin() */								\
		"	cmpq $0, %%fs:%c[busy](%%rdx)\n"					\
		"	jne 37f\n"								\
		"	mov %%rsp, %%fs:%c[busy](%%rdx)\n"					\
		/* entry_at_home() */								\
		"	mov %%fs:%c[alive](%%rdx), %%rax\n"					\
		"	mov %c[ret](%%rsp), %%rcx\n"							\
		"	cmpl $%c[is_alive], (%%rax)\n"						\
		"	jne 38f\n"								\
		"	mov %%fs:%c[news](%%rdx), %%rax\n"					\
		"	mov (%%rax), %%rax\n"							\
		"	cmp %%fs:%c[known](%%rdx), %%rax\n"					\
		"	jne 38f\n"								\
		/* call_place(), call_place_is() */						\
		"	mov %%fs:%c[calls](%%rdx), %%rsi\n"					\
		"	mov %%ecx, %%eax\n"							\
		"	and $%c[places] - 1, %%eax\n"						\
		"	mov (%%rsi, %%rax, 8), %%rsi\n"						\
		"	mov %%fs:%c[top](%%rdx), %%rdi\n"					\
		"	cmp %%ecx, %%esi\n"							\
		"	jne 38f\n"								\
		/* call_place_cfa() */								\
		"	shr $32, %%rsi\n"							\
		"	mov %%esi, %%eax\n"							\
		"	and $%c[twice], %%eax\n"						\
		"	test $%c[by_rbp], %%sil\n"						\
		"	jne 36f\n"								\
		"	lea %c[ret] + 8(%%rsp, %%rax, 4), %%rax\n"					\
		"31:	cmp %%rax, %c[cfa](%%rdi)\n"						\
		"	jb 35f\n"								\
		"	jne 38f\n"								\
		/* call_place_function() */							\
		"32:	shr $%c[start], %%esi\n"						\
		"	sub %%rcx, %%rsi\n"							\
		"	mov %c[node](%%rdi), %%rcx\n"						\
		"	add %c[zone](%%rcx), %%rsi\n"						\
		"	cmp $%c[first], %%rsi\n"						\
		"	jae 38f\n"								\
		/* tree_callee() */								\
		"	mov 40(%%rsp), %%rsi\n"							\
		"	sub %%fs:%c[base](%%rdx), %%rcx\n"					\
		"	sub $%c[call], %%rsi\n"							\
		"	imul $%c[hash], %%esi, %%eax\n"						\
		"	shr $5, %%rcx\n"							\
		"	shr $%c[shift], %%eax\n"						\
		"	add %%ecx, %%eax\n"							\
		"	and $%c[callees_most] - 1, %%eax\n"					\
		"	shl $3, %%eax\n"							\
		"	add %%fs:%c[callees](%%rdx), %%rax\n"					\
		"	cmp %%ecx, (%%rax)\n"							\
		"	jne 38f\n"								\
		"	mov 4(%%rax), %%ecx\n"							\
		"	mov %%rcx, %%rax\n"							\
		"	shl $5, %%rax\n"							\
		"	add %%fs:%c[base](%%rdx), %%rax\n"					\
		"	cmp %%rsi, %c[zone](%%rax)\n"						\
		"	jne 38f\n"								\
		"	lea %c[open](%%rdi), %%rsi\n"						\
		"	cmp %%fs:%c[limit](%%rdx), %%rsi\n"					\
		"	jae 38f\n"								\
		/* enter, hot_end() */								\
		"	incq %c[count](%%rax)\n"						\
		"	mov %%rax, %c[node](%%rsi)\n"						\
		"	lea %c[ret] + 8(%%rsp), %%rax\n"							\
		"	mov %%rax, %c[cfa](%%rsi)\n"						\
		"	mov %%rsi, %%fs:%c[top](%%rdx)\n"					\
		"	mov %%fs:%c[current](%%rdx), %%rax\n"					\
		"	mov %%ecx, (%%rax)\n"							\
		"	sub %%rsp, %%fs:%c[busy](%%rdx)\n"					\
		"	jne 39f\n"								\
		"33:\n"										\
		"	.cfi_remember_state\n"							\
		CPU_ALONE_##by##_GIVE_BACK							\
		CPU_ALONE_POP(rdi) CPU_ALONE_POP(rsi) CPU_ALONE_POP(rdx) CPU_ALONE_POP(rcx) CPU_ALONE_POP(rax)	\
		"	ret\n"									\
		"	.cfi_restore_state\n"							\
		"35:	sub $%c[open], %%rdi\n"							\
		"	cmp %%rax, %c[cfa](%%rdi)\n"						\
		"	jb 35b\n"								\
		"	je 32b\n"								\
		"	jmp 38f\n"								\
		"36:	lea (%%rbp, %%rax, 4), %%rax\n"						\
		"	jmp 31b\n"								\
		"37:	lea %c[ret](%%rsp), %%rdi\n"							\
		CPU_ALONE_##by##_SECOND							\
		"	mov %%rbp, %%rdx\n"							\
		CPU_ALONE_##by##_CALL(nested)					\
		"	jmp 33b\n"								\
		/* busy is to be s, as C has it */						\
		"38:	addq $%c[ret], %%fs:%c[busy](%%rdx)\n"					\
		"	lea %c[ret](%%rsp), %%rdi\n"							\
		CPU_ALONE_##by##_SECOND							\
		"	mov %%rbp, %%rdx\n"							\
		CPU_ALONE_##by##_CALL(again)					\
		"	jmp 33b\n"								\
		"39:	lea %c[ret](%%rsp), %%rdi\n"							\
		CPU_ALONE_##by##_CALL(settle)					\
		"	jmp 33b\n" otherwise							\
		"	.cfi_restore_state\n" after \
		:: [busy] "i"(offsetof(struct track, busy)),					\
		   [alive] "i"(offsetof(struct track, alive)), [is_alive] "i"(PROCESS_ALIVE),	\
		   [news] "i"(offsetof(struct track, news)),					\
		   [known] "i"(offsetof(struct track, known)),					\
		   [calls] "i"(offsetof(struct track, calls)), [places] "i"(CALL_PLACES),	\
		   [top] "i"(offsetof(struct track, top)), [twice] "i"(CALL_PLACE_TWICE),	\
		   [by_rbp] "i"(CALL_PLACE_BY_RBP), [start] "i"(CALL_PLACE_START),		\
		   [cfa] "i"(offsetof(struct open_zone, cfa)),					\
		   [node] "i"(offsetof(struct open_zone, node)),				\
		   [open] "i"(sizeof(struct open_zone)),					\
		   [zone] "i"(offsetof(struct zprof_node, zone)),				\
		   [count] "i"(offsetof(struct zprof_node, calls)),				\
		   [first] "i"(LOCATION_FIRST_INSTRUCTIONS), [hash] "i"((int)TREE_CALLEE_HASH),	\
		   [shift] "i"(TREE_CALLEE_SHIFT), [base] "i"(offsetof(struct track, base)),	\
		   [call] "i"(CPU_ALONE_##by##_BEHIND), [ret] "i"(CPU_ALONE_##by##_RETURN),	\
		   [callees] "i"(offsetof(struct track, callees)),				\
		   [callees_most] "i"(TREE_CALLEES), [limit] "i"(offsetof(struct track, limit)),\
		   [current] "i"(offsetof(struct track, current)))

/*
 * Bodies of functions that hooks are measured in: one that returns; jumps to `f`; calls what `pointer`
 * points to, then jumps to `f`; jumps to `f` by way of a trampoline (code/areas.h) that calls `hook`.
 */
#define CPU_RETURN() __asm__("	ret\n")
#define CPU_JUMP(f)  __asm__("	jmp " #f "\n")
#define CPU_CALL_AND_JUMP(pointer, f) __asm__("	call *" #pointer "(%rip)\n	jmp " #f "\n")
#define CPU_BY_TRAMPOLINE(hook, f)								\
	__asm__("	jmp 2f\n"								\
		"1:	jmp " #f "\n"								\
		"2:	nopl 0(%rax, %rax)\n"							\
		"	lea -128(%rsp), %rsp\n	.cfi_adjust_cfa_offset 128\n"			\
		"	push %rax\n	.cfi_adjust_cfa_offset 8\n"				\
		"	lea 1b(%rip), %rax\n"							\
		"	call " #hook "\n"							\
		"	pop %rax\n	.cfi_adjust_cfa_offset -8\n"				\
		"	lea 128(%rsp), %rsp\n	.cfi_adjust_cfa_offset -128\n"			\
		"	nop\n"									\
		"	jmp 1b\n")
/* clang-format on */

#endif
