/* SPDX-License-Identifier: MIT */
/*
 * csv.c - one line per function, below a heading, for spreadsheets and databases.
 *
 * Times and their errors are those of `zprof report --json`; times may be below zero. Waits, and
 * times of measures (core/times/measure.h), are empty if the profile does not know them. A spreadsheet would run a text that begins like a
 * formula, so an apostrophe is put before such a text.
 */
#include <inttypes.h>
#include <string.h>

#include "report/export/export.h"

static const char heading[] =
    "name,linkage,module,file,line,group,calls,recursive_calls,self_ns,self_error_ns,total_ns,"
    "total_error_ns,total_is_minimum,self_waited_ns,total_waited_ns,waits";

/* Measures that have columns of their own. */
static const enum time_measure more[] = {TIME_CPU, TIME_WALL};

#define MORE (sizeof more / sizeof *more)

static void put_text(const struct export *e, const char *text)
{
	struct str shown = {0};
	if (*text && strchr("=+-@", *text))
		str_add(&shown, "'");
	str_add(&shown, "%s", text);
	export_quoted(e, str_text(&shown));
	str_free(&shown);
}

static void put_heading(const struct export *e)
{
	static const char *const measures[] = {"self", "total"};
	const struct load *l = &e->view->load;
	fputs(heading, e->to);
	for (size_t i = 0; i < MORE; i++)
		for (size_t k = 0; k < 2; k++) {
			const char *name = measure_name(more[i]);
			fprintf(e->to, ",%s_%s_ns,%s_%s_error_ns", measures[k], name, measures[k],
				name);
		}
	for (size_t i = 0; i < 2 * l->column_count; i++) {
		struct str name = {0};
		str_add(&name, "%s %s", l->columns[i / 2], measures[i % 2]);
		fputc(',', e->to);
		put_text(e, name.text);
		str_free(&name);
	}
	fputs("\n", e->to);
}

static void put_measure(const struct export *e, const struct function *f, enum time_measure m)
{
	struct cost self = view_measured(e->view, m, &f->self),
		    total = view_measured(e->view, m, &f->total);
	if (load_unknown_measure(&e->view->load, m))
		fputs(",,,,", e->to);
	else
		fprintf(e->to, ",%.1f,%.1f,%.1f,%.1f", self.ns, cost_self_bar(&self), total.ns,
			cost_total_bar(&total));
}

static void put_function(const struct export *e, const struct function *f)
{
	const struct zone *z = &e->zones->list[f->zone];
	const char *texts[] = {z->name, z->linkage, export_module(e, f->zone), z->file};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		put_text(e, texts[i]);
		fputc(',', e->to);
	}
	fprintf(e->to, "%u,", z->line);
	put_text(e, view_group_name(e->view, f->zone));
	if (view_uncounted(e->view, f->calls))
		fputs(",,", e->to);
	else
		fprintf(e->to, ",%" PRIu64 ",%" PRIu64, f->calls, f->own_calls);
	fprintf(e->to, ",%.1f,%.1f,%.1f,%.1f,%d", f->self.ns, view_self_bar(e->view, &f->self),
		f->total.ns, view_total_bar(e->view, &f->total), f->low);
	if (e->view->knows_waits)
		fprintf(e->to, ",%.1f,%.1f,%" PRId64, f->self.wait_ns, f->total.wait_ns,
			f->self.waits);
	else
		fputs(",,,", e->to);
	for (size_t i = 0; i < MORE; i++)
		put_measure(e, f, more[i]);
	for (size_t i = 0; i < e->view->load.column_count; i++)
		fprintf(e->to, ",%" PRId64 ",%" PRId64, f->self.counter[i], f->total.counter[i]);
	fputs("\n", e->to);
}

static bool write_profile(const struct export *e, struct str *err)
{
	(void)err;
	put_heading(e);
	for (size_t i = 0; i < e->listing->shown_count; i++)
		put_function(e, &e->derived->functions[e->listing->shown[i]]);
	return true;
}

const struct export_format csv_format = {
    .name = "csv",
    .begins = heading,
    .summary = "spreadsheets and databases",
    .names_measures = true,
    .write = write_profile,
};
