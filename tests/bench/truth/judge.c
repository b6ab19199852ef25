/* SPDX-License-Identifier: MIT */
/*
 * judge.c - the judge of self times.
 *
 *   judge cell [LABEL=VALUE...] TRUTH... SHOWN      compares what a profiler shows with the truth
 *   judge table FILE                                prints what cells found, a table per program
 *   judge summary FILE                              all programs in a line for each profiler, and the limits
 *   judge plot FILE                                 draws it, as SVG
 *
 * TRUTH is `--half FILE` once or more, samples of one build or run, and `--other-half FILE`, of
 * another; or `--truth FILE`, whose own two columns are the halves; or `--known FILE`, times that
 * are known. SHOWN is `--shown FILE`: a report of zprof's as JSON, or lines of NAME <tab> SELF;
 * and, if it was made of samples, `--samples N`, how many. `--run FILE`, twice or more, are reports
 * of single runs, to be compared with each other.
 *
 * A cell is printed as one line of JSON: its labels, its figures, and its functions. FILE is a file
 * of such lines.
 */
#include "tests/bench/truth/judge.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Functions below this share, in truth and as shown, are not listed. */
#define SMALL 0.05

enum { RUNS_MAX = 64 };

static struct judge judge;
static const char *single_runs[RUNS_MAX];
static size_t single_run_count;

static json_t *functions_json(void)
{
	json_t *all = json_array();

	for (size_t i = 0; i < judge.count; i++) {
		const struct judged *d = &judge.functions[i];
		json_t *one;

		if (d->truth_share < SMALL && d->shown_share < SMALL)
			continue;
		one = json_pack("{s:s, s:f, s:f, s:f}", "name", d->name, "truth", d->truth_share,
				"truth_error", d->truth_error, "shown", d->shown_share);
		if (judge.has_errors) {
			json_object_set_new(one, "error", json_real(d->error_share));
			json_object_set_new(one, "holds", json_boolean(d->held));
		}
		json_array_append_new(all, one);
	}
	return all;
}

static json_t *brackets_json(void)
{
	json_t *all = json_object();

	for (size_t i = 0; i < judge.bracket_count; i++)
		json_object_set_new(all, judge.brackets[i].name,
				    json_real(judge.brackets[i].share));
	return all;
}

static bool set_spread(json_t *to)
{
	struct spread s;

	if (single_run_count < 2)
		return true;
	if (!judge_spread(&judge, single_runs, single_run_count, &s))
		return false;
	json_object_update_new(to,
			       json_pack("{s:I, s:I, s:I, s:f, s:s}", "single_runs",
					 (json_int_t)s.runs, "spread_pairs", (json_int_t)s.pairs,
					 "spread_within", (json_int_t)s.within, "spread_widest",
					 s.widest, "spread_function", s.name ? s.name : ""));
	return true;
}

static void set_figures(json_t *to)
{
	struct figures f;

	judge_figures(&judge, &f);
	json_object_update_new(to, json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "distance",
					     f.distance, "noise", f.noise, "net", f.net, "repeat",
					     f.repeat, "repeat_noise", f.repeat_noise, "repeat_net",
					     f.repeat_net, "truth_samples", f.truth_samples,
					     "samples", judge.shown_samples));
	json_object_update_new(
	    to, json_pack("{s:I, s:I, s:I, s:f, s:f}", "order_pairs", (json_int_t)f.pairs,
			  "order_wrong", (json_int_t)f.wrong, "large", (json_int_t)f.large,
			  "first_truth", f.first_truth, "first_shown", f.first_shown));
	if (judge.taken > 0)
		json_object_update_new(to,
				       json_pack("{s:f, s:f}", "truth_unplaced",
						 100 * judge.unplaced / judge.taken, "truth_kernel",
						 100 * judge.in_kernel / judge.taken));
	if (judge.has_errors)
		json_object_update_new(to, json_pack("{s:I, s:f, s:f}", "held", (json_int_t)f.held,
						     "bar_mean", f.width, "bar_widest", f.widest));
	json_object_set_new(to, "brackets", brackets_json());
	json_object_set_new(to, "functions", functions_json());
}

/* A label's value is a number if it looks like one. */
static void set_label(json_t *to, const char *label)
{
	const char *value = strchr(label, '=') + 1;
	char name[64], *end;
	double number = strtod(value, &end);

	snprintf(name, sizeof(name), "%.*s", (int)(value - 1 - label), label);
	json_object_set_new(to, name, *value && !*end ? json_real(number) : json_string(value));
}

static bool take_option(const char *option, const char *value)
{
	if (!strcmp(option, "--truth"))
		return judge_read_truth(&judge, value, -1);
	if (!strcmp(option, "--half"))
		return judge_read_truth(&judge, value, 0);
	if (!strcmp(option, "--other-half"))
		return judge_read_truth(&judge, value, 1);
	if (!strcmp(option, "--known"))
		return judge_read_known(&judge, value);
	if (!strcmp(option, "--shown"))
		return judge_read_shown(&judge, value);
	if (!strcmp(option, "--run")) {
		if (single_run_count == RUNS_MAX)
			return false;
		single_runs[single_run_count++] = value;
		return true;
	}
	if (!strcmp(option, "--samples")) {
		judge.shown_samples = strtod(value, NULL);
		return true;
	}
	fprintf(stderr, "judge: there is no option '%s'\n", option);
	return false;
}

static bool has_shares(const struct judge *j)
{
	double truth = 0, shown = 0;

	for (size_t i = 0; i < j->count; i++) {
		truth += j->functions[i].samples[0] + j->functions[i].samples[1];
		shown += j->functions[i].shown > 0 ? j->functions[i].shown : 0;
	}
	return truth > 0 && shown > 0;
}

static int do_cell(char **arguments)
{
	json_t *cell = json_object();

	for (; *arguments; arguments++) {
		if (strncmp(*arguments, "--", 2) != 0 && strchr(*arguments, '=')) {
			set_label(cell, *arguments);
		} else if (!arguments[1] || !take_option(arguments[0], arguments[1])) {
			fprintf(stderr, "judge: stopped at '%s'\n", *arguments);
			return 2;
		} else {
			arguments++;
		}
	}
	if (!has_shares(&judge)) {
		fprintf(stderr, "judge: none of the known functions is shown\n");
		return 2;
	}
	set_figures(cell);
	if (!set_spread(cell))
		return 2;
	json_dumpf(cell, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(cell);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && !strcmp(argv[1], "cell"))
		return do_cell(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "table"))
		return judge_table(argv[2], stdout) ? 0 : 2;
	if (argc == 3 && !strcmp(argv[1], "summary"))
		return judge_summary(argv[2], stdout) ? 0 : 2;
	if (argc == 3 && !strcmp(argv[1], "plot"))
		return judge_plot(argv[2], stdout) ? 0 : 2;
	fprintf(stderr, "usage: judge cell [LABEL=VALUE...] --half FILE --other-half FILE --shown "
			"FILE [--samples N]\n"
			"       judge table|summary|plot FILE\n");
	return 2;
}
