/* SPDX-License-Identifier: MIT */
/*
 * cmd_manual.c - `zprof manual`: manual pages and shell completions, made from the tables of
 * --help. The build calls this command; users do not need it.
 *
 *	zprof manual               lists the pages: zprof.1, zprof-report.1 ...
 *	zprof manual PAGE          prints it in roff's man macros
 *	zprof manual bash          prints the completion for a shell: bash, zsh or fish
 */
#include <stdio.h>
#include <string.h>

#include "report/commands.h"
#include "report/help/completion.h"
#include "report/core/command/help_text.h"
#include "report/help/help.h"
#include "preload/release.h"

/* Puts text within one line, escaped so that roff finds no request in it. */
static void put(const char *text, size_t n)
{
	if (n && (*text == '.' || *text == '\''))
		fputs("\\&", stdout);
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\')
			fputs("\\e", stdout);
		else if (text[i] == '-')
			fputs("\\-", stdout);
		else
			putchar(text[i]);
	}
}

static void put_line(const char *text, size_t n)
{
	put(text, n);
	putchar('\n');
}

#define HEADING 2 /* how far help.c indents the heading of a group of options */

/* Puts paragraphs. Lines that begin with a space are kept as they are. INDENT 0: directly below a
 * heading. */
static void roff_paragraphs(const char *text, int indent)
{
	bool kept = false, open = indent == 0;
	if (indent == HEADING) {
		fputs(".SS ", stdout);
		put_line(text, strlen(text));
		return;
	}
	for (const char *at = text; *at;) {
		size_t n = strcspn(at, "\n");
		bool keeps = *at == ' ';
		if (!n) {
			open &= at == text;
		} else {
			if (kept && !keeps)
				puts(".EE\n.RE");
			if (!open)
				puts(kept && keeps ? "" : ".PP");
			if (keeps && !kept)
				puts(".RS 4\n.EX");
			open = true;
			kept = keeps;
			put_line(at, n);
		}
		at += n + (at[n] == '\n');
	}
	if (kept)
		puts(".EE\n.RE");
}

static void roff_option(const struct option_spec *s)
{
	const char *between = s->argument ? " " : "", *argument = s->argument ? s->argument : "";
	puts(".TP");
	if (s->letter)
		printf("\\fB\\-%c\\fR%s%s, ", s->letter, between, argument);
	fputs("\\fB\\-\\-", stdout);
	put(s->name, strlen(s->name));
	printf("\\fR%s%s\n", between, argument);
	put_line(s->help, strlen(s->help));
}

static void title(const char *name, int section, const char *summary)
{
	printf(".TH \"%s\" %d \"" ZPROF_RELEASE_DATE "\" \"zprof " ZPROF_RELEASE
	       "\" \"zprof manual\"\n.SH NAME\n",
	       name, section);
	put(name, strlen(name));
	fputs(" \\- ", stdout);
	put_line(summary, strlen(summary));
}

static void see_also(const char *self)
{
	const char *between = "";
	puts(".SH SEE ALSO");
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i]) && strcmp(commands[i]->name, self) != 0) {
			printf("%s.BR zprof\\-%s (1)", between, commands[i]->name);
			between = ",\n";
		}
	puts(",\n.BR zprof (1),\n.BR zprof.groups (5),\n.BR libzprof (7)");
}

static void command_page(const struct command *c)
{
	const struct help_command *h = help_of(c);
	struct str name = {0};
	str_add(&name, "zprof-%s", c->name);
	title(name.text, 1, h->summary);
	puts(".SH SYNOPSIS\n.nf");
	for (const char *at = h->synopsis; at;
	     at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		printf("\\fBzprof %s\\fR ", c->name);
		put_line(at, strcspn(at, "\n"));
	}
	puts(".fi\n.SH DESCRIPTION");
	help_paragraphs(h->description, 0);
	if (c->options) {
		puts(".SH OPTIONS");
		help_options(c);
	}
	if (h->examples) {
		puts(".SH EXAMPLES");
		help_paragraphs(h->examples, 0);
	}
	see_also(c->name);
	str_free(&name);
}

/* A page of `zprof help`, without its heading. */
static void put_page(const char *name)
{
	for (const char *at = strchr(cmd_help_page(name), '\n') + 1; *at; at += *at == '\n') {
		size_t n = strcspn(at, "\n");
		put_line(at, n);
		at += n;
	}
}

static void overview(void)
{
	title("zprof", 1, "shows where a native program spends its time, and on whose behalf");
	puts(".SH SYNOPSIS\n.nf\n\\fBzprof\\fR COMMAND [OPTION...]\n.fi\n.SH DESCRIPTION");
	help_paragraphs("Counts every call of a program that was compiled with instrumentation, by "
			"the full chain of callers, and shows where its time went.\n\n"
			"    gcc -g -O2 -finstrument-functions prog.c -o prog\n"
			"    zprof record ./prog\n"
			"    zprof graph\n",
			0);
	puts(".SH COMMANDS");
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i])) {
			printf(".TP\n.BR zprof\\-%s (1)\n", commands[i]->name);
			put_line(help_of(commands[i])->summary,
				 strlen(help_of(commands[i])->summary));
		}
	puts(".SH PATTERNS\n.EX");
	put_page("patterns");
	puts(".EE\n.SH EXIT STATUS\n.EX");
	put_page("files");
	put_page("status");
	puts(".EE\n.SH ENVIRONMENT");
	roff_paragraphs(
	    "ZPROF_OPTIONS holds the library's options, see libzprof(7). ZPROF_LIB is the path of "
	    "libzprof.so. ZPROF_PAGER, or PAGER, shows long output on a terminal; NO_COLOR leaves "
	    "colours away.",
	    0);
	see_also("");
}

static void groups_page(void)
{
	title("zprof.groups", 5, "names groups of functions for zprof");
	puts(".SH DESCRIPTION\n.EX");
	put_page("groups-file");
	puts(".EE");
	see_also("");
}

static void library_page(void)
{
	title("libzprof", 7, "the library that records a program's calls");
	puts(
	    ".SH SYNOPSIS\n.nf\nZPROF_OPTIONS=key=value,key=value LD_PRELOAD=libzprof.so PROGRAM\n.fi\n"
	    ".SH DESCRIPTION");
	roff_paragraphs(
	    "Preloaded, or linked, the library records every call of every function that was "
	    "compiled with -finstrument-functions, or with gcc's -pg -mfentry "
	    "-minstrument-return=call. It counts in a mapped file, the profile, which can be read "
	    "at any moment, and outlives the program however that ends. The program does not "
	    "notice.\n\n"
	    "zprof record does the same, with options of the same names. Write \\, for a comma in "
	    "a value.",
	    0);
	puts(".SH OPTIONS");
#define OPTION(name, kind, value, least, most, argument, table, help)                              \
	printf(".TP\n\\fB" #name "\\fR=%s\n", (argument) ? (const char *)(argument) : "0|1");      \
	put_line(help, strlen(help));
#include "preload/options.def"
#undef OPTION
	see_also("");
}

static const struct page {
	const char *name;
	void (*print)(void);
} pages[] = {{"zprof.1", overview}, {"zprof.groups.5", groups_page}, {"libzprof.7", library_page}};

static const struct command *command_of_page(const char *page)
{
	struct str name = {0};
	const struct command *found = NULL;
	for (int i = 0; commands[i] && !found; i++) {
		str_clear(&name);
		str_add(&name, "zprof-%s.1", commands[i]->name);
		if (help_is_listed(commands[i]) && !strcmp(name.text, page))
			found = commands[i];
	}
	str_free(&name);
	return found;
}

static int run(struct options *o, struct str *err)
{
	static const struct help_style roff = {roff_option, roff_paragraphs};
	if (!o->path_count) {
		for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
			puts(pages[i].name);
		for (int i = 0; commands[i]; i++)
			if (help_is_listed(commands[i]))
				printf("zprof-%s.1\n", commands[i]->name);
		return command_end();
	}
	const char *name = o->paths[0];
	if (completion_print(name, commands))
		return command_end();
	help_style = &roff;
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		if (!strcmp(name, pages[i].name)) {
			pages[i].print();
			return command_end();
		}
	const struct command *c = command_of_page(name);
	if (!c) {
		str_fail(err, "no manual page '%s'", name);
		return EXIT_USAGE;
	}
	command_page(c);
	return command_end();
}

const struct command cmd_manual = {
    .name = "manual",
    .run = run,
};
