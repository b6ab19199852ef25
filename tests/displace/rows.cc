/* SPDX-License-Identifier: MIT */
/*
 * rows.cc - calls the functions of rows.s, again and again: each returns what it should, an exception
 * passes through each that calls, the return address of each call is the function's own, and a
 * signal handler's backtrace reaches main wherever the signal comes: by a timer's signal, or by one after
 * every single instruction of a call, its trampoline and the hook.
 *
 *     rows calls | rows signals SECONDS | rows steps | rows headers (dl_iterate_phdr tells of the trampolines)
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

#define ROUNDS     30000
#define MOST_BYTES 20 /* a function of rows.s that calls has no more */

typedef int function(int n, int (*callee)(int), void *table);

extern "C" {
int rows_callee(int n);
#define ROW(name, calls) function name;
#define ROWS                                                                                       \
	ROW(rows_copy, 0)                                                                          \
	ROW(rows_endbr, 0)                                                                         \
	ROW(rows_operand, 0)                                                                       \
	ROW(rows_operand_and_immediate, 0)                                                         \
	ROW(rows_jcc_short, 0)                                                                     \
	ROW(rows_jcc_near, 0)                                                                      \
	ROW(rows_jmp_short, 0)                                                                     \
	ROW(rows_jmp_near, 0)                                                                      \
	ROW(rows_return, 0)                                                                        \
	ROW(rows_jmp_register, 2)                                                                  \
	ROW(rows_jmp_slot, 2)                                                                      \
	ROW(rows_call, 1)                                                                          \
	ROW(rows_call_first, 2)                                                                    \
	ROW(rows_call_register, 1)                                                                 \
	ROW(rows_call_memory, 1)                                                                   \
	ROW(rows_call_slot, 1)
ROWS
}
#undef ROW

/* calls: 1: the callee returns into the function; 2: it returns elsewhere; 0: there is none. */
static const struct row {
	const char *name;
	function *row;
	int calls;
} all[] = {
#define ROW(name, calls) {#name, name, calls},
    ROWS
#undef ROW
};

static void *returns_to;

extern "C" __attribute__((noinline)) int rows_callee(int n)
{
	returns_to = __builtin_return_address(0);
	if (n < 0)
		throw n;
	return n + 1;
}

static int wrong(const struct row *r, const char *what)
{
	printf("%s: %s\n", r->name, what);
	return 1;
}

static int try_row(const struct row *r, int n)
{
	static void *table[] = {nullptr, (void *)rows_callee};

	returns_to = nullptr;
	if (r->row(n, rows_callee, table) != n + 1)
		return wrong(r, "returns another number");
	if (r->calls == 1 && (size_t)((const char *)returns_to - (const char *)r->row) > MOST_BYTES)
		return wrong(r, "the call returns elsewhere");
	if (!r->calls)
		return 0;
	try {
		r->row(-n - 1, rows_callee, table);
	} catch (int thrown) {
		return thrown == -n - 1 ? 0 : wrong(r, "catches another number");
	}
	return wrong(r, "nothing is thrown");
}

static int calls()
{
	int n, bad = 0;

	for (n = 0; n < ROUNDS && !bad; n++)
		for (const struct row &r : all)
			bad |= try_row(&r, n);
	return bad;
}

/* ---- backtraces */

static void *in_main;
static volatile sig_atomic_t handled, lost;

static void look(void)
{
	void *frames[64];
	int n = backtrace(frames, 64), i;

	for (i = 0; i < n && frames[i] != in_main; i++)
		;
	handled = handled + 1;
	lost = lost + (i == n);
}

static int say(const char *signals)
{
	printf("%d signals %s, %d backtraces that do not reach main\n", (int)handled, signals,
	       (int)lost);
	return !handled || lost;
}

static void on_alarm(int)
{
	look();
}

static __attribute__((noinline)) int signals(int seconds)
{
	const struct itimerspec often = {{0, 200000}, {0, 200000}};
	timer_t timer;
	static void *table[] = {nullptr, (void *)rows_callee};
	time_t end = time(nullptr) + seconds;
	void *frames[4];
	volatile int sum = 0;

	in_main = __builtin_return_address(0);
	backtrace(frames, 4); /* loads the unwinder, which no handler may */
	signal(SIGALRM, on_alarm);
	timer_create(CLOCK_MONOTONIC, nullptr, &timer);
	timer_settime(timer, 0, &often, nullptr);
	while (time(nullptr) < end)
		for (int i = 0; i < 1000; i++)
			for (const struct row &r : all)
				sum = sum + r.row(i, rows_callee, table);
	signal(SIGALRM, SIG_IGN);
	return say("of a timer");
}

/* ---- after each instruction */

#define TRAP_FLAG 0x100

static volatile sig_atomic_t stepping, first_lost;
static const struct row *volatile tried;

/* The processor raises SIGTRAP after the next instruction too, if the interrupted flags say so. */
static void on_trap(int, siginfo_t *, void *context)
{
	greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;

	if (!stepping) {
		registers[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	registers[REG_EFL] |= TRAP_FLAG;
	look();
	rows_copy(1, rows_callee, nullptr);
	if (lost && !first_lost) {
		first_lost = 1;
		printf("%s: the first is lost at %p\n", tried->name, (void *)registers[REG_RIP]);
	}
}

/* Each call is the second of its kind, and so goes the usual way of a hook, where there is one. */
static __attribute__((noinline)) int steps()
{
	static void *table[] = {nullptr, (void *)rows_callee};
	struct sigaction action = {};
	void *frames[4];

	in_main = __builtin_return_address(0);
	backtrace(frames, 4);
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, nullptr);
	for (int i = 0; i < 2; i++)
		for (const struct row &r : all) {
			tried = &r;
			stepping = i;
			if (i)
				raise(SIGTRAP);
			r.row(1, rows_callee, table);
			stepping = 0;
		}
	return say("after instructions");
}

/* Counts modules of trampolines, which have an eh_frame_hdr of version 1 as all modules do. */
static int look_at_headers(struct dl_phdr_info *info, size_t bytes, void *areas)
{
	bool loaded = false, unwound = false;
	(void)bytes;
	if (strcmp(info->dlpi_name, "[zprof]"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		loaded |= h->p_type == PT_LOAD;
		unwound |= h->p_type == PT_GNU_EH_FRAME &&
			   *(const unsigned char *)(info->dlpi_addr + h->p_vaddr) == 1;
	}
	++*(int *)areas;
	return !loaded || !unwound;
}

/* Whether other unwinders than libgcc's find the trampolines. */
static int headers(void)
{
	int areas = 0;
	return dl_iterate_phdr(look_at_headers, &areas) || !areas;
}

int main(int argc, char **argv)
{
	int bad;

	if (argc > 1 && !strcmp(argv[1], "headers"))
		return headers();

	if (argc > 2 && !strcmp(argv[1], "signals")) {
		bad = signals(atoi(argv[2]));
		return bad;
	}
	if (argc > 1 && !strcmp(argv[1], "steps")) {
		bad = steps();
		return bad;
	}
	return calls();
}
