/* SPDX-License-Identifier: MIT */
/*
 * small_stack.c - functions with hooks on a small stack: how much of it is used, and whether they live.
 *
 *   small_stack coroutine|first|forked|thread|least BYTES MS [signal]
 *
 *     coroutine   a context (makecontext) of a program that is recorded already
 *     first       the same, and its first call is the program's first
 *     forked      a child that is forked on that stack
 *     thread      a thread of its own, whose first call is on that stack
 *     least       the same, with a stack of PTHREAD_STACK_MIN, whatever BYTES says
 *
 *   small_stack parent PROGRAM [ARGUMENT...]
 *
 *     is recorded, and runs another program meanwhile
 *
 * Below the frame that all begins in, the stack has BYTES bytes, and then a page that nobody may touch. It is
 * painted, so one sees what has been touched: a line for each of
 *
 *     entered USED    10,000 contexts were entered for the first time
 *     again USED      some of them again, for MS milliseconds
 *     computed USED   nothing was called for so long, and, after the word `signal`, until a
 *                     signal has come
 *
 * with the bytes used below that frame; those that the program itself uses are the same in every run.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline, noclone))
#define PAGE   4096u
#define PAINT  0xa5

static size_t bytes;
static char *low, *first_frame;
static long used[3];
static long long ns;
static int forks, awaits_signal;
static volatile int sink;

/* Not libc's, which uses stack of its own. */
UNSEEN static inline __attribute__((always_inline)) long long cpu_ns(void)
{
	struct timespec t;
	long r = SYS_clock_gettime;
	__asm__ volatile("syscall"
			 : "+a"(r)
			 : "D"(CLOCK_THREAD_CPUTIME_ID), "S"(&t)
			 : "rcx", "r11", "memory");
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* All below its own frame, and below the 128 bytes that a function may use without one. */
UNSEEN APART static void paint(void)
{
	char *to = low;
	__asm__ volatile("lea -128(%%rsp), %%rcx\n\t"
			 "sub %%rdi, %%rcx\n\t"
			 "rep stosb"
			 : "+D"(to)
			 : "a"(PAINT)
			 : "rcx", "memory");
}

UNSEEN APART static long used_now(void)
{
	const volatile unsigned char *at = (unsigned char *)low;
	while (*at == PAINT)
		at++;
	return first_frame - (char *)at;
}

/* ---- what runs there */

#define INNER(n)                                                                                   \
	APART static void inner##n(void)                                                           \
	{                                                                                          \
		sink++;                                                                            \
	}
#define OUTER(n)                                                                                   \
	APART static void outer##n(void)                                                           \
	{                                                                                          \
		call_inner();                                                                      \
	}
#define INNER_NAME(n) inner##n,
#define OUTER_NAME(n) outer##n,
#define TEN(X, t)     X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define HUNDRED(X)                                                                                 \
	TEN(X, 0)                                                                                  \
	TEN(X, 1)                                                                                  \
	TEN(X, 2)                                                                                  \
	TEN(X, 3)                                                                                  \
	TEN(X, 4)                                                                                  \
	TEN(X, 5)                                                                                  \
	TEN(X, 6)                                                                                  \
	TEN(X, 7)                                                                                  \
	TEN(X, 8)                                                                                  \
	TEN(X, 9)

HUNDRED(INNER)
static void (*const inner[])(void) = {HUNDRED(INNER_NAME)};

UNSEEN APART static void call_inner(void)
{
	for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
		inner[i]();
}

HUNDRED(OUTER)
static void (*const outer[])(void) = {HUNDRED(OUTER_NAME)};

UNSEEN APART static void enter(void)
{
	for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
		outer[i]();
}

UNSEEN APART static void again(void)
{
	long long end = cpu_ns() + ns;
	while (cpu_ns() < end)
		outer[0]();
}

/* A signal's frame takes more than 800 bytes. Beside other threads, a timer's signals may be rare. */
UNSEEN APART static void compute(void)
{
	long long end = cpu_ns() + ns;
	while (cpu_ns() < end || (awaits_signal && used_now() < 800))
		for (int i = 0; i < 10000; i++)
			sink++;
}

/* ---- the stack */

/* True: in the parent, whose child has lived. */
UNSEEN APART static int become_child(void)
{
	int status = 1;
	pid_t child = fork();
	if (!child)
		return 0;
	if (waitpid(child, &status, 0) != child || status)
		abort();
	return 1;
}

UNSEEN APART static void measure(void (*run)(void), long *result)
{
	paint();
	run();
	*result = used_now();
}

UNSEEN APART static void begin(int only_look)
{
	first_frame = __builtin_frame_address(0);
	if (only_look || (forks && become_child()))
		return;
	if (bytes) {
		low = first_frame - bytes;
		if (mprotect(low - PAGE, PAGE, PROT_NONE))
			abort();
	}
	measure(enter, &used[0]);
	measure(again, &used[1]);
	measure(compute, &used[2]);
}

UNSEEN APART static void begin_lower(size_t lower, int only_look)
{
	volatile char *room = __builtin_alloca(lower);
	room[0] = 0;
	begin(only_look);
	room[0] = 1;
}

/* The first frame lies BYTES above the beginning of a page. */
UNSEEN APART static void begin_at_page(void)
{
	begin_lower(PAGE, 1);
	begin_lower(PAGE + ((uintptr_t)first_frame - bytes) % PAGE, 0);
	__asm__ volatile(""); /* not a jump, which would have another frame */
}

UNSEEN static void *in_thread(void *unused)
{
	pthread_attr_t attributes;
	size_t all = 0;
	void *lowest = NULL;
	if (bytes) {
		begin_at_page();
		return unused;
	}
	if (pthread_getattr_np(pthread_self(), &attributes) ||
	    pthread_attr_getstack(&attributes, &lowest, &all))
		abort();
	low = lowest;
	begin(0);
	return unused;
}

UNSEEN static void run_thread(size_t stack_bytes)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, stack_bytes) ||
	    pthread_create(&thread, &attributes, in_thread, NULL))
		abort();
	pthread_join(thread, NULL);
}

UNSEEN static void run_context(size_t stack_bytes)
{
	static ucontext_t home, there;
	char *stack =
	    mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED || getcontext(&there))
		abort();
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = stack_bytes;
	there.uc_link = &home;
	makecontext(&there, begin_at_page, 0);
	if (swapcontext(&home, &there))
		abort();
}

UNSEEN static int run_program(char **argv)
{
	int status = 1;
	pid_t child;
	inner[0]();
	child = fork();
	if (!child) {
		execv(argv[0], argv);
		_exit(1);
	}
	return waitpid(child, &status, 0) != child || status;
}

UNSEEN int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[1] : "";
	size_t all;
	if (argc > 2 && !strcmp(argv[1], "parent"))
		return run_program(argv + 2);
	awaits_signal = argc == 5 && !strcmp(argv[4], "signal");
	if (argc != 4 && !awaits_signal)
		return 1;
	bytes = strtoul(argv[2], NULL, 10) & ~15ul;
	ns = atoi(argv[3]) * 1000000ll;
	all = (bytes + 16 * PAGE) / PAGE * PAGE;
	forks = !strcmp(how, "forked");
	if (strcmp(how, "first"))
		inner[0]();
	if (!strcmp(how, "least")) {
		bytes = 0;
		run_thread((size_t)PTHREAD_STACK_MIN);
	} else if (!strcmp(how, "thread")) {
		run_thread(all);
	} else {
		run_context(all);
	}
	if (used[0])
		printf("room %ld\nentered %ld\nagain %ld\ncomputed %ld\n",
		       (long)(first_frame - low), used[0], used[1], used[2]);
	return 0;
}
