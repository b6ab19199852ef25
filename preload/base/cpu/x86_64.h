/* SPDX-License-Identifier: MIT */
/*
 * x86_64.h - single instructions of the x86-64, as functions. Included by preload/base/cpu.h.
 *
 * The library runs at any instruction of the user's program, and any instruction of its own may be
 * followed by a signal handler that runs the library too. So the library needs a few things that C
 * does not promise. A port to another processor needs these functions, in headers beside this one:
 *
 *   here, single instructions
 *     cpu_barrier, cpu_in_order   keep the compiler from moving loads and stores
 *     cpu_publish                 keeps the processor, too, from moving stores
 *     cpu_unknown, cpu_used       keep the compiler from knowing a value, or from dropping it
 *     cpu_add_once and the like   change a word so that no handler can come in between
 *     cpu_replace_pair            a compare-and-swap of two words, against other threads
 *     cpu_jump_slot               where the linker's stubs jump to
 *     cpu_in_linkage              whether code is such a stub, and what it has pushed
 *     cpu_system_call_before      the number of a system call, in the program's code
 *     cpu_system_call_slot        the number's place on the stack; ..._of_caller: on the caller's
 *     cpu_frame_pointer           the program's frame pointer, which our code must never use: the
 *                                 compiler is told so (-ffixed-rbp in preload/build.mk)
 *     cpu_system_call             a system call without libc
 *     cpu_copy, cpu_fill          memory, without vector registers
 *     cpu_work                    work of a known length, to measure the hooks against
 *     cpu_flush_line              takes a line of memory out of all caches
 *   x86_64_frames.h, numbers of registers, where they are saved, and
 *     cpu_unsigned                a return address without a signature
 *     cpu_returns_from_signal     where the frame of a signal handler ends
 *     cpu_nop_at, cpu_jump_at     what an instruction does
 *     cpu_frame_bytes             the frame of a function, by its code
 *   x86_64_clock.h, the processor's counter
 *   x86_64_entry.h, the first instructions of functions that the program calls
 *     CPU_HOOK                    a hook that jumps to where a variable says
 *     CPU_COUNT_BLOCK             a call that counts where it returns to
 *     CPU_LOOK_FIRST              a function of libc with all its arguments, after a look at them
 *     CPU_CHOOSE                  a function of libc, or another in its place, after a look
 *     CPU_SIGNAL                  a signal handler that may go on to another
 *     CPU_SIGNAL_RETURN           the code that a signal handler returns to
 *     CPU_INTERRUPTED_AT          where a signal has interrupted the thread; ..._SP, ..._BP and
 *                                 ..._LINK: its stack pointer, its frame pointer, and the register that
 *                                 a call stores the return address in, if there is one
 *   x86_64_alone.h
 *     CPU_ENTER_ALONE             the hook of functions that have no exit hook, in its usual case
 *     CPU_BY_TRAMPOLINE and so on  functions that this hook is measured in
 *   x86_64_clone.h
 *     cpu_clone                   a child that borrows our memory, on a stack of its own
 *
 * ## "Once"
 *
 * A signal is delivered between two instructions. So one instruction that loads, changes and stores
 * a word is atomic against the handlers of its own thread, without a lock prefix, which would cost
 * twenty times as much. Other threads are no concern: each such word is used by one thread alone. A
 * processor without such instructions needs restartable sequences, or a load and store that fail if
 * they were interrupted.
 */
#ifndef ZPROF_CPU_X86_64_H
#define ZPROF_CPU_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU static inline __attribute__((always_inline))

/* ---- what the compiler may not do */

/*
 * The compiler moves no load or store across this call. So a signal handler of this thread sees
 * them in the order in which they are written here.
 */
CPU void cpu_barrier(void)
{
	__asm__ volatile("" ::: "memory");
}

/*
 * Other threads, and other processes that read the profile, see the stores before this call no
 * later than those after it. This processor keeps the order of stores by itself. One with a weaker
 * order needs an instruction here: on arm64, `dmb ishst`. (base/cpu/barriers.md lists every use of
 * these three functions, and who reads what they keep in order.)
 */
CPU void cpu_publish(void)
{
	__asm__ volatile("" ::: "memory");
}

/*
 * The compiler keeps the store to *first before the store to *second. Other variables may stay in
 * registers.
 */
CPU void cpu_in_order(uint64_t *first, uint64_t *second)
{
	__asm__ volatile("" : "+m"(*first), "+m"(*second));
}

/* Returns the pointer, and hides from the compiler that it does so. */
CPU void *cpu_unknown(void *pointer)
{
	__asm__("" : "+r"(pointer));
	return pointer;
}

/* Makes the compiler compute the value by this point, even if nothing uses it. */
CPU void cpu_used(const void *value)
{
	__asm__ volatile("" : : "r"(value));
}

/* ---- a word of this thread, changed in one instruction */

CPU void cpu_add_once(uint64_t *word, uint64_t n)
{
	__asm__ volatile("addq %1, %0" : "+m"(*word) : "r"(n) : "memory");
}

CPU void cpu_subtract_once(uint64_t *word, uint64_t n)
{
	__asm__ volatile("subq %1, %0" : "+m"(*word) : "r"(n) : "memory");
}

/* Returns whether the word is not zero afterwards. */
CPU bool cpu_subtract_and_test(uint64_t *word, uint64_t n)
{
	bool is_not_zero;

	__asm__ volatile("subq %2, %0" : "+m"(*word), "=@ccnz"(is_not_zero) : "r"(n) : "memory");
	return is_not_zero;
}

CPU void cpu_or_once(uint64_t *word, uint64_t bits)
{
	__asm__ volatile("orq %1, %0" : "+m"(*word) : "er"(bits) : "memory");
}

/* Returns the word's old value. */
CPU uint64_t cpu_swap_once(uint64_t *word, uint64_t with)
{
	__asm__ volatile("xchgq %0, %1" : "+r"(with), "+m"(*word) : : "memory");
	return with;
}

/* ---- two words that threads share */

/*
 * Replaces the two words at `pair` (aligned to 16 bytes) by first and second, if they are still
 * *seen_first and *seen_second. False: they have other values, which are then stored in *seen_first
 * and *seen_second.
 */
CPU bool cpu_replace_pair(void *pair, uint64_t *seen_first, uint64_t *seen_second, uint64_t first,
			  uint64_t second)
{
	bool done;

	__asm__ volatile("lock cmpxchg16b %0"
			 : "+m"(*(char(*)[16])pair), "=@ccz"(done), "+a"(*seen_first),
			   "+d"(*seen_second)
			 : "b"(first), "c"(second)
			 : "memory");
	return done;
}

/* ---- registers, the kernel, memory */

/*
 * If a stub of a procedure linkage table begins at `at`, or its jump does, returns the word that
 * holds the address to which the stub jumps; NULL: there is no such stub. (`endbr64` and `bnd` may
 * stand before the jump through memory.)
 */
CPU const uintptr_t *cpu_jump_slot(uintptr_t at)
{
	const unsigned char *code = (const unsigned char *)at;
	int32_t distance;

	if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
		code += 4;
	if (code[0] == 0xf2)
		code++;
	if (code[0] != 0xff || code[1] != 0x25)
		return NULL;
	__builtin_memcpy(&distance, code + 2, sizeof(distance));
	return (const uintptr_t *)(code + 6 + distance);
}

/*
 * Whether `at` lies in the procedure linkage table's entry for one function, of 16 bytes: a jump
 * through memory, or the part that asks the dynamic linker for the address. *pushed: how many bytes
 * the entry has pushed there.
 */
CPU bool cpu_in_linkage(uintptr_t at, uintptr_t *pushed)
{
	const unsigned char *code = (const unsigned char *)(at & ~(uintptr_t)15);
	bool branch = code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa;
	/* push $number: after the jump through memory, or after endbr64 */
	uintptr_t push = branch ? 4 : 6;

	if (code[push] != 0x68 || !(branch || (code[0] == 0xff && code[1] == 0x25)))
		return false;
	*pushed = (at & 15) >= push + 5 ? 8 : 0;
	return true;
}

/*
 * The number of the system call whose instruction ends at `at`: the constant that an instruction
 * before puts into eax. -1: no such instruction can be seen, or the number is no constant. (An
 * instruction with a REX prefix is passed over: it names another register.)
 */
CPU int32_t cpu_system_call_before(uintptr_t at)
{
	const unsigned char *end = (const unsigned char *)at - 2, *code;
	int32_t number;

	if (end[0] != 0x0f || end[1] != 0x05)
		return -1;
	for (code = end - 2; code > end - 24; code--) {
		/* mov %register, %eax */
		if (code[0] == 0x89 && (code[1] & 0xc7) == 0xc0 && (code[-1] & 0xf1) != 0x41)
			return -1;
		if ((code[-1] & 0xf0) == 0x40)
			continue;
		if (code[0] == 0x31 && code[1] == 0xc0) /* xor %eax, %eax */
			return 0;
		if (code[0] != 0xb8 || code + 5 > end) /* mov $number, %eax */
			continue;
		__builtin_memcpy(&number, code + 1, sizeof(number));
		if (number >= 0 && number < 1024)
			return number;
	}
	return -1;
}

/* The last place before `at`, and at most `far` before it, where these bytes are. */
CPU const unsigned char *cpu_code_before(uintptr_t at, const char *bytes, size_t size, size_t far)
{
	const unsigned char *code = (const unsigned char *)at - size, *last = code - far;
	size_t same;

	for (; code > last; code--) {
		for (same = 0; same < size && code[same] == (unsigned char)bytes[same];)
			same++;
		if (same == size)
			return code;
	}
	return NULL;
}

/*
 * In the C library since 2.41, one function makes all system calls that can be cancelled, and gets
 * the number of the call as an argument on the stack. Returns how many bytes above the stack
 * pointer the number lies; -1: the code does not show that.
 *
 *     mov 16(%rsp), %rax
 *     syscall
 */
CPU int32_t cpu_system_call_slot(uintptr_t at)
{
	const unsigned char *end = (const unsigned char *)at - 2, *code;

	if (end[0] != 0x0f || end[1] != 0x05)
		return -1;
	code = cpu_code_before((uintptr_t)end - 1, "\x48\x8b\x44\x24", 4, 1);
	return code ? code[4] : -1;
}

/*
 * For a syscall instruction in a function of its own, whose caller (`returns_to`) has the number of
 * the call on its stack. Returns how many bytes above the stack pointer of the inner function the
 * number lies; -1: the code does not show that.
 *
 *     mov 32(%rsp), %rsi ...  call ----->  mov %rsi, %rax ...  syscall
 */
CPU int32_t cpu_system_call_slot_of_caller(uintptr_t at, uintptr_t returns_to)
{
	const unsigned char *call = (const unsigned char *)returns_to - 5, *code;

	if (!cpu_code_before(at - 2, "\x48\x89\xf0", 3, 40) || *call != 0xe8)
		return -1;
	code = cpu_code_before((uintptr_t)call, "\x48\x8b\x74\x24", 4, 32);
	return code ? code[4] + 8 : -1;
}

/* The program's rbp, which this library never changes. */
CPU uintptr_t cpu_frame_pointer(void)
{
	uintptr_t rbp;

	__asm__("mov %%rbp, %0" : "=r"(rbp));
	return rbp;
}

/* The kernel's answer: a result, or -errno from -4095 to -1. */
CPU long cpu_system_call(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/*
 * cpu_copy() and cpu_fill() go through memory from the lowest byte up. The string instruction takes some
 * thirty cycles to begin, so short copies are made by words.
 */
CPU void cpu_copy(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;
	uint64_t word;

	for (; n >= sizeof(word) && n <= 64; n -= sizeof(word)) {
		__builtin_memcpy(&word, f, sizeof(word));
		__builtin_memcpy(t, &word, sizeof(word));
		t += sizeof(word), f += sizeof(word);
	}
	if (n > 64)
		__asm__ volatile("rep movsb" : "+D"(t), "+S"(f), "+c"(n) : : "memory");
	for (; n; n--)
		*t++ = *f++;
}

CPU void cpu_fill(void *to, int byte, size_t n)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(byte) : "memory");
}

/* A chain of n multiplications, of which each waits for the one before: some three cycles each. */
CPU void cpu_work(unsigned n)
{
	uint64_t x = 3;

	for (; n >= 8; n -= 8)
		__asm__ volatile(".rept 8\n\timul %0, %0\n\t.endr" : "+r"(x));
	for (; n; n--)
		__asm__ volatile("imul %0, %0" : "+r"(x));
}

/* The next load of the line that `at` lies in comes from memory. */
CPU void cpu_flush_line(const char *at)
{
	__asm__ volatile("clflush (%0)\n\tmfence" : : "r"(at) : "memory");
}

#endif
