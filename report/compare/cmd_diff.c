/* SPDX-License-Identifier: MIT */
/*
 * cmd_diff.c - `zprof diff`: what changed between profiles, and the gate for continuous
 * integration.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/command/command.h"
#include "report/core/base/memory.h"
#include "report/compare/compare_folded.h"
#include "report/compare/compare_view.h"
#include "report/compare/gate_view.h"

/* getopt_long() takes the first `--` away and loses its place among the files. So each `--` is
 * replaced by this text, which is recognised by its address: a file may have the same name. */
static char between_sides[] = "(between sides)";

static void mark_sides(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			argv[i] = between_sides;
}

static bool is_mark(const char *word)
{
	return word == between_sides;
}

static void add_set(struct options *o, size_t first, size_t end)
{
	o->sets[o->set_count++] =
	    (struct load_set){.paths = o->paths + first, .count = end - first};
}

/* Divides the files into sides: at each `--`, or, without one, each file is a side. */
static bool make_sides(struct options *o, struct str *err)
{
	size_t marks = 0, first = 0;
	if (!loader_make_sides(o, err))
		return false;
	if (o->sets)
		return true;
	for (size_t i = 0; i < o->path_count; i++)
		marks += is_mark(o->paths[i]);
	o->sets = memory_zeroed(o->path_count + 1, sizeof *o->sets);
	for (size_t i = 0; i <= o->path_count; i++) {
		bool end = i == o->path_count || is_mark(o->paths[i]);
		if (end ? marks > 0 : !marks) {
			add_set(o, marks ? first : i, marks ? i : i + 1);
			first = i + 1;
		}
	}
	for (size_t i = 0; i < o->set_count; i++)
		if (!o->sets[i].count)
			return str_fail(err, "a side has no file");
	if (o->set_count < (o->bencher ? 1 : 2))
		return str_fail(err, "name two profiles or more");
	if (o->set_count > COMPARE_SIDES)
		return str_fail(err, "at most %d sides can be compared, not %zu", COMPARE_SIDES,
				o->set_count);
	return true;
}

static bool check_options(const struct options *o, struct str *err)
{
	int forms = o->json + o->folded + o->markdown + o->junit + o->bencher;
	if (forms > 1)
		return str_fail(err,
				"only one of --json, --folded, --markdown, --junit and --bencher");
	if (o->set_count != 2 && (o->folded || o->markdown || o->junit || o->fail_count))
		return str_fail(err,
				"--fail, --folded, --markdown and --junit compare two sides, "
				"not %zu",
				o->set_count);
	if (o->junit && !o->fail_count)
		return str_fail(err, "--junit prints the conditions of --fail, and there is none");
	return true;
}

static bool check_measure(const struct compare *c, struct str *err)
{
	const char *name = c->v->options->measure;
	if (!name)
		return true;
	size_t measure = compare_measure_find(c, name);
	if (measure == COMPARE_NONE)
		return str_fail(err,
				"--measure is calls, self, total, or a counter of the profiles, "
				"not '%s'",
				name);
	if (!compare_has(c, &c->functions, measure))
		return str_fail(err, "--measure %s: the profiles hold calls only (clock=count)",
				name);
	return true;
}

static void print(const struct compare *c, const struct gate *g)
{
	FILE *to = c->v->terminal.out;
	const struct options *o = c->v->options;
	if (o->json) {
		compare_view_json(c);
		if (g->count)
			gate_view_json(g, c);
		view_json_threads(c->v);
		view_json_end(to);
	} else if (o->folded) {
		compare_folded_print(c);
	} else if (o->markdown) {
		gate_view_markdown(g, c);
	} else if (o->junit) {
		gate_view_junit(g, c);
	} else if (o->bencher) {
		gate_view_bencher(c);
	} else {
		compare_view_print(c);
		if (g->count)
			gate_view_print(g, c);
		view_print_losses(c->v);
	}
}

/* Shows the comparison. Returns the exit status. */
static int show(struct view *v, struct gate *g)
{
	struct compare c;
	struct str err = {0};
	int status = EXIT_FAILED;
	compare_make(&c, v, v->options->sum);
	bool ok = check_measure(&c, &err) && gate_check(g, &c, &err);
	if (ok)
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

static int run(int argc, char **argv)
{
	extern const struct command cmd_diff;
	struct options o;
	struct view v;
	struct gate g = {0};
	struct str err = {0};
	mark_sides(argc, argv);
	int status = command_options(&cmd_diff, &o, argc, argv);
	if (status >= 0)
		return status;
	bool ok = make_sides(&o, &err) && check_options(&o, &err);
	for (size_t i = 0; ok && i < o.fail_count; i++)
		ok = gate_add(&g, o.fails[i], &err);
	o.no_pager |= o.folded || o.markdown || o.junit || o.bencher;
	if (!ok) {
		str_add(&err, "; see 'zprof help diff'");
		status = command_fail(EXIT_USAGE, &err);
	} else if (view_open(&v, &o, &err)) {
		status = show(&v, &g);
		view_close(&v);
	} else {
		status = command_fail(EXIT_FAILED, &err);
	}
	gate_free(&g);
	free(o.sets);
	options_free(&o);
	str_free(&err);
	return status;
}

const struct command cmd_diff = {
    .name = "diff",
    .synopsis = "[OPTION...] BEFORE AFTER\n"
		"[OPTION...] BEFORE... -- AFTER...\n"
		"[OPTION...] FIRST SECOND THIRD...\n"
		"[OPTION...] --frame N|--slowest K [--frame N|median] [FILE]",
    .summary = "what changed between profiles, and a gate for CI",
    .options = OPTIONS_INPUT | OPTIONS_TEXT | OPTIONS_GROUPS | OPTIONS_TREE | OPTIONS_SELECT |
	       OPTIONS_DIFF,
    .text =
	"Compares two sides, each a profile or a folder of profiles, or several of them with '--' "
	"in between: for each group, function and arc (caller > callee) whose calls or times "
	"changed beyond their error, what they were before and after, the change, and the ratio. "
	"The runs of a side are samples: their mean is shown, and +- contains how much they differ "
	"(Student's t, 95 in 100) and what is unknown of the hooks' cost. With one run on each "
	"side, +- contains only the latter, so times that differ from run to run seem to have "
	"changed; calls need no second run. Processes of one run count as one sample; --sum adds "
	"up all files of a side.\n\n"
	"Three profiles or more, without '--', are a series: a column each.\n\n"
	"The program may have been built again in between. Functions are matched by name, source "
	"file and module; then by name and module; by name; by name without gcc's suffixes "
	"(.constprop.0). Those that are left are matched by their machine code, in which addresses "
	"do not count: 'f (was g)' was renamed. A profile whose program is gone has no names: keep "
	"what 'zprof merge' writes, which has them.\n\n"
	"--slowest 1, or --frame N, with one profile compares the median frame with that frame, "
	"and shows what it did more than is usual, function by function and arc by arc. Two such "
	"options compare two frames, in that order. With several profiles, the slowest frame, or "
	"the median one, of each is compared.\n\n"
	"The gate: --fail 'calls>0%' ends with status 3 if a function was called more often than "
	"before, and says which one, and who calls it. Calls of a deterministic program are the "
	"same in every run, so this gate has no noise. A condition is\n\n"
	"  [WHAT] MEASURE>LIMIT[+Nsigma]\n\n"
	"  WHAT     a pattern as for --func: each function that matches\n"
	"           group:NAME: the group; whole: all functions together\n"
	"           without it: each function\n"
	"  MEASURE  calls, self, total, or a counter of an interpreter\n"
	"  >, <     rose or fell by more than\n"
	"  LIMIT    5%, 100 (calls), 3us, 2ms, 1s\n"
	"  +2sigma  the change less two standard errors must be more than the limit\n\n"
	"--markdown, --junit and --bencher print the verdict for a pull request, for a test "
	"report and for bencher.dev; with --fail their exit status is the same.",
    .examples =
	"two recordings\n"
	"    zprof diff before.zp after.zp\n"
	"five runs of each build\n"
	"    zprof diff old/ new/\n"
	"in CI: no function may be called more often, no phase take 5 % longer for certain\n"
	"    zprof diff --fail 'calls>0%' --fail 'group:io self>5%+2sigma' a.zp b.zp\n"
	"what the slowest request did that others do not\n"
	"    zprof record --frame=parse ./sim && zprof diff --slowest 1\n"
	"calls over the last releases\n"
	"    zprof diff --measure calls v1.zp v2.zp v3.zp\n"
	"a differential flame graph\n"
	"    zprof diff --folded before.zp after.zp | flamegraph.pl >diff.svg",
    .run = run,
};
