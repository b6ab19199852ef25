/* SPDX-License-Identifier: MIT */
/*
 * cases: passes a processor through single-step cases (SingleStepTests' 65x02 format): an initial
 * state, one instruction, the final state and every bus cycle.
 *
 *	cases [--cpu=6502|65c02] [--bus] FOLDER
 *
 * Each file NN.json or NN.json.gz holds cases of opcode NN. Every case is run on the exact
 * core, and on the fast one: registers, memory and number of cycles on both, with --bus also address,
 * value and direction of each bus cycle. Bits 4 and 5 of P are ignored, as they exist on the stack
 * only. Prints TAP: one result per file, and one that says how many cases there were.
 */
#include <dirent.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "vm-6502/cpu/m6502.h"

static struct m6502 m;
static enum m6502_cpu cpu = M6502_NMOS;
static bool check_bus;

struct bus_log {
	struct m6502_observer observer;
	unsigned n;
	struct {
		uint16_t at;
		uint8_t value;
		bool write;
	} cycle[16];
};

static void log_cycle(struct m6502 *cpu_, struct m6502_observer *o, uint16_t at, uint8_t value,
		      bool write)
{
	struct bus_log *log = (struct bus_log *)o;
	(void)cpu_;
	if (log->n < 16) {
		log->cycle[log->n].at = at;
		log->cycle[log->n].value = value;
		log->cycle[log->n].write = write;
	}
	log->n++;
}

static int number(json_t *state, const char *name)
{
	return (int)json_integer_value(json_object_get(state, name));
}

static int element(json_t *array, size_t i)
{
	return (int)json_integer_value(json_array_get(array, i));
}

static void set_state(json_t *state)
{
	size_t i;
	json_t *cell;

	m.pc = number(state, "pc");
	m.s = number(state, "s");
	m.a = number(state, "a");
	m.x = number(state, "x");
	m.y = number(state, "y");
	m6502_set_p(&m, number(state, "p"));
	json_array_foreach(json_object_get(state, "ram"), i, cell)
	    m6502_poke(&m, element(cell, 0), element(cell, 1));
	m.cycles = 0;
	m.pending = m.waiting = 0;
	m.irq_at = m.nmi_at = M6502_NEVER;
}

static void clear_memory(json_t *state)
{
	size_t i;
	json_t *cell;

	json_array_foreach(json_object_get(state, "ram"), i, cell)
	    m6502_poke(&m, element(cell, 0), 0);
}

/* The invariant of all memory takes longer to check than a case takes to run. So it is checked
 * after one in so many cases; an opcode has thousands. */
static bool is_sampled(void)
{
	enum { SAMPLE = 97 };
	static unsigned count;

	return count++ % SAMPLE == 0;
}

static const char *compare_state(json_t *state, size_t cycles)
{
	size_t i;
	json_t *cell;

	if ((int)m.pc != number(state, "pc"))
		return "pc";
	if (m.s != number(state, "s"))
		return "s";
	if (m.a != number(state, "a"))
		return "a";
	if (m.x != number(state, "x"))
		return "x";
	if (m.y != number(state, "y"))
		return "y";
	if ((m6502_p(&m) ^ number(state, "p")) & ~(M6502_B | M6502_U))
		return "p";
	if (m.cycles != cycles)
		return "number of cycles";
	json_array_foreach(json_object_get(state, "ram"), i, cell)
	{
		if (m6502_peek(&m, element(cell, 0)) != element(cell, 1))
			return "memory";
	}
	return is_sampled() && !m6502_sound(&m) ? "the invariant of the two memories" : NULL;
}

static const char *compare_bus(const struct bus_log *log, json_t *cycles)
{
	if (log->n != json_array_size(cycles))
		return "number of bus cycles";
	for (size_t i = 0; i < log->n; i++) {
		json_t *cycle = json_array_get(cycles, i);
		const char *way = json_string_value(json_array_get(cycle, 2));
		if (log->cycle[i].at != element(cycle, 0))
			return "address of a bus cycle";
		if (log->cycle[i].value != element(cycle, 1))
			return "value of a bus cycle";
		if (log->cycle[i].write != (way && strcmp(way, "write") == 0))
			return "direction of a bus cycle";
	}
	return NULL;
}

static const char *run_exact(json_t *test)
{
	struct bus_log log = {.observer.cycle = log_cycle};
	json_t *cycles = json_object_get(test, "cycles");
	const char *wrong;

	set_state(json_object_get(test, "initial"));
	m.observer = &log.observer;
	m6502_step(&m);
	m.observer = NULL;
	wrong = compare_state(json_object_get(test, "final"), json_array_size(cycles));
	if (!wrong && check_bus)
		wrong = compare_bus(&log, cycles);
	clear_memory(json_object_get(test, "final"));
	return wrong;
}

static bool stop_here(struct m6502 *cpu_, struct m6502_hook *hook)
{
	(void)hook;
	m6502_stop(cpu_);
	return false;
}

/* The fast core is stopped by a hook at the address where the case ends. A case that ends where it
 * began can't be stopped so, and is left to the exact core. */
static const char *run_fast(json_t *test)
{
	struct m6502_hook end = {.run = stop_here};
	json_t *final = json_object_get(test, "final");
	const char *wrong;

	set_state(json_object_get(test, "initial"));
	if ((int)m.pc == number(final, "pc"))
		return NULL;
	m6502_set_hook(&m, number(final, "pc"), &end);
	m6502_run(&m, 1000);
	m6502_set_hook(&m, number(final, "pc"), NULL);
	wrong = compare_state(final, json_array_size(json_object_get(test, "cycles")));
	clear_memory(final);
	return wrong;
}

static bool run_case(json_t *test, const char *file)
{
	const char *exact = run_exact(test), *fast = run_fast(test);

	if (exact || fast)
		printf("# %s: '%s': wrong %s (exact core), %s (fast core)\n", file,
		       json_string_value(json_object_get(test, "name")), exact ? exact : "nothing",
		       fast ? fast : "nothing");
	return !exact && !fast;
}

/* The text of a file, gzipped or not; NULL when it can't be read. */
static char *slurp(const char *path, size_t *size)
{
	gzFile file = gzopen(path, "rb");
	char *text = NULL;
	size_t room = 0;
	int n = 0;

	*size = 0;
	if (!file)
		return NULL;
	do {
		*size += n;
		if (room - *size < 1 << 16) {
			room = room ? room * 2 : 1 << 18;
			text = realloc(text, room);
		}
		n = gzread(file, text + *size, 1 << 16);
	} while (n > 0);
	gzclose(file);
	return text;
}

/* Passes a file's cases; the number of them, or -1 when one failed or there are none. */
static long run_file(const char *path, const char *file)
{
	size_t size, i;
	char *text = slurp(path, &size);
	json_error_t error;
	json_t *tests = text ? json_loadb(text, size, 0, &error) : NULL, *test;
	long n = json_array_size(tests), wrong = 0;

	json_array_foreach(tests, i, test)
	{
		if (wrong < 3 && !run_case(test, file))
			wrong++;
	}
	json_decref(tests);
	free(text);
	return wrong || !n ? -1 : n;
}

static int is_case(const struct dirent *entry)
{
	return strspn(entry->d_name, "0123456789abcdef") == 2 &&
	       strncmp(entry->d_name + 2, ".json", 5) == 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
	    {"cpu", required_argument, NULL, 'c'}, {"bus", no_argument, NULL, 'b'}, {0}};
	struct dirent **entry;
	long total = 0;
	int option, files, failed = 0;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'c')
			cpu = strcmp(optarg, "65c02") == 0 ? M6502_CMOS : M6502_NMOS;
		else if (option == 'b')
			check_bus = true;
		else
			return 2;
	}
	if (optind != argc - 1) {
		fprintf(stderr, "usage: cases [--cpu=6502|65c02] [--bus] FOLDER\n");
		return 2;
	}
	m6502_init(&m, cpu);
	files = scandir(argv[optind], &entry, is_case, alphasort);
	if (files <= 0) {
		printf("Bail out! no NN.json or NN.json.gz in %s\n", argv[optind]);
		return 1;
	}
	for (int i = 0; i < files; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", argv[optind], entry[i]->d_name);
		long n = run_file(path, entry[i]->d_name);
		printf("%sok %d - opcode %.2s\n", n < 0 ? "not " : "", i + 1, entry[i]->d_name);
		failed += n < 0;
		total += n < 0 ? 0 : n;
		free(entry[i]);
	}
	free(entry);
	printf("1..%d\n# %ld cases passed, on both cores\n", files, total);
	return failed != 0;
}
