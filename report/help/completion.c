/* SPDX-License-Identifier: MIT */
/*
 * completion.c - see completion.h. Commands, options and their values come from the tables of
 * --help. Names of groups, functions and processes are found when the user presses the completion
 * key.
 */
#include "report/help/completion.h"

#include <stdio.h>
#include <string.h>

#include "report/commands.h"
#include "report/core/command/help_text.h"

#define GROUPS "sed -n 's/^\\[group \\(.*\\)\\]$/\\1/p' zprof.groups 2>/dev/null"

static const char *command; /* whose options are being printed */

static void no_paragraphs(const char *text, int indent)
{
	(void)text;
	(void)indent;
}

/* TEXT up to the end of its first sentence, without quotes. */
static void put_summary(const char *text)
{
	size_t n = strcspn(text, ".;:");
	for (size_t i = 0; i < n; i++)
		if (!strchr("'[]\\\n", text[i]))
			putchar(text[i]);
}

static void each_command(const char *before, const char *between)
{
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i]))
			printf("%s%s", i ? between : before, commands[i]->name);
}

static void each_option(const struct help_style *style, const char *begin, const char *end)
{
	help_style = style;
	for (int i = 0; commands[i]; i++) {
		if (!help_is_listed(commands[i]) || !commands[i]->options)
			continue;
		command = commands[i]->name;
		printf(begin, command);
		help_options(commands[i]);
		fputs(end, stdout);
	}
	help_style = NULL;
}

static void bash_option(const struct option_spec *s)
{
	printf(" --%s", s->name);
}

/* What stands before `)` in a case of the script, and the option's value behind it. */
static void bash_case(const struct option_spec *s, const char *what)
{
	printf("\t%s:--%s", command, s->name);
	if (s->letter)
		printf("|%s:-%c", command, s->letter);
	printf(") %s", what);
}

static void put_words(const struct option_spec *s)
{
	const char *word;
	for (size_t i = 0; s->act.word_at && (word = s->act.word_at(i)); i++)
		printf("%s%s", i ? " " : "", word);
	if (s->act.words)
		fputs(s->act.words, stdout);
}

/* Where the values of an option are known, the line that finds them. */
static void bash_values(const struct option_spec *s)
{
	const struct option_act *a = &s->act;
	bool functions = (a->words && !strcmp(a->words, OPTION_FUNCTIONS)) ||
			 (a->what == OPTION_MATCHES && !a->own);
	if (functions) {
		bash_case(s, "_zprof_functions; return ;;\n");
	} else if (a->what == OPTION_MATCHES_OF && a->of == PATTERN_GROUP) {
		bash_case(s, "_zprof_words \"$(" GROUPS ")\"; return ;;\n");
	} else if (a->words || a->word_at) {
		bash_case(s, strchr(s->argument ? s->argument : "", ',') ? "_zprof_list '"
									 : "_zprof_words '");
		put_words(s);
		fputs("'", stdout);
		fputs(s->argument && strstr(s->argument, "FILE") ? "; _zprof_files" : "", stdout);
		fputs("; return ;;\n", stdout);
	}
}

/* An option of 'record' whose value is the next word: that word is not the program. */
static void bash_takes(const struct option_spec *s)
{
	if (strcmp(command, "record") || !s->argument)
		return;
	printf("|--%s", s->name);
	if (s->letter)
		printf("|-%c", s->letter);
}

/* Prints the names of the commands whose usage has the word WORDS and not the word OR, as a case. */
static void process_commands(const char *words, const char * or, const char *what)
{
	const char *before = "\t";
	for (int i = 0; commands[i]; i++) {
		const char *synopsis = help_of(commands[i])->synopsis;
		if (!help_is_listed(commands[i]) || !strstr(synopsis, words) ||
		    strstr(synopsis, or))
			continue;
		printf("%s%s", before, commands[i]->name);
		before = "|";
	}
	printf(") %s ;;\n", what);
}

static void each_page(void)
{
	for (const struct help_page *p = help_pages; p->name; p++)
		printf(" %s", p->name);
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
    "\tdone < <(\"$zprof\" report --all --full-names --format=name --width=0 --color=never 2>/dev/null |\n"
    "\t\tsed '1,/^ *name$/d; /^$/,$d; s/(\\([^()]*\\))\\( const\\)\\{0,1\\}$//')\n"
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

static void bash(void)
{
	static const struct help_style names = {bash_option, no_paragraphs},
				       values = {bash_values, no_paragraphs},
				       taking = {bash_takes, no_paragraphs};
	fputs(bash_begin, stdout);
	each_command("", " ");
	fputs("'\n\t\treturn\n\tfi\n"
	      "\tcase $command in\n"
	      "\thelp) _zprof_words '",
	      stdout);
	each_command("", " ");
	each_page();
	fputs("'; return ;;\n", stdout);
	each_option(&names, "\t%s) options='", "' ;;\n");
	fputs("\tesac\n"
	      "\tcase $command:$option in\n"
	      "\t*:--live) _zprof_processes; _zprof_files; return ;;\n",
	      stdout);
	each_option(&values, "", "");
	fputs(bash_end, stdout);
	each_option(&taking, "", "");
	fputs(bash_last, stdout);
	process_commands("PID|NAME PATTERN", "--live",
			 "if [[ $option == -* || $option == \"$command\" ]]; then "
			 "_zprof_processes; else _zprof_functions; fi");
	process_commands("PID|NAME", " PATTERN...", "_zprof_processes");
	process_commands("PID|FILE", "--live", "_zprof_processes; _zprof_files");
	puts("\t*) _zprof_files ;;\n"
	     "\tesac\n"
	     "}\ncomplete -F _zprof zprof");
}

static void zsh_option(const struct option_spec *s)
{
	printf(" \\\n\t\t'*--%s%s[", s->name, s->argument ? "=" : "");
	put_summary(s->help);
	putchar(']');
	if (s->argument && !strcmp(s->name, "group"))
		fputs(":group:_zprof_groups", stdout);
	else if (s->argument)
		printf(":%s:_files", s->argument);
	putchar('\'');
}

static void zsh(void)
{
	static const struct help_style style = {zsh_option, no_paragraphs};
	puts("#compdef zprof\n# zprof's commands, options, groups and files, for zsh\n"
	     "_zprof_groups() {\n\tlocal -a groups=(${(f)\"$(" GROUPS ")\"})\n"
	     "\tcompadd -a groups\n}\n"
	     "_zprof() {\n\tlocal -a list=(");
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i])) {
			printf("\t\t'%s:", commands[i]->name);
			put_summary(help_of(commands[i])->summary);
			puts("'");
		}
	puts("\t)\n\tif ((CURRENT == 2)); then\n\t\t_describe command list\n\t\treturn\n\tfi\n"
	     "\tlocal name=$words[2]\n\tshift words\n\t((CURRENT--))\n\tcase $name in");
	each_option(&style, "\t%s) _arguments -S", " '*:file:_files' ;;\n");
	puts("\t*) _files ;;\n\tesac\n}\n_zprof \"$@\"");
}

static void fish_option(const struct option_spec *s)
{
	printf("complete -c zprof -n '__fish_seen_subcommand_from %s' -l %s", command, s->name);
	if (s->letter)
		printf(" -s %c", s->letter);
	if (s->argument && !strcmp(s->name, "group"))
		fputs(" -x -a \"("
		      "sed -n 's/^\\[group \\(.*\\)\\]\\$/\\1/p' zprof.groups 2>/dev/null)\"",
		      stdout);
	else if (s->argument)
		fputs(" -r", stdout);
	fputs(" -d '", stdout);
	put_summary(s->help);
	puts("'");
}

static void fish(void)
{
	static const struct help_style style = {fish_option, no_paragraphs};
	puts("# zprof's commands, options, groups and files, for fish");
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i])) {
			printf("complete -c zprof -n __fish_use_subcommand -f -a %s -d '",
			       commands[i]->name);
			put_summary(help_of(commands[i])->summary);
			puts("'");
		}
	each_option(&style, "# %s\n", "");
}

bool completion_print(const char *shell)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(shell, shells[i].name)) {
			shells[i].print();
			return true;
		}
	return false;
}
