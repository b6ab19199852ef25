/* SPDX-License-Identifier: MIT */
/*
 * record_ring.c - records what the kernel of this machine writes into a thread's ring, for the test
 * of its reader (tests/sample/notes.h).
 *
 *   record_ring >tests/sample/notes_rings.h
 *
 * Each scene opens a ring as the library does, and does what its name says. The bytes that are in
 * the ring then are printed as they are, with the clocks and counts of the thread at both ends.
 * Above each ring stands what its notes say, decoded here a second time and without the library:
 * rows are written from that.
 */
#include "preload/sample/event.h"
#include "preload/sample/ring.h"

#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 1000000u

/* What the kernel counts of the thread. */
struct counts {
	uint64_t now_ns, cpu_ns, waits, preemptions;
};

struct scene {
	const char *name;
	uint64_t period_ns;
	uint32_t most;
	enum zprof_sampler by;
	void (*play)(struct ring *ring);
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct counts counts_now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (struct counts){clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_THREAD_CPUTIME_ID),
			       (uint64_t)usage.ru_nvcsw, (uint64_t)usage.ru_nivcsw};
}

/* ---- scenes */

static void run(uint64_t ns)
{
	uint64_t until = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		for (volatile int i = 0; i < 10000; i++)
			;
}

static void rest(void)
{
	nanosleep(&(struct timespec){0, PERIOD_NS}, NULL);
}

static void runs(struct ring *ring)
{
	(void)ring;
	run(6 * PERIOD_NS);
}

static void waits(struct ring *ring)
{
	(void)ring;
	for (int i = 0; i < 3; i++) {
		run(2 * PERIOD_NS);
		rest();
	}
}

/* Most of the time is the kernel's. */
static void asks(struct ring *ring)
{
	FILE *zero = fopen("/dev/zero", "r");
	static char bytes[1 << 20];

	(void)ring;
	for (int i = 0; zero && i < 400; i++)
		if (!fread(bytes, sizeof(bytes), 1, zero))
			break;
	if (zero)
		fclose(zero);
}

/* Beside a busy process on the same processor. */
static void shares(struct ring *ring)
{
	cpu_set_t one;
	pid_t other;

	(void)ring;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	other = fork();
	if (!other)
		for (;;)
			;
	run(20 * PERIOD_NS);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

/* More than a ring has room for, and waits after it is full. */
static void overflows(struct ring *ring)
{
	(void)ring;
	run(12 * PERIOD_NS);
	rest();
	rest();
}

/* All has been read but the latest; then it goes on at the ring's beginning. */
static void wraps(struct ring *ring)
{
	run(8 * PERIOD_NS);
	ring->tail = *ring->head;
	event_page(ring->memory)->data_tail = ring->tail;
	run(2 * PERIOD_NS);
	rest();
	run(PERIOD_NS);
}

/* A ring of a few samples, after which nothing is noted. */
static void outlives(struct ring *ring)
{
	(void)ring;
	run(15 * PERIOD_NS);
	rest();
}

static const struct scene scenes[] = {
    {"runs", PERIOD_NS, 0, ZPROF_SAMPLER_KERNEL, runs},
    {"outside", PERIOD_NS, 0, ZPROF_SAMPLER_USER, runs},
    {"waits", PERIOD_NS, 0, ZPROF_SAMPLER_KERNEL, waits},
    {"asks", PERIOD_NS, 0, ZPROF_SAMPLER_KERNEL, asks},
    {"shares", PERIOD_NS, 0, ZPROF_SAMPLER_KERNEL, shares},
    {"wraps", PERIOD_NS / 10, 0, ZPROF_SAMPLER_KERNEL, wraps},
    {"outlives", PERIOD_NS, 10, ZPROF_SAMPLER_KERNEL, outlives},
    {"overflows", PERIOD_NS / 10, 0, ZPROF_SAMPLER_KERNEL, overflows},
};

/* ---- what is printed */

static uint64_t word_at(const struct ring *ring, uint64_t at)
{
	return *(const uint64_t *)(event_notes(ring->memory) + at % ring->room);
}

/* By perf_event_open(2), for what ring.c asks for. */
static void explain(const struct ring *ring, uint64_t head)
{
	uint64_t at, left = 0, waited = 0, others = 0, latest = 0;
	unsigned samples = 0, in_kernel = 0, waits = 0, preemptions = 0, lost = 0, other = 0;
	bool preempted = false;

	for (at = ring->tail; at < head; at += word_at(ring, at) >> 48) {
		uint32_t type = (uint32_t)word_at(ring, at),
			 misc = word_at(ring, at) >> 32 & 0xffff;
		uint64_t time = word_at(ring, at + 8);

		if (type == PERF_RECORD_SAMPLE) {
			samples++;
			in_kernel += (misc & 7) == PERF_RECORD_MISC_KERNEL;
			latest = word_at(ring, at + 24);
		} else if (type == PERF_RECORD_SWITCH && misc & PERF_RECORD_MISC_SWITCH_OUT) {
			left = time;
			preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		} else if (type == PERF_RECORD_SWITCH && left) {
			waits += !preempted;
			preemptions += preempted;
			*(preempted ? &others : &waited) += time - left;
			left = 0;
		} else if (type == PERF_RECORD_LOST) {
			lost++;
		} else {
			other++;
		}
	}
	printf("/*\n * %u samples, %u of them in the kernel, the latest after %" PRIu64
	       " ns; %u waits of %" PRIu64 " ns,\n * %u preemptions of %" PRIu64
	       " ns; %u notes of losses, %u other notes\n */\n",
	       samples, in_kernel, latest, waits, waited, preemptions, others, lost, other);
}

static void print_counts(const char *name, struct counts c)
{
	printf("\t.%s = {%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "},\n", name, c.now_ns,
	       c.cpu_ns, c.waits, c.preemptions);
}

static void print(const struct scene *s, const struct ring *ring, uint64_t head,
		  struct counts began, struct counts ended)
{
	unsigned column = 0;

	explain(ring, head);
	printf("static const uint64_t %s_words[] = {", s->name);
	for (uint64_t at = ring->tail; at < head; at += 8)
		printf("%s0x%" PRIx64 ",", column++ % 5 ? " " : "\n\t", word_at(ring, at));
	printf("\n};\nstatic const struct recorded %s = {\n", s->name);
	printf("\t.name = \"%s\",\n\t.tail = %" PRIu64 ",\n\t.head = %" PRIu64 ",\n", s->name,
	       ring->tail, head);
	print_counts("began", began);
	print_counts("ended", ended);
	printf("\t.most = %u,\n\t.words = %s_words,\n};\n\n", s->most, s->name);
}

static bool record(const struct scene *s)
{
	struct ring ring = {.memory = NULL, .room = RING_ROOM};
	struct counts began, ended;
	uint64_t head;

	if (ring_open(&ring, s->period_ns, s->most, s->by))
		return false;
	began = counts_now();
	s->play(&ring);
	head = *ring.head;
	ended = counts_now();
	print(s, &ring, head, began, ended);
	ring_close(&ring);
	return true;
}

int main(void)
{
	size_t i, n = sizeof(scenes) / sizeof(*scenes);

	printf(
	    "/* SPDX-License-Identifier: MIT */\n"
	    "/* notes_rings.h - rings of a real kernel, printed by tests/tools/record_ring.c. */\n"
	    "/* clang-format off */\n\n");
	for (i = 0; i < n; i++)
		if (!record(&scenes[i])) {
			fprintf(stderr, "record_ring: the kernel takes no samples\n");
			return 1;
		}
	printf("static const struct recorded *const recorded[] = {\n\t");
	for (i = 0; i < n; i++)
		printf("&%s,%s", scenes[i].name, i + 1 < n ? " " : "\n");
	printf("};\n/* clang-format on */\n");
	return 0;
}
