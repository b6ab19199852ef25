/* SPDX-License-Identifier: MIT */
/*
 * registers.c - calls the hooks of both front ends with every register of the processor holding
 * something, and looks at all of them afterwards.
 *
 *   registers [control]
 *
 * What counts: the x87 stack, control and status word, MXCSR with its exception flags, xmm, ymm,
 * zmm and mask registers as far as the processor has them, the registers a callee keeps, for
 * __fentry__ and __return__ all general ones, and errno. The hooks take their usual way and the
 * rare ones: the first of a process, of a thread and of a forked child, new contexts by the
 * thousand (the file and the hash grow), frames by the thousand, zones left by a jump, and signals
 * whose handlers are instrumented and use vector registers. `control`: checks only what no function
 * may change (for builds in which the hooks call other functions to check the stack).
 *
 * Ends with 0, or with 1 and a line about what was changed, and where.
 */
#include <cpuid.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
#define AREA   __attribute__((aligned(64), used))
enum { AREA_BYTES = 8192, GENERAL = 15, ERRNO = 4711 };

void __cyg_profile_func_enter(void *, void *);
void __cyg_profile_func_exit(void *, void *);
void probe_hook(void (*hook)(void *, void *), void *function);
void probe_fentry(void);

/* The state of the processor, as XSAVE writes it: the program's own, the one to be kept, the ones
 * found.
 */
unsigned char state_own[AREA_BYTES] AREA, state_given[AREA_BYTES] AREA;
unsigned char state_enter[AREA_BYTES] AREA, state_leave[AREA_BYTES] AREA;
uint64_t general_own[GENERAL] AREA, general_given[GENERAL] AREA;
uint64_t general_enter[GENERAL] AREA, general_leave[GENERAL] AREA;
uint32_t state_mask AREA;

#define EACH_GENERAL(X)                                                                            \
	X("rbx", 0)                                                                                \
	X("rbp", 8)                                                                                \
	X("r12", 16)                                                                               \
	X("r13", 24)                                                                               \
	X("r14", 32)                                                                               \
	X("r15", 40)                                                                               \
	X("rax", 48)                                                                               \
	X("rcx", 56)                                                                               \
	X("rdx", 64)                                                                               \
	X("rsi", 72)                                                                               \
	X("rdi", 80)                                                                               \
	X("r8", 88)                                                                                \
	X("r9", 96)                                                                                \
	X("r10", 104)                                                                              \
	X("r11", 112)
#define LOAD(name, at)        "	mov general_given+" #at "(%rip), %" name "\n"
#define STORE_ENTER(name, at) "	mov %" name ", general_enter+" #at "(%rip)\n"
#define STORE_LEAVE(name, at) "	mov %" name ", general_leave+" #at "(%rip)\n"
#define STORE_OWN(name, at)   "	mov %" name ", general_own+" #at "(%rip)\n"
#define LOAD_OWN(name, at)    "	mov general_own+" #at "(%rip), %" name "\n"
#define KEPT(X)               X("rbx", 0) X("rbp", 8) X("r12", 16) X("r13", 24) X("r14", 32) X("r15", 40)
#define STATE(what, area)                                                                          \
	"	mov state_mask(%rip), %eax\n	xor %edx, %edx\n	" what " " area "(%rip)\n"

__asm__(
    ".text\n"
    ".type probe_hook, @function\n"
    "probe_hook:\n"
    "	.cfi_startproc\n"
    "	push %rbp\n	.cfi_def_cfa_offset 16\n	.cfi_offset %rbp, -16\n"
    "	mov %rsp, %rbp\n	.cfi_def_cfa_register %rbp\n" KEPT(
	STORE_OWN) "	mov %rdi, %rcx\n" STATE("xsave64", "state_own")
	STATE(
	    "xrstor64",
	    "state_given") "	mov general_given(%rip), %rbx\n"
			   "	mov general_given+16(%rip), %r12\n"
			   "	mov general_given+24(%rip), %r13\n"
			   "	mov general_given+32(%rip), %r14\n"
			   "	mov general_given+40(%rip), %r15\n"
			   "	mov %rsi, %rdi\n	mov 8(%rbp), %rsi\n"
			   "	call *%rcx\n" KEPT(STORE_ENTER) STATE("xsave64", "state_enter")
			       STATE("xrstor64", "state_own") KEPT(
				   LOAD_OWN) "	pop %rbp\n	.cfi_def_cfa %rsp, 8\n"
					     "	ret\n"
					     "	.cfi_endproc\n"
					     ".size probe_hook, .-probe_hook\n"

					     ".type probe_fentry, @function\n"
					     "probe_fentry:\n"
					     "	.cfi_startproc\n" KEPT(STORE_OWN) STATE("xsave64",
											"state_own")
						 STATE("xrstor64", "state_given") EACH_GENERAL(
						     LOAD) "	call "
							   "*__fentry__@GOTPCREL(%rip)"
							   "\n" EACH_GENERAL(STORE_ENTER) STATE(
							       "xs"
							       "av"
							       "e6"
							       "4",
							       "st"
							       "at"
							       "e_"
							       "en"
							       "te"
							       "r") STATE("xrstor64", "state_given")
							       EACH_GENERAL(
								   LOAD) "	call "
									 "*__return__@GOTPCREL(%"
									 "rip)\n" EACH_GENERAL(
									     STORE_LEAVE) STATE("xs"
												"av"
												"e6"
												"4",
												"st"
												"at"
												"e_"
												"le"
												"av"
												"e")
									     STATE("xrstor64", "sta"
											       "te_"
											       "ow"
											       "n")
										 KEPT(
										     LOAD_OWN) "	ret"
											       "\n"
											       "	."
											       "cfi"
											       "_"
											       "end"
											       "pro"
											       "c"
											       "\n"
											       ".si"
											       "ze "
											       "pro"
											       "be_"
											       "fen"
											       "try"
											       ", "
											       ".-"
											       "pro"
											       "be_"
											       "fen"
											       "try"
											       "\n");

/* Where the components of the state lie (Intel SDM vol. 1, 13.4 and 13.5): x87 and SSE first, the
 * others as CPUID says. */
static struct {
	uint32_t at, bytes;
} component[8];

static int control_only;
static unsigned long probes;
static volatile double disturbed = 1;

/* ---- the state to be kept */

UNSEEN static void fill_state(void)
{
	uint32_t c, d, low, high, random = 12345;
	uint16_t control = 0x0f7f /* towards zero, all masked */,
		 status = 0x283f /* top 5, all flags */;
	uint64_t header;
	uint32_t mxcsr, mxcsr_mask;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	state_mask = low & (7u | 7u << 5); /* x87, SSE, AVX, the three of AVX-512 */
	__asm__ volatile("xsave64 %0" : "=m"(state_given) : "a"(state_mask), "d"(0));
	memcpy(&mxcsr_mask, state_given + 28, 4);
	for (int i = 2; i < 8; i++) {
		if (state_mask & 1u << i)
			__cpuid_count(13, i, component[i].bytes, component[i].at, c, d);
		for (uint32_t n = 0; n < component[i].bytes; n++)
			state_given[component[i].at + n] =
			    (unsigned char)((random = random * 1664525 + 1013904223) >> 24);
	}
	for (int i = 32; i < 416; i++)
		state_given[i] = (unsigned char)((random = random * 1664525 + 1013904223) >> 24);
	for (int i = 0; i < 8; i++) { /* numbers of 80 bits, with the top bit set */
		state_given[32 + 16 * i + 7] |= 0x80;
		memset(state_given + 32 + 16 * i + 10, 0, 6);
	}
	memcpy(state_given, &control, 2);
	memcpy(state_given + 2, &status, 2);
	state_given[4] = 0xe0; /* three numbers on the stack: registers 5 to 7 */
	memset(state_given + 5, 0, 19);
	mxcsr = 0xffff & (mxcsr_mask ? mxcsr_mask : 0xffbf);
	memcpy(state_given + 24, &mxcsr, 4);
	header = state_mask;
	memset(state_given + 512, 0, 64);
	memcpy(state_given + 512, &header, 8);
	for (int i = 0; i < GENERAL; i++)
		general_given[i] = 0x0123456789abcdefu * (unsigned)(i + 1);
}

UNSEEN static void changed(const char *what, const char *where)
{
	fprintf(stderr, "%s changed: %s, after %lu calls of hooks\n", what, where, probes);
	_exit(1);
}

UNSEEN static void compare_state(const unsigned char *found, const char *where)
{
	if (memcmp(found, state_given, 2))
		changed("x87 control word", where);
	if (memcmp(found + 24, state_given + 24, 4))
		changed("MXCSR", where);
	if (control_only)
		return;
	if (memcmp(found + 2, state_given + 2, 3))
		changed("x87 status or tags", where);
	for (int i = 5; i < 8; i++) /* as many as are on its stack */
		if (memcmp(found + 32 + 16 * (i - 5), state_given + 32 + 16 * (i - 5), 10))
			changed("x87 stack", where);
	if (memcmp(found + 160, state_given + 160, 256))
		changed("xmm", where);
	for (int i = 2; i < 8; i++)
		if (memcmp(found + component[i].at, state_given + component[i].at,
			   component[i].bytes))
			changed(i == 2 ? "ymm" : i == 5 ? "mask" : "zmm", where);
}

UNSEEN static void compare_general(const uint64_t *found, int n, const char *where)
{
	for (int i = 0; i < n; i++)
		if (found[i] != general_given[i])
			changed("general register", where);
}

/* ---- hooks, probed */

UNSEEN static void probe(int enter, void *function, const char *where)
{
	uint64_t frame = general_given[1];

	errno = ERRNO;
	probe_hook(enter ? __cyg_profile_func_enter : __cyg_profile_func_exit, function);
	probes++;
	if (errno != ERRNO)
		changed("errno", where);
	compare_state(state_enter, where);
	general_given[1] = general_enter[1]; /* rbp is the frame's */
	compare_general(general_enter, 6, where);
	general_given[1] = frame;
}

UNSEEN static void probe_both(const char *where)
{
	errno = ERRNO;
	probe_fentry();
	probes += 2;
	if (errno != ERRNO)
		changed("errno", where);
	compare_state(state_enter, where);
	compare_state(state_leave, where);
	compare_general(general_enter, GENERAL, where);
	compare_general(general_leave, GENERAL, where);
}

UNSEEN static void *function(int i)
{
	return (char *)changed + i;
}

UNSEEN static void contexts(int from, int to, const char *where)
{
	for (int i = from; i < to; i++) {
		probe(1, function(i), where);
		probe_both(where);
		probe(0, function(i), where);
	}
}

/* Calls the enter hook at every depth, but the exit hook not below `leave`, as after a jump. */
UNSEEN __attribute__((noinline)) static void deep(int n, int leave)
{
	if (n == 0)
		return;
	probe(1, function(n), "deep");
	deep(n - 1, leave);
	if (n > leave)
		probe(0, function(n), "deep");
}

/* A context of its own for __fentry__ at every depth. */
__attribute__((noinline)) static int nest(int n)
{
	int below;

	probe_both("nested");
	below = n ? nest(n - 1) : 0;
	probe_both("nested");
	return below + 1;
}

UNSEEN static void *in_thread(void *unused)
{
	contexts(0, 50, "first of a thread");
	deep(control_only ? 100 : 2000, 0);
	return unused;
}

__attribute__((noinline)) static double in_handler(double x)
{
	return x * 3 / disturbed;
}

UNSEEN static void on_alarm(int signal)
{
	int error = errno;

	disturbed = in_handler(disturbed) + signal;
	__builtin_ia32_ldmxcsr(0x1f80);
	errno = error;
}

UNSEEN int main(int argc, char **argv)
{
	struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	pthread_t thread;
	int status;

	(void)argv;
	control_only = argc > 1;
	fill_state();
	contexts(0, 300, "first of a process");
	signal(SIGALRM, on_alarm);
	if (!control_only) /* with control_only, a walk of the stack takes longer than `often` */
		setitimer(ITIMER_REAL, &often, NULL);
	contexts(300, control_only ? 400 : 6000, "new contexts, signals");
	nest(control_only ? 100 : 3000);
	deep(control_only ? 100 : 3000, 0);
	deep(control_only ? 100 : 500, 50);
	contexts(0, 300, "after a jump");
	setitimer(ITIMER_REAL, &never, NULL);
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		contexts(0, 300, "first of a child");
		exit(0);
	}
	wait(&status);
	printf("%lu calls of hooks, registers as they were\n", probes);
	return status ? 1 : 0;
}
