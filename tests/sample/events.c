/* SPDX-License-Identifier: MIT */
/*
 * events.c - functions in which page faults, context switches and migrations happen, for
 * program-events.sh. Each function counts its own, by the kernel's counts of the thread
 * (getrusage(2)), and its caller counts again around the call:
 *
 *     FUNCTION  INNER  OUTER         (of a fork's child, in a file of its own)
 *
 * Between the two readings of the inner count there is no hook. So a profile must show at least
 * INNER for the function. Its callers' and its hooks' events are in OUTER too, so it may show no
 * more than OUTER.
 *
 *     events FOLDER
 */
#define _GNU_SOURCE
#include "preload/zprof.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline))

#define PAGE     4096L
#define PAGES    20000
#define SWITCHES 200
#define MOVES    100

static __thread long inner;
static const char *folder;
static volatile unsigned long sum;

static UNSEEN long faults(void)
{
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	return r.ru_minflt + r.ru_majflt;
}

static UNSEEN long switches(void)
{
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	return r.ru_nvcsw + r.ru_nivcsw;
}

/* Pages that nobody has touched, each with a fault of its own. */
static UNSEEN char *new_pages(long pages)
{
	char *p = mmap(NULL, (size_t)(pages * PAGE), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, (size_t)(pages * PAGE), MADV_NOHUGEPAGE))
		exit(2);
	return p;
}

static UNSEEN void touch_all(volatile char *p, long pages)
{
	for (long i = 0; i < pages; i++)
		p[i * PAGE] = 1;
}

/* Seconds of the thread's CPU time. */
static UNSEEN double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All its faults between two hooks: the ring has no room for so many notes. */
APART void stretch(char *p)
{
	long before = faults();

	touch_all(p, PAGES);
	inner += faults() - before;
}

/* One fault in each call. */
APART void touch(volatile char *p)
{
	long before = faults();

	*p = 1;
	inner += faults() - before;
}

APART void touch_each(char *p)
{
	for (long i = 0; i < PAGES; i++)
		touch(p + i * PAGE);
}

/* Computes for SECONDS of CPU time. */
APART void compute(double seconds)
{
	long before = faults();
	double until = now() + seconds;

	while (now() < until)
		for (unsigned i = 0; i < 1000; i++)
			sum += i;
	inner += faults() - before;
}

APART void doze(void)
{
	long before = switches();

	for (int i = 0; i < SWITCHES; i++)
		usleep(50);
	inner += switches() - before;
}

static UNSEEN int on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* From one processor to the other and back. */
APART void move(const int *cpus)
{
	for (int i = 0; i < MOVES; i++) {
		int before = sched_getcpu();

		if (on(cpus[(i + 1) % 2]))
			exit(2);
		inner += sched_getcpu() != before;
	}
}

APART void in_thread(char *p)
{
	long before = faults();

	touch_all(p, 5000);
	inner += faults() - before;
}

/*
 * A hook after a function whose events were counted: where functions end without one, what happens next
 * may be charged to it up to here.
 */
APART void after(void)
{
	sum++;
}

/* Its faults come after a call: where functions end without a hook, only their places tell whose. */
APART void behind(char *p)
{
	long before;

	after();
	before = faults();
	touch_all(p, 2000);
	inner += faults() - before;
}

APART void in_child(char *p)
{
	long before = faults();

	touch_all(p, 3000);
	inner += faults() - before;
}

APART void in_pause(char *p)
{
	long before = faults();

	touch_all(p, 1000);
	inner += faults() - before;
}

static UNSEEN void say(FILE *to, const char *name, long outer)
{
	fprintf(to, "%s %ld %ld\n", name, inner, outer);
}

static UNSEEN void *thread(void *arg)
{
	char *p = new_pages(5000);
	long before = faults();

	inner = 0;
	in_thread(p);
	after();
	say(arg, "in_thread", faults() - before);
	return NULL;
}

static UNSEEN void child(void)
{
	char *p = new_pages(3000), name[4096];
	long before = faults();
	FILE *to;

	inner = 0;
	in_child(p);
	after();
	before = faults() - before;
	snprintf(name, sizeof(name), "%s/child", folder);
	to = fopen(name, "w");
	if (!to)
		exit(2);
	say(to, "in_child", before);
	fclose(to);
	exit(0);
}

/* The first two processors that this thread may run on. False: there is but one. */
static UNSEEN int two_processors(int *cpus)
{
	cpu_set_t may;
	int found = 0;

	sched_getaffinity(0, sizeof(may), &may);
	for (int i = 0; i < CPU_SETSIZE && found < 2; i++)
		if (CPU_ISSET(i, &may))
			cpus[found++] = i;
	return found == 2;
}

#define COUNT(count, call)                                                                         \
	do {                                                                                       \
		long before = count();                                                             \
		inner = 0;                                                                         \
		call;                                                                              \
		after();                                                                           \
		say(to, #call, count() - before);                                                  \
	} while (0)

static UNSEEN long none(void)
{
	return 0;
}

APART void work(FILE *to, char *p, char *q, char *r, char *s)
{
	pthread_t t;
	int cpus[2], status;
	double took = now();

	COUNT(faults, stretch(p));
	took = now() - took;
	COUNT(faults, compute(took));
	COUNT(faults, touch_each(q));
	COUNT(faults, behind(s));
	COUNT(switches, doze());
	if (two_processors(cpus) && !on(cpus[0]))
		COUNT(none, move(cpus));
	zprof_pause();
	COUNT(faults, in_pause(r));
	zprof_resume();
	fflush(to);
	if (pthread_create(&t, NULL, thread, to) || pthread_join(t, NULL))
		exit(2);
	fflush(to);
	if (!fork())
		child();
	if (wait(&status) < 0 || status)
		exit(2);
}

int main(int argc, char **argv)
{
	char *p = new_pages(PAGES), *q = new_pages(PAGES), *r = new_pages(1000);
	char *s = new_pages(2000), name[4096];
	long before;
	FILE *to;

	if (argc != 2)
		return 2;
	folder = argv[1];
	snprintf(name, sizeof(name), "%s/truth", folder);
	to = fopen(name, "w");
	if (!to)
		return 2;
	before = faults();
	work(to, p, q, r, s);
	inner = 0;
	say(to, "work", faults() - before);
	return fclose(to) != 0;
}
