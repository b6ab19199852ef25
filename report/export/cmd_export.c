/* SPDX-License-Identifier: MIT */
/* cmd_export.c - `zprof export`: a profile in the format of another program. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/near.h"
#include "report/core/base/replace.h"
#include "report/core/command/command.h"
#include "report/core/command/help_text.h"
#include "report/export/export.h"

extern const struct export_format callgrind_format, pprof_format, firefox_format, cpuprofile_format,
    speedscope_format, folded_format, dot_format, gmon_format, csv_format, ordering_format;

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
    &ordering_format,
    NULL,
};

struct export_options {
	const char *format;
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

static int run(struct options *o, struct str *err)
{
	const struct export_options *own = o->own;
	const struct export_format *format = own->format ? find_format(own->format) : NULL;
	struct view v;
	struct replacement out;
	struct file_output output;
	struct str what = {0};
	if (!format) {
		unknown_format(own->format, err);
		return EXIT_USAGE;
	}
	if (format->binary && !o->output && isatty(STDOUT_FILENO)) {
		str_fail(err, "%s is not text; name a file with --output", format->name);
		return EXIT_USAGE;
	}
	o->filters.spread |= format->spread;
	o->no_pager = true;
	if (!view_open(&v, o, err))
		return EXIT_FAILED;
	output = export_output(format, &what);
	bool ok = (!o->output || view_may_write(&v, &output, o->output, err)) &&
		  replace_begin(&out, o->output, 0666, err);
	if (ok && !(ok = export_make(out.to, format, &v, err)))
		replace_cancel(&out);
	ok = ok && replace_end(&out, err);
	view_close(&v);
	str_free(&what);
	return ok ? command_end() : EXIT_FAILED;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    {0, "format", "FORMAT", "Output", OPTION_OWN_TEXT(export_options, format),
     "one of the formats above"},
    OPTIONS_OF(options_output),
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
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
