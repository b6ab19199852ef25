/* SPDX-License-Identifier: MIT */
/* trace: see the header. */
#include "vm-6502/command/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/guest/disassemble.h"

struct trace {
	struct m6502_observer observer;
	const struct symbols *symbols;
	FILE *file;
};

static M6502_HOT void on_instruction(struct m6502 *m, struct m6502_observer *o, uint16_t vector)
{
	struct trace *t = (struct trace *)o;
	const char *name = symbols_at(t->symbols, m->pc);
	char line[DISASSEMBLE_MOST];

	if (vector)
		snprintf(line, sizeof line, "%04x  %s", (unsigned)m->pc,
			 vector == 0xfffa ? "-- NMI" : "-- IRQ");
	else
		disassemble_line(m, t->symbols, m->pc, line);
	if (name)
		fprintf(t->file, "%s:\n", name);
	fprintf(t->file, "%10llu A%02x X%02x Y%02x S%02x P%02x  %s\n",
		(unsigned long long)m->cycles, m->a, m->x, m->y, m->s, m6502_p(m), line);
}

struct trace *trace_new(struct m6502 *m, const struct symbols *symbols, const char *path, char *err,
			size_t size)
{
	struct trace *t = calloc(1, sizeof *t);
	FILE *file = strcmp(path, "-") == 0 ? stderr : fopen(path, "w");

	if (!t || !file) {
		snprintf(err, size, "cannot open '%s': %s", path, strerror(errno));
		free(t);
		return NULL;
	}
	t->observer.instruction = on_instruction;
	t->symbols = symbols;
	t->file = file;
	m->observer = &t->observer;
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	if (t->file != stderr)
		fclose(t->file);
	free(t);
}
