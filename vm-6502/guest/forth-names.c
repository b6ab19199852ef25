/* SPDX-License-Identifier: MIT */
/* forth-names: see the header. */
#include "vm-6502/guest/forth-names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vm-6502/guest/forth-cell.h"

enum { LINE = 2, FILE_NUMBER = 4, FLAGS = 5, NAME = 6 };
enum { LENGTH = 0x1f, ALIAS = 0x20 };

/* Offsets in another Forth's header. OTHER_LINKS: bytes count as a header if so many links, one
 * after the other, lead to headers. */
enum { OTHER_LINK = 2, OTHER_FLAGS = 4, OTHER_NAME = 5, OTHER_LINKS = 6 };

struct definition {
	uint16_t nt; /* 0: it has no header */
	uint16_t line;
	uint8_t file;
	bool known;
};

struct forth_names {
	struct m6502 *m;
	struct forth_image image;
	const struct symbols *symbols;
	struct forth_cell last_xt;
	uint16_t latest, source_line, source_file; /* variables of the guest */
	void (*defined)(void *context, uint16_t xt);
	void *context;
	uint16_t highest;              /* xt */
	struct definition at[0x10000]; /* by xt */
};

static uint16_t xt_of(const struct m6502 *m, uint16_t nt)
{
	return nt + NAME + (m6502_peek(m, nt + FLAGS) & LENGTH);
}

/* Whether the bytes at nt may be another Forth's header, whose link leads to more headers. */
static bool is_other_header(const struct m6502 *m, uint16_t nt, int links)
{
	int length = m6502_peek(m, nt + OTHER_FLAGS) & LENGTH;
	uint16_t link = m6502_peek16(m, nt + OTHER_LINK);

	if (!length)
		return false;
	for (int i = 0; i < length; i++) {
		uint8_t letter = m6502_peek(m, nt + OTHER_NAME + i) & 0x7f;
		if (letter <= ' ' || letter == 0x7f)
			return false;
	}
	return !link || !links ||
	       (link < nt + OTHER_LINK && link >= 0x0200 + OTHER_LINK &&
		is_other_header(m, link - OTHER_LINK, links - 1));
}

/* The header before a code field; 0: there is none. */
static uint16_t find_other_header(const struct m6502 *m, uint16_t xt)
{
	for (int length = 1; length <= LENGTH; length++) {
		uint16_t nt = xt - length - OTHER_NAME;
		if ((m6502_peek(m, nt + OTHER_FLAGS) & (LENGTH | ALIAS)) == length &&
		    is_other_header(m, nt, OTHER_LINKS))
			return nt;
	}
	return 0;
}

void forth_names_note(struct forth_names *n, uint16_t xt)
{
	if (!n->image.other || n->at[xt].known)
		return;
	n->at[xt] = (struct definition){.nt = find_other_header(n->m, xt), .known = true};
	if (xt > n->highest)
		n->highest = xt;
	n->defined(n->context, xt);
}

/* Adds the other Forth's words in the image: their code fields lead to code or a thread. */
static void add_others(struct forth_names *n)
{
	for (uint32_t xt = 0x0208; xt < 0xffff; xt++) {
		uint16_t nt = find_other_header(n->m, xt);
		if (nt && (n->image.direct || m6502_peek16(n->m, xt) >= 0x0200)) {
			n->at[xt] = (struct definition){.nt = nt, .known = true};
			n->highest = xt;
		}
	}
}

static void add_header(struct forth_names *n, uint16_t xt, uint16_t nt)
{
	if (xt > n->highest)
		n->highest = xt;
	n->at[xt] = (struct definition){.nt = nt,
					.line = m6502_peek16(n->m, nt + LINE),
					.file = m6502_peek(n->m, nt + FILE_NUMBER),
					.known = true};
}

/* Adds all words. Steps are counted, since a guest can tie its lists into rings. */
static void add_all(struct forth_names *n)
{
	int steps = 0;

	for (uint16_t list = m6502_peek16(n->m, n->image.voclink); list && steps < 0x10000;
	     list = m6502_peek16(n->m, list + 2)) {
		for (uint16_t nt = m6502_peek16(n->m, list); nt && steps < 0x10000;
		     nt = m6502_peek16(n->m, nt)) {
			steps++;
			if (!(m6502_peek(n->m, nt + FLAGS) & ALIAS))
				add_header(n, xt_of(n->m, nt), nt);
		}
		steps++;
	}
}

/* Called when the guest has set LAST-XT. */
static void on_definition(void *context)
{
	struct forth_names *n = context;
	uint16_t xt = m6502_peek16(n->m, n->last_xt.at - 1), nt = m6502_peek16(n->m, n->latest);

	if (nt)
		add_header(n, xt, nt);
	else
		n->at[xt] = (struct definition){.line = m6502_peek16(n->m, n->source_line),
						.file = m6502_peek(n->m, n->source_file),
						.known = true};
	n->defined(n->context, xt);
}

/* The address of one of the kernel's variables, by the name of a VARIABLE or of a CONSTANT. */
static uint16_t variable(const struct forth_names *n, const char *name, bool is_constant)
{
	long xt = forth_names_find(n, name);

	return xt < 0 ? 0 : is_constant ? m6502_peek16(n->m, xt + 2) : xt + 2;
}

struct forth_names *forth_names_new(struct m6502 *m, const struct forth_image *image,
				    const struct symbols *symbols,
				    void (*defined)(void *context, uint16_t xt), void *context)
{
	struct forth_names *n = calloc(1, sizeof *n);
	uint16_t last_xt;

	if (!n)
		return NULL;
	n->m = m;
	n->image = *image;
	n->symbols = symbols;
	n->defined = defined;
	n->context = context;
	if (image->other) {
		add_others(n);
		return n;
	}
	add_all(n);
	n->latest = variable(n, "latest", false);
	n->source_line = variable(n, "source-line", true);
	n->source_file = variable(n, "source-file", true);
	last_xt = variable(n, "last-xt", false);
	if (last_xt && n->latest)
		forth_cell_watch(&n->last_xt, m, last_xt, on_definition, n);
	return n;
}

void forth_names_free(struct forth_names *n)
{
	if (!n)
		return;
	forth_cell_leave(&n->last_xt);
	free(n);
}

uint16_t forth_names_start(const struct forth_names *n, uint16_t xt)
{
	return n->at[xt].nt ? n->at[xt].nt : xt;
}

void forth_names_header(const struct forth_names *n, uint16_t nt, char name[32])
{
	uint16_t flags = nt + (n->image.other ? OTHER_FLAGS : FLAGS);
	int length = nt ? m6502_peek(n->m, flags) & LENGTH : 0;

	for (int i = 0; i < length; i++)
		name[i] = m6502_peek(n->m, flags + 1 + i) & (n->image.other ? 0x7f : 0xff);
	name[length] = 0;
}

void forth_names_file(const struct forth_names *n, uint8_t number, char name[256])
{
	uint16_t record = m6502_peek16(n->m, n->image.files);
	int length = 0;

	for (int steps = 0; number && record && steps < 256; steps++) {
		if (m6502_peek(n->m, record + 2) == number) {
			length = m6502_peek(n->m, record + 3);
			break;
		}
		record = m6502_peek16(n->m, record);
	}
	for (int i = 0; i < length; i++)
		name[i] = m6502_peek(n->m, record + 4 + i);
	name[length] = 0;
}

long forth_names_within(const struct forth_names *n, uint16_t at)
{
	long xt = at;
	while (xt >= 0 && !n->at[xt].known)
		xt--;
	return xt;
}

bool forth_names_same(const struct forth_names *n, uint16_t a, uint16_t b)
{
	return forth_names_within(n, a) == forth_names_within(n, b);
}

void forth_names_word(const struct forth_names *n, uint16_t xt, struct forth_word *word)
{
	const char *symbol = symbols_at(n->symbols, xt);
	long begin = forth_names_within(n, xt);
	const struct definition *d = &n->at[begin < 0 ? xt : begin];
	const char *nameless = n->image.other ? "" : ":noname";
	char address[8] = "";
	char name[32];

	*word = (struct forth_word){.line = d->line};
	forth_names_file(n, d->file, word->file);
	forth_names_header(n, d->nt, name);
	if (n->image.other && !d->nt) {
		snprintf(address, sizeof address, "$%04X", (unsigned)(begin < 0 ? xt : begin));
		nameless = address;
	}
	if (n->image.other && symbol)
		snprintf(word->name, sizeof word->name, "%.70s", symbol);
	else if (begin < 0)
		snprintf(word->name, sizeof word->name, "%s%04X", n->image.other ? "$" : "",
			 (unsigned)xt);
	else if (begin == xt)
		snprintf(word->name, sizeof word->name, "%s", d->nt ? name : nameless);
	else if (symbol)
		snprintf(word->name, sizeof word->name, "%.70s", symbol);
	else
		snprintf(word->name, sizeof word->name, "%s+%ld", d->nt ? name : nameless,
			 xt - begin);
}

bool forth_names_begins(const struct forth_names *n, uint16_t xt)
{
	return n->at[xt].known;
}

long forth_names_find(const struct forth_names *n, const char *name)
{
	char other[32];

	for (long xt = n->highest; xt >= 0; xt--) {
		if (!n->at[xt].nt)
			continue;
		forth_names_header(n, n->at[xt].nt, other);
		if (strcasecmp(other, name) == 0)
			return xt;
	}
	return -1;
}
