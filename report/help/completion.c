/* SPDX-License-Identifier: MIT */
/*
 * completion.c - see completion.h. Commands and options come from the tables of --help. The names
 * of groups are read from zprof.groups when the user presses the completion key.
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

static void bash(void)
{
	static const struct help_style style = {bash_option, no_paragraphs};
	fputs(
	    "# zprof's commands, options, groups and files, for bash\n"
	    "_zprof()\n{\n"
	    "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= i\n"
	    "\tCOMPREPLY=()\n"
	    "\tif ((COMP_CWORD == 1)); then\n\t\tCOMPREPLY=($(compgen -W '",
	    stdout);
	each_command("", " ");
	fputs("' -- \"$word\"))\n\t\treturn\n\tfi\n"
	      "\tcase $before in\n"
	      "\t--group) COMPREPLY=($(compgen -W \"$(" GROUPS ")\" -- \"$word\")); return ;;\n"
	      "\thelp) COMPREPLY=($(compgen -W '",
	      stdout);
	each_command("", " ");
	for (const struct help_page *p = help_pages; p->name; p++)
		printf(" %s", p->name);
	fputs("' -- \"$word\")); return ;;\n"
	      "\tesac\n"
	      "\tcase ${COMP_WORDS[1]} in\n",
	      stdout);
	each_option(&style, "\t%s) options='", "' ;;\n");
	fputs(
	    "\tesac\n"
	    "\t# behind the recorded program, its own arguments\n"
	    "\tif [[ ${COMP_WORDS[1]} == record ]]; then\n"
	    "\t\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
	    "\t\t\t[[ ${COMP_WORDS[i]} == -* ]] || { COMPREPLY=($(compgen -f -- \"$word\")); return; }\n"
	    "\t\tdone\n\tfi\n"
	    "\tif [[ $word == -* ]]; then\n"
	    "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
	    "\telse\n\t\tcompopt -o filenames\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n\tfi\n"
	    "}\ncomplete -F _zprof zprof\n",
	    stdout);
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
