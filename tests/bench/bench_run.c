/* SPDX-License-Identifier: MIT */
/*
 * bench_run.c - runs all cells once per round, each in an empty folder.
 *
 * It must never accept a run that was not recorded: a library that refuses an option lets the
 * program run on, and would look very fast.
 */
#include "tests/bench/bench.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 2048 };

/* Set when we are asked to end: what was started is ended first. */
static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	interrupted = signal;
}

struct timing {
	unsigned long slices;
	uint64_t pairs, least_ns, whole_ns;
};

/* Puts folders and the program into a line for the shell. */
static void expand(char *to, size_t bytes, const char *line, const struct bench *b,
		   const char *program)
{
	size_t used = 0;

	for (; *line && used + 1 < bytes; line++) {
		const char *part = NULL;

		if (line[0] == '@')
			part = line[1] == 'B'   ? b->build
			       : line[1] == 'S' ? b->scripts
			       : line[1] == 'D' ? b->scratch
			       : line[1] == 'P' ? program
						: NULL;
		if (!part) {
			to[used++] = *line;
			continue;
		}
		used += (size_t)snprintf(to + used, bytes - used, "%s", part);
		if (used >= bytes)
			used = bytes - 1;
		line++;
	}
	to[used] = 0;
}

/* Runs one of our shell lines in the emptied scratch folder; returns its exit status. */
static int shell(const struct bench *b, const char *line, const char *program)
{
	char expanded[LINE], whole[LINE * 2];
	int status;

	expand(expanded, sizeof(expanded), line, b, program);
	snprintf(whole, sizeof(whole),
		 "rm -rf '%s' && mkdir '%s' && cd '%s' && { %s\n} >said 2>errors </dev/null",
		 b->scratch, b->scratch, b->scratch, expanded);
	status = system(whole);
	if (WIFSIGNALED(status) || WEXITSTATUS(status) == 128 + SIGINT)
		interrupted = SIGINT; /* while system() runs, we do not get this signal */
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool present(const struct bench *b, const char *pattern)
{
	char path[LINE];
	glob_t found;
	bool any;

	snprintf(path, sizeof(path), "%s/%s", b->scratch, pattern);
	any = glob(path, 0, NULL, &found) == 0 && found.gl_pathc > 0;
	globfree(&found);
	return any;
}

/* The file's first line up to a semicolon; "" if there is none. */
static void first_line(const struct bench *b, const char *name, char *to, size_t bytes)
{
	char path[LINE];
	FILE *f;

	*to = 0;
	snprintf(path, sizeof(path), "%s/%s", b->scratch, name);
	f = fopen(path, "r");
	if (f) {
		if (fgets(to, (int)bytes, f))
			to[strcspn(to, "\n;")] = 0;
		fclose(f);
	}
}

static bool read_timing(const struct bench *b, struct timing *t)
{
	char path[LINE], line[LINE];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/said", b->scratch);
	f = fopen(path, "r");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f))
		found =
		    sscanf(line,
			   "slices %lu pairs %" SCNu64 " least_ns %" SCNu64 " whole_ns %" SCNu64,
			   &t->slices, &t->pairs, &t->least_ns, &t->whole_ns) == 4;
	fclose(f);
	return found && t->slices > 0;
}

__attribute__((format(printf, 2, 3))) static void give_up(struct cell *c, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(c->why, sizeof(c->why), format, arguments);
	va_end(arguments);
}

static void program_of(const struct bench *b, const struct workload *w, const char *build,
		       unsigned slices, char *to, size_t bytes)
{
	snprintf(to, bytes, "'%s/bench/%s.%s' %u %lu %u", b->build, w->program, build, slices,
		 b->pairs, w->threads);
}

static bool built(const struct bench *b, const struct workload *w, const char *build)
{
	char path[LINE];

	snprintf(path, sizeof(path), "%s/bench/%s.%s", b->build, w->program, build);
	return access(path, X_OK) == 0;
}

/* How many calls a slice of the workload makes in this build; 0: unknown. */
static uint64_t count_pairs(const struct bench *b, const struct workload *w, const char *build)
{
	char program[LINE];
	struct timing t;

	if (!*build || !built(b, w, build))
		return 0;
	program_of(b, w, build, 1, program, sizeof(program));
	if (shell(b, "LD_PRELOAD=@B/bench/floor_count.so @P", program) || !read_timing(b, &t))
		return 0;
	return t.pairs;
}

static void run_cell(const struct bench *b, const struct workload *w, const struct variant *v,
		     struct cell *c)
{
	char program[LINE], said[80];
	unsigned slices = b->slices;
	struct timing t;
	int status;

	if (v->share)
		slices = (slices + v->share - 1) / v->share;
	program_of(b, w, v->build, slices, program, sizeof(program));
	status = shell(b, v->command, program);
	first_line(b, "errors", said, sizeof(said));
	if (status)
		give_up(c, "failed with exit status %d: %s", status, said);
	else if (!read_timing(b, &t))
		give_up(c, "failed: the program did not print its times");
	else if (v->proof && !present(b, v->proof))
		give_up(c, "not available: %s", *said ? said : "nothing was recorded");
	else {
		c->least[c->runs] = (double)t.least_ns;
		c->mean[c->runs] = (double)(t.whole_ns / t.slices); /* whole, so exact in JSON */
		c->runs++;
	}
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void summarize(struct cell *c)
{
	if (!c->runs)
		return;
	qsort(c->least, c->runs, sizeof(c->least[0]), by_size);
	qsort(c->mean, c->runs, sizeof(c->mean[0]), by_size);
	c->min_ns = c->least[0];
	c->median_ns = c->runs % 2 ? c->mean[c->runs / 2]
				   : (c->mean[c->runs / 2 - 1] + c->mean[c->runs / 2]) / 2;
}

/* Finds out what can be run at all, and how many calls each cell's slice makes. */
static void prepare(struct bench *b)
{
	for (size_t v = 0; v < variant_count; v++) {
		const struct variant *it = &variants[v];
		bool wanted = false, ready;

		for (size_t w = 0; w < workload_count; w++)
			wanted |= b->cells[w][v].chosen;
		ready = !wanted || !it->ready || shell(b, it->ready, "") == 0;
		for (size_t w = 0; w < workload_count; w++) {
			struct cell *c = &b->cells[w][v];

			if (!c->chosen)
				continue;
			if (!ready)
				give_up(c, "not installed");
			else if (!built(b, &workloads[w], it->build))
				give_up(c, "not built");
			else if (*it->counted)
				c->pairs = count_pairs(b, &workloads[w], it->counted);
		}
	}
}

/* Runs every cell once; each round begins with another variant. */
static void run_round(struct bench *b, unsigned round, bool watched)
{
	for (size_t w = 0; w < workload_count; w++) {
		if (watched)
			fprintf(stderr, "\rround %u of %u, %-12s", round + 1, b->rounds,
				workloads[w].name);
		for (size_t i = 0; i < variant_count; i++) {
			size_t v = (i + round) % variant_count;
			struct cell *c = &b->cells[w][v];

			if (c->chosen && !*c->why && !interrupted)
				run_cell(b, &workloads[w], &variants[v], c);
		}
	}
}

bool bench_run(struct bench *b)
{
	bool watched = isatty(2);
	char scratch[LINE];

	snprintf(scratch, sizeof(scratch), "%s/bench/run-XXXXXX", b->build);
	if (!mkdtemp(scratch)) {
		fprintf(stderr, "bench: cannot make a folder in '%s/bench': %s\n", b->build,
			strerror(errno));
		return false;
	}
	b->scratch = scratch;
	signal(SIGINT, interrupt);
	signal(SIGTERM, interrupt);
	prepare(b);
	for (unsigned round = 0; round < b->rounds; round++)
		run_round(b, round, watched);
	if (watched)
		fprintf(stderr, "\r%40s\r", "");
	for (size_t v = 0; v < variant_count; v++) {
		bool used = false;

		for (size_t w = 0; w < workload_count; w++) {
			summarize(&b->cells[w][v]);
			used |= b->cells[w][v].chosen;
		}
		if (used && variants[v].after)
			shell(b, variants[v].after, "");
	}
	shell(b, "cd / && rm -rf '@D'", "");
	b->scratch = NULL;
	if (interrupted)
		fprintf(stderr, "bench: interrupted\n");
	return !interrupted;
}
