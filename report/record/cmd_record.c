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

#include "report/core/base/clock.h"
#include "report/core/command/command.h"
#include "report/core/base/units.h"
#include "report/core/disk/find_files.h"
#include "report/record/record_replace.h"
#include "report/core/read/profile_read.h"
#include "report/core/pattern/groups.h"
#include "report/core/base/memory.h"
#include "report/record/record_archive.h"
#include "report/record/record_check.h"
#include "report/record/record_flags.h"
#include "report/record/record_inside.h"
#include "report/record/record_language.h"
#include "report/record/record_missing.h"
#include "report/record/record_unmatched.h"
#include "report/record/record_run.h"
#include "report/core/base/say.h"

#define DEFAULT_OUTPUT "zprof.out.%p"

/* A run of the program. */
struct recording {
	const struct options *o;
	struct record_flags *flags;
	double wall_ns;
	struct record_plans inside; /* of an interpreter inside of the program */
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
	if (!isatty(STDERR_FILENO) || r->flags->sampled || r->flags->report || r->flags->open)
		return;
	units_of(calls, count_calls(files), "call");
	units_time(time, r->wall_ns, false);
	if (r->default_place)
		say("%s in %s; see 'zprof report'", calls, time);
	else
		say("%s in %s; see 'zprof report %s%s'", calls, time,
		    files->count > 1 ? "--run " : "", files->paths[0]);
}

/* Says that no profile could be written where it was to be; false: that is not why there is none. */
static bool say_unwritable(const struct recording *r)
{
	char *elsewhere = r->o->output ? NULL : record_flags_in_environment("output");
	char *folder = find_files_folder(elsewhere      ? elsewhere
					 : r->o->output ? r->o->output
							: DEFAULT_OUTPUT);
	bool may = !access(folder, W_OK | X_OK);
	if (!may)
		say("no profile was written: cannot write into '%s': %s; name a file in another "
		    "folder by -o",
		    folder, strerror(errno));
	free(elsewhere);
	free(folder);
	return !may;
}

/* Says why no profile was written, and what to do. */
static void say_missing(const struct recording *r, const char *program)
{
	if (say_unwritable(r))
		return;
	const char *name = r->o->paths[0], *language = record_language(program);
	const char *build =
	    "build it with -g -finstrument-functions, for compiler and linker alike";
	char interpreter[RECORD_INTERPRETER];
	bool script;
	if (record_is_instrumented(program))
		say("no profile was written, although '%s' is instrumented", name);
	else if (language)
		say("no profile was written of '%s': %s", name, language);
	else if (r->flags->any)
		say("no profile was written: no function of '%s' could be recorded without hooks; "
		    "%s",
		    name, build);
	else if (record_interpreter(program, interpreter, &script))
		say("no profile was written: no instrumented function ran in '%s'; " RECORD_AS_IS
		    ", or %s",
		    name, build);
	else
		say("no profile was written: no instrumented function ran in '%s'; " RECORD_FROM_OUTSIDE
		    ", or %s",
		    name, build);
}

/* Works on the profiles after the run. PROGRAM: the path of its file. STATUS: its exit status. */
static bool after(struct recording *r, const char *program, int status, const uint8_t run_id[16],
		  struct str *err)
{
	struct find_files files = {0};
	bool ok = true;
	char *elsewhere = r->o->output ? NULL : record_flags_in_environment("output");
	find_profiles(&files, r->replace.name, elsewhere ? elsewhere : r->o->output, run_id);
	r->default_place = !elsewhere && !r->o->output;
	free(elsewhere);
	record_replace_end(&r->replace, &files);
	struct after_recorded run = {r->o->paths, status, files.paths, files.count};
	if (files.count)
		after_run_add(&r->flags->after, &run);
	if (!r->flags->sampled)
		record_missing(&files, &r->end, r->flags->quiet);
	if (!r->flags->no_archive)
		record_archive(&files, r->flags->quiet);
	if (!files.count && !r->flags->sampled)
		say_missing(r, program);
	else if (!files.count || r->flags->quiet)
		;
	else if (files.count == 1)
		say("the profile is in '%s'", files.paths[0]);
	else
		say("the profiles of %s are in '%s' and others of its run",
		    units_of((char[UNITS_TEXT]){0}, files.count, "process"), files.paths[0]);
	if (files.count)
		record_unmatched(&files, &r->flags->only, &r->flags->frame, &r->flags->tails,
				 r->flags->any);
	if (files.count && !r->flags->quiet)
		say_recorded(r, &files);
	if (ok && files.count && r->flags->report)
		ok = record_print_graph(files.paths, files.count, r->o->groups_path, r->o->metric,
					&r->report, err);
	if (ok && files.count && r->flags->open)
		ok = record_open_page(RECORD_PAGE, files.paths, files.count, r->o->groups_path,
				      r->o->metric, err);
	if (ok && files.count)
		ok = after_run_show(&r->flags->after, &run, err);
	find_files_free(&files);
	return ok;
}

/* If the groups file will be used, checks that it can be read and has the wanted groups. */
static bool check_groups(const struct recording *r, struct str *err)
{
	struct groups groups;
	if (!r->flags->only.count && !r->flags->report && !r->flags->open && !r->o->groups_path)
		return true;
	if (!groups_load(&groups, r->o->groups_path, false, err))
		return false;
	bool ok = !r->o->metric || groups_metric(&groups, r->o->metric, err);
	for (size_t i = 0; ok && i < r->flags->only.count; i++)
		ok = groups_require(&groups, &r->flags->only.list[i], err);
	groups_free(&groups);
	return ok;
}

static int record(struct recording *r, struct str *err)
{
	struct str library = {0}, program = {0};
	uint8_t run_id[16];
	int status = RECORD_FAILED;
	r->flags->program = r->o->paths;
	bool sampled = r->flags->sampled;
	bool ready = check_groups(r, err) && (sampled || record_find_library(&library, err)) &&
		     (sampled || !record_find_program(&program, r->o->paths[0]) ||
		      record_check_program(program.text, err)) &&
		     after_run_begin(&r->flags->after, r->flags, err);
	if (ready && !sampled)
		record_inside(&r->inside, r->flags);
	ready = ready && record_make_run_id(run_id, err);
	ready = ready &&
		(!r->flags->report_to || record_make_report(&r->report, r->flags->report_to, err));
	ready = ready && record_replace_begin(&r->replace, r->o->output, r->flags->force, err);
	if (ready) {
		const struct after_one *own = after_run_runs(&r->flags->after);
		if (!own)
			record_set_environment(library.text, r->flags->options.text, run_id);
		r->wall_ns = (double)clock_ns(CLOCK_MONOTONIC);
		status = own ? own->flag->run(own->kept, r->o->paths, run_id, r->o->output, err)
			     : record_run(r->o->paths, &r->end, err);
		r->wall_ns = (double)clock_ns(CLOCK_MONOTONIC) - r->wall_ns;
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

static int run(struct options *o, struct str *err)
{
	struct record_flags *flags = o->own;
	struct recording r = {.o = o, .flags = flags};
	int status = record_flags_check(o, err) ? record(&r, err) : EXIT_USAGE;
	after_run_end(&flags->after);
	record_plans_end(&r.inside);
	record_replace_free(&r.replace);
	return status;
}

const struct command cmd_record = {
    .name = "record",
    .options = record_options,
    .words = WORDS_PROGRAM,
    .own_size = sizeof(struct record_flags),
    .free_own = record_flags_free,
    .run = run,
};
