/* SPDX-License-Identifier: MIT */
/* debug: see the header. The monitor's commands are in monitor.c. */
#include "vm-6502/command/debug.h"

#include <stdlib.h>

#include "vm-6502/guest/disassemble.h"

/* A hook set here calls the one that it was set on top of. */
struct point {
	struct m6502_hook hook;
	struct m6502_hook *under;
	struct debug *debug;
	enum debug_event kind;
	uint16_t at;
	struct point *next;
};

struct debug {
	struct machine *machine;
	const struct symbols *symbols;
	struct point *points;
	enum debug_event event;
	uint16_t event_at;
	uint64_t resumed; /* the cycle at which the last run began: no break happens there again */
};

struct debug *debug_new(struct machine *machine, const struct symbols *symbols)
{
	struct debug *d = calloc(1, sizeof *d);
	if (d) {
		d->machine = machine;
		d->symbols = symbols;
		d->resumed = M6502_NEVER;
	}
	return d;
}

void debug_free(struct debug *d)
{
	while (d && d->points) {
		struct point *p = d->points;
		d->points = p->next;
		m6502_set_hook(&d->machine->cpu, p->at, p->under);
		free(p);
	}
	free(d);
}

static void tell(struct point *p)
{
	p->debug->event = p->kind;
	p->debug->event_at = p->at;
	m6502_stop(&p->debug->machine->cpu);
}

static bool on_run(struct m6502 *m, struct m6502_hook *hook)
{
	struct point *p = (struct point *)hook;

	if (p->kind != DEBUG_WATCH && p->debug->resumed != m->cycles) {
		tell(p);
		return false;
	}
	return p->under && p->under->run && p->under->run(m, p->under);
}

static uint8_t on_read(struct m6502 *m, struct m6502_hook *hook, uint16_t at)
{
	struct point *p = (struct point *)hook;
	return p->under->read(m, p->under, at);
}

static void on_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct point *p = (struct point *)hook;

	if (p->under && p->under->write)
		p->under->write(m, p->under, at, value);
	if (p->kind == DEBUG_WATCH)
		tell(p);
}

static bool set_point(struct debug *d, enum debug_event kind, uint16_t at)
{
	struct m6502 *m = &d->machine->cpu;
	struct point *p;

	for (p = d->points; p; p = p->next) {
		if (p->at == at && p->kind == kind)
			return false;
	}
	p = calloc(1, sizeof *p);
	if (!p)
		return false;
	*p = (struct point){.debug = d, .kind = kind, .at = at, .next = d->points};
	p->under = m->hook[at];
	p->hook.run = on_run;
	p->hook.read = p->under && p->under->read ? on_read : NULL;
	p->hook.write = on_write;
	m6502_set_hook(m, at, &p->hook);
	d->points = p;
	return true;
}

bool debug_break(struct debug *d, uint16_t at)
{
	return set_point(d, DEBUG_BREAK, at);
}

bool debug_watch(struct debug *d, uint16_t at)
{
	return set_point(d, DEBUG_WATCH, at);
}

bool debug_stop(struct debug *d, uint16_t at)
{
	return set_point(d, DEBUG_STOP, at);
}

M6502_HOT enum m6502_why debug_run(struct debug *d, uint64_t until)
{
	struct m6502 *m = &d->machine->cpu;

	d->resumed = d->event == DEBUG_BREAK || d->event == DEBUG_STOP ? m->cycles : M6502_NEVER;
	d->event = DEBUG_NOTHING;
	return m6502_run(m, until);
}

enum debug_event debug_event(const struct debug *d, uint16_t *at)
{
	*at = d->event_at;
	return d->event;
}

void debug_registers(const struct debug *d, FILE *to)
{
	const struct m6502 *m = &d->machine->cpu;
	const char names[] = "NV-BDIZC";
	char line[DISASSEMBLE_MOST], flags[9] = "";

	for (int i = 0; i < 8; i++)
		flags[i] = m6502_p(m) & 0x80 >> i ? names[i] : '.';
	disassemble_line(m, d->symbols, m->pc, line);
	fprintf(to, "A %02x  X %02x  Y %02x  S %02x  %s  cycle %llu\n%s\n", m->a, m->x, m->y, m->s,
		flags, (unsigned long long)m->cycles, line);
}

const struct symbols *debug_symbols(const struct debug *d)
{
	return d->symbols;
}

struct machine *debug_machine(const struct debug *d)
{
	return d->machine;
}
