/* SPDX-License-Identifier: MIT */
/* run: see the header. */
#include "vm-6502/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "vm-6502/debug.h"
#include "vm-6502/subroutines.h"
#include "vm-6502/trace.h"

/* How many cycles pass before Ctrl-C is looked at: some milliseconds. */
enum { SLICE = 10000000 };

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted++;
}

static void catch_interrupt(void)
{
	struct sigaction action = {.sa_handler = on_interrupt};
	sigaction(SIGINT, &action, NULL);
}

static void complain(const char *what)
{
	fflush(stdout);
	fprintf(stderr, "vm-6502: %s\n", what);
}

/* Breakpoints and watches given by text. */
static bool set_points(struct debug *d, const struct options *o)
{
	for (int i = 0; i < o->break_count + o->watch_count; i++) {
		bool is_break = i < o->break_count;
		const char *text = is_break ? o->breaks[i] : o->watches[i - o->break_count];
		long at = symbols_address(o->symbols, text);
		if (at < 0) {
			fprintf(stderr, "vm-6502: '%s' is neither an address nor a symbol\n", text);
			return false;
		}
		if (is_break)
			debug_break(d, at);
		else
			debug_watch(d, at);
	}
	if (o->stop >= 0)
		debug_stop(d, o->stop);
	return true;
}

/* Ctrl-C: the guest gets it, or the monitor, or it ends the run. */
static bool go_on_after_interrupt(struct machine *machine, struct debug *d, const struct options *o)
{
	interrupted = 0;
	if (o->monitor)
		return debug_monitor(d, "interrupted");
	return machine->kind->interrupt && machine->kind->interrupt(machine);
}

static int report_end(struct machine *machine, const struct options *o, const char *end)
{
	char name[64];
	struct m6502 *m = &machine->cpu;

	if (strcmp(machine->kind->name, "flat") == 0 || o->until_loop || o->stop >= 0) {
		fflush(stdout);
		printf("%s at %04x", end, (unsigned)m->pc);
		if (symbols_at(o->symbols, m->pc))
			printf(" (%s)", symbols_show(o->symbols, m->pc, name));
		printf(" after %llu cycles\n", (unsigned long long)m->cycles);
	}
	return 0;
}

static int report_jam(struct machine *machine)
{
	struct m6502 *m = &machine->cpu;

	fflush(stdout);
	fprintf(
	    stderr,
	    "vm-6502: the processor jammed: opcode %02x at %04x after %llu cycles; --monitor looks "
	    "around there, --trace shows the way\n",
	    m6502_peek(m, m->pc), (unsigned)m->pc, (unsigned long long)m->cycles);
	return 1;
}

/* Why the run stopped, when it was a point or somebody else; -1: go on. */
static int after_stop(struct machine *machine, struct debug *d, const struct options *o)
{
	char why[128], name[64];
	uint16_t at;

	if (machine->left)
		return machine->status;
	switch (debug_event(d, &at)) {
	case DEBUG_STOP:
		return report_end(machine, o, "stopped");
	case DEBUG_BREAK:
		snprintf(why, sizeof why, "break at %s", symbols_show(o->symbols, at, name));
		return debug_monitor(d, why) ? -1 : 0;
	case DEBUG_WATCH:
		snprintf(why, sizeof why, "%s was written, is %02x now",
			 symbols_show(o->symbols, at, name), m6502_peek(&machine->cpu, at));
		return debug_monitor(d, why) ? -1 : 0;
	case DEBUG_NOTHING:
		break;
	}
	return -1;
}

/* s may be NULL. Its zones end here, where they are carried (lend.h). */
static int run_slices(struct machine *machine, struct debug *d, const struct options *o,
		      struct subroutines *s)
{
	struct m6502 *m = &machine->cpu;
	int status = -1;

	while (status < 0) {
		uint64_t until = o->cycles - m->cycles > SLICE ? m->cycles + SLICE : o->cycles;
		switch (debug_run(d, until)) {
		case M6502_BUDGET:
			if (m->cycles >= o->cycles)
				status = (report_end(machine, o, "out of cycles"), 1);
			break;
		case M6502_JAM:
			if (!o->monitor || !debug_monitor(d, "the processor jammed"))
				status = report_jam(machine);
			break;
		case M6502_LOOP:
			status = report_end(machine, o, "loop");
			break;
		case M6502_STOPPED:
			status = after_stop(machine, d, o);
			break;
		}
		if (status < 0 && interrupted && !go_on_after_interrupt(machine, d, o))
			status = 130;
	}
	if (s)
		subroutines_finish(s);
	return status;
}

enum table { PROFILE, ANNOTATE, SOURCE };

static void print_table(enum table table, struct machine *machine, const struct options *o,
			const struct subroutines *s, FILE *to)
{
	switch (table) {
	case PROFILE:
		subroutines_print(s, to);
		break;
	case ANNOTATE:
		counts_annotate(subroutines_counts(s), &machine->cpu, o->symbols, to);
		break;
	case SOURCE:
		counts_source(subroutines_counts(s), o->sources, to);
		break;
	}
}

/* Prints a table to a file, "-" being stdout; NULL is nothing to do. False: it can't be written. */
static bool print_to(const char *path, enum table table, struct machine *machine,
		     const struct options *o, const struct subroutines *s)
{
	FILE *to = !path || strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	bool good = to;

	if (!path)
		return true;
	if (to) {
		print_table(table, machine, o, s, to);
		good = fflush(to) == 0 && !ferror(to);
		if (to != stdout && fclose(to) != 0)
			good = false;
	}
	if (!good)
		fprintf(stderr, "vm-6502: cannot write '%s': %s\n", path, strerror(errno));
	return good;
}

static bool print_profile(struct machine *machine, const struct options *o,
			  const struct subroutines *s)
{
	bool profile = print_to(o->profile, PROFILE, machine, o, s);
	bool annotate = print_to(o->annotate, ANNOTATE, machine, o, s);
	return print_to(o->source, SOURCE, machine, o, s) && profile && annotate;
}

/* Sets up who watches the run; false: it has been said why not. */
static bool set_watchers(struct machine *machine, const struct options *o, struct trace **t,
			 struct subroutines **s)
{
	char err[512];

	bool profiled = o->profile || o->annotate || o->source;

	if (o->trace && profiled) {
		complain("--trace and --profile watch by the same means: give one of them");
		return false;
	}
	if (o->trace) {
		*t = trace_new(&machine->cpu, o->symbols, o->trace, err, sizeof err);
		if (!*t)
			complain(err);
		return *t;
	}
	if (profiled) {
		*s = subroutines_new(&machine->cpu, o->symbols);
		if (!*s)
			complain("out of memory");
		return *s;
	}
	return true;
}

int run(struct machine *machine, const struct options *o)
{
	struct debug *d = debug_new(machine, o->symbols);
	struct trace *t = NULL;
	struct subroutines *s = NULL;
	int status = 2;

	machine->cpu.stop_on_loop = o->until_loop;
	if (!d || !set_points(d, o) || !set_watchers(machine, o, &t, &s))
		goto out;
	catch_interrupt();
	status = o->monitor && !debug_monitor(d, "before the first instruction")
		     ? 0
		     : run_slices(machine, d, o, s);
	if (o->registers)
		debug_registers(d, stdout);
	if (s && !print_profile(machine, o, s))
		status = 1;
out:
	subroutines_free(s);
	trace_free(t);
	debug_free(d);
	return status;
}
