/* SPDX-License-Identifier: MIT */
/* cmd_export.c - `zprof export`: a profile in the format of another program. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/near.h"
#include "report/core/base/progress.h"
#include "report/core/base/replace.h"
#include "report/core/command/command.h"
#include "report/core/command/help_text.h"
#include "report/core/disk/count_once.h"
#include "report/core/disk/find_files.h"
#include "report/export/export.h"

extern const struct export_format callgrind_format, pprof_format, firefox_format, cpuprofile_format,
    speedscope_format, folded_format, dot_format, gmon_format, csv_format, tables_functions_format,
    tables_arcs_format, ordering_format;

static const struct export_format *const formats[] = {
    &callgrind_format,
    &pprof_format,
    &firefox_format,
    &cpuprofile_format,
    &speedscope_format,
    &folded_format,
    &dot_format,
    &gmon_format,
    &csv_format,
    &tables_functions_format,
    &tables_arcs_format,
    &ordering_format,
    NULL,
};

struct export_options {
	const char *format;
	bool each;
};

static void print_formats(void)
{
	struct str text = {0};
	str_add(&text, "\n  Formats\n");
	for (int i = 0; formats[i]; i++)
		str_add(&text, "    %-12s%s\n", formats[i]->name, formats[i]->summary);
	help_paragraphs(text.text, 0);
	str_free(&text);
}

static const struct export_format *find_format(const char *name)
{
	for (int i = 0; formats[i]; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

static bool unknown_format(const char *name, struct str *err)
{
	struct near near;
	str_fail(err, "%s%s%s", name ? "unknown format '" : "--format is missing", name ? name : "",
		 name ? "'" : "");
	if (name) {
		near_init(&near, name);
		for (int i = 0; formats[i]; i++)
			near_try(&near, formats[i]->name, formats[i]->name);
		near_add(&near, err);
	}
	str_add(err, "; formats are");
	for (int i = 0; formats[i]; i++)
		str_add(err, "%s %s", i ? "," : "", formats[i]->name);
	return false;
}

/* Writes one profile, or what all of them add up to. */
static bool write_sum(struct options *o, const struct export_format *format, struct str *err)
{
	struct view v;
	struct replacement out;
	struct str what = {0};
	if (!view_open(&v, o, err))
		return false;
	struct file_output output = export_output(format, &what);
	bool ok = (!o->output || view_may_write(&v, &output, o->output, err)) &&
		  replace_begin(&out, o->output, 0666, err);
	if (ok && format->heading)
		fprintf(out.to, "%s\n", format->heading);
	if (ok && !(ok = export_make(out.to, format, &v, err)))
		replace_cancel(&out);
	ok = ok && replace_end(&out, err);
	view_close(&v);
	str_free(&what);
	return ok;
}

/* Writes the rows of one file. */
static bool write_file(FILE *to, struct options *o, char *file, const struct export_format *format,
		       struct str *err)
{
	struct options one = *o;
	struct view v;
	one.paths = &file;
	one.path_count = 1;
	one.run = false;
	bool opened = view_open(&v, &one, err);
	o->asked = one.asked; /* values that loaders have added; freed with O */
	if (!opened)
		return false;
	bool ok = export_make(to, format, &v, err);
	view_close(&v);
	return ok;
}

/* Writes each profile by itself, so memory is that of the largest one. */
static bool write_each(struct options *o, const struct export_format *format, struct str *err)
{
	struct find_files files = {0};
	struct replacement out;
	struct str what = {0};
	struct file_output output = export_output(format, &what);
	bool ok = find_files_asked(&files, o->paths, o->path_count, o->force, o->run, err) &&
		  count_once(&files, o->force, err) &&
		  (!o->output ||
		   file_may_write(&output, o->output, files.paths, files.count, o->force, err)) &&
		  replace_begin(&out, o->output, 0666, err);
	if (ok) {
		fprintf(out.to, "%s\n", format->heading);
		for (size_t i = 0; ok && i < files.count; i++) {
			ok = write_file(out.to, o, files.paths[i], format, err);
			progress_step("exporting profiles", i + 1, files.count);
		}
		progress_end();
		if (ok)
			ok = replace_end(&out, err);
		else
			replace_cancel(&out);
	}
	find_files_free(&files);
	str_free(&what);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	const struct export_options *own = o->own;
	const struct export_format *format = own->format ? find_format(own->format) : NULL;
	if (!format) {
		unknown_format(own->format, err);
		return EXIT_USAGE;
	}
	if (format->binary && !o->output && isatty(STDOUT_FILENO)) {
		str_fail(err, "%s is not text; name a file with --output", format->name);
		return EXIT_USAGE;
	}
	if (own->each && !format->heading) {
		str_fail(err, "--each is for the formats 'functions' and 'arcs', whose rows say "
			      "which profile they are of");
		return EXIT_USAGE;
	}
	o->filters.spread |= format->spread;
	o->no_pager = true;
	bool ok = own->each ? write_each(o, format, err) : write_sum(o, format, err);
	return ok ? command_end() : EXIT_FAILED;
}

static const char *format_name(size_t i)
{
	return formats[i] ? formats[i]->name : NULL;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    {0, "format", "FORMAT", "Output", OPTION_OWN_WORD_AT(export_options, format, format_name),
     "one of the formats above"},
    {0, "each", NULL, NULL, OPTION_OWN_FLAG(export_options, each),
     "write the rows of each FILE by itself, one after the other, instead of their sum: for the "
     "formats 'functions' and 'arcs'"},
    OPTIONS_OF(options_output),
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_below),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_export = {
    .name = "export",
    .options = options,
    .own_size = sizeof(struct export_options),
    .before_options = print_formats,
    .run = run,
};
