/* SPDX-License-Identifier: MIT */
/*
 * record_any.c - `zprof record --any`: records functions that nobody built with hooks, of the program
 * and of the libraries that it starts with. (Libraries of the system's C and C++ run time are left
 * out, unless --libs names them.)
 *
 * Each file's plan (symbolize/plan/plans.h) is taken from the user's cache folder, or made. What the
 * library gets is a folder of this run alone, with a link to each plan: so no other plan that is kept
 * has an effect on the run. The folder is removed when the program has ended.
 */
#include "report/record/after_run.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/record/any_files.h"
#include "report/record/record_check.h"
#include "report/record/record_flags.h"
#include "report/record/record_plans.h"
#include "symbolize/plan/plans.h"

#define LINE_BYTES 8192

extern const struct after_run any_after_run;

struct any {
	struct record_plans plans;
	uint32_t files, functions, displaced;
	const char *libs; /* patterns, separated by spaces; NULL: none */
	bool libs_match;  /* the name of a library that the program starts with */
	bool quiet;
};

/* Makes the plan of a file, and a link to it. A file without one is not recorded. */
static void add_file(struct any *a, const char *file)
{
	struct plans_held held;
	const char *error = plans_get(&held, file, false, a->plans.folder);
	if (error || !held.path[0] || !held.plan.header->build_id_bytes) {
		say("functions of '%s' are not recorded: %s", file,
		    error         ? error
		    : held.notice ? held.notice
				  : "the file has no build-id");
		if (!error)
			plans_free(&held);
		return;
	}
	if (record_plans_add(&a->plans, held.path)) {
		a->files++;
		a->functions += held.plan.header->functions;
		a->displaced += held.plan.header->windows;
	} else {
		say("functions of '%s' are not recorded: cannot make a link in '%s': %s", file,
		    a->plans.folder, strerror(errno));
	}
	plans_free(&held);
}

/* Whether a pattern of --libs matches the name of the library's file. */
static bool is_named(const char *libs, const char *file)
{
	const char *name = strrchr(file, '/') + 1;
	char *list = libs ? memory_text(libs, strlen(libs)) : NULL, *rest = list, *pattern;
	bool named = false;
	while (list && !named && (pattern = strsep(&rest, " ")))
		named = fnmatch(pattern, name, 0) == 0;
	free(list);
	return named;
}

/* A line of the loader's list: `	NAME => /PATH (0xADDRESS)`. */
static void add_line(struct any *a, char *line)
{
	char *path = strstr(line, "=> /"), *end = path ? strstr(path, " (0x") : NULL;
	if (!end)
		return;
	path += strlen("=> ");
	*end = 0;
	bool named = is_named(a->libs, path);
	a->libs_match |= named;
	if (any_is_interpreter(path)) {
		if (named)
			say("'%s' is left as it is: the Lua functions that it runs are recorded",
			    path);
	} else if (named || !any_is_run_time(path)) {
		add_file(a, path);
	}
}

/*
 * The program's loader lists the libraries that the program would start with. It runs nothing. The
 * loader is given the file without symbolic links: to a program that the kernel has started, $ORIGIN is
 * the folder of that file; in a list, $ORIGIN is the folder of the name that was given.
 */
static void add_libraries(struct any *a, const char *loader, const char *program)
{
	char line[LINE_BYTES];
	int ends[2];
	char *file = realpath(program, NULL);
	if (!file || pipe(ends) != 0) {
		free(file);
		return;
	}
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
	free(file);
	close(ends[1]);
	FILE *list = fdopen(ends[0], "r");
	while (list && fgets(line, sizeof line, list))
		add_line(a, line);
	if (list)
		fclose(list);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void add_program(struct any *a, const char *name)
{
	char loader[RECORD_INTERPRETER];
	struct str program = {0};
	bool known;
	if (record_program_file(&program, name, loader, &known)) {
		add_file(a, program.text);
		if (known)
			add_libraries(a, loader, program.text);
	}
	str_free(&program);
}

static void remove_all(struct any *a)
{
	record_plans_end(&a->plans);
	free(a);
}

static void *begin(const struct after_run *self, const struct record_flags *flags, struct str *err)
{
	struct any *a = memory_zeroed(1, sizeof *a);
	(void)self;
	a->libs = flags->libs;
	if (!record_plans_begin(&a->plans, err)) {
		remove_all(a);
		return NULL;
	}
	add_program(a, flags->program[0]);
	if (a->libs && !a->libs_match)
		say("no library that '%s' starts with has a name like '%s'", flags->program[0],
		    a->libs);
	record_plans_tell(&a->plans, "plans");
	a->quiet = flags->quiet;
	return a;
}

/* Nothing is said before the run, as the process may yet forbid that anything is displaced. */
static bool show(void *kept, const struct after_recorded *run, struct str *err)
{
	const struct any *a = kept;
	(void)run;
	(void)err;
	if (a->files && !a->quiet)
		say("%u of %u functions can be recorded without hooks%s", a->displaced,
		    a->functions,
		    a->displaced < a->functions ? "; 'zprof info --refused' lists the others" : "");
	return true;
}

static void end(void *kept)
{
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
