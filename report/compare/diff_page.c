/* SPDX-License-Identifier: MIT */
/* diff_page.c - see diff_page.h. The comparison is written as arrays of numbers; page/data.js says
 * what each is. */
#define _GNU_SOURCE
#include "report/compare/diff_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare/compare_contexts.h"
#include "report/core/base/memory.h"
#include "report/core/base/replace.h"
#include "report/core/base/say.h"
#include "report/html/page.h"
#include "report/html/page_text.h"

#define DEFAULT_FILE "zprof-diff.html"
#define PLACE        "@CHANGES@" /* replaced by the comparison */
#define SIDES        2

/* The page, with its style and its script; made by build.mk. */
extern const char _binary_diff_html_start[], _binary_diff_html_end[];

static const struct file_output output = {.what = "a page by 'zprof diff --html'",
					  .kind = FILE_FOREIGN,
					  .is_one = page_has_title,
					  .context = "<title>zprof diff</title>"};

/* Writes a number to a tenth, with a comma before it. */
static void put_number(FILE *to, double value)
{
	fprintf(to, ",%.*f", value != (double)(int64_t)value, value);
}

/* Writes calls, their bar, self time, its bar, total, its bar. */
static void put_side(FILE *to, const struct mean *values)
{
	for (size_t m = 0; m < COMPARE_COUNTERS; m++) {
		put_number(to, values[m].value);
		put_number(to, values[m].bar);
	}
}

/* Writes the rows of the match from 1 on, with zeros for what is in no table. */
static void put_functions(FILE *to, const struct compare *c)
{
	static const struct mean nothing[COMPARE_MEASURES];
	uint32_t *at = memory_zeroed(c->match.count, sizeof *at); /* row of the table + 1 */
	for (size_t i = 0; i < c->functions.count; i++)
		at[c->functions.rows[i].callee] = (uint32_t)i + 1;
	fputs(",\n\"functions\":[", to);
	for (size_t i = 1; i < c->match.count; i++) {
		const struct match_row *row = &c->match.rows[i];
		const struct zone *z = &c->v->load.zones.list[row->zone];
		const char *was = row->earlier ? c->v->load.zones.list[row->earlier].name : "";
		const char *texts[] = {z->name, view_zone_name(c->v, row->zone), was, z->file};
		fprintf(to, "%s[%u,%d,%d", i > 1 ? ",\n" : "\n", z->line, (int)row->sides,
			c->shown[i]);
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
			fputc(',', to);
			page_text(to, texts[k]);
		}
		for (size_t side = 0; side < SIDES; side++)
			put_side(to, at[i] ? compare_at(c, &c->functions, at[i] - 1, side, 0)
					   : nothing);
		fputc(']', to);
	}
	fputs("]", to);
	free(at);
}

/* Each context begins with its parent's number; the contexts of no caller have 0. */
static void put_contexts(FILE *to, struct compare *c)
{
	struct compare_contexts t;
	compare_contexts_make(&t, c);
	fputs(",\n\"contexts\":[", to);
	for (uint32_t i = 1; i < t.tree.count; i++) {
		fprintf(to, "%s%u,%u,%d", i > 1 ? ",\n" : "\n", t.tree.nodes[i].parent,
			t.tree.nodes[i].zone, (int)t.sides[i]);
		for (size_t side = 0; side < SIDES; side++)
			put_side(to, compare_contexts_at(&t, c, i, side, 0));
	}
	fputs("]", to);
	compare_contexts_free(&t);
}

static void put_comparison(FILE *to, struct compare *c)
{
	char *head = compare_view_head(c), *end = compare_losses_text(c);
	fputs("{\"head\":", to);
	page_text(to, head);
	fputs(",\n\"end\":", to);
	page_text(to, end);
	if (c->v->sampled)
		fputs(",\n\"sampled\":true", to);
	fprintf(to, ",\n\"time\":\"%s\",\"unit\":\"%s\",\"ns_per_tick\":%.17g,\"whole\":[0",
		measure_name(c->v->measure),
		c->v->counts_only ? "calls"
		: c->v->fake      ? "ticks"
				  : "ns",
		load_ns_per_tick(&c->v->load));
	for (size_t side = 0; side < SIDES; side++)
		put_side(to, compare_at(c, &c->whole, 0, side, 0));
	fputs("]", to);
	put_functions(to, c);
	put_contexts(to, c);
	fputs("}\n", to);
	free(head);
	free(end);
}

bool diff_page_write(struct compare *c, struct str *err)
{
	struct replacement out;
	const char *asked = c->v->options->output, *path = asked ? asked : DEFAULT_FILE;
	bool to_stdout = !strcmp(path, "-");
	size_t bytes = (size_t)(_binary_diff_html_end - _binary_diff_html_start);
	const char *place = memmem(_binary_diff_html_start, bytes, PLACE, strlen(PLACE));
	size_t before = (size_t)(place - _binary_diff_html_start);
	if (!(to_stdout || view_may_write(c->v, &output, path, err)) ||
	    !replace_begin(&out, to_stdout ? NULL : path, 0666, err))
		return false;
	fwrite(_binary_diff_html_start, 1, before, out.to);
	put_comparison(out.to, c);
	fwrite(place + strlen(PLACE), 1, bytes - before - strlen(PLACE), out.to);
	if (!replace_end(&out, err))
		return false;
	if (!to_stdout)
		say("the page is in '%s'", path);
	return true;
}
