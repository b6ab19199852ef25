/* SPDX-License-Identifier: MIT */
/* forth-cells: see the header. */
#include "vm-6502/profile/forth-cells.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "vm-6502/profile/places.h"

enum operand { NONE, CELL, TARGET, RELATIVE, BYTE, STRING, DOES };

struct in_line {
	const char *name;
	enum operand operand;
};

static const struct in_line ours[] = {
    {"(lit)", CELL},     {"branch", TARGET},   {"?branch", TARGET}, {"(?do)", TARGET},
    {"(loop)", TARGET},  {"(+loop)", TARGET},  {"(leave)", TARGET}, {"(of)", TARGET},
    {"(s\")", STRING},   {"(c\")", STRING},    {"(does>)", DOES},   {"(locals)", BYTE},
    {"(locals+)", BYTE}, {"(unlocals)", BYTE}, {"(local@)", BYTE},  {"(local!)", BYTE},
};

/* The words with operands of volksForth, whose branches have distances as operands. */
static const struct in_line others[] = {
    {"lit", CELL},        {"clit", BYTE},     {"branch", RELATIVE}, {"?branch", RELATIVE},
    {"(do", RELATIVE},    {"(?do", RELATIVE}, {"(\"", STRING},      {"(.\"", STRING},
    {"(abort\"", STRING}, {"(err\"", STRING}, {"(;code", DOES},
};

enum { OURS = sizeof ours / sizeof *ours, OTHERS = sizeof others / sizeof *others };

struct cells_listing {
	const struct forth_cell_count *count; /* [0x10000] */
	const struct m6502 *m;
	const struct forth_image *image;
	const struct forth_names *names;
	struct places *places;
	const struct in_line *in_line;
	int in_lines;
	long token[OURS];
};

static enum operand operand_of(const struct cells_listing *l, uint16_t token)
{
	for (int i = 0; i < l->in_lines; i++) {
		if (l->token[i] == token)
			return l->in_line[i].operand;
	}
	return NONE;
}

/* Where the branch at an address leads; 0: there is no branch. */
static uint16_t target_of(const struct cells_listing *l, uint16_t at)
{
	uint16_t operand = m6502_peek16(l->m, at + 2);

	switch (operand_of(l, m6502_peek16(l->m, at))) {
	case TARGET:
		return operand;
	case RELATIVE:
		return at + 2 + operand;
	default:
		return 0;
	}
}

static bool ends_thread(const struct cells_listing *l, uint16_t token)
{
	return token == l->image->exit || (l->image->unnest && token == l->image->unnest);
}

/* How many bytes a cell takes with its operand. */
static int size_of(const struct cells_listing *l, uint16_t at)
{
	switch (operand_of(l, m6502_peek16(l->m, at))) {
	case CELL:
	case TARGET:
	case RELATIVE:
		return 4;
	case BYTE:
		return 3;
	case STRING:
		return 3 + m6502_peek(l->m, at + 2);
	case DOES:
		return 5;
	case NONE:
		break;
	}
	return 2;
}

static void print_string(const struct cells_listing *l, uint16_t at)
{
	int length = m6502_peek(l->m, at);

	FILE *to = l->places->to;

	fputc(' ', to);
	for (int i = 1; i <= length; i++) {
		uint8_t byte = m6502_peek(l->m, at + i);
		fputc(byte < ' ' || byte > '~' ? '.' : byte, to);
	}
	fputc('"', to);
}

static void print_cell(const struct cells_listing *l, uint16_t at)
{
	const struct forth_cell_count *count = &l->count[at];
	uint16_t token = m6502_peek16(l->m, at);
	FILE *to = l->places->to;
	struct forth_word word;
	char name[80];

	forth_names_word(l->names, token, &word);
	snprintf(name, sizeof name, "%04X  %.64s", (unsigned)at, word.name);
	fprintf(to, "   %s", name);
	switch (operand_of(l, token)) {
	case CELL:
		fprintf(to, " %d", (int16_t)m6502_peek16(l->m, at + 2));
		break;
	case TARGET:
	case RELATIVE:
		fprintf(to, " %04X", (unsigned)target_of(l, at));
		break;
	case BYTE:
		fprintf(to, " %d", m6502_peek(l->m, at + 2));
		break;
	case STRING:
		print_string(l, at + 2);
		break;
	case DOES:
	case NONE:
		break;
	}
	places_end_line(l->places, name,
			count->runs ? &(struct place){count->runs, count->cycles, count->runs}
				    : NULL);
}

/* The next cell that ran, in [at, end); end: there is none. */
static uint32_t next_run(const struct cells_listing *l, uint32_t at, uint32_t end)
{
	while (at < end && !l->count[at].runs)
		at++;
	return at;
}

/* Prints the cells of one definition. Cells that never ran are shown up to the end of its thread,
 * an EXIT that no branch leads past. Cells that ran are always shown. */
static void print_thread(const struct cells_listing *l, uint32_t at, uint32_t end)
{
	uint32_t reached = 0;
	bool over = false;

	while (at < end) {
		uint32_t run = next_run(l, at, end), after;
		if (over)
			at = run;
		if (at >= end)
			break;
		after = at + size_of(l, at);
		print_cell(l, at);
		if (target_of(l, at) > reached)
			reached = target_of(l, at);
		over = over || (ends_thread(l, m6502_peek16(l->m, at)) && after > reached);
		run = next_run(l, at + 1, end);
		at = run < after ? run : after;
	}
}

static void print_head(const struct cells_listing *l, uint16_t xt)
{
	struct forth_word word;

	forth_names_word(l->names, xt, &word);
	fprintf(l->places->to, ": %s", word.name);
	if (word.file[0])
		fprintf(l->places->to, "  \\ %s:%u", word.file, word.line);
	places_end_line(l->places, NULL, NULL);
}

static void list_words(const struct cells_listing *l)
{
	uint32_t next;

	for (uint32_t xt = 0; xt < 0x10000; xt = next) {
		uint32_t end;
		for (next = xt + 1; next < 0x10000 && !forth_names_begins(l->names, next);)
			next++;
		end = next < 0x10000 ? forth_names_start(l->names, next) : next;
		if (!forth_names_begins(l->names, xt) || next_run(l, xt, end) == end)
			continue;
		print_head(l, xt);
		print_thread(l, xt + (l->image->direct ? 3 : 2), end);
	}
}

bool forth_cells_list(const struct forth_sums *sums, const struct m6502 *m,
		      const struct forth_image *image, const struct forth_names *names,
		      struct contexts *zones, const char *path, char *err, size_t size)
{
	struct places places;
	struct cells_listing l = {
	    .count = sums->count, .m = m, .image = image, .names = names, .places = &places};
	uint64_t since = zones->since.cycles, count = zones->since.count;

	if (!places_begin(&places, zones, path, err, size))
		return false;
	l.in_line = image->other ? others : ours;
	l.in_lines = image->other ? OTHERS : OURS;
	for (int i = 0; i < l.in_lines; i++)
		l.token[i] = forth_names_find(names, l.in_line[i].name);
	list_words(&l);
	zones->lent.cycles += zones->clock->cycles - since - places.cycles;
	zones->lent.count += zones->clock->count - count - places.count;
	contexts_told(zones);
	if (places_finish(&places))
		return true;
	snprintf(err, size, "cannot write '%s': %s", path, strerror(errno));
	return false;
}
