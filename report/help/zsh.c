/* SPDX-License-Identifier: MIT */
/* zsh.c - the completion script for zsh. */
#include <stdio.h>
#include <string.h>

#include "report/help/offers.h"
#include "report/help/shells.h"

static const char begin[] =
    "#compdef zprof\n"
    "# zprof's commands, options, values, groups, functions, processes and files, for zsh\n"
    "_zprof_groups() {\n"
    "\tlocal -a groups=(${(f)\"$(" OFFERS_PRINT_GROUPS ")\"})\n"
    "\tcompadd -a groups\n"
    "}\n"
    "_zprof_list() { # some words, between commas\n"
    "\tcompset -P '*,'\n"
    "\tcompadd -S '' -- \"$@\"\n"
    "}\n"
    "_zprof_functions() { # of the newest profile in this folder, without parameters\n"
    "\tlocal -a functions=(${(f)\"$($zprof " OFFERS_PRINT_FUNCTIONS ")\"})\n"
    "\tcompadd -a functions\n"
    "}\n"
    "_zprof_processes() { # that run with libzprof.so\n"
    "\tlocal maps pid name\n"
    "\tlocal -a pids names\n"
    "\tfor maps in $(grep -ls /libzprof /proc/<->/maps(N)); do\n"
    "\t\tpid=${${maps#/proc/}%/maps}\n"
    "\t\t{ read -r name </proc/$pid/comm } 2>/dev/null || continue\n"
    "\t\tpids+=(\"$pid:$name\") names+=(${name%%[[:space:]]*})\n"
    "\tdone\n"
    "\t_describe process pids\n"
    "\tcompadd -a names\n"
    "}\n"
    "_zprof_live() {\n"
    "\t_zprof_processes\n"
    "\t_files\n"
    "}\n"
    "_zprof() {\n"
    "\tlocal zprof=$words[1]\n"
    "\tlocal -a list=(\n";

/* One form of an option, `--sort=` or `-F+`, and what its value may be. */
static void put_form(const struct option_spec *s, const char *form)
{
	static const char *const found[] = {
	    [OFFERS_UNKNOWN] = "_files",       [OFFERS_WORDS] = "{compadd -- ",
	    [OFFERS_LIST] = "{_zprof_list ",   [OFFERS_FUNCTIONS] = "_zprof_functions",
	    [OFFERS_GROUPS] = "_zprof_groups", [OFFERS_PROCESSES] = "_zprof_live",
	};
	enum offers offers = offers_of(s);
	printf(" \\\n\t\t'*%s[", form);
	offers_put_summary(s->help);
	putchar(']');
	if (s->argument) {
		printf(":%s:%s", s->argument, found[offers]);
		if (offers == OFFERS_WORDS || offers == OFFERS_LIST) {
			offers_put_words(s);
			fputs(offers_files(s) ? "; _files}" : "}", stdout);
		}
	}
	putchar('\'');
}

static void put_option(const struct option_spec *s)
{
	char form[64];
	snprintf(form, sizeof form, "--%s%s", s->name, s->argument ? "=" : "");
	put_form(s, form);
	snprintf(form, sizeof form, "-%c%s", s->letter, s->argument ? "+" : "");
	if (s->letter)
		put_form(s, form);
}

/* The words of a command that are no options; NULL: files. Those behind the program of 'record' are
 * its own, even if they begin with a dash. */
static const char *words_of(const struct command *c)
{
	static const char *const found[] = {
	    [OFFERS_PROCESS] = "'*:process:_zprof_processes'",
	    [OFFERS_PROCESS_OR_FILE] = "'*:process or file:_zprof_live'",
	    [OFFERS_PROCESS_THEN_FUNCTIONS] =
		"'1:process:_zprof_processes' '*:function:_zprof_functions'",
	};
	if (!strcmp(c->name, "record"))
		return "'(-)1:program:_files' '(-)*:argument:_files'";
	return offers_behind(c) == OFFERS_FILES ? NULL : found[offers_behind(c)];
}

void zsh_print(void)
{
	fputs(begin, stdout);
	for (int i = 0; offers_commands[i]; i++)
		if (help_is_listed(offers_commands[i])) {
			printf("\t\t'%s:", offers_commands[i]->name);
			offers_put_summary(help_of(offers_commands[i])->summary);
			puts("'");
		}
	puts("\t)\n\tif ((CURRENT == 2)); then\n\t\t_describe command list\n\t\treturn\n\tfi\n"
	     "\tlocal name=$words[2]\n"
	     "\tlocal -a behind=('*:file:_files')\n"
	     "\tcase $name in");
	for (int i = 0; offers_commands[i]; i++)
		if (help_is_listed(offers_commands[i]) && words_of(offers_commands[i]))
			printf("\t%s) behind=(%s) ;;\n", offers_commands[i]->name,
			       words_of(offers_commands[i]));
	fputs("\thelp) compadd -- ", stdout);
	offers_put_commands("", " ");
	offers_put_pages(" ");
	puts("; return ;;\n\tesac\n"
	     "\tshift words\n\t((CURRENT--))\n\tcase $name in");
	offers_each_option(put_option, "\t%s) _arguments -S", " $behind ;;\n");
	puts("\t*) _files ;;\n\tesac\n}\n_zprof \"$@\"");
}
