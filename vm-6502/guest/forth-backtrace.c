/* SPDX-License-Identifier: MIT */
/* forth-backtrace: see the header. */
#define _GNU_SOURCE
#include "vm-6502/guest/forth-backtrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vm-6502/guest/forth-names.h"

/* If there are more than MOST words, only the first and the last are shown. */
enum { FIRST = 2, MOST = 16, SHOWN_LAST = 5, WIDTH = 384, LINES = FIRST + MOST + 1 };
enum { PAGE_1 = 0x100, STACK_TOP = 0x1fe, JMP = 0x4c };

struct frame {
	uint16_t xt;
	unsigned times; /* in a row */
};

struct forth_backtrace {
	uint8_t page[0x100];
	uint8_t s;
	uint16_t ip;
	char source[256];
	unsigned length, word, word_length; /* of the source, and of the word in it; 0: not known */
	bool told;                          /* `line` has been filled in */
	char line[LINES][WIDTH];
	unsigned lines;
};

/* What the walk needs to know of the Forth. */
struct walk {
	struct m6502 *m;
	struct forth_image image;
	struct forth_names *names;
	uint16_t dodefer; /* code */
	long execute, fetch_execute;
	struct frame frame[0x80 + 1];
	int frames;
	long system; /* a word of the system that the next word met has called; -1: none */
};

struct forth_backtrace *forth_backtrace_new(void)
{
	return calloc(1, sizeof(struct forth_backtrace));
}

void forth_backtrace_free(struct forth_backtrace *b)
{
	free(b);
}

void forth_backtrace_mark(struct forth_backtrace *b, const struct m6502 *m, uint8_t s)
{
	struct forth_image image;

	b->told = false;
	b->length = 0;
	b->s = 0xff;
	if (!forth_image_find(&image, m))
		return;
	b->s = s;
	b->ip = m6502_peek16(m, image.ip);
	for (int i = 0; i < 0x100; i++)
		b->page[i] = m6502_peek(m, PAGE_1 + i);
}

void forth_backtrace_source(struct forth_backtrace *b, const struct m6502 *m, uint16_t line,
			    unsigned length, uint16_t word, unsigned word_length)
{
	if (length >= sizeof b->source || word < line || word - line + word_length > length)
		length = 0;
	for (unsigned i = 0; i < length; i++)
		b->source[i] = m6502_peek(m, line + i);
	b->length = length;
	b->word = word - line;
	b->word_length = word_length;
}

/* Makes lines 0 and 1: the source line, and a sign below its word. Line 1 has a space for each
 * character before the word, however many bytes of UTF-8 that has. The source line is the guest's,
 * so it may hold any byte; controls are shown as spaces. */
static void mark_word(struct forth_backtrace *b)
{
	char *line = b->line[0], *mark = b->line[1];

	*line = *mark = 0;
	if (!b->length || !b->word_length)
		return;
	line = stpcpy(line, "   ");
	mark = stpcpy(mark, "   ");
	for (unsigned i = 0; i < b->length; i++) {
		bool tab = b->source[i] == '\t';
		*line++ = (uint8_t)b->source[i] < ' ' && !tab ? ' ' : b->source[i];
		if ((b->source[i] & 0xc0) == 0x80)
			continue;
		if (i < b->word)
			*mark++ = tab ? '\t' : ' ';
		else if (i < b->word + b->word_length)
			*mark++ = '^';
	}
	*line = *mark = 0;
}

static void ignore(void *context, uint16_t xt)
{
	(void)context, (void)xt;
}

/* The value of one of the kernel's constants: an address of code. */
static uint16_t code_of(const struct walk *w, const char *name)
{
	long xt = forth_names_find(w->names, name);

	return xt < 0 ? 0 : m6502_peek16(w->m, xt + 2);
}

static bool begin_walk(struct walk *w, struct m6502 *m)
{
	*w = (struct walk){.m = m, .system = -1};
	if (!forth_image_find(&w->image, m))
		return false;
	w->names = forth_names_new(m, &w->image, NULL, ignore, NULL);
	if (!w->names)
		return false;
	w->dodefer = code_of(w, "dodefer");
	w->execute = forth_names_find(w->names, "execute");
	w->fetch_execute = forth_names_find(w->names, "@execute");
	return true;
}

/* Words that pass errors on, and words that the compiler inserts, tell nothing about the
 * program. */
static bool is_plumbing(const char *name)
{
	static const char *const plumbing[] = {"throw", "?throw", "branch", "?branch", "abort"};

	for (size_t i = 0; i < sizeof plumbing / sizeof *plumbing; i++) {
		if (strcasecmp(name, plumbing[i]) == 0)
			return true;
	}
	return *name == '(' && name[1];
}

static void add_frame(struct walk *w, uint16_t xt)
{
	if (w->frames && w->frame[w->frames - 1].xt == xt)
		w->frame[w->frames - 1].times++;
	else
		w->frame[w->frames++] = (struct frame){.xt = xt, .times = 1};
}

/* Adds the word at xt, which is running, to the report. A word of the system is kept back until a
 * word of the program turns out to have called it. */
static void meet(struct walk *w, uint16_t xt)
{
	struct forth_word word;

	forth_names_word(w->names, xt, &word);
	if (xt < m6502_peek16(w->m, w->image.core)) {
		w->system = is_plumbing(word.name) ? w->system : xt;
		return;
	}
	if (w->system >= 0)
		add_frame(w, w->system);
	w->system = -1;
	add_frame(w, xt);
}

/* How well a cell of the return stack fits as the return address of the word that `inner` is in.
 * CALLS_IT: the token before the cell's address calls that word. CALLS: that token calls another
 * word or an unknown one. NO: it calls nothing. Loops and >R leave other things on the return
 * stack, and R> takes return addresses away. */
enum fit { NO, CALLS, CALLS_IT };

static enum fit fits(const struct walk *w, uint16_t cell, uint16_t inner)
{
	uint16_t token = m6502_peek16(w->m, cell - 2), code = m6502_peek16(w->m, token);

	if (cell >= m6502_peek16(w->m, w->image.dp) || forth_names_within(w->names, cell) < 0)
		return NO;
	if (token == w->execute || token == w->fetch_execute || code == w->dodefer)
		return CALLS;
	if (code == w->image.docol)
		return forth_names_same(w->names, token, inner) ? CALLS_IT : CALLS;
	if (m6502_peek(w->m, code) == JMP && m6502_peek16(w->m, code + 1) == w->image.dodoes)
		return forth_names_same(w->names, code, inner) ? CALLS_IT : CALLS;
	return NO;
}

/* The place of the next return address in the page; past the page if there is none. Its low byte is
 * at an even address, whatever an interrupt or a primitive has pushed. */
static unsigned next_frame(const struct walk *w, const uint8_t *page, unsigned at, uint16_t inner)
{
	unsigned other = STACK_TOP + 2;

	for (; at <= STACK_TOP; at += 2) {
		enum fit fit = fits(w, page[at & 0xff] | page[(at + 1) & 0xff] << 8, inner);
		if (fit == CALLS_IT)
			return at;
		if (fit == CALLS && other > STACK_TOP)
			other = at;
	}
	return other;
}

static void walk_stack(struct walk *w, const struct forth_backtrace *b)
{
	uint16_t inner = b->ip - 2, token = m6502_peek16(w->m, inner);
	unsigned at = (PAGE_1 + b->s + 2) & ~1u;

	if (forth_names_begins(w->names, token))
		meet(w, token);
	for (;;) {
		long xt = forth_names_within(w->names, inner);
		if (xt >= 0)
			meet(w, xt);
		at = next_frame(w, b->page, at, inner);
		if (at > STACK_TOP)
			break;
		inner = (b->page[at & 0xff] | b->page[(at + 1) & 0xff] << 8) - 2;
		at += 2;
	}
}

static void tell_frame(struct forth_backtrace *b, const struct walk *w, const struct frame *f)
{
	char *line = b->line[b->lines++], place[272] = "";
	struct forth_word word;

	forth_names_word(w->names, f->xt, &word);
	if (word.file[0])
		snprintf(place, sizeof place, " (%.250s:%u)", word.file, word.line);
	if (f->times > 1)
		snprintf(line, WIDTH, "   in %s%s, %u times", word.name, place, f->times);
	else
		snprintf(line, WIDTH, "   in %s%s", word.name, place);
}

static void tell(struct forth_backtrace *b, struct m6502 *m)
{
	struct walk w;
	int left_out;

	b->told = true;
	b->lines = FIRST;
	mark_word(b);
	if (b->s == 0xff || !begin_walk(&w, m))
		return;
	walk_stack(&w, b);
	left_out = w.frames > MOST ? w.frames - MOST : 0;
	for (int i = 0; i < w.frames; i++) {
		if (left_out && i == MOST - SHOWN_LAST) {
			snprintf(b->line[b->lines++], WIDTH, "   … and %d more", left_out);
			i += left_out;
		}
		tell_frame(b, &w, &w.frame[i]);
	}
	forth_names_free(w.names);
}

const char *forth_backtrace_line(struct forth_backtrace *b, struct m6502 *m, unsigned n)
{
	if (!b->told)
		tell(b, m);
	return n < b->lines ? b->line[n] : NULL;
}
