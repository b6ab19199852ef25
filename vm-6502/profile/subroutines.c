/* SPDX-License-Identifier: MIT */
/* subroutines: see the header. */
#include "vm-6502/profile/subroutines.h"

#include <stdlib.h>
#include <string.h>

#include "vm-6502/cpu/m6502-table.h"
#include "vm-6502/profile/contexts.h"

enum { NOTHING = -1 };

struct subroutines {
	struct m6502_observer observer;
	struct m6502 *m;
	const struct symbols *symbols;
	struct contexts *zones;
	struct contexts_clock clock;
	uint32_t zone[0x10000]; /* of the subroutine that begins here; 0: none does yet */
	uint8_t entry[0x200];   /* S at each open subroutine's entry */
	int depth;
	int last;       /* the instruction before; NOTHING at first and after an interrupt */
	uint64_t since; /* cycles up to here are counted */
	struct counts counts;
};

static M6502_HOT uint32_t zone_at(struct subroutines *s, uint16_t at)
{
	char name[64];

	if (!s->zone[at]) {
		const char *symbol = symbols_at(s->symbols, at);
		snprintf(name, sizeof name, "$%04x", at);
		s->zone[at] = contexts_add(s->zones, symbol ? symbol : name, "6502", NULL, 0);
	}
	return s->zone[at];
}

/* Nobody has called the program itself. */
static M6502_HOT void set_bound(struct subroutines *s)
{
	s->observer.bound = s->depth > 1 ? s->entry[s->depth - 1] : 0xff;
}

static M6502_HOT void enter(struct subroutines *s, uint16_t at, uint8_t entry, bool root)
{
	if (s->depth == (int)sizeof s->entry)
		return;
	s->entry[s->depth++] = entry;
	set_bound(s);
	contexts_enter(s->zones, zone_at(s, at), root);
}

/* Leaves what S has risen past, but for the program itself, which nobody called; how many. */
static M6502_HOT int leave(struct subroutines *s)
{
	int n = 0;
	while (s->depth > 1 && s->m->s > s->entry[s->depth - 1]) {
		contexts_leave(s->zones);
		s->depth--;
		n++;
	}
	set_bound(s);
	return n;
}

/* Counts the instruction before, now that it is known what it took and where it led. */
static M6502_HOT void count_last(struct subroutines *s)
{
	uint64_t cycles = s->m->cycles - s->since;

	s->since = s->m->cycles;
	if (s->last == NOTHING) {
		s->counts.interrupts += cycles;
		return;
	}
	s->counts.at[s->last].cycles += cycles;
	const struct m6502_instruction *i = m6502_instruction(s->m->cpu, s->observer.last);
	if ((i->access == ACCESS_BRANCH || i->access == ACCESS_BITBRANCH) &&
	    s->m->pc != (uint16_t)(s->last + i->length))
		s->counts.at[s->last].taken++;
}

/* A subroutine of the host's (a hook) has returned when the next instruction is seen. */
static M6502_HOT void enter_called(struct subroutines *s, bool observed)
{
	struct m6502 *m = s->m;
	uint16_t to = m6502_peek16(m, s->last + 1);
	bool done = observed && m->pc != to && m->hook[to] && m->hook[to]->run;

	enter(s, done ? to : m->pc, m->s, false);
	if (done) {
		contexts_leave(s->zones);
		s->depth--;
		set_bound(s);
	}
}

/* The instruction with that opcode has led to m->pc, where another will run. */
static M6502_HOT void transfer(struct subroutines *s, int opcode, bool observed)
{
	struct m6502 *m = s->m;
	int left;

	s->clock.cycles = m->cycles;
	left = leave(s);
	if (s->depth == 0)
		enter(s, m->pc, 0xff, true);
	else if (opcode == M6502_JSR)
		enter_called(s, observed);
	else if (opcode == M6502_BRK)
		enter(s, m->pc, m->s, false);
	else if (opcode == M6502_RTS && !left && s->zone[m->pc] && s->depth > 1) {
		contexts_leave(s->zones);
		contexts_enter(s->zones, s->zone[m->pc], false);
	}
}

static M6502_HOT void on_transfer(struct m6502 *m, struct m6502_observer *o, int opcode)
{
	(void)m;
	transfer((struct subroutines *)o, opcode, false);
}

static M6502_HOT void on_instruction(struct m6502 *m, struct m6502_observer *o, uint16_t vector)
{
	struct subroutines *s = (struct subroutines *)o;

	count_last(s);
	transfer(s, o->last, true);
	if (vector) {
		s->last = NOTHING;
		o->last = M6502_NO_OPCODE;
		enter(s, m6502_peek16(m, vector), m->s - 3, true);
		return;
	}
	s->last = m->pc;
	o->last = m6502_peek(m, m->pc);
	s->counts.at[s->last].runs++;
}

struct subroutines *subroutines_new(struct m6502 *m, const struct symbols *symbols, bool counting)
{
	struct subroutines *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->clock.cycles = m->cycles;
	s->zones = contexts_new(&s->clock, NULL);
	if (!s->zones) {
		free(s);
		return NULL;
	}
	s->observer.instruction = on_instruction;
	s->observer.transfer = counting ? NULL : on_transfer;
	s->observer.last = M6502_NO_OPCODE;
	s->m = m;
	s->symbols = symbols;
	s->last = NOTHING;
	s->since = m->cycles;
	m->observer = &s->observer;
	return s;
}

void subroutines_free(struct subroutines *s)
{
	if (!s)
		return;
	s->m->observer = NULL;
	contexts_free(s->zones);
	free(s);
}

M6502_HOT void subroutines_finish(struct subroutines *s)
{
	count_last(s);
	s->last = NOTHING;
	s->clock.cycles = s->m->cycles;
	contexts_finish(s->zones);
}

void subroutines_print(const struct subroutines *s, FILE *to)
{
	contexts_print(s->zones, to);
}

const struct counts *subroutines_counts(const struct subroutines *s)
{
	return &s->counts;
}
