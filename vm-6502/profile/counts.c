/* SPDX-License-Identifier: MIT */
/* counts: see the header. */
#include "vm-6502/profile/counts.h"

#include <errno.h>
#include <string.h>

#include "vm-6502/cpu/m6502-table.h"
#include "vm-6502/guest/disassemble.h"
#include "vm-6502/profile/places.h"

static void list_instruction(struct places *p, const struct count *c, const struct m6502 *m,
			     const struct symbols *symbols, uint16_t at)
{
	const struct m6502_instruction *i = m6502_instruction(m->cpu, m6502_peek(m, at));
	char line[DISASSEMBLE_MOST], name[64];

	disassemble_line(m, symbols, at, line);
	fputs(line, p->to);
	if (i->access == ACCESS_BRANCH || i->access == ACCESS_BITBRANCH)
		fprintf(p->to, "%*s%.1f %% taken", 40 - (int)strlen(line), "",
			100.0 * c->taken / c->runs);
	places_end_line(p, symbols_show(symbols, at, name),
			&(struct place){.runs = c->runs, .cycles = c->cycles});
}

bool counts_list(const struct counts *c, const struct m6502 *m, const struct symbols *symbols,
		 struct contexts *zones, const char *path, char *err, size_t size)
{
	struct places p;
	int end = -1;

	if (!places_begin(&p, zones, path, err, size))
		return false;
	for (int at = 0; at < 0x10000; at++) {
		const char *name = symbols_at(symbols, at);
		if (!c->at[at].runs)
			continue;
		if (end >= 0 && at > end)
			places_end_line(&p, NULL, NULL);
		if (name) {
			fprintf(p.to, "%s:", name);
			places_end_line(&p, NULL, NULL);
		}
		list_instruction(&p, &c->at[at], m, symbols, at);
		end = at + m6502_instruction(m->cpu, m6502_peek(m, at))->length;
	}
	if (c->interrupts) {
		fputs("entering interrupts", p.to);
		places_end_line(&p, "(interrupts)",
				&(struct place){.runs = 1, .cycles = c->interrupts});
	}
	if (places_finish(&p))
		return true;
	snprintf(err, size, "cannot write '%s': %s", path, strerror(errno));
	return false;
}
