/* SPDX-License-Identifier: MIT */
/*
 * command.h - what a subcommand is, and how all subcommands begin and end. To add one, write a file
 * cmd_NAME.c in the folder of its feature, which defines `const struct command cmd_NAME`, and a
 * line in the table of report/commands.c.
 */
#ifndef REPORT_COMMAND_H
#define REPORT_COMMAND_H

#include "report/core/view/options.h"
#include "report/core/base/str.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_REGRESSION = 3 };

struct view;

struct command {
	const char *name;
	const char *synopsis; /* what follows `zprof NAME`; one line for each form */
	const char *summary;  /* one line, lower case */
	const char *text;     /* paragraphs for the help, wrapped at 78 */
	const char *examples; /* indented commands, each below its explanation; NULL: none */
	/* Print more of text and examples by help_paragraphs(), from other features; or NULL. */
	void (*own_text)(void);
	void (*own_examples)(int indent);
	unsigned options; /* OPTIONS_ sets of options.h; 0: the command parses its own */
	/* Prints the command's own options with help_option(); NULL: none. */
	void (*own_options)(void);
	/* For a command that shows profiles: prints the view. */
	void (*show)(struct view *v);
	/* For all other commands: argv[0] is the command's name. Gives the exit status. */
	int (*run)(int argc, char **argv);
	bool internal; /* not listed: for zprof's own use */
};

/* Prints `zprof: MESSAGE`, with a newline, on stderr; gives STATUS. */
int command_fail(int status, const struct str *message);

/* Prints each line of WARNINGS as a message. */
void command_warn(const struct str *warnings);

/* Parses the options of SELF. Gives -1 if the command should go on, or the exit status after --help
 * or an error. */
int command_options(const struct command *self, struct options *o, int argc, char **argv);

/* Runs SELF: argv[0] is its name. Returns the exit status. */
int command_run(const struct command *self, int argc, char **argv);

/* Runs a command that shows profiles: parses options, opens the view, shows it, closes it. */
int command_view(const struct command *self, int argc, char **argv);

/* Runs a command that writes a file: parses options, calls WRITE, and prints its message. WRITE
 * returns the exit status. */
int command_write(const struct command *self, int argc, char **argv,
		  int (*write)(struct options *o, struct str *err));

/* Ends a command that printed: flushes, waits for the pager, and reports lost output. */
int command_end(void);

#endif
