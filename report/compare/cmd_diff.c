/* SPDX-License-Identifier: MIT */
/*
 * cmd_diff.c - `zprof diff`: what changed between profiles, and the gate for continuous
 * integration.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/core/command/command.h"
#include "report/core/base/memory.h"
#include "report/core/base/visible.h"
#include "report/compare/by_label.h"
#include "report/compare/compare_contexts.h"
#include "report/compare/diff_page.h"
#include "report/compare/gate_view.h"

static void add_set(struct options *o, size_t first, size_t end)
{
	o->sets[o->set_count++] =
	    (struct load_set){.paths = o->paths + first, .count = end - first};
}

/* Divides the files into sides: at each `--`, or, without one, each file is a side. */
static bool make_sides(struct options *o, struct str *err)
{
	const struct compare_options *own = o->own;
	size_t marks = 0, first = 0;
	if (!loader_make_sides(o, err))
		return false;
	if (o->sets)
		return true;
	for (size_t i = 0; i < o->path_count; i++)
		marks += options_is_between(o->paths[i]);
	o->sets = memory_zeroed(o->path_count + 1, sizeof *o->sets);
	for (size_t i = 0; i <= o->path_count; i++) {
		bool end = i == o->path_count || options_is_between(o->paths[i]);
		if (end ? marks > 0 : !marks) {
			add_set(o, marks ? first : i, marks ? i : i + 1);
			first = i + 1;
		}
	}
	for (size_t i = 0; i < o->set_count; i++)
		if (!o->sets[i].count)
			return str_fail(err, "a side has no file");
	if (o->set_count < (own->bencher ? 1 : 2))
		return str_fail(err, "name two profiles or more");
	if (o->set_count > COMPARE_SIDES)
		return str_fail(err, "at most %d sides can be compared, not %zu", COMPARE_SIDES,
				o->set_count);
	return true;
}

static bool check_options(const struct options *o, struct str *err)
{
	const struct compare_options *own = o->own;
	int forms = o->json + own->folded + own->markdown + own->junit + own->bencher + own->html;
	bool two = own->folded || own->markdown || own->junit || own->html || own->fail_count;
	if (forms > 1)
		return str_fail(err, "only one of --json, --folded, --html, --markdown, --junit "
				     "and --bencher");
	if (o->set_count != 2 && two)
		return str_fail(err,
				"--fail, --folded, --html, --markdown and --junit compare two "
				"sides, not %zu",
				o->set_count);
	if (o->output && !own->html)
		return str_fail(err, "--output names the file of --html, and there is no --html");
	if (own->junit && !own->fail_count)
		return str_fail(err, "--junit prints the conditions of --fail, and there is none");
	return true;
}

static bool check_measure(const struct compare *c, struct str *err)
{
	const char *name = compare_asked(c)->measure;
	if (!name)
		return true;
	size_t measure = compare_measure_find(c, name);
	if (measure == COMPARE_NONE)
		return str_fail(err,
				"--measure is calls, self, total, or a counter of the profiles, "
				"not '%s'",
				name);
	if (!compare_has(c, &c->functions, measure))
		return str_fail(err, "--measure %s: %s", name, compare_why_missing(c));
	return true;
}

/* Prints a name without the characters that have a meaning between names. */
static void put_name(FILE *out, const char *name)
{
	struct str plain = {0};
	visible_add(&plain, name);
	for (char *at = plain.text; at && *at; at++)
		fputc(*at == ';' ? ':' : *at, out);
	str_free(&plain);
}

static void put_path(const struct compare *c, const struct tree *t, uint32_t at)
{
	FILE *out = c->v->terminal.out;
	size_t used = 0, room = 0;
	uint32_t *path = NULL;
	for (; t->nodes[at].parent != at; at = t->nodes[at].parent)
		*memory_next(path, used, room) = t->nodes[at].zone;
	while (used--) {
		const char *name = path[used] ? view_zone_name(c->v, c->match.rows[path[used]].zone)
					      : VIEW_OVERFLOW;
		put_name(out, name);
		fputc(used ? ';' : ' ', out);
	}
	free(path);
}

/*
 * Prints the difference of two sides as folded stacks. Each chain of callers has a line:
 *
 *     main;parse;scan_word 40 61
 *
 * The two numbers are the self time of the innermost function in this chain, before and after, in
 * nanoseconds of a run; or its calls if times were not recorded. flamegraph.pl draws a differential
 * flame graph of such lines.
 */
static void print_folded(struct compare *c)
{
	struct compare_contexts t;
	size_t measure = c->v->counts_only ? COMPARE_CALLS : COMPARE_SELF;
	compare_contexts_make(&t, c);
	for (uint32_t i = 1; i < t.tree.count; i++) {
		double before = fmax(0, round(compare_contexts_at(&t, c, i, 0, measure)->value)),
		       after = fmax(0, round(compare_contexts_at(&t, c, i, 1, measure)->value));
		if (before <= 0 && after <= 0)
			continue;
		put_path(c, &t.tree, i);
		fprintf(c->v->terminal.out, "%.0f %.0f\n", before, after);
	}
	compare_contexts_free(&t);
}

static void print(struct compare *c, const struct gate *g)
{
	FILE *to = c->v->terminal.out;
	const struct compare_options *own = compare_asked(c);
	if (c->v->options->json) {
		compare_view_json(c);
		if (g->count)
			gate_view_json(g, c);
		view_json_threads(c->v);
		view_json_end(to);
	} else if (own->folded) {
		print_folded(c);
	} else if (own->markdown) {
		gate_view_markdown(g, c);
	} else if (own->junit) {
		gate_view_junit(g, c);
	} else if (own->bencher) {
		gate_view_bencher(c);
	} else {
		compare_view_print(c);
		if (g->count)
			gate_view_print(g, c);
		compare_losses_print(c);
	}
}

/* Shows the comparison. Returns the exit status. */
static int show(struct view *v, struct gate *g)
{
	struct compare c;
	struct str err = {0};
	int status = EXIT_FAILED;
	const struct compare_options *own = v->options->own;
	compare_make(&c, v, own->sum);
	bool ok = check_measure(&c, &err) && gate_check(g, &c, &err);
	if (ok && own->html)
		ok = diff_page_write(&c, &err);
	else if (ok)
		print(&c, g);
	int ended = command_end();
	if (ok)
		status = ended != EXIT_OK ? ended : g->breach_count ? EXIT_REGRESSION : EXIT_OK;
	else
		command_fail(EXIT_FAILED, &err);
	compare_free(&c);
	str_free(&err);
	return status;
}

static int run(struct options *o, struct str *err)
{
	const struct compare_options *own = o->own;
	struct view v;
	struct gate g = {0};
	struct by_label by = {0};
	int status = EXIT_FAILED;
	if (own->by && !by_label_make(&by, o, own->by, err)) {
		by_label_free(&by);
		free(o->sets);
		return EXIT_FAILED;
	}
	bool ok = (own->by || make_sides(o, err)) && check_options(o, err);
	for (size_t i = 0; ok && i < own->fail_count; i++)
		ok = gate_add(&g, own->fails[i], err);
	o->no_pager |= own->folded || own->markdown || own->junit || own->bencher || own->html;
	if (!ok) {
		str_add(err, "; see 'zprof help diff'");
		status = EXIT_USAGE;
	} else if (view_open(&v, o, err)) {
		status = show(&v, &g);
		view_close(&v);
	}
	gate_free(&g);
	free(o->sets);
	by_label_free(&by);
	return status;
}

static bool take_fail(struct options *o, const char *value, struct str *err)
{
	struct compare_options *own = o->own;
	(void)err;
	*memory_next(own->fails, own->fail_count, own->fail_room) = value;
	return true;
}

static void free_own(void *own)
{
	free(((struct compare_options *)own)->fails);
}

static const struct option_spec options[] = {
    {0, "fail", "CONDITION", "The gate", OPTION_TAKE(take_fail),
     "exit with status 3 if a function breaks the condition (see above). May be given several "
     "times"},
    {0, "by", "LABEL[=VALUE,...]", OPTIONS_PROFILES,
     OPTION_OWN_WORD(compare_options, by, BY_LABELS),
     "make a side of all files with one version (the program's build-id) or one host: of each that the "
     "files have, the earliest first, or of these values, whose beginnings are enough"},
    {0, "sum", NULL, NULL, OPTION_OWN_FLAG(compare_options, sum),
     "add up all files of a side; the default is the mean of its runs"},
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    {0, "measure", "NAME", "Output", OPTION_OWN_WORD(compare_options, measure, "calls self total"),
     "show calls, self, total, or a counter of an interpreter; the default is all that changed, "
     "and self in a series"},
    {0, "all", NULL, NULL, OPTION_FLAG(all), "also show what did not change beyond its error"},
    {0, "folded", NULL, NULL, OPTION_OWN_FLAG(compare_options, folded),
     "print folded stacks with the numbers before and after, for flamegraph.pl"},
    {0, "html", NULL, NULL, OPTION_OWN_FLAG(compare_options, html),
     "write a page for a browser: the functions, and a flame graph whose colours are the changes"},
    OPTIONS_OF(options_output),
    {0, "markdown", NULL, NULL, OPTION_OWN_FLAG(compare_options, markdown),
     "print conditions and the largest changes as Markdown"},
    {0, "junit", NULL, NULL, OPTION_OWN_FLAG(compare_options, junit),
     "print the conditions as a JUnit test suite"},
    {0, "bencher", NULL, NULL, OPTION_OWN_FLAG(compare_options, bencher),
     "print the functions of the last side in Bencher's metric format, with error bars"},
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_below),
    OPTIONS_OF(options_json),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_diff = {
    .name = "diff",
    .options = options,
    .words = WORDS_SIDES,
    .own_size = sizeof(struct compare_options),
    .free_own = free_own,
    .sums = true,
    .run = run,
};
