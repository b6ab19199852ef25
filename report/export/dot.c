/* SPDX-License-Identifier: MIT */
/*
 * dot.c - the call graph as a drawing for graphviz: one box per function, one arrow per arc.
 *
 * The larger a function's total, as a share of the whole time, the redder its box. Times and their
 * errors are as in `zprof graph`. Functions below half a percent are left out, unless --min or
 * another selection says otherwise.
 */
#include <inttypes.h>

#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/export/export.h"

#define LEAST_SHARE 0.005

struct dot {
	const struct export *e;
	struct str text;
};

/* Puts TEXT as the inside of a quoted string. */
static void put_quoted(struct dot *d, const char *text)
{
	str_clear(&d->text);
	visible_add(&d->text, text);
	for (const char *c = str_text(&d->text); *c; c++) {
		if (*c == '"' || *c == '\\')
			fputc('\\', d->e->to);
		fputc(*c, d->e->to);
	}
}

static double share(const struct export *e, const struct cost *total, uint64_t calls)
{
	double part = e->view->counts_only ? (double)calls : cost_total_weight(total);
	double whole = e->view->counts_only ? (double)e->derived->calls : e->derived->whole.ns;
	return whole > 0 ? (part < whole ? part / whole : 1) : 0;
}

static bool shown(const struct export *e, uint32_t zone)
{
	const struct function *f = &e->derived->functions[zone];
	return zone && e->listing->is_shown[zone] &&
	       (e->view->options->filters.min_percent > 0 ||
		share(e, &f->total, f->calls) >= LEAST_SHARE);
}

static void put_time(struct dot *d, const char *label, double ns, double bar_ns)
{
	char text[UNITS_TEXT];
	if (d->e->view->counts_only)
		return;
	fprintf(d->e->to, "\\n%s%s", label, view_bounded(d->e->view, text, ns, bar_ns));
	if (bar_ns > 0 && !cost_is_bound(ns, bar_ns))
		fprintf(d->e->to, " ±%s", units_bar(text, bar_ns, ns));
}

static void put_function(struct dot *d, const struct function *f)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	double part = share(d->e, &f->total, f->calls);
	const struct zone *z = &d->e->zones->list[f->zone];
	fprintf(d->e->to, "\tf%u [label=\"", f->zone);
	put_quoted(d, view_zone_name(d->e->view, f->zone));
	put_time(d, "self ", f->self.ns, view_self_bar(d->e->view, &f->self));
	put_time(d, "total ", f->total.ns, view_total_bar(d->e->view, &f->total));
	fprintf(d->e->to, "\\n%s\" fillcolor=\"%.3f %.3f 1.000\" tooltip=\"",
		view_uncounted(d->e->view, f->calls) ? "sampled" : units_of(text, f->calls, "call"),
		0.6 * (1 - part), 0.1 + 0.4 * part);
	view_place(z, &place);
	put_quoted(d, place.used ? place.text : z->name);
	fputs("\"];\n", d->e->to);
	str_free(&place);
}

static void put_arc(struct dot *d, const struct arc *a)
{
	char text[UNITS_TEXT];
	fprintf(d->e->to, "\tf%u -> f%u [label=\"", a->caller, a->callee);
	if (view_uncounted(d->e->view, a->calls))
		fputs("sampled", d->e->to);
	else
		fprintf(d->e->to, "%s×", units_count(text, a->calls));
	put_time(d, "", a->child_total.ns, view_total_bar(d->e->view, &a->child_total));
	fprintf(d->e->to, "\" penwidth=%.2f];\n",
		0.5 + 4.5 * share(d->e, &a->child_total, a->calls));
}

static bool write_profile(const struct export *e, struct str *err)
{
	struct dot d = {.e = e};
	(void)err;
	fputs("digraph profile {\n\tlabel=\"", e->to);
	put_quoted(&d, export_title(e));
	fputs("\";\n\tnode [shape=box style=\"rounded,filled\" fontname=\"sans-serif\" "
	      "fontsize=11];\n\tedge [fontname=\"sans-serif\" fontsize=9 color=\"#606060\"];\n",
	      e->to);
	for (uint32_t i = 1; i < e->derived->function_count; i++)
		if (shown(e, i))
			put_function(&d, &e->derived->functions[i]);
	for (size_t i = 0; i < e->derived->arc_count; i++)
		if (shown(e, e->derived->arcs[i].caller) && shown(e, e->derived->arcs[i].callee))
			put_arc(&d, &e->derived->arcs[i]);
	fputs("}\n", e->to);
	str_free(&d.text);
	return true;
}

const struct export_format dot_format = {
    .name = "dot",
    .begins = "digraph profile {\n\tlabel=\"",
    .summary = "graphviz draws it",
    .write = write_profile,
};
