/* SPDX-License-Identifier: MIT */
/* cmd_annotate.c - `zprof annotate`: the source with what it cost beside each line (annotate.h). */
#include "report/core/command/command.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/core/base/visible.h"
#include "report/core/base/memory.h"
#include "report/record/record_archive.h"
#include "report/record/record_check.h"
#include "report/record/record_language.h"
#include "report/record/record_run.h"
#include "report/core/disk/find_files.h"
#include "report/annotate/annotate.h"
#include "report/annotate/instructions.h"
#include "report/statements/counts_view.h"
#include "report/callgraph/parts.h"

#define OUTPUT_PREFIX "zprof.out."

static void found(struct view *v, bool any)
{
	struct annotate_options *own = v->options->own;
	own->found |= any;
}

static void show_as(struct view *v, const struct derived *d, bool (*print)(struct annotate *a))
{
	struct annotate a;
	annotate_make(&a, v, d);
	found(v, print(&a));
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

static void instructions_text_of(struct view *v, const struct derived *d)
{
	show_as(v, d, annotate_print_instructions);
}

static void instructions_json_of(struct view *v, const struct derived *d)
{
	show_as(v, d, annotate_json_instructions);
}

/* Shows counts of statements, without the usual head, which is about zones and their times. */
static void show_counts(struct view *v)
{
	found(v, counts_view_print(v));
	view_print_losses(v);
}

static void counts_json(struct view *v, const struct derived *d)
{
	(void)d;
	found(v, counts_view_json(v));
}

/* Says that --lines has chosen no line. With --file, lines without figures can be chosen, too. */
static void say_no_line(struct view *v)
{
	const struct options *o = v->options;
	bool all = o->filters.file.count && !o->counts;
	struct str text = {0};
	str_add(&text, "--lines: no %s that is shown has ", all ? "file" : "function");
	if (o->first_line == o->last_line)
		str_add(&text, "a line %u", o->first_line);
	else
		str_add(&text, "lines from %u to %u", o->first_line, o->last_line);
	say("%s; leave out --lines to see which there are%s", text.text,
	    all || o->counts ? "" : ", or choose any line of one file by --file");
	v->failed = true;
	str_free(&text);
}

static void show(struct view *v)
{
	static const struct parts_of calls = {text, json, NULL}, counts = {NULL, counts_json, NULL},
				     code = {instructions_text_of, instructions_json_of, NULL};
	const struct annotate_options *own = v->options->own;
	if (v->options->counts && !v->options->json)
		show_counts(v);
	else
		parts_show(v, v->options->counts ? &counts : own->instructions ? &code : &calls);
	if (v->options->last_line && !own->found && !v->failed)
		say_no_line(v);
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
	const char *language = files->count ? NULL : record_language(str_text(&path));
	if (!err->used && language)
		str_fail(err, "no profile was written of '%s': %s", program[0], language);
	else if (!err->used && !files->count)
		str_fail(err,
			 "no profile was written: no instrumented function ran in '%s'; build it "
			 "with -g -finstrument-functions, for compiler and linker alike",
			 program[0]);
	str_free(&library);
	str_free(&path);
	return status;
}

static int run(struct options *o, struct str *err)
{
	struct find_files files = {0};
	if (o->counts && ((const struct annotate_options *)o->own)->instructions)
		return str_fail(err, "--counts is of lines: it cannot be given with --asm"),
		       EXIT_FAILED;
	if (!o->program)
		return command_show(show, o, err);
	int shown = EXIT_FAILED, status = record(o->program, &files, err);
	if (!err->used) {
		o->paths = files.paths;
		o->path_count = files.count;
		shown = command_show(show, o, err);
	}
	if (!err->used && status)
		say("'%s' ended with status %d", o->program[0], status);
	find_files_free(&files);
	return err->used ? EXIT_FAILED : shown ? shown : status;
}

static bool take_lines(struct options *o, const char *value, struct str *err)
{
	unsigned long first, last;
	char *dash = strchr(value, '-'), *start = memory_text(value, strcspn(value, "-"));
	bool ok = options_number(start, UINT32_MAX, &first) && first;
	last = first;
	if (ok && dash)
		ok = options_number(dash + 1, UINT32_MAX, &last) && last >= first;
	free(start);
	if (!ok)
		return str_fail(err, "--lines is a line, or two such as 100-150, not '%s'", value);
	o->first_line = (uint32_t)first;
	o->last_line = (uint32_t)last;
	return true;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_parts),
    {0, "counts", NULL, OPTIONS_VIEW, OPTION_FLAG(counts),
     "how often each line ran, in a program that was compiled to count it ('zprof cflags --counts')"},
    {0, "marked", NULL, "Source", OPTION_FLAG(marked),
     "with --counts: only the lines from ZPROF_COUNTS_ON to ZPROF_COUNTS_OFF in the sources, words "
     "that zprof.h defines as nothing, or that stand in a comment"},
    {0, "lines", "A-B", NULL, OPTION_TAKE(take_lines), "these lines, of each file that is shown"},
    {0, "asm", NULL, OPTIONS_VIEW, OPTION_OWN_FLAG(annotate_options, instructions),
     "the machine's instructions below the lines that they were compiled from, with samples"},
    OPTIONS_OF(options_source_path),
    {0, "right", NULL, "Output", OPTION_OWN_FLAG(annotate_options, right),
     "print the figures to the right of the source"},
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_json),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_annotate = {
    .name = "annotate",
    .options = options,
    .words = WORDS_OR_PROGRAM,
    .own_size = sizeof(struct annotate_options),
    .sums = true,
    .run = run,
    .cpu_first = true,
};
