/* SPDX-License-Identifier: MIT */
/* help_text.c - see help_text.h. */
#include "report/core/command/help_text.h"

#include <stdio.h>
#include <stdlib.h>
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

static void print_option(const struct option_spec *s)
{
	const char *between = s->argument ? " " : "", *argument = s->argument ? s->argument : "";
	fputs("    ", stdout);
	if (s->letter)
		printf("-%c%s%s, ", s->letter, between, argument);
	printf("--%s%s%s\n", s->name, between, argument);
	help_paragraphs(s->help, 12);
}

void help_options(const struct command *c)
{
	void (*print)(const struct option_spec *s) = help_style ? help_style->option : print_option;
	struct option_row *rows = options_flatten(c->options);
	if (c->before_options)
		c->before_options();
	for (struct option_row *first = rows, *r; first->option; first++) {
		for (r = rows; strcmp(r->heading, first->heading);)
			r++;
		if (r < first)
			continue;
		if (*first->heading && !help_style)
			putchar('\n');
		if (*first->heading)
			help_paragraphs(first->heading, 2);
		for (; r->option; r++)
			if (!strcmp(r->heading, first->heading))
				print(r->option);
	}
	free(rows);
}

const struct help_command *help_of(const struct command *c)
{
	const struct help_command *h = help_commands;
	while (h->name && strcmp(h->name, c->name))
		h++;
	return h;
}

bool help_is_listed(const struct command *c)
{
	return help_of(c)->task != TASK_INTERNAL;
}

static void synopsis(const struct help_command *h)
{
	const char *line = h->synopsis;
	puts("SYNOPSIS");
	for (;;) {
		int length = (int)strcspn(line, "\n");
		printf("    zprof %s %.*s\n", h->name, length, line);
		if (!line[length])
			break;
		line += length + 1;
	}
}

void help_command(const struct command *c)
{
	const struct help_command *h = help_of(c);
	printf("NAME\n    zprof %s - %s\n\n", h->name, h->summary);
	synopsis(h);
	puts("\nDESCRIPTION");
	help_paragraphs(h->description, 4);
	if (c->options) {
		puts("\nOPTIONS");
		help_options(c);
	}
	if (h->examples) {
		puts("\nEXAMPLES");
		help_paragraphs(h->examples, 4);
	}
}
