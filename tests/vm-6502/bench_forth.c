/* SPDX-License-Identifier: MIT */
/*
 * bench_forth: what the Forth takes, in the guest's cycles and in the host's time.
 *
 *	bench_forth VM-6502 SOURCES KERNEL FORTH GENERATED
 *
 * SOURCES is tests/forth, KERNEL the image before the rest of the system is loaded, FORTH and
 * GENERATED the folders with the source of that rest. For each program:
 *
 *	cycles of the whole run, beside those of volksForth, another indirect-threaded Forth for
 *	             this processor; for the heap, beside the limit
 *	MHz, times   emulated, of the program run many times over; how much faster than --pure
 *	words …      what a profile adds to that, in percent: words while libzprof.so, which is
 *	             beside VM-6502, records; buckets alone, with one bucket and one metric, without
 *	             it; with it words and buckets; cells; words and primitives
 *
 * Runs alternate; the least processor time of several counts. All variants must take the same
 * cycles. Exits with 1 when a limit is exceeded; limits of time hold on an idle machine: a program that
 * is not all machine code runs three times faster than with --pure; cells add less
 * than half to the times of all programs together, and words less than a third.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 11, MOST_ARGUMENTS = 24, VARIANTS = 7, PURE = 1, MORE = 12 };

struct program {
	const char *name, *file;
	unsigned long long most; /* cycles; 0: no figure to compare with */
	const char *again;       /* Forth text that runs it %d times; NULL: it is run once */
	int times;               /* how often with --pure; natively many times more */
	bool machine_code;       /* it spends almost all time in machine code */
};

static const struct program programs[] = {
    {"dup drop", "bench-dupdrop.fth", 6667211,
     "warnings off : many %d 0 do 1 bench drop loop ; many", 90, false},
    {"fib", "bench-fib.fth", 29344094, "warnings off : many %d 0 do bench loop ; many", 20, false},
    {"sieve", "bench-sieve.fth", 21536952, "warnings off : many %d 0 do bench drop loop ; many", 30,
     false},
    {"divide", "bench-divide.fth", 38490000, "warnings off : many %d 0 do bench loop ; many", 20,
     true},
    {"allocate", "bench-allocate.fth", 150000000, "warnings off : many %d 0 do bench loop ; many",
     2, false},
    {"compiling", "system.fth", 0, NULL, 0, false},
};

/* Not an option of vm-6502: the library is preloaded. */
static const char preloaded[] = "preloaded";

static const char *const variant[VARIANTS][4] = {
    {NULL},
    {"--pure", NULL},
    {preloaded, "--zones=words", NULL},
    {"--zones=buckets", "--buckets=bench.buckets", "--bucket-report=/dev/null", NULL},
    {preloaded, "--zones=both", "--buckets=bench.buckets", NULL},
    {preloaded, "--zones=cells", "--listing=/dev/null", NULL},
    {preloaded, "--zones=words", "--primitives", NULL},
};

static const struct {
	const char *name;
	double most; /* percent, of all programs; 0: no limit */
} profile[VARIANTS] = {{"", 0},     {"", 0},       {"words", 30},    {"buckets", 50},
		       {"both", 0}, {"cells", 50}, {"primitives", 0}};

static double all_seconds[VARIANTS];

static const char *vm, *sources, *kernel, *forth, *generated;
static bool bad;

struct outcome {
	double seconds;
	unsigned long long cycles;
};

static void read_cycles(int from, struct outcome *o)
{
	char text[4096] = "", *at;
	size_t n = 0;
	ssize_t got;

	while ((got = read(from, text + n, sizeof text - 1 - n)) > 0)
		n += got;
	text[n] = 0;
	for (at = text; (at = strstr(at, "cycle ")); at++)
		o->cycles = strtoull(at + strlen("cycle "), NULL, 10);
}

/* For the process that is about to become vm-6502. */
static void preload(void)
{
	const char *slash = strrchr(vm, '/');
	char library[4096];

	snprintf(library, sizeof library, "%.*slibzprof.so", slash ? (int)(slash + 1 - vm) : 0, vm);
	setenv("LD_PRELOAD", library, 1);
	setenv("ZPROF_OPTIONS", "output=bench.zp", 1);
	unlink("bench.zp");
}

static struct outcome run(const char *const *arguments, bool records)
{
	struct outcome o = {0};
	struct rusage used;
	int out[2], status;
	pid_t pid;

	if (pipe(out) != 0 || (pid = fork()) < 0)
		exit(2);
	if (pid == 0) {
		dup2(out[1], 1);
		if (!freopen("/dev/null", "r", stdin))
			_exit(127);
		if (records)
			preload();
		execv(vm, (char *const *)arguments);
		_exit(127);
	}
	close(out[1]);
	read_cycles(out[0], &o);
	close(out[0]);
	wait4(pid, &status, 0, &used);
	if (status != 0 || !o.cycles) {
		fprintf(stderr, "bench_forth: %s failed; it was given:", vm);
		for (int i = 1; arguments[i]; i++)
			fprintf(stderr, " '%s'", arguments[i]);
		fputc('\n', stderr);
		exit(1);
	}
	o.seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec +
		    (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
	return o;
}

/* One run of a program; times: how often it is repeated. */
static struct outcome run_program(const struct program *p, const char *const *options, int times)
{
	const char *a[MOST_ARGUMENTS] = {vm, "--registers"};
	char again[128];
	int n = 2;
	bool records = options[0] == preloaded;

	for (int i = records; options[i]; i++)
		a[n++] = options[i];
	if (!p->most) {
		a[n++] = "--image", a[n++] = kernel;
		a[n++] = "-I", a[n++] = forth, a[n++] = "-I", a[n++] = generated;
	}
	a[n++] = "-I", a[n++] = sources, a[n++] = p->file;
	if (times) {
		snprintf(again, sizeof again, p->again, times);
		a[n++] = "-e", a[n++] = again;
	}
	return run(a, records);
}

/* A bucket of all that the program defines. */
static void write_buckets(const struct program *p)
{
	FILE *file = fopen("bench.buckets", "w");

	if (!file)
		exit(2);
	fprintf(file, "[bucket all]\nfile = %s\n[metric it]\nbuckets = all\n", p->file);
	fclose(file);
}

static double mhz(const struct outcome *o)
{
	return o->cycles / o->seconds * 1e-6;
}

static double added(const double *seconds, int v)
{
	return (seconds[v] / seconds[0] - 1) * 100;
}

static void print_added(const double *seconds)
{
	for (int v = PURE + 1; v < VARIANTS; v++)
		printf(" %+*.1f %%", (int)strlen(profile[v].name) < 8 ? 7 : 8, added(seconds, v));
	putchar('\n');
}

static void print_row(const struct program *p, unsigned long long cycles, const struct outcome *o)
{
	char most[24] = "-";
	double seconds[VARIANTS];

	for (int v = 0; v < VARIANTS; v++) {
		seconds[v] = o[v].seconds;
		all_seconds[v] += o[v].seconds;
	}
	if (p->most)
		snprintf(most, sizeof most, "%llu", p->most);
	printf("%-10s %11llu %11s %8.0f %8.1f", p->name, cycles, most, mhz(&o[0]),
	       mhz(&o[0]) / mhz(&o[PURE]));
	print_added(seconds);
	bad |=
	    p->most && (cycles > p->most || (!p->machine_code && mhz(&o[0]) < 3 * mhz(&o[PURE])));
}

static void print_all(void)
{
	printf("%-51s", "all");
	print_added(all_seconds);
	for (int v = 0; v < VARIANTS; v++)
		bad |= profile[v].most != 0 && added(all_seconds, v) > profile[v].most;
}

static void measure(const struct program *p)
{
	unsigned long long cycles = run_program(p, variant[0], 0).cycles;
	struct outcome o[VARIANTS];

	write_buckets(p);
	for (int v = 1; v < VARIANTS; v++) {
		if (run_program(p, variant[v], 0).cycles != cycles) {
			printf("%s: other cycles with %s\n", p->name, variant[v][0]);
			bad = true;
		}
	}
	for (int i = 0; i < RUNS; i++) {
		for (int v = 0; v < VARIANTS; v++) {
			int times = v == PURE ? p->times : p->times * MORE;
			struct outcome now = run_program(p, variant[v], times);
			if (i == 0 || now.seconds < o[v].seconds)
				o[v] = now;
		}
	}
	print_row(p, cycles, o);
}

int main(int argc, char **argv)
{
	if (argc != 6) {
		fprintf(stderr, "usage: bench_forth VM-6502 SOURCES KERNEL FORTH GENERATED\n");
		return 2;
	}
	vm = argv[1], sources = argv[2], kernel = argv[3], forth = argv[4], generated = argv[5];
	printf("%-10s %11s %11s %8s %8s", "", "cycles", "at most", "MHz", "times");
	for (int v = PURE + 1; v < VARIANTS; v++)
		printf(" %9s", profile[v].name);
	putchar('\n');
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		measure(&programs[i]);
	print_all();
	if (bad)
		printf("a limit is exceeded\n");
	return bad;
}
