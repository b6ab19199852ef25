/* SPDX-License-Identifier: MIT */
/*
 * x86_64_frames.h - which registers describe a stack frame, and how code goes from one function to
 * another. Included by preload/base/cpu.h.
 */
#ifndef ZPROF_CPU_X86_64_FRAMES_H
#define ZPROF_CPU_X86_64_FRAMES_H

/* DWARF's numbers of registers (x86-64 psABI, figure 3.36). */
#define CPU_DWARF_FRAME_POINTER  6 /* rbp */
#define CPU_DWARF_STACK_POINTER  7
#define CPU_DWARF_RETURN_ADDRESS 16

/* A call pushes so many bytes, the return address, just below the CFA. 0: a register has it. */
#define CPU_CALL_PUSHES 8

/*
 * Where a signal handler's frame has the registers of the code that was interrupted, from the stack
 * pointer on: in the ucontext (struct sigcontext, arch/x86/include/uapi/asm/sigcontext.h, after 40
 * bytes of struct ucontext).
 */
#define CPU_SIGNAL_FRAME_POINTER  120
#define CPU_SIGNAL_STACK_POINTER  160
#define CPU_SIGNAL_AT             168
#define CPU_SIGNAL_RETURN_ADDRESS 0 /* no register */

/* Whether handlers return to code at `at` that has no call frame information. */
CPU bool cpu_returns_from_signal(uintptr_t at)
{
	(void)at;
	return false;
}

/*
 * The kernel's numbers of registers (asm/perf_regs.h). CPU_PERF_LINK is that which a call stores the return
 * address in; here, where a call pushes it, any that is asked for anyway.
 */
#define CPU_PERF_FRAME_POINTER 6
#define CPU_PERF_STACK_POINTER 7
#define CPU_PERF_AT            8
#define CPU_PERF_LINK          CPU_PERF_AT

/*
 * Which of them have the first arguments of a system call, and the call's result. That is -ENOSYS
 * ("no such call") during a call, until there is another.
 */
#define CPU_PERF_ARGUMENT_0    5 /* rdi */
#define CPU_PERF_ARGUMENT_1    4 /* rsi */
#define CPU_PERF_ARGUMENT_2    3 /* rdx */
#define CPU_PERF_CALL          0 /* rax */
#define CPU_CALL_IS_MADE(call) ((call) == (uint64_t)-38)

/* The number of a call by the register CPU_PERF_CALL. -1: it is in the code, or on the stack. */
#define CPU_CALL_NUMBER(call) ((void)(call), -1)

/* Whether a call is known to be made only if the code before `at` does so. */
#define CPU_CODE_SHOWS_CALLS 0
#define CPU_CALL_ENDS_AT(at) ((void)(at), true)

/* What a profile adds to numbers of system calls (preload/format.h). */
#define CPU_CALLS_FROM 0

/* A return address as code is found by: without a signature in its upper bits. */
CPU uintptr_t cpu_unsigned(uintptr_t return_address)
{
	return return_address;
}

/* Bytes of the instruction that does nothing, if one stands here; else 0. */
CPU uintptr_t cpu_nop_at(uintptr_t at)
{
	return *(const unsigned char *)at == 0x90;
}

/* Where the instruction at `at` jumps to, if it is a jmp or jcc of either length; else 0. */
CPU uintptr_t cpu_jump_at(const unsigned char *at, const unsigned char *end)
{
	unsigned length = *at == 0xe9 ? 5 : *at == 0x0f ? 6 : 2;
	uintptr_t next = (uintptr_t)at + length;
	int32_t far;

	if (next > (uintptr_t)end)
		return 0;
	if (length == 2)
		return *at == 0xeb || (*at & 0xf0) == 0x70
			   ? next + (uintptr_t)(intptr_t)(int8_t)at[1]
			   : 0;
	if (length == 6 && (at[1] & 0xf0) != 0x80)
		return 0;
	__builtin_memcpy(&far, (const void *)(next - sizeof(far)), sizeof(far));
	return next + (uintptr_t)(intptr_t)far;
}

/*
 * If the code of a function up to `at` has stored the caller's frame pointer and set its own, how far above
 * that the CFA is; else 0. The caller's frame pointer is where the function's points to, and the return
 * address above it.
 */
CPU int32_t cpu_frame_bytes(const unsigned char *function, const unsigned char *at)
{
	const unsigned char *code = function;

	/* push %rbp; and, maybe not at once, mov %rsp, %rbp */
	while (code < at && *code != 0x55)
		code++;
	for (; code + 3 <= at; code++)
		if (code[0] == 0x48 && code[1] == 0x89 && code[2] == 0xe5)
			return 16;
	return 0;
}

#endif
