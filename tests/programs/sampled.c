/* SPDX-License-Identifier: MIT */
/*
 * sampled.c - a program of known times, and what may hinder sampling it.
 *
 *   sampled probe             prints what can take samples here: 1 the kernel, including its own work; 2 the kernel, without that; 3 a timer (preload/format.h, enum zprof_sampler)
 *   sampled times             spin() takes 0.3 s without a hook, calls() makes calls for 0.3 s,
 *                             sleeps() sleeps 0.1 s; prints `spin NS`, its CPU time
 *   sampled long              three functions that call none, each longer than the ring has room for
 *                             notes; prints `NAME NS` of CPU time for each, and what the kernel has
 *                             counted meanwhile: `switches N`, and `queued NS` ready to run
 *   sampled paused            the same for watched(), with work in pauses between its calls
 *   sampled threads N         N threads one after the other, each of 1 ms
 *   sampled crowd N [COMMAND] N threads at once; meanwhile a command
 *   sampled beside            with a profiler by SIGPROF of its own, and perf events
 *   sampled forks             in a child of fork, of vfork, and after an exec
 *   sampled limits            prints what mlock() and the descriptors allow
 *   sampled nobody            becomes another user, then threads begin
 *
 * Each prints `cpu NS`: the CPU time of the process since its first call; and `worked NS`: the CPU time
 * that its threads have made calls for, which leaves out what threads take to begin and to end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "preload/zprof.h"

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline, noclone))

static volatile unsigned long ticks;
static pthread_barrier_t all;

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

UNSEEN static void work(unsigned n)
{
	unsigned long x = 1;
	while (n--) {
		x *= x;
		__asm__ volatile("" : "+r"(x));
	}
}

/* What a function has measured of itself, printed at the end: printing takes time, too. */
static struct measured {
	const char *name;
	long long ns;
} measured[8];
static int measures;

UNSEEN static void stretch(const char *name, long long ns)
{
	long long begun = clock_ns(CLOCK_THREAD_CPUTIME_ID), now;
	do
		work(10000);
	while ((now = clock_ns(CLOCK_THREAD_CPUTIME_ID)) < begun + ns);
	measured[measures++] = (struct measured){name, now - begun};
}

APART static void spin(long long ns)
{
	stretch("spin", ns);
}

static long long worked_ns; /* by all threads */

APART static void calls(long long ns)
{
	long long end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 1000; i++)
			leaf();
	__atomic_fetch_add(&worked_ns, ns, __ATOMIC_RELAXED);
}

APART static void sleeps(long ns)
{
	struct timespec left = {0, ns};
	while (nanosleep(&left, &left))
		;
}

static void times(void)
{
	spin(300000000);
	calls(300000000);
	sleeps(100000000);
}

/* Work in the first tenth of a second, in which a ring fills within 20 ms; across its end; after
 * it. */
APART static void early(void)
{
	stretch("early", 60000000);
}

APART static void across(void)
{
	stretch("across", 150000000);
}

APART static void late(void)
{
	stretch("late", 300000000);
}

APART static void watched(void)
{
	long long begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < begun + 60000000)
		work(10000);
}

UNSEEN static void paused(void)
{
	long long ns = 0, begun;
	int i;

	for (i = 0; i < 6; i++) {
		if (i % 2 == 0) {
			zprof_pause();
			begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
			while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < begun + 200000000)
				work(10000);
			zprof_resume();
		}
		begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		watched();
		ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun;
	}
	printf("watched %lld\n", ns);
}

/* The second number of its schedstat: ready to run, while others had the processor. */
UNSEEN static long long queued_ns(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "r");
	long long ns = 0;
	if (!file || fscanf(file, "%*d %lld", &ns) != 1)
		ns = 0;
	if (file)
		fclose(file);
	return ns;
}

UNSEEN static long switches(void)
{
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

UNSEEN static void stretches(void)
{
	long long queued = queued_ns();
	long before = switches();
	early();
	across();
	late();
	printf("switches %ld\n", switches() - before);
	printf("queued %lld\n", queued_ns() - queued);
}

/* Returns its number by the kernel. */
static void *in_thread(void *unused)
{
	(void)unused;
	calls(1000000);
	return (void *)syscall(SYS_gettid);
}

static void *in_crowd(void *unused)
{
	leaf();
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	leaf();
	return unused;
}

UNSEEN static int mappings(void)
{
	char line[512];
	int n = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof line, maps))
		n += strstr(line, "perf_event") != NULL;
	fclose(maps);
	return n;
}

UNSEEN static void threads(int n)
{
	pthread_t thread;
	void *number;
	leaf();
	while (n-- > 0) {
		pthread_create(&thread, NULL, in_thread, NULL);
		pthread_join(thread, &number);
		while (!syscall(SYS_tgkill, getpid(), (long)number, 0)) /* it ends a moment later */
			sched_yield();
	}
	printf("rings %d\n", mappings());
}

UNSEEN static void crowd(int n, const char *command)
{
	pthread_t *thread = calloc((size_t)n, sizeof *thread);
	pthread_attr_t small;
	int i;
	leaf();
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	pthread_barrier_init(&all, NULL, (unsigned)n + 1);
	for (i = 0; i < n; i++)
		if (pthread_create(&thread[i], &small, in_crowd, NULL))
			exit(1);
	pthread_barrier_wait(&all);
	if (command && system(command))
		exit(1);
	pthread_barrier_wait(&all);
	while (n-- > 0)
		pthread_join(thread[n], NULL);
	free(thread);
}

UNSEEN static long open_event(int exclude_kernel)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof attr,
				       .config = PERF_COUNT_SW_TASK_CLOCK,
				       .sample_period = 1000000,
				       .sample_type = PERF_SAMPLE_IP,
				       .exclude_kernel = (unsigned)exclude_kernel};
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

UNSEEN static void probe(void)
{
	puts(open_event(0) >= 0 ? "1" : open_event(1) >= 0 ? "2" : "3");
}

UNSEEN static void on_tick(int number)
{
	(void)number;
	ticks++;
}

UNSEEN static void beside(void)
{
	struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
	struct sigaction a = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
	long event = open_event(1);
	uint64_t counted = 0;
	sigaction(SIGPROF, &a, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	times();
	setitimer(ITIMER_PROF, &never, NULL);
	printf("ticks %s\n", ticks >= 2 && ticks <= 200 ? "right" : "wrong");
	if (event >= 0 && read((int)event, &counted, sizeof counted) != sizeof counted)
		counted = 1;
	printf("event %s\n",
	       event < 0 || (counted > 300000000 && counted < 4000000000) ? "right" : "wrong");
}

UNSEEN static void forks(const char *me)
{
	pid_t child;
	calls(20000000);
	child = fork();
	if (!child) {
		times();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	child = vfork();
	if (!child) {
		execl(me, me, "times", (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	calls(400000000);
	fflush(stdout);
	execl(me, me, "times", (char *)NULL);
}

UNSEEN static void limits(void)
{
	struct rlimit limit = {64 * 1024, 64 * 1024};
	char *memory =
	    mmap(NULL, 64 * 1024, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	setrlimit(RLIMIT_MEMLOCK, &limit);
	calls(10000000);
	printf("mlock %d\n", mlock(memory, 64 * 1024));
	printf("descriptor %d\n", dup(0));
}

UNSEEN static void become_nobody(void)
{
	pthread_t thread;
	calls(20000000);
	if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
		exit(1);
	calls(20000000);
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
}

UNSEEN int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "times";
	int n = argc > 2 ? atoi(argv[2]) : 0;
	long long begun;
	if (!strcmp(what, "probe")) {
		probe();
		return 0;
	}
	leaf();
	begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (!strcmp(what, "times"))
		times();
	else if (!strcmp(what, "long"))
		stretches();
	else if (!strcmp(what, "paused"))
		paused();
	else if (!strcmp(what, "threads"))
		threads(n);
	else if (!strcmp(what, "crowd"))
		crowd(n, argc > 3 ? argv[3] : NULL);
	else if (!strcmp(what, "beside"))
		beside();
	else if (!strcmp(what, "forks"))
		forks(argv[0]);
	else if (!strcmp(what, "limits"))
		limits();
	else if (!strcmp(what, "nobody"))
		become_nobody();
	printf("cpu %lld\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun);
	printf("worked %lld\n", worked_ns);
	while (measures--)
		printf("%s %lld\n", measured[measures].name, measured[measures].ns);
	return 0;
}
