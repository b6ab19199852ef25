/* SPDX-License-Identifier: MIT */
/*
 * report.c - libFuzzer's entry: any bytes as a profile, all the way to the call graph, also of each frame
 * that they hold.
 *
 * What is read must obey the tree's invariants and the sums; what is refused must come with a
 * reason. Names are looked up in symbolize_none.c, so that no path out of a fuzzed file is ever
 * opened.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/tree/derive.h"
#include "report/core/select/filters.h"
#include "report/core/load/load.h"
#include "report/frames/frame_pick.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void hold(bool condition)
{
	if (!condition)
		abort();
}

static void check_tree(const struct tree *t, size_t zones)
{
	struct derived d;
	const char *wrong;
	hold(tree_check(t));
	derive(&d, t, zones);
	hold(derive_check(&d, t, &wrong));
	derive_free(&d);
}

/* Puts the way between every two zones into words. */
static void name_ways(const struct load *l)
{
	struct str text = {0};
	for (size_t i = 0; i < l->vias.count; i++) {
		const struct via_way *way = &l->vias.ways[i];
		struct via_names names;
		hold(via_names_of(&l->vias, &l->zones, way->caller, way->callee, &names));
		hold(names.count > 0);
		via_text(&text, &names, !way->caller, false);
		via_names_free(&names);
	}
	str_free(&text);
}

static void use_choices(const struct load *l, const struct groups *groups)
{
	struct str text = {0};
	for (size_t i = 0; i < l->choices.count; i++)
		choices_in_force(&l->choices, i, &text);
	for (uint32_t i = 0; i < l->zones.count; i++)
		choices_unwatched(&l->choices, groups, &l->zones, i);
	str_free(&text);
}

static void use(const struct profile *p)
{
	struct load l;
	struct tree spread;
	struct groups groups = {0};
	struct filters f = {.spread = true};
	load_init(&l, false);
	load_profile(&l, p);
	check_tree(&l.tree, l.zones.count);
	groups_add_lent(&groups, &l.zones);
	name_ways(&l);
	use_choices(&l, &groups);
	filters_tree(&spread, &l.tree, &f, &l.zones, &groups);
	check_tree(&spread, l.zones.count);
	tree_free(&spread);
	groups_free(&groups);
	load_free(&l);
}

/* ---- frames */

static void hold_between(double least, double value, double most)
{
	hold(isfinite(value) && value >= least && value <= most);
}

static void check_kind(const struct profile_frames *f, const struct profile *p, size_t kind,
		       struct zones_of_profile *zones)
{
	const struct profile_kind *k = &f->kinds[kind];
	hold(frames_kind_name(f, p, kind, zones) != NULL);
	hold(frames_is_kind(f, p, kind, zones, NULL));
	frames_tid(p, k);
	if (k->fixed.least <= k->fixed.most)
		hold_between(0, frames_wall_percentile(&k->fixed, 50), (double)k->fixed.most);
	for (int i = 0; i < ZPROF_AVERAGES; i++)
		hold(isfinite(frames_wall_average(&k->fixed, i)));
}

static void check_tally(const struct profile_frames *f, const struct profile *p,
			const struct profile_tally *t)
{
	const struct profile_kind *k = &f->kinds[t->kind];
	hold(t->node < p->node_count && t->kind < f->kind_count);
	hold(isfinite(frames_self_percentile(t, k, 99)) &&
	     isfinite(frames_total_percentile(t, k, 99.9)));
	hold(isfinite(frames_mean(&t->fixed.self, k)) &&
	     isfinite(frames_least(&t->fixed.self, t, k)));
	for (int i = 0; i < ZPROF_AVERAGES; i++)
		hold(isfinite(frames_average(&t->fixed.self, t, &k->fixed, i)));
}

static void check_frame(const struct profile_frames *f, const struct profile *p,
			const struct profile_frame *frame, struct zones_of_profile *zones)
{
	struct frame_zones of;
	bool nodes = frame->fixed.flags & ZPROF_FRAME_NODES;
	hold(frame->kind < f->kind_count);
	hold(frame->first + frame->count <= (nodes ? f->node_count : f->zone_count));
	for (size_t i = 0; i < frame->count; i++)
		hold(nodes ? f->nodes[frame->first + i].node < p->node_count
			   : f->zones[frame->first + i].tally < f->tally_count);
	hold(profile_frames_find(f, frame->kind, frame->fixed.number) == frame);
	if (!nodes)
		return;
	frames_zones_make(&of, f, p, frame, zones);
	for (size_t i = 0; i < of.count; i++)
		hold(isfinite(of.list[i].self) && isfinite(of.list[i].total));
	frames_zones_free(&of);
}

/* The profile of one frame is a profile like any other. */
static void use_frame(const uint8_t *bytes, size_t n, struct frame_pick pick)
{
	struct profile p;
	struct profile_frames f;
	struct str err = {0};
	hold(profile_parse(&p, "fuzzed", bytes, n, &err));
	profile_frames_parse(&f, &p, bytes, n);
	if (frame_pick_apply(&p, &f, &pick, &err))
		use(&p);
	else
		hold(err.used > 0);
	profile_frames_free(&f);
	profile_free(&p);
	str_free(&err);
}

static void use_frames(const struct profile *p, const uint8_t *bytes, size_t n)
{
	struct profile_frames f;
	struct zones zones;
	struct zones_of_profile of;
	profile_frames_parse(&f, p, bytes, n);
	zones_init(&zones);
	zones_of_profile_init(&of, &zones, p);
	for (size_t i = 0; i < f.kind_count; i++)
		check_kind(&f, p, i, &of);
	for (size_t i = 0; i < f.tally_count; i++)
		check_tally(&f, p, &f.tallies[i]);
	for (size_t i = 0; i < f.frame_count; i++)
		check_frame(&f, p, &f.frames[i], &of);
	for (size_t i = 0; i < f.tail_count; i++)
		hold(f.tails[i].node < p->node_count &&
		     (f.tails[i].kind == SIZE_MAX || f.tails[i].kind < f.kind_count));
	zones_of_profile_free(&of);
	zones_free(&zones);
	if (f.kind_count) {
		use_frame(bytes, n, (struct frame_pick){.slowest = 1});
		use_frame(bytes, n, (struct frame_pick){.slowest = 1, .median = true});
	}
	profile_frames_free(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct profile p;
	struct str err = {0};
	if (profile_parse(&p, "fuzzed", bytes, n, &err)) {
		use(&p);
		use_frames(&p, bytes, n);
		profile_free(&p);
	} else {
		hold(strstr(str_text(&err), "'fuzzed'") != NULL);
	}
	str_free(&err);
	return 0;
}
