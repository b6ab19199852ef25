/* SPDX-License-Identifier: MIT */
/*
 * stepping_aarch64.h - see stepping.h. A program of arm64 cannot step itself: a process that traces it
 * must do so (ptrace). Each thread that steps starts one for itself, which shares its memory:
 *
 *   thread    brk BEGIN   ...   an instruction of the library       handler ... rt_sigreturn   ...   brk END
 *   tracer    steps it          goes by: lets SIGTRAP through, and  finds STEPPED in the             lets it run
 *                               the thread run its handler          handler's frame: steps on
 *
 * The kernel keeps the processor's state in a handler's frame, with the bit that says whether the
 * interrupted code was stepped. So handlers may change that, may jump away, and may interrupt each
 * other, as where the processor does the work.
 *
 * A store that is tied to a load (ldxr, stxr) does not happen if the processor has left the program in
 * between. So the loop around such a pair is one step: the thread runs a copy of it, with a breakpoint
 * behind. (A breakpoint of the processor's behind the loop itself would do, but as it is set, an emulator
 * forgets all that it has translated.)
 *
 * The tracer must call nothing of the C library's, whose variables of threads would be those of the
 * thread that it traces.
 */
#ifndef TESTS_STEPPING_AARCH64_H
#define TESTS_STEPPING_AARCH64_H

#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#define STEPPED        0x200000ull /* in the processor's state: PSTATE.SS */
#define STEPPING_BEGIN 0xd4202000u /* brk #256 */
#define STEPPING_END   0xd4202020u /* brk #257 */
#define STEPPING_BACK  0xd4202040u /* brk #258: behind a copy */
#define STEPPING_CALL  0x80        /* PTRACE_O_TRACESYSGOOD */
#define STEPPING_STACK 65536
#define STEPPING_LOOP  16 /* instructions of a loop, at most */
#define STEPPING_LOOPS 64
#define STEPPING_VM    0x100 /* CLONE_VM */

/* ---- of a handler's third argument */

UNSEEN static inline mcontext_t *stepping_registers(const void *context)
{
	return &((ucontext_t *)context)->uc_mcontext;
}

UNSEEN static inline uintptr_t next_instruction(const void *context)
{
	return stepping_registers(context)->pc;
}

UNSEEN static inline void step_on(void *context)
{
	stepping_registers(context)->pstate |= STEPPED;
}

UNSEEN static inline void step_no_on(void *context)
{
	stepping_registers(context)->pstate &= ~STEPPED;
}

#define CALL_FIRST(context)  stepping_registers(context)->regs[0]
#define CALL_SECOND(context) stepping_registers(context)->regs[1]
#define CALL_THIRD(context)  stepping_registers(context)->regs[2]
#define CALL_RESULT(context) stepping_registers(context)->regs[0]

/* ---- system calls, without the C library */

UNSEEN static inline long stepping_call(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = 0;
	register long x5 __asm__("x5") = 0;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

UNSEEN static inline long raw_call(long number, long a, long b, const void *c)
{
	return stepping_call(number, a, b, (long)c, 0);
}

/* ---- the tracer */

/* A loop of the library's, and how it goes on. */
struct stepping_loop {
	uintptr_t from, behind;
	uint32_t code[STEPPING_LOOP + 1];
};

struct stepping {
	long tid; /* of the thread */
	int is_traced;
	bool enters;  /* a handler is beginning in code that is stepped */
	bool returns; /* a handler is returning to such code */
	struct stepping_loop loops[STEPPING_LOOPS]; /* those met so far */
};

UNSEEN static long stepping_trace(const struct stepping *s, long request, long address, void *data)
{
	return stepping_call(SYS_ptrace, request, s->tid, address, (long)data);
}

UNSEEN static void stepping_get(const struct stepping *s, struct user_regs_struct *registers)
{
	struct iovec all = {registers, sizeof *registers};

	stepping_trace(s, PTRACE_GETREGSET, NT_PRSTATUS, &all);
}

UNSEEN static void stepping_go_to(const struct stepping *s, struct user_regs_struct *registers,
				  uintptr_t pc)
{
	struct iovec all = {registers, sizeof *registers};

	registers->pc = pc;
	stepping_trace(s, PTRACE_SETREGSET, NT_PRSTATUS, &all);
}

/* What a handler gets as its third argument, when it begins and when it returns. */
UNSEEN static void *stepping_frame(const struct user_regs_struct *registers)
{
	return (void *)(registers->sp + sizeof(siginfo_t));
}

/* At the beginning of a system call: whether a handler returns to code that is stepped. */
UNSEEN static bool stepping_returns(const struct user_regs_struct *registers)
{
	return registers->regs[8] == SYS_rt_sigreturn && !registers->regs[7] &&
	       stepping_registers(stepping_frame(registers))->pstate & STEPPED;
}

/* The end of the loop around a load that stores are tied to, if that comes next; else 0. */
UNSEEN static uintptr_t stepping_behind_pair(uintptr_t pc)
{
	const uint32_t *code = (const uint32_t *)pc;

	if ((*code & 0x3fc00000) != 0x08400000)
		return 0;
	for (int i = 1; i < STEPPING_LOOP - 1; i++)
		if ((code[i] & 0x3fc00000) == 0x08000000)
			return (uintptr_t)&code[(code[i + 1] & 0x7f000000) == 0x35000000 ? i + 2
											 : i + 1];
	return 0;
}

/* How many instructions a conditional branch (b.cond, cbz, cbnz) goes on; 0: it is none. */
UNSEEN static long stepping_branch(uint32_t code)
{
	bool is_branch = (code & 0xff000010) == 0x54000000 || (code & 0x7e000000) == 0x34000000;

	return is_branch ? (long)(int32_t)(code << 8) >> 13 : 0;
}

/* The copy of a loop, which branches nowhere but into itself and behind its end. */
UNSEEN static uintptr_t stepping_copy(struct stepping *s, uintptr_t from, uintptr_t behind)
{
	long count = (long)(behind - from) / 4, i, to;
	struct stepping_loop *l = s->loops;

	while (l->from && l->from != from)
		if (++l == s->loops + STEPPING_LOOPS)
			return 0;
	if (l->from)
		return (uintptr_t)l->code;
	for (i = 0; i < count; i++) {
		l->code[i] = ((const uint32_t *)from)[i];
		to = i + stepping_branch(l->code[i]);
		if (to < 0 || to > count)
			return 0;
	}
	l->code[count] = STEPPING_BACK;
	l->from = from;
	l->behind = behind;
	__builtin___clear_cache((char *)l->code, (char *)&l->code[count + 1]);
	return (uintptr_t)l->code;
}

/* Where the loop goes on whose copy has run. */
UNSEEN static uintptr_t stepping_behind_copy(const struct stepping *s, uintptr_t pc)
{
	const struct stepping_loop *l = s->loops;

	while (pc - (uintptr_t)l >= sizeof *l)
		l++;
	return l->behind;
}

/* How the thread goes on to the next step. */
UNSEEN static long stepping_next(struct stepping *s, struct user_regs_struct *registers)
{
	uintptr_t behind = stepping_behind_pair(registers->pc), copy;

	if (!behind)
		return PTRACE_SINGLESTEP;
	copy = stepping_copy(s, registers->pc, behind);
	if (!copy)
		stepping_call(SYS_tkill, s->tid, SIGABRT, 0, 0);
	stepping_go_to(s, registers, copy);
	return PTRACE_SYSCALL;
}

/* How the thread is to go on after it has stopped for SIGTRAP. *deliver: the signal that it gets. */
UNSEEN static long stepping_trapped(struct stepping *s, struct user_regs_struct *registers,
				    long *deliver)
{
	siginfo_t info;
	uint32_t code;

	if (s->enters) {
		s->enters = false;
		step_on(stepping_frame(registers));
		return PTRACE_SYSCALL;
	}
	stepping_trace(s, PTRACE_GETSIGINFO, 0, &info);
	if (info.si_code == TRAP_BRKPT) {
		code = *(const uint32_t *)registers->pc;
		stepping_go_to(s, registers,
			       code == STEPPING_BACK ? stepping_behind_copy(s, registers->pc)
						     : registers->pc + 4);
		if (code != STEPPING_BACK)
			return code == STEPPING_BEGIN ? stepping_next(s, registers)
						      : PTRACE_SYSCALL;
	}
	if (s->returns || registers->pc < low || registers->pc >= high) {
		s->returns = false;
		return stepping_next(s, registers);
	}
	*deliver = SIGTRAP;
	/* After a system call, and at a breakpoint, the processor's state has no such bit. */
	s->enters = info.si_code != TRAP_TRACE;
	return s->enters ? PTRACE_SINGLESTEP : PTRACE_SYSCALL;
}

UNSEEN static void stepping_stopped(struct stepping *s, int status)
{
	long how = PTRACE_SYSCALL, deliver = 0;
	struct user_regs_struct registers;

	stepping_get(s, &registers);
	if (WSTOPSIG(status) == (SIGTRAP | STEPPING_CALL)) {
		s->returns = stepping_returns(&registers);
		if (s->returns)
			how = PTRACE_SINGLESTEP;
	} else if (WSTOPSIG(status) == SIGTRAP) {
		how = stepping_trapped(s, &registers, &deliver);
	} else {
		deliver = WSTOPSIG(status);
	}
	stepping_trace(s, how, 0, (void *)deliver);
}

UNSEEN __attribute__((used)) static void stepping_tracer(struct stepping *s)
{
	int status;

	if (stepping_trace(s, PTRACE_SEIZE, 0, (void *)PTRACE_O_TRACESYSGOOD) == 0)
		__atomic_store_n(&s->is_traced, 1, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&s->is_traced, -1, __ATOMIC_RELEASE);
	while (stepping_call(SYS_wait4, s->tid, (long)&status, __WALL, 0) == s->tid &&
	       WIFSTOPPED(status))
		stepping_stopped(s, status);
	stepping_call(SYS_exit, 0, 0, 0, 0);
}

/* A process with this memory, and a stack of its own, that never returns from stepping_tracer(). */
UNSEEN __attribute__((noinline)) static void stepping_start(struct stepping *s, char *stack_end)
{
	register long x8 __asm__("x8") = SYS_clone;
	register long x0 __asm__("x0") = STEPPING_VM;
	register long x1 __asm__("x1") = (long)stack_end;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;
	register struct stepping *x5 __asm__("x5") = s;

	__asm__ volatile("svc #0\n"
			 "	cbnz x0, 1f\n"
			 "	mov x0, x5\n"
			 "	b stepping_tracer\n"
			 "1:\n"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory", "x30");
}

static __thread struct stepping *stepping_of;

/* The thread that a forked child begins with has its parent's variables, and is not traced. */
UNSEEN static inline bool stepping_is_traced(void)
{
	return stepping_of && stepping_of->tid == stepping_call(SYS_gettid, 0, 0, 0, 0);
}

UNSEEN static inline void stepping_begin(void)
{
	char *memory =
	    (char *)stepping_call(SYS_mmap, 0, STEPPING_STACK, PROT_READ | PROT_WRITE | PROT_EXEC,
				  MAP_PRIVATE | MAP_ANONYMOUS);
	stepping_of = (struct stepping *)memory;
	stepping_of->tid = stepping_call(SYS_gettid, 0, 0, 0, 0);
	stepping_start(stepping_of, memory + STEPPING_STACK);
	while (!__atomic_load_n(&stepping_of->is_traced, __ATOMIC_ACQUIRE))
		stepping_call(SYS_sched_yield, 0, 0, 0, 0);
	if (stepping_of->is_traced < 0)
		abort();
}

UNSEEN static inline void step(void)
{
	if (!stepping_is_traced())
		stepping_begin();
	__asm__ volatile("brk #256" : : : "memory");
}

UNSEEN static inline void run(void)
{
	if (stepping_is_traced())
		__asm__ volatile("brk #257" : : : "memory");
}

#endif
