/* SPDX-License-Identifier: MIT */
/*
 * pause.c - the longest delay that a hook can cause: `pause SECONDS [FILE-PATTERN]`.
 *
 * A page of the profile that has been written back to disk is faulted in again by the next hook
 * that counts in it, and may have to wait for the disk. So this makes calls in 20,000 contexts, and
 * times every call by itself, while another process has the profile's pages written back over and
 * over: far more often than a system does by itself (every 30 s or so).
 *
 * Prints one line: calls, ns of the median call and of one in 10,000, how many took over 10 us,
 * over 100 us and over 1 ms, the worst in us, and the page faults of the thread meanwhile. Many
 * long calls have nothing to do with the hooks: a run without the library shows how many.
 */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/work_callees.h"

enum { CALLERS = 100, SLOTS = 64, FINE = 16 };

/* Calls by their ticks: FINE slots per doubling. */
static uint64_t histogram[SLOTS * FINE], worst, calls;

UNSEEN static int slot_of(uint64_t ticks)
{
	int doublings = 63 - __builtin_clzll(ticks | 1);
	int rest = doublings < 4 ? 0 : (int)(ticks >> (doublings - 4) & (FINE - 1));

	return doublings * FINE + rest;
}

UNSEEN static void note(uint64_t ticks)
{
	histogram[slot_of(ticks)]++;
	worst = ticks > worst ? ticks : worst;
	calls++;
}

static APART void call_all(int more)
{
	int i;

	if (more)
		call_all(more - 1);
	for (i = 0; i < CALLEES; i++) {
		uint64_t start = __builtin_ia32_rdtsc();

		callees[i]();
		note(__builtin_ia32_rdtsc() - start);
	}
}

UNSEEN static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* In a process of its own, which ends with its parent. */
UNSEEN static void write_back(const char *pattern)
{
	glob_t found;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		if (glob(pattern, 0, NULL, &found) == 0) {
			int fd = open(found.gl_pathv[0], O_RDWR | O_CLOEXEC);

			if (fd >= 0) {
				fsync(fd);
				close(fd);
			}
		}
		globfree(&found);
		usleep(20000);
	}
}

/* How many calls took longer than TICKS, to the slot's precision. */
UNSEEN static uint64_t longer(double ticks)
{
	uint64_t n = 0;

	for (int i = slot_of((uint64_t)ticks); i < SLOTS * FINE; i++)
		n += histogram[i];
	return n;
}

/* The ticks that all calls but one in ONE_IN stay below. */
UNSEEN static double quantile(double one_in)
{
	uint64_t above = 0;
	int i = SLOTS * FINE;

	while (i > 0 && (double)(above += histogram[i - 1]) * one_in < (double)calls)
		i--;
	return (double)(1ull << i / FINE) * (1 + (double)(i % FINE) / FINE);
}

UNSEEN int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0, begin, ticks_a_us;
	struct rusage before, after;
	uint64_t start;
	pid_t other = 0;

	if (seconds <= 0) {
		fprintf(stderr, "usage: %s SECONDS [FILE-PATTERN]\n", argv[0]);
		return 2;
	}
	if (argc > 2 && (other = fork()) == 0)
		write_back(argv[2]);
	call_all(CALLERS);
	for (int i = 0; i < SLOTS * FINE; i++)
		histogram[i] = 0;
	worst = calls = 0;
	getrusage(RUSAGE_THREAD, &before);
	begin = now_s();
	start = __builtin_ia32_rdtsc();
	while (now_s() - begin < seconds)
		call_all(CALLERS);
	ticks_a_us = (double)(__builtin_ia32_rdtsc() - start) / (now_s() - begin) / 1e6;
	getrusage(RUSAGE_THREAD, &after);
	printf("%lu %.0f %.0f %lu %lu %lu %.0f %ld\n", (unsigned long)calls,
	       quantile(2) / ticks_a_us * 1000, quantile(10000) / ticks_a_us * 1000,
	       (unsigned long)longer(10 * ticks_a_us), (unsigned long)longer(100 * ticks_a_us),
	       (unsigned long)longer(1000 * ticks_a_us), (double)worst / ticks_a_us,
	       after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt);
	if (other > 0) {
		kill(other, SIGKILL);
		waitpid(other, NULL, 0);
	}
	return 0;
}
