/* SPDX-License-Identifier: MIT */
/*
 * stress.cc - everything at once: threads that call, jump, throw, run coroutines which move from
 * thread to thread, load and unload two libraries at one address, fork and start short threads,
 * under timers of several kHz whose handlers are instrumented, nest, and sometimes jump out; in
 * processes that end by exit or abort, or are killed from outside at a random moment.
 *
 *   stress SECONDS [SEED]
 *
 * Each thread counts for itself, by one instruction on memory of its own (a handler may come before
 * and after it, not in between), in memory that survives its process. A kill, or a handler's jump,
 * leaves only the last call of the thread in doubt.
 */
#include "tests/programs/truth.h"

#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* The arcs; the last ones may be left by a jump out of a handler. */
#define ARCS(X)                                                                                    \
	X(worker, tree)                                                                            \
	X(tree, tree)                                                                              \
	X(tree, leaf)                                                                              \
	X(worker, jump_from)                                                                       \
	X(jump_from, jump_over)                                                                    \
	X(jump_over, jump_over)                                                                    \
	X(jump_from, leaf)                                                                         \
	X(worker, catcher)                                                                         \
	X(catcher, thrower)                                                                        \
	X(thrower, thrower)                                                                        \
	X(catcher, leaf)                                                                           \
	X(worker, resume)                                                                          \
	X(resume, leaf)                                                                            \
	X(coroutine, co_step)                                                                      \
	X(co_step, co_step)                                                                        \
	X(co_step, leaf)                                                                           \
	X(worker, plug)                                                                            \
	X(plug, red_work)                                                                          \
	X(plug, blue_work)                                                                         \
	X(worker, forker)                                                                          \
	X(forker, tree)                                                                            \
	X(worker, starter)                                                                         \
	X(brief, tree)                                                                             \
	X(brief, ender)                                                                            \
	X(worker, interrupted)                                                                     \
	X(interrupted, pure)                                                                       \
	X(pure, pure)                                                                              \
	X(on_timer, from_timer)
#define ROOTS(X) X(worker) X(coroutine) X(brief)

enum arc {
#define X(caller, callee) caller##_##callee,
	ARCS(X)
#undef X
#define X(callee) root_##callee,
	    ROOTS(X)
#undef X
		any_on_timer,
	leaps, /* counts jumps out of handlers, which are no arc */
	ARC_COUNT
};

enum { WORKERS = 3, SLOTS = 2 * WORKERS + 1, COROUTINES = 5, STACK_BYTES = 128 * 1024 };

struct slot {
	unsigned long n[ARC_COUNT];
	char apart[64];
};

static slot *slots; /* of this process: SLOTS of them */
static thread_local slot *mine;
static volatile bool stop;
static char folder[4096];

UNSEEN APART static void count(enum arc arc)
{
	__atomic_fetch_add(&mine->n[arc], 1, __ATOMIC_RELAXED);
}

UNSEEN APART static unsigned chance(uint64_t *state, unsigned n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned)(*state >> 33) % n;
}

/* ---- what is called */

APART static void leaf()
{
	__asm__ volatile("");
}

APART static void tree(int n)
{
	if (n == 0)
		return;
	count(tree_tree);
	tree(n - 1);
	count(tree_leaf);
	leaf();
}

APART static void jump_over(int n, jmp_buf *to)
{
	volatile char frame[40] = {0};
	if (n == 0)
		longjmp(*to, 1);
	count(jump_over_jump_over);
	jump_over(n - 1, to);
	(void)frame[0];
}

APART static void jump_from(int n)
{
	jmp_buf back;
	if (setjmp(back) == 0) {
		count(jump_from_jump_over);
		jump_over(n, &back);
	}
	count(jump_from_leaf);
	leaf();
}

APART static void thrower(int n)
{
	if (n == 0)
		throw 1;
	count(thrower_thrower);
	thrower(n - 1);
	__asm__ volatile("");
}

APART static void catcher(int n)
{
	try {
		count(catcher_thrower);
		thrower(n);
	} catch (int) {
		count(catcher_leaf);
		leaf();
	}
}

/* ---- handlers */

static thread_local sigjmp_buf leap_to;
static thread_local volatile sig_atomic_t may_leap;

APART static void from_timer()
{
	__asm__ volatile("");
}

static void on_timer(int)
{
	int error = errno;
	count(any_on_timer);
	count(on_timer_from_timer);
	from_timer();
	errno = error;
	if (!may_leap)
		return;
	may_leap = may_leap - 1;
	if (may_leap == 0) {
		count(leaps);
		siglongjmp(leap_to, 1);
	}
}

APART static void pure(int n)
{
	if (n == 0)
		return;
	count(pure_pure);
	pure(n - 1);
	count(pure_pure);
	pure(n - 1);
}

/* Calls only functions of this file, which a handler may leave at any place. */
APART static void interrupted()
{
	if (sigsetjmp(leap_to, 1) == 0) {
		may_leap = 2;
		count(interrupted_pure);
		pure(9);
	}
	may_leap = 0;
}

/* ---- coroutines: the thread that holds one runs it */

struct co {
	int held;
	ucontext_t here, *home;
	void *stack;
	uint64_t state;
};

static co coroutines[COROUTINES];

UNSEEN APART static void yield(co *c)
{
	swapcontext(&c->here, c->home);
}

APART static void co_step(co *c, int n)
{
	count(co_step_leaf);
	leaf();
	yield(c);
	if (n > 0) {
		count(co_step_co_step);
		co_step(c, n - 1);
		yield(c);
	}
}

static void coroutine(unsigned high, unsigned low)
{
	co *c = (co *)((uintptr_t)high << 32 | low);
	for (;;) {
		count(coroutine_co_step);
		co_step(c, (int)chance(&c->state, 4));
	}
}

UNSEEN static void make(co *c)
{
	getcontext(&c->here);
	c->here.uc_stack.ss_sp = c->stack;
	c->here.uc_stack.ss_size = STACK_BYTES;
	makecontext(&c->here, (void (*)())coroutine, 2, (unsigned)((uintptr_t)c >> 32),
		    (unsigned)(uintptr_t)c);
	count(root_coroutine);
}

APART static void resume(co *c)
{
	ucontext_t home;
	count(resume_leaf);
	leaf();
	c->home = &home;
	swapcontext(&home, &c->here);
}

UNSEEN APART static void with_coroutine(uint64_t *state)
{
	co *c = &coroutines[chance(state, COROUTINES)];
	if (__atomic_exchange_n(&c->held, 1, __ATOMIC_ACQUIRE))
		return;
	if (!c->stack) {
		c->stack = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		c->state = *state;
		make(c);
	} else if (chance(state, 50) == 0) {
		make(c);
	}
	count(worker_resume);
	resume(c);
	__atomic_store_n(&c->held, 0, __ATOMIC_RELEASE);
}

/* ---- libraries that come and go, one at a time */

APART static void call_back()
{
	__asm__ volatile("");
}

APART static void plug(bool blue)
{
	char path[5000];
	snprintf(path, sizeof path, "%s/libdl_%s.so", folder, blue ? "blue" : "red");
	void *library = dlopen(path, RTLD_NOW);
	if (!library)
		abort();
	auto work = (void (*)(void (*)()))dlsym(library, blue ? "blue_work" : "red_work");
	for (int i = 0; i < 3; i++) {
		count(blue ? plug_blue_work : plug_red_work);
		work(call_back);
	}
	dlclose(library);
}

/* ---- truth */

/* Up to `doubt` calls of each kind may have been counted and not made. */
UNSEEN static void tell(unsigned long doubt)
{
	unsigned long n[ARC_COUNT] = {0}, leapt;
	for (int i = 0; i < SLOTS; i++)
		for (int arc = 0; arc < ARC_COUNT; arc++)
			n[arc] += slots[i].n[arc];
	leapt = doubt + n[leaps];
	auto add =
	    [&](const char *caller, const char *callee, unsigned long calls, unsigned long unsure)
		UNSEEN { truth_add(caller, callee, calls > unsure ? calls - unsure : 0, calls); };
#define X(caller, callee)                                                                          \
	add(#caller, #callee, n[caller##_##callee],                                                \
	    caller##_##callee >= interrupted_pure ? leapt : doubt);
	ARCS(X)
#undef X
	/* Threads count themselves as they begin: of a process that was killed, each may have entered
	 * its function and not counted that. */
	unsigned long late = doubt ? WORKERS : 0;
	auto root = [&](const char *callee, unsigned long calls, unsigned long uncounted)
			UNSEEN { add("-", callee, calls + uncounted, doubt + uncounted); };
#define X(callee) root(#callee, n[root_##callee], root_##callee == root_coroutine ? 0 : late);
	ROOTS(X)
#undef X
	truth_add(nullptr, "on_timer", n[any_on_timer], n[any_on_timer] + leapt);
	add("red_work", "red_helper", 2 * n[plug_red_work], 2 * doubt);
	add("blue_work", "blue_helper", 2 * n[plug_blue_work], 2 * doubt);
	add("red_work", "call_back", n[plug_red_work], doubt);
	add("blue_work", "call_back", n[plug_blue_work], doubt);
}

UNSEEN static void die(unsigned how)
{
	truth_print();
	if (how == 0)
		exit(0);
	if (how == 1)
		_exit(0);
	if (how == 2)
		abort();
	kill(getpid(), SIGKILL);
}

/* ---- processes and threads */

APART static void forker(uint64_t *state)
{
	pid_t pid = fork();
	if (pid == 0) {
		memset(slots = mine = (slot *)calloc(SLOTS, sizeof *slots), 0, sizeof *slots);
		truth_reset();
		count(forker_tree);
		tree(4);
		tell(0);
		die(1 + chance(state, 3));
	}
	while (pid > 0 && waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
		;
}

[[noreturn]] APART static void ender()
{
	pthread_exit(nullptr);
}

static void *brief(void *slot_of)
{
	mine = (slot *)slot_of;
	count(root_brief);
	count(brief_tree);
	tree(2);
	count(brief_ender);
	ender();
}

/* Blocks signals until the thread knows where it counts. */
APART static void starter()
{
	pthread_t thread;
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (pthread_create(&thread, nullptr, brief, mine + WORKERS) != 0)
		abort();
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
	pthread_join(thread, nullptr);
}

UNSEEN static void one_of_all(uint64_t *state)
{
	static int plugging;
	switch (chance(state, 400)) {
	case 0:
		if (__atomic_exchange_n(&plugging, 1, __ATOMIC_ACQUIRE))
			break;
		count(worker_plug);
		plug(chance(state, 2));
		__atomic_store_n(&plugging, 0, __ATOMIC_RELEASE);
		break;
	case 1:
		if (chance(state, 20) == 0) {
			count(worker_forker);
			forker(state);
		}
		break;
	case 2:
		count(worker_starter);
		starter();
		break;
	case 3 ... 20:
		count(worker_catcher);
		catcher((int)chance(state, 20));
		break;
	case 21 ... 60:
		count(worker_interrupted);
		interrupted();
		break;
	case 61 ... 160:
		with_coroutine(state);
		break;
	case 161 ... 240:
		count(worker_jump_from);
		jump_from((int)chance(state, 100));
		break;
	default:
		count(worker_tree);
		tree((int)chance(state, 12));
	}
}

UNSEEN static void start_timer(int number)
{
	struct sigevent event = {};
	struct itimerspec times = {{0, 300000 + 10000 * number}, {0, 300000}};
	timer_t timer;
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGRTMIN;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
	    timer_settime(timer, 0, &times, nullptr) != 0)
		abort();
}

static uint64_t seed;

static void *worker(void *number_)
{
	long number = (long)number_;
	uint64_t state = seed * 1000003 + (uint64_t)number * 7919 + 12345;
	stack_t stack = {malloc(1 << 17), 0, 1 << 17};
	sigset_t all;
	mine = &slots[number];
	count(root_worker);
	if (number & 1)
		sigaltstack(&stack, nullptr);
	start_timer((int)number);
	sigemptyset(&all);
	pthread_sigmask(SIG_SETMASK, &all, nullptr);
	while (!stop)
		one_of_all(&state);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, nullptr);
	return nullptr;
}

UNSEEN static void handle(int signal, int flags)
{
	struct sigaction action = {};
	action.sa_handler = on_timer;
	action.sa_flags = flags | SA_RESTART;
	if (sigaction(signal, &action, nullptr) != 0)
		abort();
}

UNSEEN static void be_a_process(int milliseconds, unsigned end)
{
	pthread_t threads[WORKERS];
	sigset_t all;
	struct itimerval often = {{0, 700}, {0, 700}}, never = {};
	handle(SIGRTMIN, SA_ONSTACK);
	handle(SIGALRM, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, nullptr);
	for (long i = 0; i < WORKERS; i++)
		if (pthread_create(&threads[i], nullptr, worker, (void *)i) != 0)
			abort();
	setitimer(ITIMER_REAL, &often, nullptr);
	usleep((useconds_t)milliseconds * 1000);
	setitimer(ITIMER_REAL, &never, nullptr);
	stop = true;
	for (pthread_t thread : threads)
		pthread_join(thread, nullptr);
	tell(0);
	die(end);
}

/* A process that ends by itself, or else is killed. */
UNSEEN static void run(uint64_t *state, int milliseconds)
{
	bool killed = chance(state, 2);
	int status = 0;
	memset(slots, 0, SLOTS * sizeof *slots);
	seed = *state;
	pid_t pid = fork();
	if (pid == 0) {
		truth_reset();
		be_a_process(killed ? 60000 : milliseconds, chance(state, 4));
	}
	chance(state, 4);
	if (killed) {
		usleep((useconds_t)milliseconds * 500 +
		       chance(state, 1000 * (unsigned)milliseconds));
		kill(pid, SIGKILL);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGABRT)
		printf("# process %d ended by signal %d\n", (int)pid, WTERMSIG(status));
	if (killed) {
		truth_reset();
		tell(3 * SLOTS);
		truth_print_as(pid);
	}
}

UNSEEN static double now()
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

APART static void driver()
{
	__asm__ volatile("");
}

UNSEEN int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? strtod(argv[1], nullptr) : 3);
	uint64_t state = argc > 2 ? strtoull(argv[2], nullptr, 10) : (uint64_t)time(nullptr);
	printf("# seed %llu\n", (unsigned long long)state);
	fflush(stdout);
	state = state * 0x9e3779b97f4a7c15u | 1;
	snprintf(folder, sizeof folder, "%s", dirname(strdup(argv[0])));
	slots = (slot *)mmap(nullptr, SLOTS * sizeof *slots, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* to wait for children of killed processes, too */
	while (now() < end)
		run(&state, 300 + (int)chance(&state, 500));
	while (wait(nullptr) > 0 || errno == EINTR)
		;
	driver();
	truth_reset();
	truth_add("-", "driver", 1, 1);
	return 0;
}
