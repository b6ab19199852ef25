/* SPDX-License-Identifier: MIT */
/*
 * prices.c - what the library measures as the price of its hooks (preload/hooks/calibrate.h) are hooks that record: each call
 * that is timed with hooks stands in the tree they are measured on. No time is compared with a bound.
 */
#include "preload/code/location.h"
#include "preload/hooks/bench.h"
#include "preload/hooks/calibrate.h"
#include "preload/process/process.h"
#include "preload/tree/node.h"

#include <stdio.h>

static struct zprof_header header;
static struct cost cost;
static struct locations locations;
static struct process process = {.header = &header, .cost = &cost, .locations = &locations};

static uint64_t timed, calls, open_zones;

int64_t __real_bench_time(struct bench *b, void (*function)(const void *, void *, unsigned),
			  const void *how, unsigned body);
int64_t __wrap_bench_time(struct bench *b, void (*function)(const void *, void *, unsigned),
			  const void *how, unsigned body);

/* A function is timed without hooks first, and then with them. */
int64_t __wrap_bench_time(struct bench *b, void (*function)(const void *, void *, unsigned),
			  const void *how, unsigned body)
{
	const struct zprof_node *callee = node_at(b->base, BENCH_CALLEE);
	uint64_t before = callee->calls;
	int64_t time = __real_bench_time(b, function, how, body);

	timed++;
	calls += callee->calls - before;
	open_zones += (uint64_t)(b->track.top - b->track.bottom);
	return time;
}

static int number, failed;

static void ok(bool holds, const char *mode, const char *what)
{
	failed += !holds;
	printf("%sok %d - %s: %s\n", holds ? "" : "not ", ++number, mode, what);
}

static void measure(uint32_t mode, const char *name)
{
	timed = calls = open_zones = 0;
	header = (struct zprof_header){.mode = mode};
	cost = (struct cost){0};
	calibrate(&process);
	ok(timed > 0 && timed % (2 * BENCH_ROUNDS * BENCH_BODIES) == 0, name,
	   "functions of all lengths are timed without hooks and with them");
	ok(calls == timed / 2 * BENCH_CALLS - 1, name,
	   "each call with hooks is recorded but the first, whose place is not known yet, and none without");
	ok(open_zones == 0, name, "each of them has ended");
}

int main(void)
{
	if (!locations_init(&process))
		return 1;
	measure(ZPROF_MODE_EXACT, "clock=exact");
	measure(ZPROF_MODE_COUNT, "clock=count");
	printf("1..%d\n", number);
	return failed != 0;
}
