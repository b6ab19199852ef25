/* SPDX-License-Identifier: MIT */
/*
 * aarch64.h - single instructions of arm64, as functions: what x86_64.h lists and explains.
 * Included by preload/base/cpu.h.
 *
 * No instruction here changes a word of memory by itself. So a change of a word "once" is a load
 * and a store that are tied together (ldxr, stxr): a return from a handler, or from the kernel,
 * unties them, the store then does not happen, and the change is tried again.
 */
#ifndef ZPROF_CPU_AARCH64_H
#define ZPROF_CPU_AARCH64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU static inline __attribute__((always_inline))

/* ---- what the compiler, or the processor, may not do */

CPU void cpu_barrier(void)
{
	__asm__ volatile("" ::: "memory");
}

/* Stores before this call are seen no later than stores after it. Loads may still be moved. */
CPU void cpu_publish(void)
{
	__asm__ volatile("dmb ishst" ::: "memory");
}

CPU void cpu_in_order(uint64_t *first, uint64_t *second)
{
	__asm__ volatile("" : "+m"(*first), "+m"(*second));
}

CPU void *cpu_unknown(void *pointer)
{
	__asm__("" : "+r"(pointer));
	return pointer;
}

CPU void cpu_used(const void *value)
{
	__asm__ volatile("" : : "r"(value));
}

/* ---- a word of this thread, changed as a whole */

/* Makes `*word` the result of the instruction on it and `n`; `changed` becomes that result. */
#define CPU_CHANGE(instruction, word, n, changed)                                                  \
	do {                                                                                       \
		uint32_t untied;                                                                   \
		__asm__ volatile("1:	ldxr %0, %2\n"                                                \
				 "	" instruction " %0, %0, %3\n"                              \
				 "	stxr %w1, %0, %2\n"                                             \
				 "	cbnz %w1, 1b\n"                                                 \
				 : "=&r"(changed), "=&r"(untied), "+Q"(*(word))                    \
				 : "r"(n)                                                          \
				 : "memory");                                                      \
	} while (0)

CPU void cpu_add_once(uint64_t *word, uint64_t n)
{
	uint64_t changed;

	CPU_CHANGE("add", word, n, changed);
}

CPU void cpu_subtract_once(uint64_t *word, uint64_t n)
{
	uint64_t changed;

	CPU_CHANGE("sub", word, n, changed);
}

CPU bool cpu_subtract_and_test(uint64_t *word, uint64_t n)
{
	uint64_t changed;

	CPU_CHANGE("sub", word, n, changed);
	return changed != 0;
}

CPU void cpu_or_once(uint64_t *word, uint64_t bits)
{
	uint64_t changed;

	CPU_CHANGE("orr", word, bits, changed);
}

CPU uint64_t cpu_swap_once(uint64_t *word, uint64_t with)
{
	uint64_t before;
	uint32_t untied;

	__asm__ volatile("1:	ldxr %0, %2\n"
			 "	stxr %w1, %3, %2\n"
			 "	cbnz %w1, 1b\n"
			 : "=&r"(before), "=&r"(untied), "+Q"(*word)
			 : "r"(with)
			 : "memory");
	return before;
}

/* ---- two words that threads share */

/* Where the words differ, they are stored as they were: only a store that succeeds shows that both
 * were loaded together. */
CPU bool cpu_replace_pair(void *pair, uint64_t *seen_first, uint64_t *seen_second, uint64_t first,
			  uint64_t second)
{
	uint64_t a, b, new_a, new_b;
	uint32_t untied, same;

	__asm__ volatile("1:	ldaxp %0, %1, %6\n"
			 "	cmp %0, %7\n"
			 "	ccmp %1, %8, #0, eq\n"
			 "	csel %2, %9, %0, eq\n"
			 "	csel %3, %10, %1, eq\n"
			 "	stlxp %w4, %2, %3, %6\n"
			 "	cbnz %w4, 1b\n"
			 "	cset %w5, eq\n"
			 : "=&r"(a), "=&r"(b), "=&r"(new_a), "=&r"(new_b), "=&r"(untied),
			   "=&r"(same), "+Q"(*(char(*)[16])pair)
			 : "r"(*seen_first), "r"(*seen_second), "r"(first), "r"(second)
			 : "memory", "cc");
	*seen_first = a;
	*seen_second = b;
	return same;
}

/* ---- registers, the kernel, memory */

/* [bti c;] adrp x16, page; ldr x17, [x16, #n]; add x16, x16, #n; br x17 */
CPU const uintptr_t *cpu_jump_slot(uintptr_t at)
{
	const uint32_t *code = (const uint32_t *)(at & ~(uintptr_t)3);
	uint64_t pages;

	if (code[0] == 0xd503245f)
		code++;
	if ((code[0] & 0x9f00001f) != 0x90000010 || (code[1] & 0xffc003ff) != 0xf9400211)
		return NULL;
	pages = (uint64_t)(code[0] >> 5 & 0x7ffff) << 2 | (code[0] >> 29 & 3);
	pages = (uint64_t)((int64_t)(pages << 43) >> 43);
	return (const uintptr_t *)(((uintptr_t)code & ~(uintptr_t)0xfff) + (pages << 12) +
				   (code[1] >> 10 & 0xfff) * 8);
}

/* Such an entry pushes nothing. */
CPU bool cpu_in_linkage(uintptr_t at, uintptr_t *pushed)
{
	*pushed = 0;
	return cpu_jump_slot(at & ~(uintptr_t)15) != NULL;
}

/* mov x8, #number ... svc #0 */
CPU int32_t cpu_system_call_before(uintptr_t at)
{
	const uint32_t *call = (const uint32_t *)at - 1, *code;

	if (*call != 0xd4000001)
		return -1;
	for (code = call - 1; code > call - 8; code--)
		if ((*code & 0x7fe0001f) == 0x52800008)
			return (int32_t)(*code >> 5 & 0xffff);
	return -1;
}

/* No C library here keeps the number of a call on the stack. */
CPU int32_t cpu_system_call_slot(uintptr_t at)
{
	(void)at;
	return -1;
}

CPU int32_t cpu_system_call_slot_of_caller(uintptr_t at, uintptr_t returns_to)
{
	(void)at;
	(void)returns_to;
	return -1;
}

/* The program's x29, which the library must not change (-ffixed-x29). */
CPU uintptr_t cpu_frame_pointer(void)
{
	uintptr_t x29;

	__asm__("mov %0, x29" : "=r"(x29));
	return x29;
}

CPU long cpu_system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

/* The stores are the asm's own, so that the compiler does not call memcpy or memset for the loop. */
CPU void cpu_copy(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;
	uint64_t word;

	for (; n >= 8; n -= 8, t += 8, f += 8)
		__asm__ volatile("ldr %0, [%1]\n\tstr %0, [%2]"
				 : "=&r"(word)
				 : "r"(f), "r"(t)
				 : "memory");
	for (; n; n--, t++, f++)
		__asm__ volatile("ldrb %w0, [%1]\n\tstrb %w0, [%2]"
				 : "=&r"(word)
				 : "r"(f), "r"(t)
				 : "memory");
}

CPU void cpu_fill(void *to, int byte, size_t n)
{
	unsigned char *t = to;
	uint64_t word = (unsigned char)byte * 0x0101010101010101u;

	for (; n >= 8; n -= 8, t += 8)
		__asm__ volatile("str %0, [%1]" : : "r"(word), "r"(t) : "memory");
	for (; n; n--, t++)
		__asm__ volatile("strb %w0, [%1]" : : "r"(word), "r"(t) : "memory");
}

/* A chain of n multiplications, of which each waits for the one before. */
CPU void cpu_work(unsigned n)
{
	uint64_t x = 3;

	for (; n; n--)
		__asm__ volatile("mul %0, %0, %0" : "+r"(x));
}

CPU void cpu_flush_line(const char *at)
{
	__asm__ volatile("dc civac, %0\n\tdsb ish" : : "r"(at) : "memory");
}

#endif
