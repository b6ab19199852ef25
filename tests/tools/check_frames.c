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
 *   - all frames are among the slowest until there are ZPROF_SLOWEST; after that, no other frame that
 *     was kept is slower than one of these, by its wall time without the time in which others had the
 *     processor, unless the program is still running.
 *
 * Prints what does not hold, and then how much it checked: `KINDS kinds, FRAMES frames, TAILS tails`.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/frames/profile_frames.h"

static int wrong, file;
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

/* How far off the slowness of FRAME may be as it was read: its entries have whole microseconds, and
 * the rate of the clock is known better at the end of the run. */
static double inexact(const struct profile_frame *frame, double ns_per_unit)
{
	double us = 1 + (double)frame->count / 2 + (double)frame->preempted_ns / 1000 / 100;
	return us * 1000 / ns_per_unit;
}

static const struct profile_frame *frame_of(const struct profile_frames *f, size_t kind,
					    uint32_t section)
{
	struct zprof_frame frame = {0};
	off_t at = (off_t)section * ZPROF_GRANULE + (off_t)sizeof(struct zprof_section);
	if (pread(file, &frame, sizeof frame, at) != sizeof frame)
		return NULL;
	return profile_frames_find(f, kind, frame.number);
}

static void check_slowest(const struct profile_frames *f, const struct profile *p, size_t kind)
{
	const struct zprof_frames *x = &f->kinds[kind].fixed;
	double ns = x->flags & ZPROF_FRAMES_NS ? 1 : profile_ns_per_tick(&p->header);
	double least = INFINITY;
	uint64_t count = 0;
	bool among[ZPROF_SLOWEST] = {0};
	for (int i = 0; i < ZPROF_SLOWEST; i++) {
		const struct profile_frame *frame =
		    x->slowest[i] ? frame_of(f, kind, x->slowest[i]) : NULL;
		if (!frame)
			continue;
		among[i] = true;
		count++;
		least = fmin(least, frame->slowness + inexact(frame, ns));
	}
	must(count == (x->count < ZPROF_SLOWEST ? x->count : ZPROF_SLOWEST), "slowest, frames",
	     count, x->count);
	for (size_t i = 0; i < f->frame_count; i++) {
		const struct profile_frame *frame = &f->frames[i];
		bool is_slowest = frame->kind != kind || !(frame->fixed.flags & ZPROF_FRAME_NODES);
		for (int k = 0; k < ZPROF_SLOWEST; k++)
			is_slowest |= among[k] && frame_of(f, kind, x->slowest[k]) == frame;
		must(is_slowest || frame->slowness - inexact(frame, ns) <= least,
		     "a frame that is slower than one of the slowest, by", frame->fixed.number,
		     (uint64_t)(frame->slowness - least));
	}
}

static void check_kind(const struct profile_frames *f, const struct profile *p, size_t kind)
{
	const struct profile_kind *k = &f->kinds[kind];
	const struct zprof_frames *x = &k->fixed;
	if (k->unsteady || !x->count)
		return;
	must(sum(x->walls, ZPROF_WALL_BUCKETS) == x->count, "frames in the histogram, counted",
	     sum(x->walls, ZPROF_WALL_BUCKETS), x->count);
	must(x->least <= x->wall && x->wall <= x->most, "latest frame, longest", x->wall, x->most);
	must(x->sum >= x->most && x->sum <= x->most * x->count, "sum, longest", x->sum, x->most);
	if (!running)
		check_slowest(f, p, kind);
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
	file = argc < 2 ? -1 : open(argv[argc - 1], O_RDONLY | O_CLOEXEC);
	if (file < 0 || !profile_load(&p, argv[argc - 1], false, &err) ||
	    !profile_frames_load(&f, &p, false, &err)) {
		puts(str_text(&err));
		return 1;
	}
	for (size_t i = 0; i < f.kind_count; i++)
		check_kind(&f, &p, i);
	for (size_t i = 0; i < f.tally_count; i++)
		check_tally(&f, &f.tallies[i]);
	for (size_t i = 0; i < f.frame_count; i++)
		check_frame(&f, i);
	for (size_t i = 0; i < f.tail_count; i++)
		check_tail(&f.tails[i].fixed);
	printf("%zu kinds, %zu frames, %zu tails\n", f.kind_count, f.frame_count, f.tail_count);
	profile_frames_free(&f);
	profile_free(&p);
	close(file);
	return wrong;
}
