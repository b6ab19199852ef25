/* SPDX-License-Identifier: MIT */
/*
 * server.c - a server and its clients, while `zprof attach` comes and goes.
 *
 *   server serve SOCKET        a thread for each connection, until SIGTERM; then prints how many requests
 *                              it has answered
 *   server ask SOCKET SECONDS  four connections that ask almost without a break, for so long or until
 *                              SIGTERM; prints how many requests were made, how many got no answer or
 *                              a wrong one, and their latencies
 *
 * A request is a number. serve_request() calls parse() once, work() ten times, and reply() once.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define QUIET __attribute__((no_instrument_function))

enum { CONNECTIONS = 4, WORKS = 10, BUCKET_NS = 1000, BUCKETS = 1 << 20, BETWEEN_RESTS = 32 };

QUIET static uint64_t answer_to(uint64_t n)
{
	return n * n + WORKS * (n + 1);
}

/* ---- the server */

static uint64_t served;

APART static uint64_t parse(uint64_t n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

APART static uint64_t work(uint64_t n)
{
	int i;

	for (i = 0; i < 100; i++)
		__asm__ volatile("");
	return n + 1;
}

APART static uint64_t reply(uint64_t n, uint64_t sum)
{
	return n * n + sum;
}

APART static uint64_t serve_request(uint64_t n)
{
	uint64_t sum = 0;
	int i;

	n = parse(n);
	for (i = 0; i < WORKS; i++)
		sum += work(n);
	return reply(n, sum);
}

QUIET static void *serve_connection(void *argument)
{
	int fd = (int)(intptr_t)argument;
	uint64_t n;

	while (read(fd, &n, sizeof(n)) == sizeof(n)) {
		n = serve_request(n);
		/* Before the answer: whoever has had all answers may end the server. */
		__atomic_fetch_add(&served, 1, __ATOMIC_RELAXED);
		if (write(fd, &n, sizeof(n)) != sizeof(n)) {
			__atomic_fetch_sub(&served, 1, __ATOMIC_RELAXED);
			break;
		}
	}
	close(fd);
	return NULL;
}

QUIET static struct sockaddr_un address_of(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};

	strncpy(a.sun_path, path, sizeof(a.sun_path) - 1);
	return a;
}

QUIET static void *accept_all(void *argument)
{
	int fd = (int)(intptr_t)argument, connection;
	pthread_t thread;

	while ((connection = accept(fd, NULL, NULL)) >= 0) {
		pthread_create(&thread, NULL, serve_connection, (void *)(intptr_t)connection);
		pthread_detach(thread);
	}
	return NULL;
}

QUIET static int serve(const char *path)
{
	struct sockaddr_un a = address_of(path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), received;
	pthread_t thread;
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN); /* a client may go */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (bind(fd, (struct sockaddr *)&a, sizeof(a)) || listen(fd, 16))
		return 2;
	pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)fd);
	sigwait(&ends, &received);
	printf("%llu served\n", (unsigned long long)__atomic_load_n(&served, __ATOMIC_RELAXED));
	return 0;
}

/* ---- the clients */

struct asker {
	pthread_t thread;
	uint64_t made, lost;
	uint32_t *latencies; /* how many took each number of microseconds */
};

static const char *where;
static volatile uint64_t until_ns;

QUIET static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

QUIET static int ask(int fd, uint64_t n)
{
	uint64_t answer = n;

	return write(fd, &answer, sizeof(answer)) == sizeof(answer) &&
	       read(fd, &answer, sizeof(answer)) == sizeof(answer) && answer == answer_to(n);
}

QUIET static void *keep_asking(void *argument)
{
	struct asker *a = argument;
	struct sockaddr_un to = address_of(where);
	/* Without a rest, Linux 6.18 lets no other process run for half a minute at a time. */
	const struct timespec rest = {.tv_nsec = 200000};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	uint64_t begun, ended = 0;

	if (connect(fd, (struct sockaddr *)&to, sizeof(to)))
		a->lost++;
	while (!a->lost && ended < until_ns) {
		uint64_t took;

		begun = now_ns();
		a->lost += !ask(fd, a->made++ % 100000);
		ended = now_ns();
		took = (ended - begun) / BUCKET_NS;
		a->latencies[took < BUCKETS ? took : BUCKETS - 1]++;
		if (a->made % BETWEEN_RESTS == 0)
			nanosleep(&rest, NULL);
	}
	close(fd);
	return NULL;
}

/* The latency that this many of a million requests are below, in microseconds. */
QUIET static int quantile(const struct asker *all, uint64_t made, uint64_t millionths)
{
	uint64_t below = 0;
	int at, i;

	for (at = 0; at < BUCKETS; at++) {
		for (i = 0; i < CONNECTIONS; i++)
			below += all[i].latencies[at];
		if (below * 1000000 >= made * millionths)
			break;
	}
	return at;
}

QUIET static void stop_asking(int signal)
{
	(void)signal;
	until_ns = 0;
}

QUIET static int ask_all(double seconds)
{
	struct asker askers[CONNECTIONS] = {{.made = 0}};
	uint64_t made = 0, lost = 0;
	int i;

	until_ns = now_ns() + (uint64_t)(seconds * 1e9);
	signal(SIGTERM, stop_asking);
	for (i = 0; i < CONNECTIONS; i++) {
		askers[i].latencies = calloc(BUCKETS, sizeof(*askers[i].latencies));
		pthread_create(&askers[i].thread, NULL, keep_asking, &askers[i]);
	}
	for (i = 0; i < CONNECTIONS; i++) {
		pthread_join(askers[i].thread, NULL);
		made += askers[i].made;
		lost += askers[i].lost;
	}
	printf("%llu made\n%llu lost\np50 %d us\np99.9 %d us\n", (unsigned long long)made,
	       (unsigned long long)lost, quantile(askers, made, 500000),
	       quantile(askers, made, 999000));
	return lost != 0;
}

QUIET int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "serve"))
		return serve(argv[2]);
	if (argc < 4)
		return 2;
	where = argv[2];
	return ask_all(atof(argv[3]));
}
