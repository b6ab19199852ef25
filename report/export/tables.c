/* SPDX-License-Identifier: MIT */
/*
 * tables.c - functions and arcs as tables for a database, which asks the same question of many
 * profiles: csv, with a schema that never depends on the profile (README.md has the columns).
 *
 * Each row begins with what its profile is of. So the rows of ten thousand profiles go into one
 * table, and a question may group by host, version or time. csv.c is for spreadsheets: there a
 * profile is a table of its own, with a column for each counter that it has.
 *
 * A column that a profile does not know is empty: NULL for a database, and no zero.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/export/export.h"

#define PROFILE "file,program,host,version,run,pid,began_ns,elapsed_ns,"

static const char functions_heading[] =
    PROFILE "function,linkage,module,source,line,calls,recursive_calls,self_ns,self_error_ns,"
	    "total_ns,total_error_ns,cpu_self_ns,cpu_total_ns,wait_self_ns,wait_total_ns";
static const char arcs_heading[] =
    PROFILE "caller,callee,calls,self_ns,total_ns,cpu_self_ns,cpu_total_ns,wait_self_ns,"
	    "wait_total_ns";

/* ---- which profile */

static void put_profile(const struct export *e)
{
	const struct load *l = &e->view->load;
	const struct process *p = &l->processes[0];
	const char *texts[] = {p->path, load_program(p), p->host, p->build_id};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		export_quoted(e, texts[i]);
		fputc(',', e->to);
	}
	fputc('"', e->to);
	for (size_t i = 0; i < sizeof p->header.run_id; i++)
		fprintf(e->to, "%02x", p->header.run_id[i]);
	fprintf(e->to, "\",%u,%" PRIu64 ",%.0f,", p->header.pid, p->header.start_realtime_ns,
		load_elapsed_ns(l));
}

/* ---- times */

static bool knows_cpu(const struct export *e)
{
	return !e->view->counts_only && !load_unknown_measure(&e->view->load, TIME_CPU);
}

/* `,cpu self,cpu total,wait self,wait total` */
static void put_parts(const struct export *e, const struct cost *self, const struct cost *total)
{
	if (e->view->all_sampled)
		fprintf(e->to, ",%.1f,%.1f,,\n", self->cpu_ns, total->cpu_ns);
	else if (knows_cpu(e))
		fprintf(e->to, ",%.1f,%.1f,%.1f,%.1f\n", self->cpu_ns, total->cpu_ns, self->wait_ns,
			total->wait_ns);
	else
		fputs(",,,,\n", e->to);
}

/* ---- rows */

static void put_function(const struct export *e, const struct function *f)
{
	const struct zone *z = &e->zones->list[f->zone];
	const char *texts[] = {export_zone_name(e, f->zone), z->linkage, export_module(e, f->zone),
			       z->file};
	put_profile(e);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		export_quoted(e, texts[i]);
		fputc(',', e->to);
	}
	if (view_uncounted(e->view, f->calls))
		fprintf(e->to, "%u,,", z->line);
	else
		fprintf(e->to, "%u,%" PRIu64 ",%" PRIu64, z->line, f->calls, f->own_calls);
	if (e->view->counts_only)
		fputs(",,,,", e->to);
	else
		fprintf(e->to, ",%.1f,%.1f,%.1f,%.1f", f->self.ns, view_self_bar(e->view, &f->self),
			f->total.ns, view_total_bar(e->view, &f->total));
	put_parts(e, &f->self, &f->total);
}

static void put_arc(const struct export *e, const struct arc *a)
{
	put_profile(e);
	export_quoted(e, a->caller ? export_zone_name(e, a->caller) : "");
	fputc(',', e->to);
	export_quoted(e, export_zone_name(e, a->callee));
	if (view_uncounted(e->view, a->calls))
		fputc(',', e->to);
	else
		fprintf(e->to, ",%" PRIu64, a->calls);
	if (e->view->counts_only)
		fputs(",,", e->to);
	else
		fprintf(e->to, ",%.1f,%.1f", a->parent_self.ns, a->parent_total.ns);
	put_parts(e, &a->parent_self, &a->parent_total);
}

static bool write_functions(const struct export *e, struct str *err)
{
	(void)err;
	for (size_t i = 0; i < e->listing->shown_count; i++)
		put_function(e, &e->derived->functions[e->listing->shown[i]]);
	return true;
}

/* The arcs to the functions that the filters select, in their order. */
static bool write_arcs(const struct export *e, struct str *err)
{
	bool *shown = memory_zeroed(e->derived->function_count, sizeof *shown);
	(void)err;
	for (size_t i = 0; i < e->listing->shown_count; i++)
		shown[e->listing->shown[i]] = true;
	for (size_t i = 0; i < e->derived->arc_count; i++)
		if (shown[e->derived->arcs[i].callee])
			put_arc(e, &e->derived->arcs[i]);
	free(shown);
	return true;
}

const struct export_format tables_functions_format = {
    .name = "functions",
    .summary = "databases: functions, of one profile or many (--each)",
    .heading = functions_heading,
    .begins = functions_heading,
    .names_measures = true,
    .write = write_functions,
};

const struct export_format tables_arcs_format = {
    .name = "arcs",
    .summary = "databases: callers and callees, of one profile or many",
    .heading = arcs_heading,
    .begins = arcs_heading,
    .names_measures = true,
    .write = write_arcs,
};
