/* SPDX-License-Identifier: MIT */
/*
 * waits.c - functions that wait, and the kernel's own figures for them: for each, one line `name
 * away_ns waits cpu_ns preemptions elapsed_ns asleep_ns` on stdout: elapsed time less CPU time, voluntary
 * context switches, and CPU time, of all threads together; the involuntary context switches of the
 * whole process; elapsed time; and how long it has asked to sleep, wherever it did so.
 *
 *     convoy    four threads, one lock: each holder sleeps, the others wait in acquire(); a second line,
 *               `lock ...`, is without the function's hooks, which may wait for room in the profile
 *     input     get() receives what is sent now and then, from a socket
 *     often     many short sleeps in one call of doze(), more than the ring has room for
 *     busy      crunch() computes, and does not wait
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define BARE  __attribute__((no_instrument_function))

struct measure {
	uint64_t elapsed_ns, cpu_ns, waits;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct measure sums, of_lock;
static uint64_t asleep_ns;
static int ends[2];

BARE static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

BARE static struct measure now(void)
{
	struct rusage r;
	getrusage(RUSAGE_THREAD, &r);
	return (struct measure){clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_THREAD_CPUTIME_ID),
				(uint64_t)r.ru_nvcsw};
}

BARE static void add_since(struct measure *sum, struct measure from)
{
	struct measure to = now();
	__atomic_fetch_add(&sum->elapsed_ns, to.elapsed_ns - from.elapsed_ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->cpu_ns, to.cpu_ns - from.cpu_ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->waits, to.waits - from.waits, __ATOMIC_RELAXED);
}

BARE static void print(const char *name, const struct measure *sum)
{
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	printf("%s %llu %llu %llu %ld %llu %llu\n", name,
	       (unsigned long long)(sum->elapsed_ns - sum->cpu_ns), (unsigned long long)sum->waits,
	       (unsigned long long)sum->cpu_ns, r.ru_nivcsw, (unsigned long long)sum->elapsed_ns,
	       (unsigned long long)asleep_ns);
}

BARE static void pass(long us)
{
	nanosleep(&(struct timespec){0, us * 1000}, NULL);
	__atomic_fetch_add(&asleep_ns, (uint64_t)us * 1000, __ATOMIC_RELAXED);
}

/* ---- convoy */

#define ROUNDS  10
#define HOLD_US 12000

APART static void acquire(void)
{
	struct measure from = now();
	pthread_mutex_lock(&lock);
	add_since(&of_lock, from);
}

APART static void hold(void)
{
	pass(HOLD_US);
}

/* So that the lock goes to the next in the queue. */
APART static void rest(void)
{
	pass(1000);
}

static void *member(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct measure from = now();
		acquire();
		add_since(&sums, from);
		hold();
		pthread_mutex_unlock(&lock);
		rest();
	}
	return unused;
}

static const char *convoy(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, member, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return "acquire";
}

/* ---- input */

#define LINES   60
#define LINE_US 8000

APART static void get(void)
{
	char c;
	if (recv(ends[0], &c, 1, 0) != 1)
		_exit(2);
}

static void *writer(void *unused)
{
	for (int i = 0; i < LINES; i++) {
		pass(LINE_US);
		if (send(ends[1], "x", 1, 0) != 1)
			_exit(2);
	}
	return unused;
}

static const char *input(void)
{
	pthread_t thread;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		_exit(2);
	pthread_create(&thread, NULL, writer, NULL);
	for (int i = 0; i < LINES; i++) {
		struct measure from = now();
		get();
		add_since(&sums, from);
	}
	pthread_join(thread, NULL);
	return "get";
}

/* ---- often, busy */

APART static void doze(void)
{
	for (int i = 0; i < 2000; i++)
		pass(50);
}

static const char *often(void)
{
	struct measure from = now();
	doze();
	add_since(&sums, from);
	return "doze";
}

APART static void crunch(void)
{
	for (volatile int i = 0; i < 10000000; i++)
		;
}

static const char *busy(void)
{
	for (int i = 0; i < 20; i++) {
		struct measure from = now();
		crunch();
		add_since(&sums, from);
	}
	return "crunch";
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		const char *(*run)(void);
	} modes[] = {{"convoy", convoy}, {"input", input}, {"often", often}, {"busy", busy}};
	for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(argv[1], modes[i].name)) {
			const char *function = modes[i].run();
			print(function, &sums);
			if (of_lock.waits)
				print("lock", &of_lock);
			return 0;
		}
	return 1;
}
