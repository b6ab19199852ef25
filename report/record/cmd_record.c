/* SPDX-License-Identifier: MIT */
/*
 * cmd_record.c - `zprof record`: runs a program with libzprof.so preloaded, says where the profile
 * is, and does with the profile whatever the flags ask for (record_flags.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/core/command/command.h"
#include "report/core/base/units.h"
#include "report/core/disk/find_files.h"
#include "report/record/record_replace.h"
#include "report/core/read/profile_read.h"
#include "report/core/pattern/groups.h"
#include "report/core/command/help_text.h"
#include "report/core/base/memory.h"
#include "report/record/record_archive.h"
#include "report/record/record_check.h"
#include "report/record/record_flags.h"
#include "report/record/record_missing.h"
#include "report/record/record_run.h"
#include "report/core/base/say.h"

#define DEFAULT_OUTPUT "zprof.out.%p"

/* A run of the program. */
struct recording {
	struct record_flags flags;
	double wall_ns;
	struct record_end end;
	struct record_replace replace; /* the run that was recorded under this name before */
	struct replacement report;     /* the file for --report */
	bool default_place;            /* `zprof report` finds the profile without its name */
};

/* Finds the profiles of a run. NAME: the profile's name, if known; else OUTPUT is the value of
 * output=, or NULL. */
static void find_profiles(struct find_files *files, const char *name, const char *output,
			  const uint8_t run_id[16])
{
	const char *pattern = name ? name : output ? output : DEFAULT_OUTPUT;
	const char *slash = strrchr(pattern, '/');
	char *folder = find_files_folder(pattern);
	const char *last = slash ? slash + 1 : pattern;
	char *prefix = memory_text(last, name ? strlen(last) : strcspn(last, "%"));
	find_files_of_run(files, folder, prefix, run_id);
	free(folder);
	free(prefix);
}

/* The number of calls in the files. */
static uint64_t count_calls(const struct find_files *files)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < files->count; i++) {
		struct profile p;
		struct str err = {0};
		if (profile_load(&p, files->paths[i], true, &err)) {
			for (size_t k = 0; k < p.node_count; k++)
				calls += p.nodes[k].zone ? p.nodes[k].calls : 0;
			profile_free(&p);
		}
		str_free(&err);
	}
	return calls;
}

/* Tells a user at a terminal which commands show the profile. */
static void say_recorded(const struct recording *r, const struct find_files *files)
{
	char calls[UNITS_TEXT], time[UNITS_TEXT];
	if (!isatty(STDERR_FILENO) || r->flags.report || r->flags.open)
		return;
	units_count(calls, count_calls(files));
	units_time(time, r->wall_ns, false);
	if (r->default_place)
		say("%s calls in %s; see 'zprof report'", calls, time);
	else
		say("%s calls in %s; see 'zprof report %s%s'", calls, time,
		    files->count > 1 ? "--run " : "", files->paths[0]);
}

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Works on the profiles after the run. PROGRAM: the path of its file. STATUS: its exit status. */
static bool after(struct recording *r, const char *program, int status, const uint8_t run_id[16],
		  struct str *err)
{
	struct find_files files = {0};
	bool ok = true;
	char *elsewhere = r->flags.output ? NULL : record_flags_in_environment("output=");
	find_profiles(&files, r->replace.name, elsewhere ? elsewhere : r->flags.output, run_id);
	r->default_place = !elsewhere && !r->flags.output;
	free(elsewhere);
	record_replace_end(&r->replace, &files);
	struct after_recorded run = {r->flags.program, status, files.paths, files.count};
	if (files.count)
		after_run_add(&r->flags.after, &run);
	record_missing(&files, &r->end, r->flags.quiet);
	if (!r->flags.no_archive)
		record_archive(&files, r->flags.quiet);
	if (!files.count && record_is_instrumented(program))
		say("no profile was written, although '%s' is instrumented", r->flags.program[0]);
	else if (!files.count)
		say("no profile was written: no instrumented function ran in '%s'; build it with "
		    "-g -finstrument-functions, for compiler and linker alike",
		    r->flags.program[0]);
	else if (r->flags.quiet)
		;
	else if (files.count == 1)
		say("the profile is in '%s'", files.paths[0]);
	else
		say("the profiles of %zu processes are in '%s' and others of its run", files.count,
		    files.paths[0]);
	if (files.count && !r->flags.quiet)
		say_recorded(r, &files);
	if (ok && files.count && r->flags.report)
		ok = record_print_graph(files.paths, files.count, r->flags.groups, r->flags.metric,
					&r->report, err);
	if (ok && files.count && r->flags.open)
		ok = record_open_page(RECORD_PAGE, files.paths, files.count, r->flags.groups,
				      r->flags.metric, err);
	if (ok && files.count)
		ok = after_run_show(&r->flags.after, &run, err);
	find_files_free(&files);
	return ok;
}

/* If the groups file will be used, checks that it can be read and has the wanted groups. */
static bool check_groups(const struct recording *r, struct str *err)
{
	struct groups groups;
	if (!r->flags.only.count && !r->flags.report && !r->flags.open && !r->flags.groups)
		return true;
	if (!groups_load(&groups, r->flags.groups, false, err))
		return false;
	bool ok = !r->flags.metric || groups_metric(&groups, r->flags.metric, err);
	for (size_t i = 0; ok && i < r->flags.only.count; i++)
		ok = groups_require(&groups, &r->flags.only.list[i], err);
	groups_free(&groups);
	return ok;
}

static int record(struct recording *r, struct str *err)
{
	struct str library = {0}, program = {0};
	uint8_t run_id[16];
	int status = RECORD_FAILED;
	bool ready = check_groups(r, err) && after_run_begin(&r->flags.after, &r->flags, err) &&
		     record_find_library(&library, err) &&
		     (!record_find_program(&program, r->flags.program[0]) ||
		      record_check_program(program.text, err));
	ready = ready && record_make_run_id(run_id, err);
	ready = ready &&
		(!r->flags.report_to || record_make_report(&r->report, r->flags.report_to, err));
	ready = ready && record_replace_begin(&r->replace, r->flags.output, r->flags.force, err);
	if (ready) {
		record_set_environment(library.text, r->flags.options.text, run_id);
		r->wall_ns = now_ns();
		status = record_run(r->flags.program, &r->end, err);
		r->wall_ns = now_ns() - r->wall_ns;
		if (!err->used)
			after(r, str_text(&program), status, run_id, err);
		else
			record_replace_end(&r->replace, &(struct find_files){0});
	}
	replace_cancel(&r->report);
	str_free(&library);
	str_free(&program);
	return status;
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_record;
	struct recording r = {0};
	struct str err = {0};
	int status;
	if (!record_flags_parse(&r.flags, argc, argv, &err)) {
		status = EXIT_USAGE;
	} else if (r.flags.help) {
		help_command(&cmd_record);
		status = command_end();
	} else {
		status = record(&r, &err);
	}
	if (err.used)
		command_fail(status, &err);
	after_run_end(&r.flags.after);
	record_replace_free(&r.replace);
	record_flags_free(&r.flags);
	str_free(&err);
	return status;
}

/* Prints the text of the help page, with the texts of features in its middle. */
static void own_text(void)
{
	struct str text = {0};
	for (int i = 0; after_runs[i]; i++)
		str_add(&text, "\n%s\n", after_runs[i]->text);
	str_add(
	    &text,
	    "\nExit status: the program's own, or 128+N if signal N ended it; 2 for wrong usage; "
	    "125 if zprof itself failed, 126 if the program could not be run, 127 if it was not "
	    "found.");
	help_paragraphs(text.text, 4);
	str_free(&text);
}

static void own_examples(int indent)
{
	for (int i = 0; after_runs[i]; i++)
		help_paragraphs(after_runs[i]->examples, indent);
	help_paragraphs(
	    "record the scanner's functions alone, as the file zprof.groups names them\n"
	    "    zprof record --only group:scanner ./compiler prog.pas",
	    indent);
}

const struct command cmd_record = {
    .name = "record",
    .synopsis = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
    .summary = "run a program and record its calls",
    .own_options = record_flags_help,
    .text =
	"Runs PROGRAM with libzprof.so preloaded, which records every call of every "
	"function that was compiled with instrumentation:\n\n"
	"  gcc   -g -O2 -finstrument-functions\n"
	"  clang -g -O2 -finstrument-functions-after-inlining\n\n"
	"Each process that enters such a function writes one profile, a file in the current "
	"folder. It can be read at any moment while the program runs, and no call is lost "
	"if the program crashes or is killed. Afterwards 'zprof graph' and 'zprof report' "
	"show it.\n\n"
	"What a program does after its last call of an instrumented function is in no time if "
	"it does not end by exit(): the kernel's notes are lost with it. A line says then how "
	"much CPU time is missing, and reports say it, too. Of other processes of the run only "
	"the sum is known, with programs that were not recorded.\n\n"
	"A profile that was recorded as '-o NAME' before is replaced: it is 'NAME~' while the program "
	"runs, with 'NAME.2~' and so on for the other processes of its run, and is removed when the "
	"new run has a profile. If that has none, there is no file NAME afterwards. Other files are not "
	"replaced, unless --force is given. 'zprof help files' has the rules.\n\n"
	"The program is not disturbed: its input, output, terminal, signals and exit status "
	"are its own. PROGRAM may be a script; what its interpreter runs is recorded. A "
	"program that cannot be preloaded is refused, with the reason: programs linked "
	"statically or with musl, 32-bit programs, programs with rights of their own "
	"(setuid).\n\n"
	"The same works without this command: set LD_PRELOAD=libzprof.so, and options in "
	"ZPROF_OPTIONS=\"key=value,key=value\". 'zprof record' keeps options that are set "
	"there, and adds its own after them.\n\n"
	"When the program has ended, names of functions, lines and sources are put into the "
	"profiles, as long as that adds less than 10 MB in all: see 'zprof help archive'.",
    .own_text = own_text,
    .examples = "run, and show what takes a percent or more\n"
		"    zprof record ./sim --turns 500\n"
		"    zprof graph --min 1\n"
		"print the call graph at the end\n"
		"    zprof record --report ./sim\n"
		"look at it in a browser at the end\n"
		"    zprof record --open ./sim\n",
    .own_examples = own_examples,
    .run = run,
};
