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

#include "report/second_run/sampler.h"
#include "tests/bench/truth/attribute.h"

enum { SETS_MAX = 8 };

static struct {
	struct attribute *attribute;
	const char *program;
	uint64_t (*tally)[2];
	uint64_t found;
	char *sets[SETS_MAX];
	int set_count;
} run;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "sampler: %s: %s\n", what, strerror(errno));
	exit(2);
}

static bool take_frame(void *context, const char *file, uint64_t address)
{
	int function = strcmp(file, run.program) ? -1 : attribute_find(run.attribute, address);

	(void)context;
	if (function < 0)
		return false;
	run.tally[function][run.found++ & 1]++;
	return true;
}

static void prepare(const void *context)
{
	(void)context;
	personality(ADDR_NO_RANDOMIZE);
	for (int i = 0; i < run.set_count && i < SETS_MAX; i++)
		putenv(run.sets[i]);
}

static bool save(const char *path, const struct sampler *s)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return false;
	fprintf(f,
		"# samples %" PRIu64 ", lost %" PRIu64 ", elsewhere %" PRIu64 ", broken %" PRIu64
		", kernel %" PRIu64 ", wall_ns %" PRIu64 ", cpu_ns %" PRIu64 "\n",
		s->samples, s->lost, s->elsewhere, s->broken, s->in_kernel, s->wall_ns, s->cpu_ns);
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
	struct sampler s = {
	    .period_ns = SAMPLER_PERIOD_NS, .prepare = prepare, .takes = take_frame};
	struct str err = {0};
	int i;

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
			s.period_ns = strtoull(value, NULL, 10);
		else
			break;
	}
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	if (i >= argc || !output || (s.period_ns && (!hooked || !counts))) {
		fprintf(stderr, "usage: sampler --by inlined|symbols --hooked PROGRAM --counts "
				"COUNTS --output FILE [--period NS] [--] COMMAND...\n");
		return 2;
	}
	if (s.period_ns)
		know_functions(argv[i], by, hooked, counts);
	s.command = argv + i;
	if (!sampler_run(&s, &err)) {
		fprintf(stderr, "sampler: %s\n", str_text(&err));
		return 2;
	}
	if (s.period_ns && !s.sees_kernel) {
		fprintf(stderr, "sampler: the kernel may not be sampled (root may)\n");
		return 2;
	}
	if (!save(output, &s))
		die(output);
	return s.status;
}
