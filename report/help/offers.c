/* SPDX-License-Identifier: MIT */
/* offers.c - see offers.h. */
#include "report/help/offers.h"

#include <stdio.h>
#include <string.h>

const struct command *const *offers_commands;
const char *offers_command;

enum offers offers_of(const struct option_spec *s)
{
	const struct option_act *a = &s->act;
	if ((a->words && !strcmp(a->words, OPTION_FUNCTIONS)) ||
	    (a->what == OPTION_MATCHES && !a->own))
		return OFFERS_FUNCTIONS;
	if (a->what == OPTION_MATCHES_OF && a->of == PATTERN_GROUP)
		return OFFERS_GROUPS;
	if (!strcmp(s->name, "live"))
		return OFFERS_PROCESSES;
	if (!a->words && !a->word_at)
		return OFFERS_UNKNOWN;
	return s->argument && strchr(s->argument, ',') ? OFFERS_LIST : OFFERS_WORDS;
}

bool offers_files(const struct option_spec *s)
{
	return (s->argument && strstr(s->argument, "FILE")) || offers_of(s) == OFFERS_PROCESSES;
}

enum offers_behind offers_behind(const struct command *c)
{
	const char *synopsis = help_of(c)->synopsis;
	if (strstr(synopsis, "--live"))
		return OFFERS_FILES;
	if (strstr(synopsis, "PID|NAME PATTERN"))
		return OFFERS_PROCESS_THEN_FUNCTIONS;
	if (strstr(synopsis, "PID|NAME"))
		return OFFERS_PROCESS;
	return strstr(synopsis, "PID|FILE") ? OFFERS_PROCESS_OR_FILE : OFFERS_FILES;
}

void offers_put_words(const struct option_spec *s)
{
	const char *word;
	for (size_t i = 0; s->act.word_at && (word = s->act.word_at(i)); i++)
		printf("%s%s", i ? " " : "", word);
	if (s->act.words)
		fputs(s->act.words, stdout);
}

void offers_put_summary(const char *text)
{
	size_t n = strcspn(text, ".;:");
	for (size_t i = 0; i < n; i++)
		if (!strchr("'[]\\\n", text[i]))
			putchar(text[i]);
}

void offers_put_commands(const char *before, const char *between)
{
	for (int i = 0; offers_commands[i]; i++)
		if (help_is_listed(offers_commands[i]))
			printf("%s%s", i ? between : before, offers_commands[i]->name);
}

void offers_put_pages(const char *before)
{
	for (const struct help_page *p = help_pages; p->name; p++)
		printf("%s%s", before, p->name);
}

static void no_paragraphs(const char *text, int indent)
{
	(void)text;
	(void)indent;
}

void offers_each_option(void (*print)(const struct option_spec *s), const char *begin,
			const char *end)
{
	struct help_style style = {print, no_paragraphs};
	help_style = &style;
	for (int i = 0; offers_commands[i]; i++) {
		if (!help_is_listed(offers_commands[i]) || !offers_commands[i]->options)
			continue;
		offers_command = offers_commands[i]->name;
		printf(begin, offers_command);
		help_options(offers_commands[i]);
		fputs(end, stdout);
	}
	help_style = NULL;
}
