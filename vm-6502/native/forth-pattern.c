/* SPDX-License-Identifier: MIT */
/* forth-pattern: see the header. */
#include "vm-6502/native/forth-pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vm-6502/native/forth-next.h"
#include "vm-6502/cpu/m6502-table.h"

enum { WORD = 24 };

struct reader {
	const char *text;
	const struct forth_image *image;
	struct forth_pattern *p;
	char label[PATTERN_LABELS][WORD];
	int labels;
	bool wrong;
};

/* The next word, up to a space; empty at the end. */
static void read_word(struct reader *r, char word[WORD])
{
	size_t n;

	r->text += strspn(r->text, " ");
	n = strcspn(r->text, " ");
	if (n >= WORD) {
		r->wrong = true;
		n = 0;
	}
	memcpy(word, r->text, n);
	word[n] = 0;
	r->text += n;
}

static void emit(struct reader *r, unsigned token)
{
	if (r->p->tokens == PATTERN_MOST)
		r->wrong = true;
	else
		r->p->token[r->p->tokens++] = token;
}

static int label_number(struct reader *r, const char *name)
{
	for (int i = 0; i < r->labels; i++) {
		if (strcmp(r->label[i], name) == 0)
			return i;
	}
	if (r->labels == PATTERN_LABELS) {
		r->wrong = true;
		return 0;
	}
	strcpy(r->label[r->labels], name);
	return r->labels++;
}

/* A number or a name, with +number; what follows it is left in *end. */
static unsigned value_of(struct reader *r, const char *text, const char **end)
{
	const struct {
		const char *name;
		unsigned value;
	} known[] = {
	    {"next_go", FORTH_NEXT_GO},
	    {"next", FORTH_NEXT},
	    {"ip", FORTH_IP},
	    {"w", FORTH_W},
	    {"XSAVE", FORTH_XSAVE},
	    {"LP", FORTH_LP},
	    {"N", FORTH_N},
	    {"SP0", FORTH_SP0},
	    {"STACK_LOW", FORTH_STACK_LOW},
	    {"RETURN_LOW", FORTH_RETURN_LOW},
	    {"dp", r->image->dp},
	};
	char *stop = NULL;
	unsigned value = 0;

	for (size_t i = 0; i < sizeof known / sizeof *known && !stop; i++) {
		size_t n = strlen(known[i].name);
		if (strncmp(text, known[i].name, n) == 0) {
			value = known[i].value;
			stop = (char *)text + n;
		}
	}
	if (!stop) {
		bool hex = *text == '$';
		value = strtoul(text + hex, &stop, hex ? 16 : 10);
		if (stop == text + hex)
			r->wrong = true;
	}
	if (*stop == '+')
		value += strtoul(stop + 1, &stop, 10);
	*end = stop;
	return value;
}

/* The opcode of a mnemonic in a mode; -1: there is none. Documented ones come first in the table.
 * (A start looks up thousands.) */
static int find_opcode(const char *name, enum m6502_mode mode)
{
	const struct m6502_instruction *all = m6502_instruction(M6502_NMOS, 0);
	char initial = toupper((unsigned char)*name);

	for (int i = 0; i < 256; i++) {
		if (all[i].mode == mode && *all[i].name == initial &&
		    strcasecmp(all[i].name, name) == 0)
			return i;
	}
	return -1;
}

static enum m6502_mode mode_of(struct reader *r, const char *name, const char *operand,
			       unsigned *value)
{
	bool wide = strncmp(operand, "a:", 2) == 0, indirect = *operand == '(';
	const char *end;

	if (strcmp(operand, "a") == 0)
		return MODE_ACC;
	*value = value_of(r, operand + (wide ? 2 : indirect || *operand == '#'), &end);
	if (*operand == '#')
		return MODE_IMM;
	if (indirect)
		return strcmp(end, ",x)") == 0 ? MODE_IZX : MODE_IZY;
	wide = wide || *value > 0xff || strcmp(name, "jmp") == 0;
	if (strcmp(end, ",x") == 0)
		return wide ? MODE_ABX : MODE_ZPX;
	if (strcmp(end, ",y") == 0)
		return wide ? MODE_ABY : MODE_ZPY;
	r->wrong |= *end != 0;
	return wide ? MODE_ABS : MODE_ZPG;
}

static void emit_to_label(struct reader *r, const char *name, char *label)
{
	int opcode = find_opcode(name, MODE_REL);
	char *index = strchr(label, ',');

	if (opcode >= 0) {
		emit(r, opcode);
		emit(r, PATTERN_BRANCH | label_number(r, label + 1));
		return;
	}
	opcode = find_opcode(name, index ? index[1] == 'x' ? MODE_ABX : MODE_ABY : MODE_ABS);
	r->wrong |= opcode < 0;
	if (index)
		*index = 0;
	emit(r, opcode);
	emit(r, PATTERN_WORD | label_number(r, label + 1));
}

static void emit_instruction(struct reader *r, const char *name)
{
	int opcode = find_opcode(name, MODE_IMP);
	char operand[WORD];
	enum m6502_mode mode;
	unsigned value = 0;

	if (opcode >= 0) {
		emit(r, opcode);
		return;
	}
	read_word(r, operand);
	if (*operand == '@') {
		emit_to_label(r, name, operand);
		return;
	}
	mode = mode_of(r, name, operand, &value);
	opcode = find_opcode(name, mode);
	if (opcode < 0) {
		r->wrong = true;
		return;
	}
	emit(r, opcode);
	for (int i = 1; i < m6502_instruction(M6502_NMOS, opcode)->length; i++, value >>= 8)
		emit(r, value & 0xff);
}

bool forth_pattern_read(struct forth_pattern *p, const char *text, const struct forth_image *image)
{
	struct reader r = {.text = text, .image = image, .p = p};
	char word[WORD];

	p->tokens = 0;
	for (read_word(&r, word); *word && !r.wrong; read_word(&r, word)) {
		if (*word == ';') {
			emit(&r, PATTERN_END);
		} else if (*word == '@') {
			word[strlen(word) - 1] = 0;
			emit(&r, PATTERN_LABEL | label_number(&r, word + 1));
		} else {
			emit_instruction(&r, word);
			if (strcmp(word, "jmp") == 0 || strcmp(word, "rts") == 0)
				emit(&r, PATTERN_END);
		}
	}
	return !r.wrong;
}

struct matcher {
	const struct m6502 *m;
	struct forth_match *match;
	long label[PATTERN_LABELS]; /* their addresses; -1: not known yet */
	uint16_t at;
	bool ended;
	int branches;
};

static uint8_t take(struct matcher *x)
{
	x->match->at[x->match->bytes++] = x->at;
	return m6502_peek(x->m, x->at++);
}

static bool bind(struct matcher *x, int label, uint16_t at)
{
	if (x->label[label] < 0)
		x->label[label] = at;
	return x->label[label] == at;
}

static bool match_token(struct matcher *x, unsigned token)
{
	int label = token & 0xff;
	uint16_t to;

	switch (token & 0xff00) {
	case PATTERN_BRANCH:
		to = (int8_t)take(x);
		to += x->at;
		if (x->branches < PATTERN_BRANCHES)
			x->match->cross[x->branches++] = ((to ^ x->at) & 0xff00) != 0;
		return bind(x, label, to);
	case PATTERN_WORD:
		to = take(x);
		to |= take(x) << 8;
		return bind(x, label, to);
	case PATTERN_LABEL:
		if (x->ended && x->label[label] >= 0)
			x->at = x->label[label];
		x->ended = false;
		return bind(x, label, x->at);
	case PATTERN_END:
		x->ended = true;
		return true;
	}
	return take(x) == token;
}

bool forth_pattern_match(const struct forth_pattern *p, const struct m6502 *m, uint16_t at,
			 struct forth_match *match)
{
	struct matcher x = {.m = m, .match = match, .at = at};

	match->bytes = 0;
	memset(match->cross, 0, sizeof match->cross);
	for (int i = 0; i < PATTERN_LABELS; i++)
		x.label[i] = -1;
	for (int i = 0; i < p->tokens; i++) {
		if (!match_token(&x, p->token[i]))
			return false;
	}
	return true;
}
