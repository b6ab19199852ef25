/* SPDX-License-Identifier: MIT */
/*
 * stepping_aarch64.h - see stepping.h. A program of arm64 cannot ask the processor to stop it after each
 * instruction (a process that traces it can, at ten times the cost). So code that is stepped runs in
 * copies, each of one instruction, with a breakpoint behind it:
 *
 *   the code             copies                     SIGTRAP, which each breakpoint raises
 *
 *   add x0, x1, x2       add x0, x1, x2; brk   ->   the program's handler, which finds the address of
 *   ldr x3, [x0]         ldr x3, [x0];   brk        the next instruction of the code as where the
 *   cbz x3, away                                    interrupted code goes on; then on to its copy
 *
 * An instruction that knows where it stands (a branch, an address) has no copy: it is done here, on the
 * registers that the interrupted code goes on with. So return addresses are those of the code, and
 * nothing but the processor ever sees a copy.
 *
 * A store that is tied to a load (ldxr, stxr) does not happen if the processor has left the program in
 * between. So the loop around such a pair is one step, and is copied as a whole.
 *
 * Handlers run as they are, and return to the copy that they interrupted. Other threads may step at the
 * same time. Instructions as in "Arm Architecture Reference Manual", C4 (DDI 0487).
 */
#ifndef TESTS_STEPPING_AARCH64_H
#define TESTS_STEPPING_AARCH64_H

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#define STEPPING_BREAK 0xd4202000u /* brk #256 */
#define STEPPING_NOP   0xd503201fu
#define STEPPING_COPY  16           /* instructions of a copy, at most, with its breakpoint */
#define STEPPING_ROOM  (1u << 15)   /* copies */
#define STEPPING_MARK  0x7a70726f66 /* in a handler's registers: SIGTRAP of a step */

/* ---- of a handler's third argument */

UNSEEN static inline mcontext_t *stepping_registers(const void *context)
{
	return &((ucontext_t *)context)->uc_mcontext;
}

#define CALL_FIRST(context)  stepping_registers(context)->regs[0]
#define CALL_SECOND(context) stepping_registers(context)->regs[1]
#define CALL_THIRD(context)  stepping_registers(context)->regs[2]
#define CALL_RESULT(context) stepping_registers(context)->regs[0]

/* Not through libc: the library would see that, and ask the kernel for nothing any more. */
UNSEEN static inline long raw_call(long number, long a, long b, const void *c)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = (long)c;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	return x0;
}

/* ---- copies */

struct stepping_copy {
	uintptr_t from; /* 0: free */
	uint32_t code[STEPPING_COPY];
};

static struct stepping_copy *stepping_copies;

/* The address in the code, for one in a copy. */
UNSEEN static inline uintptr_t stepping_real(uintptr_t pc)
{
	uintptr_t offset = pc - (uintptr_t)stepping_copies;
	const struct stepping_copy *copy = stepping_copies + offset / sizeof *copy;

	if (!stepping_copies || offset >= STEPPING_ROOM * sizeof *copy)
		return pc;
	return (copy->from & ~1ul) + (pc - (uintptr_t)copy->code);
}

/* Where instructions of the code from `from` on, `count` of them, stand as a copy. (Two threads that make the
 * same one store the same.) */
UNSEEN static uintptr_t stepping_copy(uintptr_t from, const uint32_t *code, size_t count)
{
	uint32_t i = (uint32_t)(from >> 2) * 2654435769u >> 17, tries;

	for (tries = 0; tries < STEPPING_ROOM; tries++, i = (i + 1) % STEPPING_ROOM) {
		struct stepping_copy *copy = &stepping_copies[i];
		uintptr_t was = 0;

		if (!__atomic_compare_exchange_n(&copy->from, &was, from, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_ACQUIRE) &&
		    was != from)
			continue;
		if (__atomic_load_n(&copy->code[count], __ATOMIC_ACQUIRE) != STEPPING_BREAK) {
			for (size_t n = 0; n < count; n++)
				copy->code[n] = code[n];
			__atomic_store_n(&copy->code[count], STEPPING_BREAK, __ATOMIC_RELEASE);
			__builtin___clear_cache((char *)copy->code, (char *)(copy + 1));
		}
		return (uintptr_t)copy->code;
	}
	abort();
}

/* Raises SIGTRAP before the first instruction. (Its address is odd, so that this is not the copy of what is before.) */
UNSEEN __attribute__((used)) static uintptr_t stepping_before(uintptr_t pc)
{
	static const uint32_t nop = STEPPING_NOP;

	return stepping_copy((pc - 4) | 1, &nop, 1);
}

/* How many instructions are one step. */
UNSEEN static size_t stepping_count(const uint32_t *code)
{
	if ((*code & 0x3fc00000) != 0x08400000)
		return 1;
	for (size_t i = 1; i < STEPPING_COPY - 2; i++)
		if ((code[i] & 0x3fc00000) == 0x08000000)
			return (code[i + 1] & 0x7f000000) == 0x35000000 ? i + 2 : i + 1;
	abort();
}

/* ---- what has no copy */

/* A number with a sign, of `bits` bits from bit `first` on. */
UNSEEN static inline long stepping_far(uint32_t code, int first, int bits)
{
	return (long)((uint64_t)code << (64 - first - bits)) >> (64 - bits);
}

UNSEEN static inline bool stepping_holds(uint64_t pstate, uint32_t condition)
{
	bool n = pstate >> 31 & 1, z = pstate >> 30 & 1, c = pstate >> 29 & 1, v = pstate >> 28 & 1;
	bool holds[] = {z, c, n, v, c && !z, n == v, n == v && !z, true};

	return holds[condition >> 1] != (condition & 1 && condition != 15);
}

UNSEEN static inline uint64_t stepping_register(const mcontext_t *m, uint32_t which)
{
	return which < 31 ? m->regs[which] : 0;
}

UNSEEN static inline void stepping_set(mcontext_t *m, uint32_t which, uint64_t value)
{
	if (which < 31)
		m->regs[which] = value;
}

/* Does the instruction at m->pc, if it knows where it stands. */
UNSEEN static bool stepping_done(mcontext_t *m)
{
	uint32_t code = *(const uint32_t *)m->pc, one = code >> 24 & 1;
	uint64_t value = stepping_register(m, code & 31);
	uintptr_t pc = m->pc, to = pc + 4;

	if ((code & 0x7c000000) == 0x14000000) { /* b, bl */
		to = pc + stepping_far(code, 0, 26) * 4;
		if (code >> 31)
			m->regs[30] = pc + 4;
	} else if ((code & 0xff000010) == 0x54000000) { /* b.cond */
		if (stepping_holds(m->pstate, code & 15))
			to = pc + stepping_far(code, 5, 19) * 4;
	} else if ((code & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
		if ((code >> 31 ? value != 0 : (uint32_t)value != 0) == one)
			to = pc + stepping_far(code, 5, 19) * 4;
	} else if ((code & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		if ((value >> ((code >> 31) << 5 | (code >> 19 & 31)) & 1) == one)
			to = pc + stepping_far(code, 5, 14) * 4;
	} else if ((code & 0xff9ffc1f) == 0xd61f0000) { /* br, blr, ret */
		to = stepping_register(m, code >> 5 & 31);
		if ((code >> 21 & 3) == 1)
			m->regs[30] = pc + 4;
	} else if ((code & 0x1f000000) == 0x10000000) { /* adr, adrp */
		long far = stepping_far(code, 5, 19) * 4 + (long)(code >> 29 & 3);

		stepping_set(m, code & 31, code >> 31 ? (pc & ~4095ul) + far * 4096 : pc + far);
	} else if ((code & 0xbf000000) == 0x18000000) { /* ldr from beside the code */
		const void *at = (const void *)(pc + stepping_far(code, 5, 19) * 4);

		stepping_set(m, code & 31,
			     code >> 30 ? *(const uint64_t *)at : *(const uint32_t *)at);
	} else if ((code & 0xfe000000) == 0xd6000000 || (code & 0x3b000000) == 0x18000000) {
		abort(); /* others of these kinds, which nothing here has */
	} else {
		return false;
	}
	m->pc = to;
	return true;
}

/* ---- the handler */

static void (*stepping_handler)(int signal, siginfo_t *info, void *context);

/* Goes on where it was called, in a copy. */
__asm__("	.text\n"
	"	.type	stepping_enter, %function\n"
	"stepping_enter:\n"
	"	stp	x29, x30, [sp, #-16]!\n"
	"	mov	x0, x30\n"
	"	bl	stepping_before\n"
	"	mov	x16, x0\n"
	"	ldp	x29, x30, [sp], #16\n"
	"	br	x16\n");

/* Code that comes here is stepped no further. */
UNSEEN __attribute__((noinline)) static void stepping_leave(void)
{
	__asm__ volatile("" : : : "memory");
}

UNSEEN static void stepping_trapped(int signal, siginfo_t *info, void *context)
{
	mcontext_t *m = stepping_registers(context);
	const uint32_t *code;

	m->pc = stepping_real(m->pc);
	do {
		m->fault_address = STEPPING_MARK;
		stepping_handler(signal, info, context);
		if (m->fault_address != STEPPING_MARK)
			return;
	} while (stepping_done(m) && m->pc != (uintptr_t)stepping_leave);
	if (m->pc == (uintptr_t)stepping_leave)
		return;
	code = (const uint32_t *)m->pc;
	m->pc = stepping_copy(m->pc, code, stepping_count(code));
}

UNSEEN static inline int handle_steps(const struct sigaction *action)
{
	struct sigaction own = *action;

	stepping_handler = action->sa_sigaction;
	own.sa_sigaction = stepping_trapped;
	stepping_copies = (struct stepping_copy *)mmap(
	    NULL, STEPPING_ROOM * sizeof *stepping_copies, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return stepping_copies == MAP_FAILED ? -1 : sigaction(SIGTRAP, &own, NULL);
}

UNSEEN static inline uintptr_t next_instruction(const void *context)
{
	return stepping_real(stepping_registers(context)->pc);
}

UNSEEN static inline void step_on(void *context)
{
	mcontext_t *m = stepping_registers(context);

	if (m->fault_address != STEPPING_MARK)
		m->pc = stepping_before(stepping_real(m->pc));
}

UNSEEN static inline void step_no_on(void *context)
{
	mcontext_t *m = stepping_registers(context);

	if (m->fault_address == STEPPING_MARK)
		m->fault_address = 0;
	else
		m->pc = stepping_real(m->pc);
}

UNSEEN static inline void step(void)
{
	__asm__ volatile("bl stepping_enter"
			 :
			 :
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
			   "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x30", "v0", "v1", "v2",
			   "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21",
			   "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
			   "cc", "memory");
}

UNSEEN static inline void run(void)
{
	stepping_leave();
}

#endif
