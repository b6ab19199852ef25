/* SPDX-License-Identifier: MIT */
/* page.c - see page.h. The profile is written as arrays of numbers; script/data.js says what each
 * is. */
#define _GNU_SOURCE
#include "report/html/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/select/filters.h"
#include "report/html/page_counters.h"
#include "report/html/page_inlined.h"
#include "report/html/page_lines.h"
#include "report/html/page_text.h"
#include "report/html/page_times.h"
#include "report/html/sources.h"

/* The page, with its style and its script; made by report/build.mk. */
extern const char _binary_page_html_start[], _binary_page_html_end[];

#define PLACE "@PROFILE@" /* replaced by the profile */

/* Writes a self time in the view's measure, and its bar. */
static void put_self(const struct page *p, const struct cost *self)
{
	struct cost shown = view_shown(p->v, self);
	page_ns(p, shown.ns);
	page_ns(p, cost_self_bar(&shown));
}

static void put_total(const struct page *p, const struct cost *total)
{
	struct cost shown = view_shown(p->v, total);
	page_ns(p, shown.ns);
	page_ns(p, cost_total_bar(&shown));
}

static void put_measures(const struct page *p, const struct function *f)
{
	fprintf(p->to, ",%" PRIu64 ",%" PRIu64, f->calls, f->own_calls);
	put_self(p, &f->self);
	put_total(p, &f->total);
	fprintf(p->to, ",%d,%u", f->low, f->open);
}

/* Writes the name as rows show it, unless that is the whole name. */
static void put_short_name(const struct page *p, uint32_t zone)
{
	const char *name = view_zone_name(p->v, zone);
	if (!strcmp(name, p->v->load.zones.list[zone].name))
		return;
	fputc(',', p->to);
	page_text(p->to, name);
}

static void put_functions(const struct page *p)
{
	const struct zones *z = &p->v->load.zones;
	bool first = true;
	fputs(",\n\"functions\":[", p->to);
	for (size_t i = 0; i < p->l->shown_count; i++) {
		uint32_t zone = p->l->shown[i];
		uint32_t module = z->list[zone].module;
		const char *texts[] = {z->list[zone].name, z->list[zone].file,
				       view_group_name(p->v, zone),
				       module == ZONE_NO_MODULE ? "" : z->modules[module].path};
		fprintf(p->to, "%s[%u", first ? "\n" : ",\n", z->list[zone].line);
		first = false;
		for (int k = 0; k < 4; k++) {
			fputc(',', p->to);
			page_text(p->to, texts[k]);
		}
		put_measures(p, &p->d->functions[zone]);
		put_short_name(p, zone);
		fputc(']', p->to);
	}
	fputs("]", p->to);
}

static void put_arcs(const struct page *p, const struct derived *d)
{
	bool first = true;
	fputs(",\n\"arcs\":[", p->to);
	for (size_t i = 0; i < d->arc_count; i++) {
		const struct arc *a = &d->arcs[i];
		fprintf(p->to, "%s%u,%u,%" PRIu64, first ? "" : ",\n", p->l->index[a->caller],
			p->l->index[a->callee], a->calls);
		first = false;
		page_side(p, p->v->measure, &a->parent_self, &a->parent_total);
		page_side(p, p->v->measure, &a->child_self, &a->child_total);
	}
	fputs("]", p->to);
}

/* Writes the functions without hooks between callers and callees: caller,
 * callee, and text. */
static void put_ways(const struct page *p)
{
	const struct load *load = &p->v->load;
	bool first = true;
	fputs(",\n\"ways\":[", p->to);
	for (size_t i = 0; i < p->d->arc_count; i++) {
		const struct arc *a = &p->d->arcs[i];
		struct str text = {0};
		via_append(&text, &load->vias, &load->zones, a->caller, a->callee,
			   p->v->options->full_names);
		if (text.used) {
			fprintf(p->to, "%s%u,%u,", first ? "" : ",\n", p->l->index[a->caller],
				p->l->index[a->callee]);
			page_text(p->to, text.text + strspn(text.text, " "));
			first = false;
		}
		str_free(&text);
	}
	fputs("]", p->to);
}

/* Each context begins with how many rows above it its caller's row is. A thread's outermost context
 * has no caller; its first number is the thread's, negated. */
static void put_contexts(const struct page *p)
{
	const struct tree *t = p->v->tree;
	uint32_t *row = memory_resize(NULL, t->count, sizeof *row), rows = 0;
	fputs(",\n\"contexts\":[", p->to);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct node *n = &t->nodes[i];
		if (n->parent == i)
			continue;
		row[i] = rows++;
		bool outermost = t->nodes[n->parent].parent == n->parent;
		fprintf(p->to, "%s%" PRId64 ",%u,%" PRIu64 ",%.0f", row[i] ? ",\n" : "",
			outermost ? -(int64_t)n->thread : (int64_t)(row[i] - row[n->parent]),
			p->l->index[n->zone], n->calls, view_shown(p->v, &n->self).ns);
	}
	fputs("]", p->to);
	free(row);
}

/* Writes each thread. If there are several, each has the times of its functions, and their arcs. */
static void put_threads(const struct page *p)
{
	const struct tree *t = p->v->tree;
	struct tree *apart = t->thread_count > 1 ? filters_split_threads(t) : NULL;
	fputs(",\n\"threads\":[", p->to);
	for (size_t i = 0; i < t->thread_count; i++) {
		struct derived d;
		bool first = true;
		fputs(i ? ",\n{\"name\":" : "{\"name\":", p->to);
		page_text(p->to, t->threads[i].name);
		fprintf(p->to, ",\"tid\":%u,\"pid\":%u,\"functions\":[", t->threads[i].tid,
			t->threads[i].pid);
		if (apart) {
			derive(&d, &apart[i], p->v->load.zones.count);
			for (uint32_t zone = 1; zone < d.function_count; zone++)
				if (derive_used(&d.functions[zone])) {
					fprintf(p->to, "%s[%u", first ? "" : ",",
						p->l->index[zone]);
					put_measures(p, &d.functions[zone]);
					fputc(']', p->to);
					first = false;
				}
			fputs("]", p->to);
			put_arcs(p, &d);
			page_times(p, &d, false);
			page_counted(p, &d, false);
			derive_free(&d);
			tree_free(&apart[i]);
		} else {
			fputs("]", p->to);
		}
		fputs("}", p->to);
	}
	fputs("]", p->to);
	free(apart);
}

/* Writes the lines that a report has above and below its rows. */
static void put_report(const struct page *p)
{
	char *head = view_head_text(p->v, p->d), *end = view_losses_text(p->v);
	fputs("{\"head\":", p->to);
	page_text(p->to, head);
	fputs(",\n\"end\":", p->to);
	page_text(p->to, end);
	free(head);
	free(end);
}

static void put_profile(const struct page *p, bool sources)
{
	put_report(p);
	fprintf(
	    p->to,
	    ",\n\"time\":\"%s\",\"unit\":\"%s\",\"ns_per_tick\":%.17g,\"whole\":%.1f,\"calls\":%" PRIu64,
	    measure_name(p->v->measure),
	    p->v->counts_only ? "calls"
	    : p->v->fake      ? "ticks"
			      : "ns",
	    load_ns_per_tick(&p->v->load), view_shown(p->v, &p->d->whole).ns, p->d->calls);
	if (p->v->sampled)
		fputs(",\"sampled\":true", p->to);
	put_functions(p);
	put_arcs(p, p->d);
	put_ways(p);
	put_contexts(p);
	page_times(p, p->d, true);
	page_counter_names(p);
	page_counted(p, p->d, true);
	put_threads(p);
	page_inlined(p);
	page_lines(p);
	if (sources)
		sources_put(p->to, p->v, p->d);
	fputs("}\n", p->to);
}

/* A page is known by its title, which comes before the parts that differ from page to page. */
bool page_has_title(const char *head, size_t bytes, const void *context)
{
	static const char begin[] = "<!DOCTYPE html>";
	const char *title = context;
	return bytes > strlen(begin) && !memcmp(head, begin, strlen(begin)) &&
	       memmem(head, bytes, title, strlen(title));
}

const struct file_output page_output = {.what = "a page by 'zprof html'",
					.kind = FILE_FOREIGN,
					.is_one = page_has_title,
					.context = "<title>zprof</title>"};

void page_write(FILE *to, struct view *v, bool sources)
{
	struct derived d;
	struct listing l;
	struct page p = {to, v, &d, &l};
	size_t bytes = (size_t)(_binary_page_html_end - _binary_page_html_start);
	const char *place = memmem(_binary_page_html_start, bytes, PLACE, strlen(PLACE));
	size_t before = (size_t)(place - _binary_page_html_start);
	derive(&d, v->tree, v->load.zones.count);
	listing_make(&l, v, &d, FILTER_SORT_TOTAL);
	fwrite(_binary_page_html_start, 1, before, to);
	put_profile(&p, sources);
	fwrite(place + strlen(PLACE), 1, bytes - before - strlen(PLACE), to);
	listing_free(&l);
	derive_free(&d);
}
