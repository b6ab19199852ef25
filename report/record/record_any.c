/* SPDX-License-Identifier: MIT */
/*
 * record_any.c - `zprof record --any`: records functions that nobody built with hooks, of the program
 * and of the libraries that it starts with. (Libraries of the system's C and C++ run time are left
 * out, unless --libs names them.)
 *
 * Each file's plan (symbolize/plan/plans.h) is taken from the user's cache folder, or made. What the
 * library gets is a folder of this run alone, with a link to each plan: so no other plan that is kept
 * has an effect on the run. The library asks for more as the program executes others (any_plans.h). The folder
 * is removed when the program has ended.
 */
#include "report/record/after_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/processor.h"
#include "report/core/base/say.h"
#include "report/record/any_plans.h"
#include "report/record/record_check.h"
#include "report/record/record_flags.h"
#include "report/record/record_plans.h"

#define LINE_BYTES 8192

extern const struct after_run any_after_run;

struct any {
	struct record_plans plans;
	struct any_plans open;
	long left; /* up to here, lines about files without a plan were read */
	char **said;
	size_t said_count, said_room;
	bool libs_match; /* the name of a library that the program starts with */
	bool quiet;
};

/* Makes the plan of a file, and a link to it. A file without one is not recorded. */
static void add_file(struct any *a, const char *file)
{
	struct str answer = {0};
	any_plans_add(&a->open, file, &answer);
	str_free(&answer);
}

/* A line of the loader's list: `	NAME => /PATH (0xADDRESS)`. */
static void add_line(struct any *a, char *line)
{
	char *path = strstr(line, "=> /"), *end = path ? strstr(path, " (0x") : NULL;
	if (!end)
		return;
	path += strlen("=> ");
	*end = 0;
	a->libs_match |= any_plans_name(&a->open, path);
	add_file(a, path);
}

/* The program's loader lists the libraries that the program would start with. It runs nothing. */
static void add_libraries(struct any *a, const char *loader, const char *file)
{
	char line[LINE_BYTES];
	int ends[2];
	if (pipe(ends) != 0)
		return;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		unsetenv("LD_PRELOAD");
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl(loader, loader, "--list", file, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	FILE *list = fdopen(ends[0], "r");
	while (list && fgets(line, sizeof line, list))
		add_line(a, line);
	if (list)
		fclose(list);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/*
 * If env(1) finds the interpreter of a script, env is left as it is. It would have the first profile of the
 * run, which is to be the interpreter's.
 */
static void leave_env(struct any *a, const char *name)
{
	char word[RECORD_INTERPRETER], env[RECORD_INTERPRETER];
	struct str file = {0};
	bool script;
	if (record_find_program(&file, name) && record_env_program(file.text, word) &&
	    record_interpreter(file.text, env, &script))
		any_plans_leave(&a->open, env);
	str_free(&file);
}

/*
 * The file is named without symbolic links, as the library names it (start/followed.h). The loader needs
 * that, too: to a program that the kernel has started, $ORIGIN is the folder of that file; in a list,
 * $ORIGIN is the folder of the name that was given.
 */
static void add_program(struct any *a, const char *name)
{
	char loader[RECORD_INTERPRETER];
	struct str program = {0};
	bool known;
	bool found = record_program_file(&program, name, loader, &known);
	char *file = found ? realpath(program.text, NULL) : NULL;
	if (file) {
		add_file(a, file);
		if (known)
			add_libraries(a, loader, file);
	}
	free(file);
	str_free(&program);
}

static void say_once(void *context, const char *line)
{
	struct any *a = context;
	for (size_t i = 0; i < a->said_count; i++)
		if (!strcmp(a->said[i], line))
			return;
	*memory_next(a->said, a->said_count, a->said_room) = memory_text(line, strlen(line));
	say("%s", line);
}

/* Says which files have no plan, but for those of which that was said. */
static void say_left(struct any *a)
{
	if (a->open.folder)
		any_plans_left(&a->open, &a->left, say_once, a);
}

static void remove_all(struct any *a)
{
	any_plans_close(&a->open);
	record_plans_end(&a->plans);
	for (size_t i = 0; i < a->said_count; i++)
		free(a->said[i]);
	free(a->said);
	free(a);
}

static void *begin(const struct after_run *self, const struct record_flags *flags, struct str *err)
{
	const char *why = processor_lacks(PROCESSOR_PLANS);
	(void)self;
	if (why) {
		str_fail(err, "%s", why);
		return NULL;
	}
	struct any *a = memory_zeroed(1, sizeof *a);
	a->open.lock = -1;
	a->quiet = flags->quiet;
	if (!record_plans_begin(&a->plans, err)) {
		remove_all(a);
		return NULL;
	}
	if (!any_plans_begin(a->plans.folder, flags->libs)) {
		str_fail(err, "cannot write into '%s': %s", a->plans.folder, strerror(errno));
		remove_all(a);
		return NULL;
	}
	any_plans_open(&a->open, a->plans.folder);
	leave_env(a, flags->program[0]);
	add_program(a, flags->program[0]);
	say_left(a);
	if (flags->libs && !a->libs_match)
		say("no library that '%s' starts with has a name like '%s'", flags->program[0],
		    flags->libs);
	record_plans_tell(&a->plans, "plans");
	return a;
}

/* Nothing is said before the run, as the process may yet forbid that anything is displaced. */
static bool show(void *kept, const struct after_recorded *run, struct str *err)
{
	const struct any *a = kept;
	struct any_sums sums;
	(void)run;
	(void)err;
	any_plans_count(a->plans.folder, &sums);
	if (sums.files && !a->quiet)
		say("%u of %u functions can be recorded without hooks%s", sums.displaced,
		    sums.functions,
		    sums.displaced < sums.functions ? "; 'zprof info --refused' lists the others"
						    : "");
	return true;
}

/* Programs that were executed meanwhile, and libraries that were loaded, may have no plan either. */
static void end(void *kept)
{
	say_left(kept);
	remove_all(kept);
}

static bool take_any(struct options *o, const char *value, struct str *err)
{
	struct record_flags *flags = o->own;
	(void)value;
	(void)err;
	flags->any = true;
	return after_run_give(o, &any_after_run);
}

static bool take_libs(struct options *o, const char *value, struct str *err)
{
	struct record_flags *flags = o->own;
	flags->libs = value;
	return take_any(o, NULL, err);
}

static const struct option_spec options[] = {
    {0, "any", NULL, NULL, OPTION_TAKE(take_any),
     "record functions that were built without hooks, too: of the program and its libraries, but for "
     "those of the C and C++ run time"},
    {0, "libs", "PATTERN", NULL, OPTION_TAKE(take_libs),
     "as --any, and also of libraries of the run time whose file names match (a glob such as 'libc.so*'; "
     "several are separated by spaces)"},
    OPTIONS_END,
};

const struct after_run any_after_run = {
    .options = options,
    .begin = begin,
    .show = show,
    .end = end,
};
