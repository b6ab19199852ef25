/* SPDX-License-Identifier: MIT */
/*
 * bench_json.c - a run as JSON, schema zprof-bench/1, written and read.
 *
 *     {"schema", "machine", "rounds", "slices", "pairs",
 *      "cells": [{"workload", "variant", "pairs", "min_slice_ns", "median_slice_ns",
 *                 "added_min_ns", "added_median_ns", "times", "over_floor"} or
 *                {"workload", "variant", "missing": WHY}],
 *      "verdicts": [{"what", "figure", "limit", "met"}]}
 *
 * Derived figures are there for other readers; only the slices' times are read back.
 */
#include "tests/bench/bench.h"

#include <jansson.h>
#include <string.h>

enum { VERDICTS_MAX = 64 };

static json_t *cell_json(const struct bench *b, int w, int v)
{
	const struct cell *c = &b->cells[w][v];
	double first, second;
	json_t *to =
	    json_pack("{s:s, s:s}", "workload", workloads[w].name, "variant", variants[v].name);

	if (!c->runs) {
		json_object_set_new(to, "missing", json_string(*c->why ? c->why : "not run"));
		return to;
	}
	if (c->pairs)
		json_object_set_new(to, "pairs", json_integer((json_int_t)c->pairs));
	json_object_set_new(to, "runs", json_integer(c->runs));
	json_object_set_new(to, "min_slice_ns", json_real(c->min_ns));
	json_object_set_new(to, "median_slice_ns", json_real(c->median_ns));
	if (bench_added(b, w, v, &first, &second)) {
		json_object_set_new(to, "added_min_ns", json_real(first));
		json_object_set_new(to, "added_median_ns", json_real(second));
	}
	if (variants[v].kind != VARIANT_BASE && bench_times(b, w, v, &first))
		json_object_set_new(to, "times", json_real(first));
	if (bench_ratio(b, w, v, &first))
		json_object_set_new(to, "over_floor", json_real(first));
	return to;
}

bool bench_save(const struct bench *b, const char *path)
{
	struct verdict all[VERDICTS_MAX];
	size_t n = bench_verdicts(b, all, VERDICTS_MAX);
	json_t *cells = json_array(), *verdicts = json_array(), *whole;
	bool saved;

	for (size_t w = 0; w < workload_count; w++)
		for (size_t v = 0; v < variant_count; v++)
			if (b->cells[w][v].chosen)
				json_array_append_new(cells, cell_json(b, (int)w, (int)v));
	for (size_t i = 0; i < n; i++)
		json_array_append_new(verdicts,
				      all[i].measured
					  ? json_pack("{s:s, s:f, s:f, s:b}", "what", all[i].what,
						      "figure", all[i].figure, "limit",
						      all[i].limit, "met", all[i].met)
					  : json_pack("{s:s, s:n}", "what", all[i].what, "figure"));
	whole = json_pack("{s:s, s:s, s:i, s:i, s:I, s:o, s:o}", "schema", "zprof-bench/1",
			  "machine", b->machine, "rounds", b->rounds, "slices", b->slices, "pairs",
			  (json_int_t)b->pairs, "cells", cells, "verdicts", verdicts);
	saved = whole && json_dump_file(whole, path, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0;
	if (!saved)
		fprintf(stderr, "bench: cannot write '%s'\n", path);
	json_decref(whole);
	return saved;
}

static bool load_cell(struct bench *b, json_t *from)
{
	const char *workload, *variant, *why = NULL;
	double min_ns = 0, median_ns = 0;
	json_int_t pairs = 0, runs = 0;
	struct cell *c;
	int w, v;

	if (json_unpack(from, "{s:s, s:s, s?s, s?I, s?I, s?F, s?F}", "workload", &workload,
			"variant", &variant, "missing", &why, "pairs", &pairs, "runs", &runs,
			"min_slice_ns", &min_ns, "median_slice_ns", &median_ns))
		return false;
	w = bench_workload(workload);
	v = bench_variant(variant);
	if (w < 0 || v < 0)
		return true; /* an older version's name: not shown */
	c = &b->cells[w][v];
	c->chosen = true;
	c->pairs = (uint64_t)pairs;
	c->runs = (unsigned)runs;
	c->min_ns = min_ns;
	c->median_ns = median_ns;
	if (why)
		snprintf(c->why, sizeof(c->why), "%s", why);
	return true;
}

bool bench_load(struct bench *b, const char *path)
{
	json_error_t error;
	json_t *whole = json_load_file(path, 0, &error), *cells, *cell;
	const char *schema = "", *machine = "";
	json_int_t pairs;
	int rounds, slices;
	size_t i;
	bool good;

	if (!whole) {
		fprintf(stderr, "bench: cannot read '%s': %s\n", path, error.text);
		return false;
	}
	good = !json_unpack(whole, "{s:s, s:s, s:i, s:i, s:I, s:o}", "schema", &schema, "machine",
			    &machine, "rounds", &rounds, "slices", &slices, "pairs", &pairs,
			    "cells", &cells) &&
	       !strcmp(schema, "zprof-bench/1");
	if (good) {
		snprintf(b->machine, sizeof(b->machine), "%s", machine);
		b->rounds = (unsigned)rounds;
		b->slices = (unsigned)slices;
		b->pairs = (unsigned long)pairs;
		json_array_foreach(cells, i, cell) good = good && load_cell(b, cell);
	}
	if (!good)
		fprintf(stderr, "bench: '%s' is not a run of this benchmark\n", path);
	json_decref(whole);
	return good;
}
