/* SPDX-License-Identifier: MIT */
/*
 * sampled_late.c - threads whose samples end, stay away for a while, or begin late.
 *
 *   sampled_late ended        stretch() computes for 0.6 s, sleeps for 0.1 s and computes again, all
 *                             without a hook; after() computes for 0.2 s
 *   sampled_late resumed      calls in a pause for 0.3 s; then resumed_work() computes for 0.1 s
 *   sampled_late asleep       a thread makes its first call at once, and its next ones, for 0.4 s,
 *                             when main has made calls for 0.3 s
 *   sampled_late blocked      a thread that blocks all signals as it begins, for 50 ms, and then, in
 *                             unblocked(), computes for 0.1 s
 *   sampled_late deaf         a thread that blocks them to its end
 *   sampled_late restricted   gives up system calls (by a filter that allows all), and makes calls
 *                             for 0.5 s, in 400 contexts
 *   sampled_late beside       the same, beside a thread that has made a call
 *   sampled_late successors   40 threads one after the other, each with another first function
 *
 * Prints `cpu NS`, the CPU time that its threads have computed and called for, which is less than they
 * have had: a thread's beginning and end take time, too; `task NS`, main's CPU time since its first
 * call by the clock that the kernel's samples have (perf_event_open(2), PERF_COUNT_SW_TASK_CLOCK), which leaves out what
 * switching between threads takes, or -1; `FUNCTION NS` of the functions that compute,
 * `paused NS` of the calls in a pause; and of stretch(), `away NS`, in which it was on no processor,
 * and `switches N`, how often.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "preload/zprof.h"

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline, noclone))
#define MS     1000000ll

static pthread_barrier_t both;

UNSEEN static long long clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

APART static void leaf(void)
{
	__asm__ volatile("");
}

/* No hook comes for so long, and next to nothing is done in the kernel, where not all may be seen. */
static long long worked_ns; /* by all threads */

UNSEEN static void compute(long long ns)
{
	long long end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 100000; i++)
			;
	__atomic_fetch_add(&worked_ns, ns, __ATOMIC_RELAXED);
}

UNSEEN static void calls(long long ns)
{
	long long end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 1000; i++)
			leaf();
	__atomic_fetch_add(&worked_ns, ns, __ATOMIC_RELAXED);
}

/* ---- without a hook, in a pause */

/* What a function has measured of itself, printed at the end: printing takes time, too. */
static struct measured {
	const char *name;
	long long value;
} measured[8];
static int measures;

UNSEEN static void say(const char *name, long long value)
{
	measured[measures++] = (struct measured){name, value};
}

UNSEEN static void say_since(const char *function, long long begun)
{
	say(function, clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun);
}

UNSEEN static long switches(void)
{
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

APART static void stretch(void)
{
	long before = switches();
	long long begun = clock_ns(CLOCK_THREAD_CPUTIME_ID), at = clock_ns(CLOCK_MONOTONIC);
	compute(600 * MS);
	nanosleep(&(struct timespec){0, 100 * MS}, NULL);
	compute(50 * MS);
	say_since("stretch", begun);
	at = clock_ns(CLOCK_MONOTONIC) - at;
	say("away", at - (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun));
	say("switches", switches() - before);
}

APART static void after(void)
{
	long long begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	compute(200 * MS);
	say_since("after", begun);
}

UNSEEN static void ended(void)
{
	stretch();
	after();
}

APART static void resumed_work(void)
{
	long long begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	compute(100 * MS);
	say_since("resumed_work", begun);
}

UNSEEN static void resumed(void)
{
	long long begun;
	zprof_pause();
	begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	calls(300 * MS);
	say_since("paused", begun);
	zprof_resume();
	resumed_work();
}

/* ---- threads */

UNSEEN static void calls_meanwhile(void)
{
	calls(300 * MS);
}

UNSEEN static void with_thread(void *(*begin)(void *), void (*meanwhile)(void))
{
	pthread_t thread;
	pthread_barrier_init(&both, NULL, 2);
	if (pthread_create(&thread, NULL, begin, NULL))
		exit(1);
	if (meanwhile) {
		pthread_barrier_wait(&both);
		meanwhile();
		pthread_barrier_wait(&both);
	}
	pthread_join(thread, NULL);
}

UNSEEN static void *sleeper(void *unused)
{
	leaf();
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	calls(400 * MS);
	return unused;
}

APART static void blocked_work(long long ns)
{
	compute(ns);
}

APART static void unblocked(void)
{
	long long begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	compute(100 * MS);
	say_since("unblocked", begun);
}

UNSEEN static void *blocks(void *for_ever)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	blocked_work(50 * MS);
	if (!for_ever) {
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		unblocked();
	}
	return NULL;
}

UNSEEN static void *blocks_for_ever(void *unused)
{
	(void)unused;
	return blocks(&both);
}

/* ---- without system calls */

/* Each call is a context of its own. */
APART static void descend(int levels)
{
	calls(500 * MS / 200);
	if (levels > 1)
		descend(levels - 1);
	__asm__ volatile("");
}

UNSEEN static void restricted(void)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &all};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		exit(1);
	descend(200);
}

/* ---- many first functions */

#define FIRST(n)                                                                                   \
	APART static void *first##n(void *unused)                                                  \
	{                                                                                          \
		compute(MS);                                                                       \
		return unused;                                                                     \
	}
#define NAME(n)   first##n,
#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define FORTY(X)  TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4)
FORTY(FIRST)

static void *(*const firsts[])(void *) = {FORTY(NAME)};

UNSEEN static void successors(void)
{
	for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
		with_thread(firsts[i], NULL);
}

UNSEEN static int count_task_clock(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof attr,
				       .config = PERF_COUNT_SW_TASK_CLOCK,
				       .exclude_kernel = 1, /* or few users may; all time counts */
				       .exclude_hv = 1};
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

UNSEEN static long long task_ns(int counter)
{
	long long ns;
	return read(counter, &ns, sizeof ns) == sizeof ns ? ns : -1;
}

UNSEEN int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "ended";
	int counter = count_task_clock();
	leaf();
	long long task_begun = task_ns(counter);
	if (!strcmp(what, "ended"))
		ended();
	else if (!strcmp(what, "resumed"))
		resumed();
	else if (!strcmp(what, "asleep"))
		with_thread(sleeper, calls_meanwhile);
	else if (!strcmp(what, "blocked"))
		with_thread(blocks, NULL);
	else if (!strcmp(what, "deaf"))
		with_thread(blocks_for_ever, NULL);
	else if (!strcmp(what, "restricted"))
		restricted();
	else if (!strcmp(what, "beside"))
		with_thread(sleeper, restricted);
	else if (!strcmp(what, "successors"))
		successors();
	else
		return 1;
	printf("cpu %lld\n", worked_ns);
	printf("task %lld\n", counter < 0 ? -1 : task_ns(counter) - task_begun);
	while (measures--)
		printf("%s %lld\n", measured[measures].name, measured[measures].value);
	return 0;
}
