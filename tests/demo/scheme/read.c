/* SPDX-License-Identifier: MIT */
/* read.c - text to values. See scheme.h. */
#include "tests/demo/scheme/scheme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text; /* what is left of the file */
static uint32_t line = 1, column = 1;

static UNSEEN int next_character(void)
{
	int c = *text;

	if (!c)
		return 0;
	text++;
	column++;
	if (c == '\n') {
		line++;
		column = 1;
	}
	return c;
}

static UNSEEN void skip_blanks(void)
{
	while (*text && strchr(" \t\r\n;", *text))
		if (next_character() == ';')
			while (*text && *text != '\n')
				next_character();
}

static UNSEEN struct value *read_value(void);

static UNSEEN struct value *read_list(void)
{
	struct value *v;
	uint32_t at_line = line, at_column = column - 1;

	skip_blanks();
	if (!*text)
		fail("%s:%u: a parenthesis is not closed", machine.file, at_line);
	if (*text == ')') {
		next_character();
		return &nil;
	}
	if (text[0] == '.' && strchr(" \n", text[1])) {
		next_character();
		v = read_value();
		skip_blanks();
		next_character();
		return v;
	}
	v = read_value();
	v = cons(v, read_list());
	v->line = at_line;
	v->column = at_column;
	return v;
}

static UNSEEN struct value *read_string(void)
{
	const char *start = text;
	struct value *v = make(STRING);
	char *copy;

	while (*text && *text != '"')
		next_character();
	if (!*text)
		fail("%s:%u: a string is not closed", machine.file, line);
	copy = allocate((size_t)(text - start) + 1);
	memcpy(copy, start, (size_t)(text - start));
	v->text = copy;
	next_character();
	return v;
}

static UNSEEN struct value *read_atom(void)
{
	const char *start = text;
	char *word, *end;
	size_t n;
	long value;

	while (*text && !strchr(" \t\r\n();'\"", *text))
		next_character();
	n = (size_t)(text - start);
	word = allocate(n + 1);
	memcpy(word, start, n);
	value = strtol(word, &end, 10);
	if (n && !*end)
		return number(value);
	if (!strcmp(word, "#t") || !strcmp(word, "#f"))
		return truth(word[1] == 't');
	return symbol(word);
}

static UNSEEN struct value *read_value(void)
{
	skip_blanks();
	if (*text == '(') {
		next_character();
		return read_list();
	}
	if (*text == '\'') {
		next_character();
		return list(2, symbol("quote"), read_value());
	}
	if (*text == '"') {
		next_character();
		return read_string();
	}
	if (!*text || *text == ')')
		fail("%s:%u: an expression is missing", machine.file, line);
	return read_atom();
}

static UNSEEN bool read_file(const char *name)
{
	static char bytes[1 << 20];
	FILE *f = fopen(name, "r");
	size_t n = f ? fread(bytes, 1, sizeof(bytes) - 1, f) : 0;

	if (!f)
		return false;
	fclose(f);
	if (n == sizeof(bytes) - 1)
		fail("'%s' is longer than this Scheme allows (1 MiB)", name);
	bytes[n] = 0;
	text = bytes;
	machine.file = name;
	return true;
}

UNSEEN struct value *read_program(const char *file)
{
	struct value *forms = &nil;

	if (!read_file(file))
		return NULL;
	for (skip_blanks(); *text; skip_blanks())
		forms = cons(read_value(), forms);
	return reverse(forms);
}
