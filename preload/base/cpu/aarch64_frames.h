/* SPDX-License-Identifier: MIT */
/* aarch64_frames.h - what x86_64_frames.h explains, for arm64. Included by preload/base/cpu.h. */
#ifndef ZPROF_CPU_AARCH64_FRAMES_H
#define ZPROF_CPU_AARCH64_FRAMES_H

/* AADWARF64, table 4.1. */
#define CPU_DWARF_FRAME_POINTER  29
#define CPU_DWARF_STACK_POINTER  31
#define CPU_DWARF_RETURN_ADDRESS 30

/* x30 has the return address. A function that calls others saves x30 somewhere in its frame. */
#define CPU_CALL_PUSHES 0

/*
 * A siginfo of 128 bytes lies below the ucontext. There the registers follow 176 bytes of struct
 * ucontext and 8 of struct sigcontext (arch/arm64/include/uapi/asm/): x0 to x30, sp and pc.
 */
#define CPU_SIGNAL_REGISTER(n)    (128 + 176 + 8 + (n)*8)
#define CPU_SIGNAL_FRAME_POINTER  CPU_SIGNAL_REGISTER(29)
#define CPU_SIGNAL_STACK_POINTER  CPU_SIGNAL_REGISTER(31)
#define CPU_SIGNAL_AT             CPU_SIGNAL_REGISTER(32)
#define CPU_SIGNAL_RETURN_ADDRESS CPU_SIGNAL_REGISTER(30)

/* mov x8, #__NR_rt_sigreturn; svc #0: in the kernel's image, which has no information of its frame. */
CPU bool cpu_returns_from_signal(uintptr_t at)
{
	const uint32_t *code = (const uint32_t *)at;

	return !(at & 3) && code[0] == 0xd2801168 && code[1] == 0xd4000001;
}

#define CPU_PERF_FRAME_POINTER 29
#define CPU_PERF_LINK          30
#define CPU_PERF_STACK_POINTER 31
#define CPU_PERF_AT            32

/* A call's result replaces its first argument, but its number stays. So the code shows whether there
 * is a call: svc #0. */
#define CPU_PERF_ARGUMENT_0    0
#define CPU_PERF_ARGUMENT_1    1
#define CPU_PERF_ARGUMENT_2    2
#define CPU_PERF_CALL          8
#define CPU_CALL_IS_MADE(call) ((void)(call), true)
#define CPU_CALL_NUMBER(call)  ((call) < 1024 ? (int32_t)(call) : -1)
#define CPU_CODE_SHOWS_CALLS   1
#define CPU_CALL_ENDS_AT(at)   (((const uint32_t *)(at))[-1] == 0xd4000001)
#define CPU_CALLS_FROM         1024

/* xpaclri, which does nothing on processors that sign no addresses. */
CPU uintptr_t cpu_unsigned(uintptr_t return_address)
{
	register uintptr_t x30 __asm__("x30") = return_address;

	__asm__("hint #7" : "+r"(x30));
	return x30;
}

CPU uintptr_t cpu_nop_at(uintptr_t at)
{
	return *(const uint32_t *)(at & ~(uintptr_t)3) == 0xd503201f ? 4 : 0;
}

/* b; b.cond, cbz and cbnz; tbz and tbnz. The distance is in words. */
CPU uintptr_t cpu_jump_at(const unsigned char *at, const unsigned char *end)
{
	uint32_t code;
	int64_t words;

	if ((uintptr_t)at & 3 || (uintptr_t)at + sizeof(code) > (uintptr_t)end)
		return 0;
	__builtin_memcpy(&code, at, sizeof(code));
	if ((code & 0xfc000000) == 0x14000000)
		words = (int64_t)((uint64_t)code << 38) >> 38;
	else if ((code & 0xff000010) == 0x54000000 || (code & 0x7e000000) == 0x34000000)
		words = (int64_t)((uint64_t)(code >> 5) << 45) >> 45;
	else if ((code & 0x7e000000) == 0x36000000)
		words = (int64_t)((uint64_t)(code >> 5) << 50) >> 50;
	else
		return 0;
	return (uintptr_t)at + (uintptr_t)words * sizeof(code);
}

/* stp x29, x30, [sp, #-n]!; and, maybe not at once, mov x29, sp */
CPU int32_t cpu_frame_bytes(const unsigned char *function, const unsigned char *at)
{
	const uint32_t *code = (const uint32_t *)function, *end = (const uint32_t *)at;

	while (code < end && (*code & 0xffe07fff) != 0xa9a07bfd)
		code++;
	int32_t bytes = code < end ? -((int32_t)(*code << 10) >> 25) * 8 : 0;
	for (; code < end; code++)
		if (*code == 0x910003fd)
			return bytes;
	return 0;
}

#endif
