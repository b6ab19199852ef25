/* SPDX-License-Identifier: MIT */
/* run: see the header. */
#include "vm-6502/command/run.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "vm-6502/command/debug.h"
#include "vm-6502/command/watchers.h"

/* How many cycles pass between looks for Ctrl-C: some milliseconds. */
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

/* Ctrl-C goes to the guest, or to the monitor, or ends the run. */
static bool go_on_after_interrupt(struct machine *machine, struct debug *d, const struct options *o)
{
	interrupted = 0;
	if (o->monitor)
		return debug_monitor(d, "interrupted");
	return machine->kind->interrupt && machine->kind->interrupt(machine);
}

/* ` in WORD (FILE:LINE)`, if the machine knows words. */
static const char *where(struct machine *machine, char text[512])
{
	text[0] = 0;
	if (machine->kind->where)
		machine->kind->where(machine, text, 512);
	return text;
}

static int report_end(struct machine *machine, const struct options *o, const char *end)
{
	char name[64];
	struct m6502 *m = &machine->cpu;

	fflush(stdout);
	printf("%s at %04x", end, (unsigned)m->pc);
	if (symbols_at(o->symbols, m->pc))
		printf(" (%s)", symbols_show(o->symbols, m->pc, name));
	printf(" after %llu cycles\n", (unsigned long long)m->cycles);
	return 0;
}

/* Reports that the cycles are used up. For a machine that knows words the report goes to stderr,
 * apart from the guest's output. */
static int report_budget(struct machine *machine, const struct options *o)
{
	char text[512];
	struct m6502 *m = &machine->cpu;

	if (!machine->kind->where)
		return report_end(machine, o, "out of cycles"), 1;
	fflush(stdout);
	fprintf(stderr, "vm-6502: out of cycles%s at %04x after %llu cycles\n",
		where(machine, text), (unsigned)m->pc, (unsigned long long)m->cycles);
	return 1;
}

static int report_jam(struct machine *machine)
{
	char text[512];
	struct m6502 *m = &machine->cpu;

	fflush(stdout);
	fprintf(stderr,
		"vm-6502: the processor jammed%s: opcode %02x at %04x after %llu cycles; "
		"--monitor looks around there, --trace shows how it got there\n",
		where(machine, text), m6502_peek(m, m->pc), (unsigned)m->pc,
		(unsigned long long)m->cycles);
	return 1;
}

/* The exit status after a stop at a point or by anything else; -1: go on. */
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

/*
 * The carrier of the watchers' zones (lend.h): all of them are left before this function returns.
 */
static int run_slices(struct machine *machine, struct debug *d, const struct options *o,
		      struct watchers *w)
{
	struct m6502 *m = &machine->cpu;
	int status = -1;

	while (status < 0) {
		uint64_t until = o->cycles - m->cycles > SLICE ? m->cycles + SLICE : o->cycles;
		switch (debug_run(d, until)) {
		case M6502_BUDGET:
			if (m->cycles >= o->cycles)
				status = report_budget(machine, o);
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
	return watchers_finish(w) ? status : 1;
}

int run(struct machine *machine, const struct options *o)
{
	struct debug *d = debug_new(machine, o->symbols);
	struct watchers *w = NULL;
	int status = 2;

	machine->cpu.stop_on_loop = o->until_loop;
	if (!d || !set_points(d, o) || !(w = watchers_new(machine, o)))
		goto out;
	catch_interrupt();
	status = o->monitor && !debug_monitor(d, "before the first instruction")
		     ? 0
		     : run_slices(machine, d, o, w);
	if (o->registers)
		debug_registers(d, stdout);
	if (!watchers_print(w))
		status = 1;
out:
	debug_free(d); /* first: its points may lie on top of the watchers' hooks */
	watchers_free(w);
	return status;
}
