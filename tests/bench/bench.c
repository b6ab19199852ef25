/* SPDX-License-Identifier: MIT */
/*
 * bench.c - the benchmark of `make bench`: what a call costs under zprof, over the floors, and
 * under its peers.
 *
 *   bench [--rounds N] [--slices N] [--pairs N] [--workload NAME] [--variant NAME]
 *         [--no-peers] [--json FILE] BUILD_DIR
 *   bench --from RUN.json             print a run again
 *   bench --plot RUN.json             as an SVG picture
 *
 * --no-peers leaves out what would have to be installed. A limit that is not met is reported, and
 * is no failure.
 */
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static const char usage[] =
    "usage: bench [--rounds N] [--slices N] [--pairs N] [--workload NAME] [--variant NAME]\n"
    "             [--no-peers] [--json FILE] BUILD_DIR\n"
    "       bench --from RUN.json\n"
    "       bench --plot RUN.json\n";

static struct bench bench = {.rounds = 9, .slices = 30, .pairs = 33000};

struct choice {
	bool workload[BENCH_WORKLOADS_MAX], variant[BENCH_VARIANTS_MAX];
	bool some_workloads, some_variants, no_peers;
};

/* The processor's model name, from /proc/cpuinfo. */
static void cpu_name(char *to, size_t bytes)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[256];

	snprintf(to, bytes, "unknown processor");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
			snprintf(to, bytes, "%s", strchr(line, ':') + 2);
			to[strcspn(to, "\n")] = 0;
			break;
		}
	if (f)
		fclose(f);
}

static void describe_machine(struct bench *b)
{
	struct utsname system = {.release = ""};
	char cpu[80], load[32] = "?";
	FILE *f = fopen("/proc/loadavg", "r");

	if (f) {
		if (fscanf(f, "%31s", load) != 1)
			strcpy(load, "?");
		fclose(f);
	}
	uname(&system);
	system.release[strcspn(system.release, "-")] = 0;
	cpu_name(cpu, sizeof(cpu));
	snprintf(b->machine, sizeof(b->machine), "%s, Linux %.40s, gcc %s, load %s before", cpu,
		 system.release, __VERSION__, load);
}

static void choose(struct bench *b, const struct choice *c)
{
	for (size_t w = 0; w < workload_count; w++)
		for (size_t v = 0; v < variant_count; v++)
			b->cells[w][v].chosen = (!c->some_workloads || c->workload[w]) &&
						(!c->some_variants || c->variant[v]) &&
						!(c->no_peers && variants[v].kind == VARIANT_PEER &&
						  strcmp(variants[v].name, "gprof"));
}

static unsigned long number(const char *name, const char *text, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || n < 1 || n > max) {
		fprintf(stderr, "bench: bad value '%s': %s takes a number from 1 to %lu\n", text,
			name, max);
		exit(2);
	}
	return n;
}

static int known(int index, const char *what, const char *name)
{
	if (index < 0) {
		fprintf(stderr, "bench: there is no %s '%s'; bench_table.c lists them\n", what,
			name);
		exit(2);
	}
	return index;
}

/* Takes an option with a value. False: there is no such option. */
static bool take(struct bench *b, struct choice *c, const char *option, const char *value,
		 const char **json)
{
	if (!strcmp(option, "--rounds"))
		b->rounds = (unsigned)number(option, value, BENCH_ROUNDS_MAX);
	else if (!strcmp(option, "--slices"))
		b->slices = (unsigned)number(option, value, 1000000);
	else if (!strcmp(option, "--pairs"))
		b->pairs = number(option, value, 1000000000);
	else if (!strcmp(option, "--json"))
		*json = value;
	else if (!strcmp(option, "--workload"))
		c->some_workloads = c->workload[known(bench_workload(value), "workload", value)] =
		    true;
	else if (!strcmp(option, "--variant"))
		c->some_variants = c->variant[known(bench_variant(value), "variant", value)] = true;
	else
		return false;
	return true;
}

static int show(const char *how, const char *path)
{
	if (!bench_load(&bench, path))
		return 1;
	if (!strcmp(how, "--plot"))
		bench_plot(&bench, stdout);
	else
		bench_print(&bench, stdout);
	return 0;
}

int main(int argc, char **argv)
{
	struct choice c = {.some_workloads = false};
	const char *json = NULL;
	char *scripts;
	int i = 1;

	if (argc == 3 && (!strcmp(argv[1], "--from") || !strcmp(argv[1], "--plot")))
		return show(argv[1], argv[2]);
	for (; i < argc - 1; i++) {
		if (!strcmp(argv[i], "--no-peers"))
			c.no_peers = true;
		else if (i + 1 < argc - 1 && take(&bench, &c, argv[i], argv[i + 1], &json))
			i++;
		else
			break;
	}
	if (i != argc - 1 || argv[i][0] == '-') {
		fputs(usage, stderr);
		return 2;
	}
	bench.build = realpath(argv[i], NULL);
	scripts = realpath("tests/bench", NULL);
	bench.scripts = scripts;
	if (!bench.build || !scripts) {
		fprintf(stderr, "bench: there is no folder '%s'; run it as `make bench` does\n",
			bench.build ? "tests/bench" : argv[i]);
		return 2;
	}
	describe_machine(&bench);
	choose(&bench, &c);
	if (!bench_run(&bench))
		return 1;
	bench_print(&bench, stdout);
	return json && !bench_save(&bench, json);
}
