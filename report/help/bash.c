/* SPDX-License-Identifier: MIT */
/* bash.c - the completion script for bash. */
#include <stdio.h>
#include <string.h>

#include "report/help/offers.h"
#include "report/help/shells.h"

static void put_option(const struct option_spec *s)
{
	printf(" --%s", s->name);
}

/* What stands before `)` in a case of the script, and the option's value behind it. */
static void put_case(const struct option_spec *s, const char *what)
{
	printf("\t%s:--%s", offers_command, s->name);
	if (s->letter)
		printf("|%s:-%c", offers_command, s->letter);
	printf(") %s", what);
}

/* Where the values of an option are known, the line that finds them. */
static void put_values(const struct option_spec *s)
{
	static const char *const found[] = {
	    [OFFERS_WORDS] = "_zprof_words '",
	    [OFFERS_LIST] = "_zprof_list '",
	    [OFFERS_FUNCTIONS] = "_zprof_functions",
	    [OFFERS_GROUPS] = "_zprof_words \"$(" OFFERS_PRINT_GROUPS ")\"",
	    [OFFERS_PROCESSES] = "_zprof_processes",
	};
	enum offers offers = offers_of(s);
	if (offers == OFFERS_UNKNOWN)
		return;
	put_case(s, found[offers]);
	if (offers == OFFERS_WORDS || offers == OFFERS_LIST) {
		offers_put_words(s);
		fputs("'", stdout);
	}
	fputs(offers_files(s) && offers != OFFERS_FUNCTIONS ? "; _zprof_files" : "", stdout);
	fputs("; return ;;\n", stdout);
}

/* An option of 'record' whose value is the next word: that word is not the program. */
static void put_taking(const struct option_spec *s)
{
	if (strcmp(offers_command, "record") || !s->argument)
		return;
	printf("|--%s", s->name);
	if (s->letter)
		printf("|-%c", s->letter);
}

/* A case for each command that has processes among its words. */
static void put_behind(void)
{
	static const char *const found[] = {
	    [OFFERS_PROCESS] = "_zprof_processes",
	    [OFFERS_PROCESS_OR_FILE] = "_zprof_processes; _zprof_files",
	    [OFFERS_PROCESS_THEN_FUNCTIONS] =
		"if [[ $option == -* || $option == \"$command\" ]]; then "
		"_zprof_processes; else _zprof_functions; fi",
	};
	for (int i = 0; offers_commands[i]; i++)
		if (help_is_listed(offers_commands[i]) &&
		    offers_behind(offers_commands[i]) != OFFERS_FILES)
			printf("\t%s) %s ;;\n", offers_commands[i]->name,
			       found[offers_behind(offers_commands[i])]);
}

/*
 * What is typed is taken from the line: readline divides words at `=` and `:`, too, but names of
 * functions have colons. It replaces the last of these parts alone, so the others are cut off from
 * what is offered.
 */
static const char bash_begin[] =
    "# zprof's commands, options, values, groups, functions, processes and files, for bash\n"
    "_zprof_add() {\n"
    "\tlocal reply=$before$1 part=${COMP_WORDS[COMP_CWORD]}\n"
    "\t[[ $part == [=:]* ]] && part=\n"
    "\tCOMPREPLY+=(\"${reply#\"${all%\"$part\"}\"}\")\n"
    "}\n"
    "_zprof_words() {\n"
    "\tlocal one\n"
    "\twhile IFS= read -r one; do _zprof_add \"$one\"; done < <(compgen -W \"$1\" -- \"$word\")\n"
    "}\n"
    "_zprof_list() { # the last of some words between commas\n"
    "\tlocal front=; [[ $word == *,* ]] && front=${word%,*},\n"
    "\tword=${word##*,} before=$before$front; _zprof_words \"$1\"\n"
    "}\n"
    "_zprof_files() {\n"
    "\tlocal one\n"
    "\tcompopt -o filenames\n"
    "\twhile IFS= read -r one; do _zprof_add \"$one\"; done < <(compgen -f -- \"$word\")\n"
    "}\n"
    "_zprof_functions() { # of the newest profile in this folder, without parameters\n"
    "\tlocal one typed=${word//[\\'\\\"\\\\]/}\n"
    "\twhile IFS= read -r one; do\n"
    "\t\t[[ $one != \"$typed\"* ]] || _zprof_add \"$(printf %q \"$one\")\"\n"
    "\tdone < <(\"$zprof\" " OFFERS_PRINT_FUNCTIONS ")\n"
    "}\n"
    "_zprof_processes() { # that run with libzprof.so\n"
    "\tlocal maps pid name words=\n"
    "\tfor maps in $(grep -ls /libzprof /proc/[0-9]*/maps); do\n"
    "\t\tpid=${maps#/proc/} pid=${pid%/maps}\n"
    "\t\tread -r name <\"/proc/$pid/comm\" && words+=\" $pid ${name%%[[:space:]]*}\"\n"
    "\tdone 2>/dev/null\n"
    "\t_zprof_words \"$words\"\n"
    "}\n"
    "_zprof() {\n"
    "\tlocal zprof=${COMP_WORDS[0]} command=${COMP_WORDS[1]} line=${COMP_LINE:0:COMP_POINT}\n"
    "\tlocal all word option before= options= i\n"
    "\tline=${line:-${COMP_WORDS[*]}} all=${line##* } COMPREPLY=()\n"
    "\tword=$all line=${line%\"$all\"} line=${line%\"${line##*[! ]}\"} option=${line##* }\n"
    "\t[[ $word != --*=* ]] || option=${word%%=*} before=${word%%=*}= word=${word#*=}\n"
    "\tif ((COMP_CWORD == 1)); then\n\t\t_zprof_words '";

/* Behind the commands. */
static const char bash_end[] = "\tesac\n"
			       "\t# behind the recorded program, its own arguments\n"
			       "\tif [[ $command == record ]]; then\n"
			       "\t\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
			       "\t\t\tcase ${COMP_WORDS[i]} in\n"
			       "\t\t\t''";

static const char bash_last[] = ") ((i++)); [[ ${COMP_WORDS[i]} != = ]] || ((i++)) ;;\n"
				"\t\t\t-*) [[ ${COMP_WORDS[i + 1]} != = ]] || ((i += 2)) ;;\n"
				"\t\t\t*) _zprof_files; return ;;\n"
				"\t\t\tesac\n"
				"\t\tdone\n\tfi\n"
				"\tif [[ $word == -* && -z $before ]]; then\n"
				"\t\t_zprof_words \"$options\"\n"
				"\t\treturn\n"
				"\tfi\n"
				"\tcase $command in\n";

void bash_print(void)
{
	fputs(bash_begin, stdout);
	offers_put_commands("", " ");
	fputs("'\n\t\treturn\n\tfi\n"
	      "\tcase $command in\n"
	      "\thelp) _zprof_words '",
	      stdout);
	offers_put_commands("", " ");
	offers_put_pages(" ");
	fputs("'; return ;;\n", stdout);
	offers_each_option(put_option, "\t%s) options='", "' ;;\n");
	fputs("\tesac\n"
	      "\tcase $command:$option in\n",
	      stdout);
	offers_each_option(put_values, "", "");
	fputs(bash_end, stdout);
	offers_each_option(put_taking, "", "");
	fputs(bash_last, stdout);
	put_behind();
	puts("\t*) _zprof_files ;;\n"
	     "\tesac\n"
	     "}\ncomplete -F _zprof zprof");
}
