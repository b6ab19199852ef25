/* SPDX-License-Identifier: MIT */
/*
 * command.h - what a subcommand is, and how all subcommands begin and end. To add one, write a file
 * cmd_NAME.c in the folder of its feature, which defines `const struct command cmd_NAME`, its help
 * in NAME.txt beside that file, and a line in the table of report/commands.c.
 */
#ifndef REPORT_COMMAND_H
#define REPORT_COMMAND_H

#include "report/core/options/options_shared.h"
#include "report/core/base/str.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_REGRESSION = 3 };

struct view;

struct command {
	const char *name;
	const struct option_spec *options; /* in the order of the help; NULL: there are none */
	enum option_words words;
	size_t own_size;             /* of the struct behind options.own; 0: there is none */
	void (*free_own)(void *own); /* frees what that struct owns; NULL: it owns nothing */
	void (*before_options)(
	    void);      /* prints what stands above the options in the help; or NULL */
	bool sums;      /* adds up threads, unless an option asks for parts */
	bool apart;     /* shows files one by one */
	bool cpu_first; /* shows processor time, unless --time or a profile says otherwise */
	void (*show)(struct view *v); /* for a command that shows profiles: prints the view */
	/*
	 * For all other commands, and before `show` where a command has both: does what the options
	 * ask for. Gives the exit status, and in ERR a message to end with.
	 */
	int (*run)(struct options *o, struct str *err);
};

/* Prints `zprof: MESSAGE`, with a newline, on stderr; gives STATUS. */
int command_fail(int status, const struct str *message);

/* Prints each line of WARNINGS as a message. */
void command_warn(const struct str *warnings);

/* Runs SELF: argv[0] is its name. Parses options, and gives the exit status. */
int command_run(const struct command *self, int argc, char **argv);

/* Opens the view that the options ask for, shows it, and closes it. Gives the exit status. */
int command_show(void (*show)(struct view *v), struct options *o, struct str *err);

/* Ends a command that printed: flushes, waits for the pager, and reports lost output. */
int command_end(void);

#endif
