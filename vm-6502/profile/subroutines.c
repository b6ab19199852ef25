/* SPDX-License-Identifier: MIT */
/* subroutines: see the header. */
#include "vm-6502/profile/subroutines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/cpu/m6502-table.h"
#include "vm-6502/profile/contexts.h"

enum { NOTHING = -1, OPEN_MOST = 0x200 };

/* A function of C, with a hook on its first instruction. */
struct function {
	struct m6502_hook hook;
	struct m6502_hook *under; /* the hook that was at the address before */
	struct subroutines *s;
	uint16_t at;
};

struct open {
	uint8_t entry; /* S when it was entered */
	bool folded;   /* a helper without a zone; its cycles count for the call at fold_to */
	uint16_t at;   /* where it begins */
	/* The instruction that a helper's cycles are folded into; NOTHING unless instructions are
	 * counted. */
	int fold_to;
};

/* A subroutine in banked memory. */
struct banked {
	const char *bank;
	uint32_t zone;
	struct banked *next; /* the next at the same address */
};

struct subroutines {
	struct m6502_observer observer;
	struct m6502 *m;
	const struct symbols *symbols;
	const struct sources *sources;
	struct contexts *zones;
	struct contexts_clock clock;
	bool fold; /* fold helpers */
	struct subroutines_banks banks;
	/* By address: the zone of the subroutine that begins there; 0: none is known, or the memory
	 * is banked. */
	uint32_t zone[0x10000];
	struct banked **banked; /* [0x10000]; NULL: no memory is banked */
	bool counting;          /* instructions are counted, and subroutines are no zones */
	struct open open[OPEN_MOST];
	int depth;
	int last;       /* the instruction before; NOTHING at first and after an interrupt */
	uint64_t since; /* cycles up to here are counted */
	struct function *function; /* the functions of C */
	int functions;
	struct counts counts;
};

static uint32_t add_zone(struct subroutines *s, uint16_t at, const char *bank)
{
	const char *symbol = symbols_at(s->symbols, at), *colon = bank ? ":" : "";
	const struct source_place *place = s->sources ? &s->sources->at[at] : NULL;
	char name[96];

	if (symbol)
		snprintf(name, sizeof name, "%s%s%s", bank ? bank : "", colon, symbol);
	else
		snprintf(name, sizeof name, "%s%s$%04x", bank ? bank : "", colon, at);
	if (!place || !place->line)
		return contexts_zone(s->zones, name, "6502", NULL, 0);
	return contexts_zone(s->zones, name, "6502", s->sources->file[place->file], place->line);
}

static const char *bank_at(const struct subroutines *s, uint16_t at)
{
	return s->banked ? s->banks.bank(s->banks.context, at) : NULL;
}

/* The zone of the subroutine that begins at an address; 0: none is known. */
static M6502_HOT uint32_t known_zone(const struct subroutines *s, uint16_t at)
{
	const char *bank = bank_at(s, at);
	const struct banked *b;

	if (!bank)
		return s->zone[at];
	b = s->banked[at];
	while (b && strcmp(b->bank, bank) != 0)
		b = b->next;
	return b ? b->zone : 0;
}

static M6502_HOT uint32_t zone_at(struct subroutines *s, uint16_t at)
{
	uint32_t zone = known_zone(s, at);
	const char *bank = bank_at(s, at);
	struct banked *b;

	if (zone)
		return zone;
	zone = add_zone(s, at, bank);
	if (!bank)
		return s->zone[at] = zone;
	b = malloc(sizeof *b);
	if (b) {
		*b = (struct banked){.bank = bank, .zone = zone, .next = s->banked[at]};
		s->banked[at] = b;
	}
	return zone;
}

/* The program itself, at depth 1, was not called, so S cannot rise past its entry. */
static M6502_HOT void set_bound(struct subroutines *s)
{
	s->observer.bound = s->depth > 1 ? s->open[s->depth - 1].entry : 0xff;
}

/* The instruction that the cycles of the running one are counted for. */
static M6502_HOT int folds_to(const struct subroutines *s)
{
	return s->depth ? s->open[s->depth - 1].fold_to : NOTHING;
}

/* Whether a helper begins at an address: called by a function of C or by a helper, but no function
 * of C. */
static M6502_HOT bool is_helper(const struct subroutines *s, uint16_t at)
{
	const struct open *caller = &s->open[s->depth - 1];

	return s->fold && s->depth && !s->symbols->function[at] &&
	       (caller->folded || s->symbols->function[caller->at]);
}

/* The line of the JSR or BRK that has just pushed its return address; 0 for a root. */
static M6502_HOT uint32_t calling_line(const struct subroutines *s, bool root)
{
	const struct m6502 *m = s->m;
	uint16_t back;

	if (root || !s->sources)
		return 0;
	back = m6502_peek(m, 0x100 | (uint8_t)(m->s + 1));
	back |= m6502_peek(m, 0x100 | (uint8_t)(m->s + 2)) << 8;
	return s->sources->at[(uint16_t)(back - 2)].line;
}

static M6502_HOT void enter_zone(struct subroutines *s, uint16_t at, uint32_t line, bool root)
{
	if (!s->counting)
		contexts_enter(s->zones, zone_at(s, at), line, root);
}

static M6502_HOT void leave_zone(struct subroutines *s)
{
	if (!s->counting)
		contexts_leave(s->zones);
}

static M6502_HOT void enter(struct subroutines *s, uint16_t at, uint8_t entry, bool root)
{
	struct open open = {.entry = entry, .at = at, .fold_to = NOTHING};

	if (s->depth == OPEN_MOST)
		return;
	open.folded = !root && is_helper(s, at);
	if (open.folded && s->counting)
		open.fold_to = folds_to(s) != NOTHING ? folds_to(s) : s->last;
	s->open[s->depth++] = open;
	set_bound(s);
	if (!open.folded)
		enter_zone(s, at, calling_line(s, root), root);
}

static M6502_HOT void leave_one(struct subroutines *s)
{
	if (!s->open[--s->depth].folded)
		leave_zone(s);
}

/* Leaves the subroutines that S has risen past, except the program itself; returns how many. */
static M6502_HOT int leave(struct subroutines *s)
{
	int n = 0;
	while (s->depth > 1 && s->m->s > s->open[s->depth - 1].entry) {
		leave_one(s);
		n++;
	}
	set_bound(s);
	return n;
}

/* Counts the last instruction, now that its cycles and its successor are known. */
static M6502_HOT void count_last(struct subroutines *s)
{
	uint64_t cycles = s->m->cycles - s->since;

	s->since = s->m->cycles;
	if (s->last == NOTHING) {
		s->counts.interrupts += cycles;
		return;
	}
	if (folds_to(s) != NOTHING) {
		s->counts.at[folds_to(s)].cycles += cycles;
		return;
	}
	s->counts.at[s->last].cycles += cycles;
	const struct m6502_instruction *i = m6502_instruction(s->m->cpu, s->observer.last);
	if ((i->access == ACCESS_BRANCH || i->access == ACCESS_BITBRANCH) &&
	    s->m->pc != (uint16_t)(s->last + i->length))
		s->counts.at[s->last].taken++;
}

/* Enters the subroutine that a JSR has called. If the host runs it (a hook), it has returned
 * already when the next instruction is observed. */
static M6502_HOT void enter_called(struct subroutines *s, bool observed)
{
	struct m6502 *m = s->m;
	uint16_t to = m6502_peek16(m, s->last + 1);
	bool done = observed && m->pc != to && m->hook[to] && m->hook[to]->run;

	enter(s, done ? to : m->pc, m->s, false);
	if (done) {
		leave_one(s);
		set_bound(s);
	}
}

/* Another subroutine takes the place of the one that runs. */
static M6502_HOT void become(struct subroutines *s, uint16_t at)
{
	struct open *open = &s->open[s->depth - 1];

	if (!open->folded)
		leave_zone(s);
	open->folded = false;
	open->fold_to = NOTHING;
	open->at = at;
	enter_zone(s, at, 0, false);
}

/* Called when the instruction with that opcode has transferred control to m->pc. */
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
	else if (opcode == M6502_RTS && !left && s->depth > 1 && known_zone(s, m->pc))
		become(s, m->pc);
}

/* Called when a function of C is jumped to: in a tail call, or, as main is, by the library's start.
 * The function replaces the one that jumped, and returns to that one's caller. */
static M6502_HOT void come_to_function(struct subroutines *s, uint16_t at)
{
	if (s->depth < 2 || s->open[s->depth - 1].at == at)
		return;
	s->clock.cycles = s->m->cycles;
	become(s, at);
}

static M6502_HOT bool run_function(struct m6502 *m, struct m6502_hook *hook)
{
	struct function *f = (struct function *)hook;

	come_to_function(f->s, f->at);
	return f->under && f->under->run && f->under->run(m, f->under);
}

static void write_function(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct m6502_hook *under = ((struct function *)hook)->under;

	if (under && under->write)
		under->write(m, under, at, value);
}

static bool watch_functions(struct subroutines *s)
{
	int n = 0;

	/* When each instruction is observed, hooks are not needed, and would run first. */
	for (int at = 0x200; s->symbols && s->observer.transfer && at < 0x10000; at++)
		n += s->symbols->function[at];
	s->function = calloc(n + 1, sizeof *s->function);
	for (int at = 0x200; s->function && s->functions < n; at++) {
		struct function *f = &s->function[s->functions];
		if (!s->symbols->function[at])
			continue;
		if (s->m->hook[at] && s->m->hook[at]->read) { /* a device, not a function */
			n--;
			continue;
		}
		*f = (struct function){
		    .hook = {.run = run_function, .write = write_function}, .s = s, .at = at};
		f->under = m6502_set_hook(s->m, at, &f->hook);
		s->functions++;
	}
	return s->function;
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
	if (s->symbols && s->symbols->function[m->pc])
		come_to_function(s, m->pc);
	s->last = m->pc;
	o->last = m6502_peek(m, m->pc);
	if (folds_to(s) == NOTHING)
		s->counts.at[s->last].runs++;
}

static void free_tables(struct subroutines *s)
{
	for (int at = 0; s->banked && at < 0x10000; at++) {
		while (s->banked[at]) {
			struct banked *b = s->banked[at];
			s->banked[at] = b->next;
			free(b);
		}
	}
	free(s->banked);
	free(s->function);
	contexts_free(s->zones);
	free(s);
}

struct subroutines *subroutines_new(struct m6502 *m, const struct symbols *symbols,
				    const struct sources *sources,
				    const struct subroutines_banks *banks, bool fold, bool counting)
{
	struct subroutines *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->clock.cycles = m->cycles;
	s->zones = contexts_new(&s->clock, NULL);
	if (banks) {
		s->banks = *banks;
		s->banked = calloc(0x10000, sizeof(struct banked *));
	}
	if (!s->zones || (banks && !s->banked)) {
		free_tables(s);
		return NULL;
	}
	s->observer.instruction = on_instruction;
	s->observer.transfer = counting ? NULL : on_transfer;
	s->observer.last = M6502_NO_OPCODE;
	s->m = m;
	s->symbols = symbols;
	s->sources = sources;
	s->fold = fold && symbols;
	for (int i = 0; i < OPEN_MOST; i++)
		s->open[i].fold_to = NOTHING;
	s->counting = counting;
	s->last = NOTHING;
	s->since = m->cycles;
	if (!watch_functions(s)) {
		free_tables(s);
		return NULL;
	}
	m->observer = &s->observer;
	return s;
}

void subroutines_free(struct subroutines *s)
{
	if (!s)
		return;
	s->m->observer = NULL;
	for (int i = 0; i < s->functions; i++) {
		struct function *f = &s->function[i];
		if (s->m->hook[f->at] == &f->hook)
			m6502_set_hook(s->m, f->at, f->under);
	}
	free_tables(s);
}

void subroutines_finish(struct subroutines *s)
{
	count_last(s);
	s->last = NOTHING;
	s->clock.cycles = s->m->cycles;
	while (s->depth)
		leave_one(s);
	if (!s->counting)
		contexts_finish(s->zones);
}

bool subroutines_list(struct subroutines *s, const char *path, char *err, size_t size)
{
	return counts_list(&s->counts, s->m, s->symbols, s->zones, path, err, size);
}
