/* SPDX-License-Identifier: MIT */
/* help_text.c - see help_text.h. */
#include "report/core/command/help_text.h"

#include <stdio.h>
#include <string.h>

#include "report/core/command/command.h"

#define WIDTH 78

/* Prints one paragraph, up to a newline; gives its end. */
static const char *wrap(const char *text, int indent)
{
	int column = indent;
	printf("%*s", indent, "");
	while (*text && *text != '\n') {
		int word = (int)strcspn(text, " \n");
		if (column > indent && column + 1 + word > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		}
		column += printf("%s%.*s", column > indent ? " " : "", word, text);
		text += word;
		while (*text == ' ')
			text++;
	}
	putchar('\n');
	return text;
}

const struct help_style *help_style;

void help_paragraphs(const char *text, int indent)
{
	if (help_style) {
		help_style->paragraphs(text, indent);
		return;
	}
	while (*text) {
		if (*text == '\n') {
			putchar('\n');
		} else if (*text == ' ') {
			int length = (int)strcspn(text, "\n");
			printf("%*s%.*s\n", indent, "", length, text);
			text += length;
		} else {
			text = wrap(text, indent);
		}
		text += *text == '\n';
	}
}

void help_option(char letter, const char *name, const char *argument, const char *text)
{
	if (help_style) {
		help_style->option(letter, name, argument, text);
		return;
	}
	fputs("    ", stdout);
	if (letter)
		printf("-%c%s%s, ", letter, argument ? " " : "", argument ? argument : "");
	printf("--%s%s%s\n", name, argument ? " " : "", argument ? argument : "");
	help_paragraphs(text, 12);
}

/* The options of SETS, heading by heading in the order the headings first appear. */
static void table_options(unsigned sets)
{
	const char *heading = "", *printed[16];
	const struct option_spec *s;
	int count = 0;
	for (size_t i = 0; (s = options_at(i)); i++) {
		heading = s->kind ? s->kind : heading;
		bool seen = false;
		for (int k = 0; k < count; k++)
			seen = seen || !strcmp(printed[k], heading);
		if (seen || !(s->set & sets) || count == 16)
			continue;
		printed[count++] = heading;
		if (!help_style)
			putchar('\n');
		help_paragraphs(heading, 2);
		const char *under = "";
		for (size_t k = 0; (s = options_at(k)); k++) {
			under = s->kind ? s->kind : under;
			if ((s->set & sets) && !strcmp(under, heading))
				help_option(s->letter, s->name, s->argument, s->help);
		}
	}
}

void help_options(const struct command *c)
{
	if (c->own_options)
		c->own_options();
	if (c->options)
		table_options(c->options);
}

static void synopsis(const struct command *c)
{
	const char *line = c->synopsis;
	puts("SYNOPSIS");
	for (;;) {
		int length = (int)strcspn(line, "\n");
		printf("    zprof %s %.*s\n", c->name, length, line);
		if (!line[length])
			break;
		line += length + 1;
	}
}

void help_command(const struct command *c)
{
	printf("NAME\n    zprof %s - %s\n\n", c->name, c->summary);
	synopsis(c);
	puts("\nDESCRIPTION");
	help_paragraphs(c->text, 4);
	if (c->own_text)
		c->own_text();
	if (c->own_options || c->options) {
		puts("\nOPTIONS");
		help_options(c);
	}
	if (c->examples) {
		puts("\nEXAMPLES");
		help_paragraphs(c->examples, 4);
		if (c->own_examples)
			c->own_examples(4);
	}
}
