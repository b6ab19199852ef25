/* SPDX-License-Identifier: MIT */
/*
 * check_frames.c - checks that what a profile has of frames agrees with itself.
 *
 *     check_frames [--exact] [--running] PROFILE
 *
 * Whatever the program was doing, and however it ended:
 *
 *   - a histogram holds as many frames as were counted, unless one was just being ended;
 *   - no value is less than the least or more than the most;
 *   - kept frames have numbers that were counted, each once, and their parts add up to their sum;
 *   - with --exact, that sum is the frame's wall time: each tick is in one context;
 *   - the slowest kept frame took as long as the longest counted, unless the program is still running
 *     and has had a slower one since.
 *
 * Prints what does not hold, and then how much it checked: `KINDS kinds, FRAMES frames, TAILS tails`.
 */
#include <stdio.h>
#include <string.h>

#include "report/frames/profile_frames.h"

static int wrong;
static bool exact, running;

static void must(bool holds, const char *what, uint64_t a, uint64_t b)
{
	if (holds)
		return;
	printf("%s: %llu, %llu\n", what, (unsigned long long)a, (unsigned long long)b);
	wrong = 1;
}

static uint64_t sum(const uint32_t *buckets, uint32_t count)
{
	uint64_t all = 0;
	for (uint32_t i = 0; i < count; i++)
		all += buckets[i];
	return all;
}

static void check_kind(const struct profile_frames *f, size_t kind)
{
	const struct profile_kind *k = &f->kinds[kind];
	const struct zprof_frames *x = &k->fixed;
	uint64_t slowest = 0;
	if (k->unsteady || !x->count)
		return;
	must(sum(x->walls, ZPROF_WALL_BUCKETS) == x->count, "frames in the histogram, counted",
	     sum(x->walls, ZPROF_WALL_BUCKETS), x->count);
	must(x->least <= x->wall && x->wall <= x->most, "latest frame, longest", x->wall, x->most);
	must(x->sum >= x->most && x->sum <= x->most * x->count, "sum, longest", x->sum, x->most);
	for (size_t i = 0; i < f->frame_count; i++)
		if (f->frames[i].kind == kind && f->frames[i].fixed.flags & ZPROF_FRAME_NODES &&
		    f->frames[i].fixed.wall > slowest && f->frames[i].fixed.number <= x->count)
			slowest = f->frames[i].fixed.wall;
	must(slowest == x->most || running, "slowest that was kept, longest", slowest, x->most);
}

static void check_value(const struct zprof_value *v, uint64_t frames)
{
	must(v->least <= v->now && v->now <= v->most, "a value in a frame, most", (uint64_t)v->now,
	     (uint64_t)v->most);
	must(v->sum <= v->most * (int64_t)frames, "sum of a value, most", (uint64_t)v->sum,
	     (uint64_t)v->most);
}

static void check_tally(const struct profile_frames *f, const struct profile_tally *t)
{
	const struct zprof_tally *x = &t->fixed;
	const struct profile_kind *k = &f->kinds[t->kind];
	if (k->unsteady || !x->frames)
		return;
	must(x->frames <= k->fixed.count && x->frame <= k->fixed.count, "frames of a node, of all",
	     x->frames, k->fixed.count);
	must(sum(x->selves, ZPROF_TALLY_BUCKETS) == x->frames, "self times, frames",
	     sum(x->selves, ZPROF_TALLY_BUCKETS), x->frames);
	must(sum(x->totals, ZPROF_TALLY_BUCKETS) == x->frames, "total times, frames",
	     sum(x->totals, ZPROF_TALLY_BUCKETS), x->frames);
	check_value(&x->calls, x->frames);
	check_value(&x->self, x->frames);
	check_value(&x->total, x->frames);
}

static void check_frame(const struct profile_frames *f, size_t i)
{
	const struct profile_frame *frame = &f->frames[i];
	int64_t ran = 0;
	if (i && f->frames[i - 1].kind == frame->kind)
		must(f->frames[i - 1].fixed.number < frame->fixed.number, "numbers of frames",
		     f->frames[i - 1].fixed.number, frame->fixed.number);
	if (!(frame->fixed.flags & ZPROF_FRAME_NODES))
		return;
	for (size_t n = 0; n < frame->count; n++)
		ran += f->nodes[frame->first + n].time;
	must(frame->count == frame->fixed.count, "contexts of a frame, found", frame->fixed.count,
	     frame->count);
	must(ran == frame->fixed.ran, "sum of a frame's parts, as noted", (uint64_t)ran,
	     (uint64_t)frame->fixed.ran);
	if (exact)
		must((uint64_t)ran == frame->fixed.wall, "sum of a frame's parts, wall time",
		     (uint64_t)ran, frame->fixed.wall);
}

static void check_tail(const struct zprof_tail *t)
{
	must(t->least <= t->most && t->sum <= t->most * t->calls, "calls' sum, longest", t->sum,
	     t->most);
}

int main(int argc, char **argv)
{
	struct profile p;
	struct profile_frames f;
	struct str err = {0};
	for (int i = 1; i < argc - 1; i++) {
		exact |= !strcmp(argv[i], "--exact");
		running |= !strcmp(argv[i], "--running");
	}
	if (argc < 2 || !profile_load(&p, argv[argc - 1], false, &err) ||
	    !profile_frames_load(&f, &p, false, &err)) {
		puts(str_text(&err));
		return 1;
	}
	for (size_t i = 0; i < f.kind_count; i++)
		check_kind(&f, i);
	for (size_t i = 0; i < f.tally_count; i++)
		check_tally(&f, &f.tallies[i]);
	for (size_t i = 0; i < f.frame_count; i++)
		check_frame(&f, i);
	for (size_t i = 0; i < f.tail_count; i++)
		check_tail(&f.tails[i].fixed);
	printf("%zu kinds, %zu frames, %zu tails\n", f.kind_count, f.frame_count, f.tail_count);
	profile_frames_free(&f);
	profile_free(&p);
	return wrong;
}
