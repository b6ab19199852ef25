/* SPDX-License-Identifier: MIT */
/* cmd_annotate.c - `zprof annotate`: the source with what it cost beside each line (annotate.h). */
#include "report/core/command/command.h"

#include <stdio.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/core/base/visible.h"
#include "report/core/command/help_text.h"
#include "report/record/record_archive.h"
#include "report/record/record_check.h"
#include "report/record/record_run.h"
#include "report/core/disk/find_files.h"
#include "report/annotate/annotate.h"
#include "report/statements/counts_view.h"
#include "report/core/view/parts.h"

#define OUTPUT_PREFIX "zprof.out."

static void show_as(struct view *v, const struct derived *d, void (*print)(struct annotate *a))
{
	struct annotate a;
	annotate_make(&a, v, d);
	print(&a);
	annotate_free(&a);
}

static void text(struct view *v, const struct derived *d)
{
	show_as(v, d, annotate_print);
}

static void json(struct view *v, const struct derived *d)
{
	show_as(v, d, annotate_json);
}

/* Shows counts of statements, without the usual head, which is about zones and their times. */
static void show_counts(struct view *v)
{
	counts_view_print(v);
	view_print_losses(v);
}

static void counts_json(struct view *v, const struct derived *d)
{
	(void)d;
	counts_view_json(v);
}

static void show(struct view *v)
{
	static const struct parts_of calls = {text, json, NULL}, counts = {NULL, counts_json, NULL};
	if (v->options->counts && !v->options->json)
		show_counts(v);
	else
		parts_show(v, v->options->counts ? &counts : &calls);
}

/* ---- annotate -- PROGRAM */

/* Runs PROGRAM so that it keeps call sites, and finds its profiles. Returns its exit status. */
static int record(char **program, struct find_files *files, struct str *err)
{
	struct str library = {0}, path = {0};
	struct record_end end;
	uint8_t run_id[16];
	int status = RECORD_FAILED;
	if (record_find_library(&library, err) &&
	    (!record_find_program(&path, program[0]) || record_check_program(path.text, err)) &&
	    record_make_run_id(run_id, err)) {
		record_set_environment(library.text, "callsites=1,output=" OUTPUT_PREFIX "%p",
				       run_id);
		status = record_run(program, &end, err);
		if (!err->used)
			find_files_of_run(files, ".", OUTPUT_PREFIX, run_id);
		record_archive(files, false);
	}
	if (!err->used && !files->count)
		str_fail(err,
			 "no profile was written: no instrumented function ran in '%s'; build it "
			 "with -g -finstrument-functions, for compiler and linker alike",
			 program[0]);
	str_free(&library);
	str_free(&path);
	return status;
}

static int view_files(struct options *o, struct str *err)
{
	struct view v;
	if (!view_open(&v, o, err))
		return EXIT_FAILED;
	show(&v);
	view_close(&v);
	return command_end();
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_annotate;
	struct find_files files = {0};
	struct options o;
	struct str err = {0};
	int program = 1, status, shown = EXIT_FAILED;
	while (program < argc && strcmp(argv[program], "--"))
		program++;
	if (program + 1 >= argc)
		return command_view(&cmd_annotate, argc, argv);
	argv[program] = NULL;
	status = command_options(&cmd_annotate, &o, program, argv);
	if (status >= 0)
		return status;
	status = record(argv + program + 1, &files, &err);
	if (!err.used) {
		o.paths = files.paths;
		o.path_count = files.count;
		shown = view_files(&o, &err);
	}
	if (err.used)
		command_fail(EXIT_FAILED, &err);
	else if (status)
		say("'%s' ended with status %d", argv[program + 1], status);
	find_files_free(&files);
	options_free(&o);
	str_free(&err);
	return shown ? shown : status;
}

const struct command cmd_annotate = {
    .name = "annotate",
    .synopsis = "[OPTION...] [FILE|FOLDER...]\n[OPTION...] -- PROGRAM [ARGUMENT...]",
    .summary = "the source, with what it cost beside each line",
    .options = OPTIONS_INPUT | OPTIONS_TEXT | OPTIONS_GROUPS | OPTIONS_TREE | OPTIONS_SELECT |
	       OPTIONS_PARTS | OPTIONS_ANNOTATE,
    .text =
	"Prints source files, first the one whose functions take most time. With '-- PROGRAM' it "
	"runs the program first, as 'zprof record --callsites' does. Without it and without FILE "
	"it reads the newest run in the current folder.\n\n"
	"  line    calls   total  per call    self  source\n"
	"     5   57,314  11.2 s    195 us  11.2 s  int fib(int x)\n"
	"     6                                     {\n"
	"     7                                       if (x < 2)\n"
	"     8                                         return x;\n"
	"     9  x57,312  11.2 s    195 us  11.2 s    return fib(x-1) + fib(x-2);\n"
	"        x28,656  6.91 s    241 us  6.91 s           ^ fib\n"
	"        x28,656  4.27 s    149 us  4.27 s                      ^ fib\n"
	"    10                                     }\n\n"
	"  calls      how often the function that begins in the line was called\n"
	"  xcalls     how many calls were made from the line; both are exact\n"
	"  total      time spent in the function and in all it called; in the calls\n"
	"             made from the line, until they returned\n"
	"  per call   total per call, on average\n"
	"  self       time spent in the function itself; in the functions that the\n"
	"             line called, themselves\n"
	"  +-         error of the time beside it; ~ marks a time less than its error\n"
	"  here       time spent in the line's own instructions, by samples\n\n"
	"Where all functions are those of an interpreter that counts cycles, cycles are shown "
	"instead of times.\n\n"
	"A tick is counted once, even if one call from a line is made inside another. A line that "
	"makes several calls has a row for each below it, under the column of the call; a line "
	"that calls several functions from one place, by a pointer, has a row for each function. "
	"Calls in a function that was inlined are shown where they were written. Lines that are "
	"far from any figure, and functions that are not selected, are left out; '...' stands for "
	"them.\n\n"
	"Which line a call came from is known if the program was recorded with --callsites, and "
	"compiled with -g. The time of a context is divided among the lines that called it in "
	"proportion to what their calls took: by the clock under clock=exact, otherwise by "
	"samples, and by the number of calls where there are almost no samples. For an "
	"interpreter's functions (zprof_lent_enter_at), all calls of a context count for the line "
	"of the first one, unless --callsites was given.\n\n"
	"--counts shows how often each line ran instead. Compile and link the program with the flags "
	"that 'zprof cflags --counts' prints; it needs no hooks. Threads, libraries and forked "
	"children are counted, too, and the counts are kept if the program is killed.\n\n"
	"  line      count|                    |   share  source\n"
	"     6  2,692,537|********************|  22.2 %  if (x == 0 || x == 1)\n"
	"        2,692,537|********************|  22.2 %     ^\n"
	"        2,178,309|****************    |  18.0 %             ^\n"
	"     7  1,346,269|**********          |  11.1 %     return x;\n"
	"     8      never|                    |             puts(\"negative\");\n\n"
	"The longest bar is the line that ran most often; shares are of the executions of all "
	"lines. If a line has several statements and they ran a different number of times, each "
	"has a row, below the column that it begins in. The compiler counts blocks of code, and a "
	"line's count is that of its block that ran most often; where a line is in several "
	"functions (templates), they add up. A lone 'break' or 'goto' has no block, and no count. "
	"Samples that found the program in a line's own instructions are in the column 'here'; "
	"code that was inlined is shown where it was written. Samples in libraries belong to no "
	"line. Calls that a library without hooks made, such as qsort's of a comparison, have no "
	"line of the program; the report ends with their number.",
    .examples = "run a program, and show where its calls were made\n"
		"    zprof annotate -- ./sim --turns 500\n"
		"one function, from a profile that was recorded with --callsites\n"
		"    zprof record --callsites ./sim\n"
		"    zprof annotate --func cast_ray\n"
		"how often each line of a parser ran\n"
		"    gcc $(zprof cflags --counts) parser.c -o parser\n"
		"    zprof annotate --counts --file parser.c -- ./parser input\n"
		"some lines of one file, on a machine where the sources are elsewhere\n"
		"    zprof annotate --file sim.c --lines 100-150 --source-path /build=src",
    .show = show,
    .run = run,
};
