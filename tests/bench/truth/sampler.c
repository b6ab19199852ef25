/* SPDX-License-Identifier: MIT */
/*
 * sampler.c - where a program without hooks spends its time, by samples taken from outside:
 *
 *   sampler --by inlined|symbols --hooked PROGRAM --counts COUNTS --output FILE [--period NS]
 *           [--] COMMAND [ARGUMENT...]
 *
 * Runs COMMAND and interrupts each of its threads after every PERIOD of processor time, in the
 * program or in the kernel working for it (perf_event_open, task clock). A sample counts for the
 * innermost function that has hooks in the build with hooks, PROGRAM: what libraries, the kernel
 * and functions without hooks do counts for their caller. For that the stack comes with the sample
 * and is unwound by the unwind tables. COUNTS says which functions have hooks: tests/real/count.c
 * wrote it.
 *
 * Writes into FILE
 *
 *   # samples N, lost N, elsewhere N, broken N, kernel N, wall_ns N, cpu_ns N
 *   NAME <tab> SAMPLES <tab> SAMPLES      of the odd and of the even samples
 *
 * where `elsewhere` are samples above which no function has hooks (the program's start), and
 * `broken` those whose stack could not be followed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/truth/attribute.h"
#include "tests/bench/truth/rings.h"
#include "tests/bench/truth/unwind.h"

enum { SETS_MAX = 8 };

static struct {
	struct attribute *attribute;
	struct unwind *unwind;
	const char *program;
	pid_t pid;
	uint64_t (*tally)[2];
	uint64_t samples, lost, elsewhere, broken, kernel;
	int found;
	char *sets[SETS_MAX];
	int set_count;
} run;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "sampler: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* True where the search for a function with hooks goes on outwards. */
static bool try_frame(void *context, uint64_t address)
{
	uint64_t in_file;
	const char *file = unwind_file(run.unwind, address, &in_file);

	(void)context;
	if (file && !strcmp(file, run.program))
		run.found = attribute_find(run.attribute, in_file);
	return run.found < 0;
}

static void take_sample(const struct rings_sample *s)
{
	/* of the kernel's order, which the record has, to DWARF's */
	static const unsigned char dwarf[UNWIND_REGISTERS] = {0, 3, 2,  1,  4,  5,  6,  7, 16,
							      8, 9, 10, 11, 12, 13, 14, 15};
	struct unwind_sample u = {.stack = NULL};
	uint64_t size;
	bool whole;

	if ((pid_t)s->pid != run.pid)
		return;
	run.samples++;
	run.kernel += (s->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (!s->abi) {
		run.elsewhere++; /* it is being ended, and has no registers of its own any more */
		return;
	}
	for (int i = 0; i < UNWIND_REGISTERS; i++)
		u.registers[dwarf[i]] = s->rest[i];
	size = s->rest[UNWIND_REGISTERS];
	if (size) {
		u.stack = (const unsigned char *)&s->rest[UNWIND_REGISTERS + 1];
		u.stack_bytes = s->rest[UNWIND_REGISTERS + 1 + size / 8];
	}
	run.found = -1;
	whole = !try_frame(NULL, u.registers[UNWIND_PC]) ||
		unwind_walk(run.unwind, &u, try_frame, NULL);
	if (run.found >= 0)
		run.tally[run.found][run.samples & 1]++;
	else if (whole)
		run.elsewhere++;
	else
		run.broken++;
}

static void take_map(const struct perf_event_header *h)
{
	const struct rings_map *m = (const void *)h;

	if (h->type == PERF_RECORD_MMAP && (pid_t)m->pid == run.pid)
		unwind_map(run.unwind, m->path, m->address, m->offset, m->bytes);
}

static void take_other(const struct perf_event_header *h)
{
	if (h->type == PERF_RECORD_SAMPLE)
		take_sample((const void *)h);
	else if (h->type == PERF_RECORD_LOST)
		run.lost += ((const struct rings_lost *)h)->lost;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The program waits until it may begin: the samples are of it alone, from its first instruction. */
static pid_t start(char **command, int *go)
{
	int gate[2];
	pid_t pid;
	char byte;

	if (pipe(gate) || (pid = fork()) < 0)
		die("cannot start a process");
	if (!pid) {
		close(gate[1]);
		if (read(gate[0], &byte, 1) != 1)
			_exit(127);
		close(gate[0]);
		personality(ADDR_NO_RANDOMIZE);
		for (int i = 0; i < run.set_count && i < SETS_MAX; i++)
			putenv(run.sets[i]);
		execvp(command[0], command);
		fprintf(stderr, "sampler: cannot run '%s'\n", command[0]);
		_exit(127);
	}
	close(gate[0]);
	*go = gate[1];
	return pid;
}

static int watch(char **command, uint64_t period, uint64_t *wall_ns, uint64_t *cpu_ns)
{
	struct rusage usage;
	int go, status;
	uint64_t begun;
	pid_t ended;

	run.pid = start(command, &go);
	run.unwind = unwind_new(run.pid);
	if (period)
		rings_open(run.pid, period);
	begun = now_ns();
	if (write(go, "", 1) != 1)
		die("cannot let the program begin");
	close(go);
	do {
		rings_wait(20);
		ended = wait4(run.pid, &status, WNOHANG, &usage);
		if (ended)
			*wall_ns = now_ns() - begun;
		rings_drain(take_map, take_other);
	} while (!ended);
	*cpu_ns = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
		  (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool save(const char *path, uint64_t wall_ns, uint64_t cpu_ns)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return false;
	fprintf(f,
		"# samples %" PRIu64 ", lost %" PRIu64 ", elsewhere %" PRIu64 ", broken %" PRIu64
		", kernel %" PRIu64 ", wall_ns %" PRIu64 ", cpu_ns %" PRIu64 "\n",
		run.samples, run.lost, run.elsewhere, run.broken, run.kernel, wall_ns, cpu_ns);
	for (int i = 0; run.attribute && i < attribute_count(run.attribute); i++)
		if (run.tally[i][0] || run.tally[i][1])
			fprintf(f, "%s\t%" PRIu64 "\t%" PRIu64 "\n",
				attribute_name(run.attribute, i), run.tally[i][0], run.tally[i][1]);
	return fclose(f) == 0;
}

static void know_functions(const char *program, const char *by, const char *hooked,
			   const char *counts)
{
	run.program = realpath(program, NULL);
	run.attribute =
	    attribute_new(program, strcmp(by, "symbols") ? ATTRIBUTE_INLINED : ATTRIBUTE_SYMBOLS);
	if (!run.program || !run.attribute || !attribute_read_hooked(run.attribute, hooked, counts))
		die(counts);
	run.tally = calloc((size_t)attribute_count(run.attribute), sizeof(run.tally[0]));
}

int main(int argc, char **argv)
{
	const char *by = "", *hooked = NULL, *counts = NULL, *output = NULL;
	uint64_t period = 100003, wall_ns = 0, cpu_ns = 0;
	int i, status;

	for (i = 1; i + 1 < argc && !strncmp(argv[i], "--", 2) && argv[i][2]; i += 2) {
		const char *name = argv[i] + 2, *value = argv[i + 1];

		if (!strcmp(name, "by"))
			by = value;
		else if (!strcmp(name, "hooked"))
			hooked = value;
		else if (!strcmp(name, "counts"))
			counts = value;
		else if (!strcmp(name, "output"))
			output = value;
		else if (!strcmp(name, "set"))
			run.sets[run.set_count++ % SETS_MAX] = argv[i + 1];
		else if (!strcmp(name, "period"))
			period = strtoull(value, NULL, 10);
		else
			break;
	}
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	if (i >= argc || !output || (period && (!hooked || !counts))) {
		fprintf(stderr, "usage: sampler --by inlined|symbols --hooked PROGRAM --counts "
				"COUNTS --output FILE [--period NS] [--] COMMAND...\n");
		return 2;
	}
	if (period)
		know_functions(argv[i], by, hooked, counts);
	status = watch(argv + i, period, &wall_ns, &cpu_ns);
	if (!save(output, wall_ns, cpu_ns))
		die(output);
	return status;
}
