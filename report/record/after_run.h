/* SPDX-License-Identifier: MIT */
/*
 * after_run.h - what features do with a program that `zprof record` has run.
 *
 * A feature adds a flag to `zprof record`. If the flag is given, `zprof record` calls the feature's
 *
 *     check()   to ask whether the other flags agree with this one;
 *     begin()   before the program runs: the feature returns data to be kept until end();
 *     run()     to run the program in its own way; few features have this function;
 *     add()     when the program has ended: the feature may add to the profiles of the run, which
 *               are archived afterwards;
 *     show()    at the end, to print something;
 *     end()     to free the data.
 *
 * report/commands.c lists these flags, and is the only file that names them.
 */
#ifndef REPORT_AFTER_RUN_H
#define REPORT_AFTER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"
#include "report/core/options/options.h"

struct record_flags;

/* A run that has ended, and left at least one profile. */
struct after_recorded {
	char **program; /* and its arguments */
	int status;     /* its exit status, as a shell gives it */
	char **files;   /* its profiles; the order may be changed */
	size_t count;
};

/* A feature's functions. One that is NULL does nothing, and succeeds. Failures have a message. */
struct after_run {
	const struct option_spec *options; /* the flag; it calls after_run_give() */
	const char *text, *examples;       /* for the page of `zprof record` */
	bool (*check)(const struct after_run *self, const struct record_flags *flags,
		      struct str *err);
	void *(*begin)(const struct after_run *self, const struct record_flags *flags,
		       struct str *err);
	/*
	 * Runs the program, and writes its profiles, in place of `zprof record`, which then loads no
	 * library into it. OUTPUT: as for -o; NULL: not given. Gives its exit status, as a shell
	 * has it; RECORD_FAILED with a message.
	 */
	int (*run)(void *kept, char **argv, const uint8_t run_id[16], const char *output,
		   struct str *err);
	/* If add() fails, its message is printed, and the run goes on as if without the flag. */
	bool (*add)(void *kept, const struct after_recorded *run, struct str *err);
	bool (*show)(void *kept, const struct after_recorded *run, struct str *err);
	void (*end)(void *kept);
};

extern const struct after_run *const after_runs[]; /* of report/commands.c; ends with NULL */

/* The flag number I; NULL: there are not so many. */
const struct option_spec *after_run_options_at(size_t i);

/* The flags that were given, each once. */
struct after_given {
	struct after_one {
		const struct after_run *flag;
		const char *value; /* NULL: the flag has none */
		void *kept;
	} * list;
	size_t count, room;
};

/* The flag was given to `zprof record`, whose options O are. Gives true. */
bool after_run_give(struct options *o, const struct after_run *flag);

/* The same of a flag that has a VALUE; the last one counts. */
bool after_run_give_value(struct options *o, const struct after_run *flag, const char *value);
const char *after_run_value(const struct after_given *given, const struct after_run *flag);
bool after_run_is_given(const struct after_given *given, const struct after_run *flag);

/* Each calls the function of that name of all flags that were given. */
bool after_run_check(const struct after_given *given, const struct record_flags *flags,
		     struct str *err);
bool after_run_begin(struct after_given *given, const struct record_flags *flags, struct str *err);
void after_run_add(const struct after_given *given, const struct after_recorded *run);
bool after_run_show(const struct after_given *given, const struct after_recorded *run,
		    struct str *err);
/* The flag that runs the program in its own way; NULL: none was given. */
const struct after_one *after_run_runs(const struct after_given *given);

void after_run_end(struct after_given *given);

#endif
