/* SPDX-License-Identifier: MIT */
/* help_texts.h - the texts of the help, which the build makes of text files (report/texts.awk). */
#ifndef REPORT_HELP_TEXTS_H
#define REPORT_HELP_TEXTS_H

/* What a command is for: `zprof help` lists commands by it. */
enum help_task {
	TASK_RECORD,
	TASK_LOOK,
	TASK_COMPARE,
	TASK_SHARE,
	TASK_STEER,
	TASK_FILES,
	TASK_HELP,
	TASK_INTERNAL, /* for zprof's own use: not listed anywhere */
};

struct help_command {
	const char *name;
	enum help_task task;
	const char *summary;     /* one line, lower case */
	const char *synopsis;    /* what follows `zprof NAME`; one line for each form */
	const char *description; /* paragraphs, to be wrapped */
	const char *examples;    /* indented commands, above each what it does; NULL: none */
};

/* A page that belongs to no command, as it is printed. */
struct help_page {
	const char *name, *text;
};

extern const struct help_command help_commands[]; /* ends with a name of NULL, like the pages */
extern const struct help_page help_pages[];

#endif
