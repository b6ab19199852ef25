/* SPDX-License-Identifier: MIT */
/* frames.c - see frames.h. */
#include "report/frames/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"
#include "report/core/base/near.h"
#include "report/core/base/option_text.h"
#include "report/core/names/name_forms.h"
#include "report/core/times/cost.h"

/* ---- kinds */

const char *frames_kind_name(const struct profile_frames *f, const struct profile *p, size_t kind,
			     struct zones_of_profile *zones)
{
	const struct zprof_frames *k = &f->kinds[kind].fixed;
	if (!(k->flags & ZPROF_FRAMES_FUNCTION))
		return k->name;
	for (size_t i = 0; i < f->tally_count; i++)
		if (f->tallies[i].kind == kind && f->tallies[i].fixed.zone == k->zone) {
			uint32_t zone = zones_number(zones, &p->nodes[f->tallies[i].node]);
			return zones->zones->list[zone].name;
		}
	return "";
}

/* The thread of a kind; NULL: the profile has none with that id. */
static const struct zprof_thread *thread_of(const struct profile *p, const struct profile_kind *k)
{
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].id == k->fixed.thread)
			return &p->threads[i];
	return NULL;
}

uint32_t frames_tid(const struct profile *p, const struct profile_kind *k)
{
	const struct zprof_thread *t = thread_of(p, k);
	return t ? t->tid : 0;
}

uint32_t frames_recording(const struct profile *p, const struct profile_kind *k)
{
	const struct zprof_thread *t = thread_of(p, k);
	return t && t->recording ? t->recording : 1;
}

double frames_ns(const struct profile *p, uint32_t flags)
{
	return flags & ZPROF_FRAMES_NS ? 1 : profile_ns_per_tick(&p->header);
}

int frames_slowest_first(const void *left, const void *right)
{
	const struct profile_frame *const *a = left, *const *b = right;
	return memory_order((*b)->slowness, (*a)->slowness)
		   ?: memory_order((*a)->fixed.number, (*b)->fixed.number);
}

bool frames_is_kind(const struct profile_frames *f, const struct profile *p, size_t kind,
		    struct zones_of_profile *zones, const char *asked)
{
	const char *name = frames_kind_name(f, p, kind, zones);
	if (!asked || !strcmp(asked, name))
		return true;
	struct str full = {0};
	str_add(&full, "%s@%u", name, frames_tid(p, &f->kinds[kind]));
	bool same = !strcmp(asked, full.text);
	str_free(&full);
	return same;
}

/* Names of functions in the profile that the words of PATTERNS may have meant. */
static void add_near(struct str *err, const char *patterns, const struct zones *zones)
{
	struct near near;
	near_init(&near, strpbrk(patterns, " /") ? "" : patterns);
	for (size_t i = 1; i < zones->count; i++)
		name_forms_near(&near, zones->list[i].name, zones->list[i].linkage);
	near_add(&near, err);
}

bool frames_say_none(const struct profile *p, const struct zones *zones, bool tails,
		     struct str *err)
{
	const char *what = tails ? "single calls" : "frames", *option = tails ? "tails" : "frame";
	if (p->header.flags & ZPROF_MERGED)
		return str_fail(err,
				"'%s' has no %s: a merged profile keeps only contexts; ask the "
				"profiles that it was merged from",
				p->path, what);
	char *asked = option_text(p->options, option);
	if (asked && *asked) {
		str_fail(err,
			 "'%s' has no %s: no function that ran matches the pattern it was recorded "
			 "with, %s=%s",
			 p->path, what, option, asked);
		add_near(err, asked, zones);
	} else if (tails) {
		str_fail(err,
			 "'%s' has no single calls: 'zprof record --tails=PATTERN' times "
			 "those of functions",
			 p->path);
	} else {
		str_fail(
		    err,
		    "'%s' has no frames: the program calls no zprof_frame(), and 'zprof record "
		    "--frame=FUNCTION' makes one of each call of a function",
		    p->path);
	}
	free(asked);
	return false;
}

/* ---- numbers */

double frames_percentile(const uint32_t *buckets, uint32_t bucket_count, uint32_t bits,
			 uint64_t count, double least, double most, double percent)
{
	uint64_t there = 0;
	for (uint32_t i = 0; i < bucket_count; i++)
		there += buckets[i];
	count = count > there ? count : there;
	double rank = ceil(percent / 100 * (double)count) - (double)(count - there);
	if (!count || rank <= 0)
		return 0;
	double before = 0;
	for (uint32_t i = 0; i < bucket_count; i++) {
		double end = before + buckets[i];
		if (end < rank) {
			before = end;
			continue;
		}
		if (!i) /* the first bucket does not tell its values apart; often all are 0 */
			return least;
		double low = (double)zprof_bucket_start(i, bits);
		double high = i + 1 < bucket_count ? (double)zprof_bucket_start(i + 1, bits) : most;
		double at = low + (high - low) * (rank - before - 0.5) / buckets[i];
		return fmin(fmax(at, least), most);
	}
	return most;
}

double frames_wall_percentile(const struct zprof_frames *k, double percent)
{
	return frames_percentile(k->walls, ZPROF_WALL_BUCKETS, ZPROF_WALL_BITS, k->count,
				 (double)k->least, (double)k->most, percent);
}

static double tally_percentile(const uint32_t *buckets, const struct zprof_value *v,
			       const struct profile_kind *k, double percent)
{
	return frames_percentile(buckets, ZPROF_TALLY_BUCKETS, ZPROF_TALLY_BITS, k->fixed.count,
				 fmax((double)v->least, 0), fmax((double)v->most, 0), percent);
}

double frames_self_percentile(const struct profile_tally *t, const struct profile_kind *k,
			      double percent)
{
	return tally_percentile(t->fixed.selves, &t->fixed.self, k, percent);
}

double frames_total_percentile(const struct profile_tally *t, const struct profile_kind *k,
			       double percent)
{
	return tally_percentile(t->fixed.totals, &t->fixed.total, k, percent);
}

/* The factor by which a moving average shrinks after ELAPSED. */
static double left(double elapsed, const struct zprof_frames *k, int which)
{
	return k->average_time[which] ? exp2(-elapsed / (double)k->average_time[which]) : 0;
}

/* A moving average: SUM, each value in it shrunk by its age, divided by the sum of the weights. */
static double average(int64_t sum, const struct zprof_frames *k, int which)
{
	return k->weight[which] ? (double)sum / (double)k->weight[which] : 0;
}

double frames_wall_average(const struct zprof_frames *k, int which)
{
	return average((int64_t)k->average[which], k, which);
}

double frames_average(const struct zprof_value *v, const struct profile_tally *t,
		      const struct zprof_frames *k, int which)
{
	double since = k->last > t->fixed.ended ? (double)(k->last - t->fixed.ended) : 0;
	return average(v->average[which], k, which) * left(since, k, which);
}

double frames_bar(const struct profile *p, uint32_t flags, double time)
{
	double period = (double)p->header.sample_period_ns;
	return flags & ZPROF_FRAMES_NS ? cost_bar(0, period * fmax(time, period)) : 0;
}

double frames_least(const struct zprof_value *v, const struct profile_tally *t,
		    const struct profile_kind *k)
{
	if (t->fixed.frames < k->fixed.count)
		return fmin((double)v->least, 0);
	return (double)v->least;
}

double frames_mean(const struct zprof_value *v, const struct profile_kind *k)
{
	return k->fixed.count ? (double)v->sum / (double)k->fixed.count : 0;
}

/* ---- what is usual */

void frames_usual_make(struct frames_usual *u, const struct profile_frames *f,
		       const struct profile *p, size_t kind)
{
	double median = frames_wall_percentile(&f->kinds[kind].fixed, 50);
	*u = (struct frames_usual){.f = f, .p = p, .kind = kind};
	u->in_slow = memory_zeroed(p->node_count, sizeof *u->in_slow);
	for (size_t i = 0; i < f->frame_count; i++) {
		const struct profile_frame *frame = &f->frames[i];
		if (frame->kind != kind || !(frame->fixed.flags & ZPROF_FRAME_NODES) ||
		    frame->slowness <= 2 * median)
			continue;
		u->slow++;
		for (size_t k = 0; k < frame->count; k++)
			u->in_slow[f->nodes[frame->first + k].node] +=
			    f->nodes[frame->first + k].calls;
	}
}

double frames_usual_calls(const struct frames_usual *u, const struct profile_tally *t)
{
	double frames = (double)u->f->kinds[u->kind].fixed.count - u->slow;
	double calls = (double)t->fixed.calls.sum;
	if (!(t->fixed.flags & ZPROF_TALLY_ZONE))
		calls -= (double)u->in_slow[t->node];
	else
		for (size_t i = 0; i < u->p->node_count; i++)
			if (u->p->nodes[i].zone == t->fixed.zone)
				calls -= (double)u->in_slow[i];
	return frames > 0 && calls > 0 ? calls / frames : 0;
}

void frames_usual_free(struct frames_usual *u)
{
	free(u->in_slow);
	*u = (struct frames_usual){0};
}

/* ---- the zones of a frame */

static int by_self(const void *left_zone, const void *right_zone)
{
	const struct frame_zone *a = left_zone, *b = right_zone;
	return memory_order(b->self, a->self) ?: memory_order(b->total, a->total);
}

struct making {
	struct frame_zones *z;
	uint32_t *place; /* by zone number: index + 1 in the list */
	size_t place_count;
	size_t *seen; /* by index in the list: the last entry whose time was counted, + 1 */
	size_t seen_room;
};

static struct frame_zone *zone_at(struct making *m, uint32_t zone)
{
	struct frame_zones *z = m->z;
	while (zone >= m->place_count)
		m->place = memory_room(m->place, m->place_count, &m->place_count, sizeof *m->place);
	if (!m->place[zone]) {
		m->seen = memory_room(m->seen, z->count, &m->seen_room, sizeof *m->seen);
		*memory_next(z->list, z->count, z->room) = (struct frame_zone){.zone = zone};
		m->place[zone] = (uint32_t)z->count;
	}
	return &z->list[m->place[zone] - 1];
}

void frames_zones_make(struct frame_zones *z, const struct profile_frames *f,
		       const struct profile *p, const struct profile_frame *frame,
		       struct zones_of_profile *zones)
{
	struct making m = {.z = z};
	*z = (struct frame_zones){0};
	for (size_t i = 0; i < frame->count; i++) {
		const struct profile_frame_node *n = &f->nodes[frame->first + i];
		struct frame_zone *own = zone_at(&m, zones_number(zones, &p->nodes[n->node]));
		own->calls += n->calls;
		own->self += (double)n->time;
		own->waited_ns += (double)n->waited_ns;
		own->preempted_ns += (double)n->preempted_ns;
		for (uint32_t at = n->node; at != PROFILE_NO_NODE && p->nodes[at].zone;
		     at = p->nodes[at].parent) {
			struct frame_zone *on = zone_at(&m, zones_number(zones, &p->nodes[at]));
			size_t *seen = &m.seen[on - z->list];
			if (*seen == i + 1)
				continue;
			*seen = i + 1;
			on->total += (double)n->time;
			on->total_waited_ns += (double)n->waited_ns;
		}
	}
	free(m.place);
	free(m.seen);
	memory_sort(z->list, z->count, by_self);
}

void frames_zones_free(struct frame_zones *z)
{
	free(z->list);
	*z = (struct frame_zones){0};
}
