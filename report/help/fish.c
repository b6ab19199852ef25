/* SPDX-License-Identifier: MIT */
/* fish.c - the completion script for fish. */
#include <stdio.h>
#include <string.h>

#include "report/help/offers.h"
#include "report/help/shells.h"

static const char begin[] =
    "# zprof's commands, options, values, groups, functions, processes and files, for fish\n"
    "function __zprof_of --description 'the command is one of these'\n"
    "\tset -l words (commandline -opc)\n"
    "\ttest (count $words) -ge 2; and contains -- $words[2] $argv\n"
    "end\n"
    "function __zprof_begins --description 'there is no command yet'\n"
    "\ttest (count (commandline -opc)) -eq 1\n"
    "end\n"
    "function __zprof_groups\n"
    "\t" OFFERS_PRINT_GROUPS "\n"
    "end\n"
    "function __zprof_list --description 'some words, between commas'\n"
    "\tset -l front (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^.*,')\n"
    "\tfor word in $argv\n\t\techo -- \"$front$word\"\n\tend\n"
    "end\n"
    "function __zprof_functions --description 'of the newest profile in this folder'\n"
    "\tset -l words (commandline -opc)\n"
    "\t$words[1] " OFFERS_PRINT_FUNCTIONS "\n"
    "end\n"
    "function __zprof_processes --description 'that run with libzprof.so'\n"
    "\tfor maps in (grep -ls /libzprof /proc/*/maps | string match -r '^/proc/\\d+/maps$')\n"
    "\t\tset -l pid (string split / $maps)[3]\n"
    "\t\tread -l name </proc/$pid/comm; or continue\n"
    "\t\tset name (string split ' ' $name)[1]\n"
    "\t\tprintf '%s\\t%s\\n' $pid $name $name $pid\n"
    "\tend 2>/dev/null\n"
    "end\n"
    "function __zprof_process_or_functions --description 'the process first, then functions'\n"
    "\tif test (count (commandline -opc | string match -v -- '-*')) -gt 2\n"
    "\t\t__zprof_functions\n\telse\n\t\t__zprof_processes\n\tend\n"
    "end\n"
    "function __zprof_record --description 'options of record, which end at the program'\n"
    "\t__zprof_of record; or return\n"
    "\tset -l words (commandline -opc)\n"
    "\tset -e words[1..2]\n"
    "\tset -l value 0\n"
    "\tfor word in $words\n"
    "\t\tif test $value = 1\n\t\t\tset value 0\n\t\t\tcontinue\n\t\tend\n"
    "\t\tswitch $word\n"
    "\t\t\tcase ''";

/* Behind the options of 'record' whose value is the next word. */
static const char begin_last[] = "\n\t\t\t\tset value 1\n"
				 "\t\t\tcase '-*'\n"
				 "\t\t\tcase '*'\n\t\t\t\treturn 1\n"
				 "\t\tend\n\tend\n"
				 "end\n";

static void put_taking(const struct option_spec *s)
{
	if (strcmp(offers_command, "record") || !s->argument)
		return;
	printf(" --%s", s->name);
	if (s->letter)
		printf(" -%c", s->letter);
}

static void put_option(const struct option_spec *s)
{
	static const char *const found[] = {
	    [OFFERS_WORDS] = "",
	    [OFFERS_LIST] = "(__zprof_list ",
	    [OFFERS_FUNCTIONS] = "(__zprof_functions)",
	    [OFFERS_GROUPS] = "(__zprof_groups)",
	    [OFFERS_PROCESSES] = "(__zprof_processes)",
	};
	enum offers offers = offers_of(s);
	printf("complete -c zprof -n '%s%s' -l %s",
	       strcmp(offers_command, "record") ? "__zprof_of " : "__zprof_", offers_command,
	       s->name);
	if (s->letter)
		printf(" -s %c", s->letter);
	if (s->argument && offers == OFFERS_UNKNOWN) {
		fputs(" -r", stdout);
	} else if (s->argument) {
		printf(" -%c -a '%s", offers_files(s) ? 'r' : 'x', found[offers]);
		if (offers == OFFERS_WORDS || offers == OFFERS_LIST)
			offers_put_words(s);
		fputs(offers == OFFERS_LIST ? ")'" : "'", stdout);
	}
	fputs(" -d '", stdout);
	offers_put_summary(s->help);
	puts("'");
}

/* The words of the command that are no options; fish offers files if nothing is said. */
static void put_words(const struct command *c)
{
	static const char *const found[] = {
	    [OFFERS_PROCESS] = "-f -a '(__zprof_processes)'",
	    [OFFERS_PROCESS_OR_FILE] = "-a '(__zprof_processes)'",
	    [OFFERS_PROCESS_THEN_FUNCTIONS] = "-f -a '(__zprof_process_or_functions)'",
	};
	if (offers_behind(c) != OFFERS_FILES)
		printf("complete -c zprof -n '__zprof_of %s' %s\n", c->name,
		       found[offers_behind(c)]);
}

void fish_print(void)
{
	fputs(begin, stdout);
	offers_each_option(put_taking, "", "");
	fputs(begin_last, stdout);
	for (int i = 0; offers_commands[i]; i++)
		if (help_is_listed(offers_commands[i])) {
			printf("complete -c zprof -n __zprof_begins -f -a %s -d '",
			       offers_commands[i]->name);
			offers_put_summary(help_of(offers_commands[i])->summary);
			puts("'");
			put_words(offers_commands[i]);
		}
	fputs("complete -c zprof -n '__zprof_of help' -f -a '", stdout);
	offers_put_commands("", " ");
	offers_put_pages(" ");
	puts("'");
	offers_each_option(put_option, "# %s\n", "");
}
