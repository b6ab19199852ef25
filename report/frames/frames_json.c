/* SPDX-License-Identifier: MIT */
/* frames_json.c - frames and single calls as JSON (frames_view.h). */
#include <stdlib.h>
#include <string.h>

#include "report/frames/frames_view.h"

static const struct {
	const char *name;
	double percent;
} points[] = {{"p50_ns", 50}, {"p90_ns", 90}, {"p99_ns", 99}, {"p999_ns", 99.9}};

#define POINTS (sizeof points / sizeof *points)

static void add_time(json_t *o, const char *name, double time, double ns)
{
	json_object_set_new(o, name, json_real(time * ns));
}

static void add_count(json_t *o, const char *name, uint64_t count)
{
	json_object_set_new(o, name, json_integer((json_int_t)count));
}

static double since_start(const struct frames_view *w, uint64_t clock, uint32_t flags)
{
	const struct zprof_header *h = &w->p->header;
	uint64_t start = flags & ZPROF_FRAMES_NS ? h->start_ns : h->start_ticks;
	return clock > start ? (double)(clock - start) : 0;
}

static json_t *wall_json(const struct frames_view *w, const struct zprof_frames *k)
{
	double ns = frames_ns(w->p, k->flags);
	json_t *o = json_object(), *averages = json_array(), *histogram = json_array();
	add_time(o, "mean_ns", k->count ? (double)k->sum / (double)k->count : 0, ns);
	add_time(o, "min_ns", (double)k->least, ns);
	for (size_t i = 0; i < POINTS; i++)
		add_time(o, points[i].name, frames_wall_percentile(k, points[i].percent), ns);
	add_time(o, "max_ns", (double)k->most, ns);
	for (int i = 0; i < ZPROF_AVERAGES; i++) {
		json_t *average = json_object();
		add_time(average, "half_life_ns", (double)k->average_time[i], ns);
		add_time(average, "ns", frames_wall_average(k, i), ns);
		json_array_append_new(averages, average);
	}
	for (uint32_t i = 0; i < ZPROF_WALL_BUCKETS; i++)
		if (k->walls[i]) {
			json_t *bucket = json_object();
			add_time(bucket, "from_ns",
				 i ? (double)zprof_bucket_start(i, ZPROF_WALL_BITS) : 0, ns);
			add_count(bucket, "frames", k->walls[i]);
			json_array_append_new(histogram, bucket);
		}
	json_object_set_new(o, "averages", averages);
	json_object_set_new(o, "histogram", histogram);
	return o;
}

static json_t *value_json(const struct frames_view *w, const struct profile_tally *t,
			  const struct profile_kind *k, const struct zprof_value *v,
			  double (*percentile)(const struct profile_tally *,
					       const struct profile_kind *, double))
{
	double ns = frames_ns(w->p, k->fixed.flags);
	json_t *o = json_object(), *averages = json_array();
	bool now = t->fixed.frame == k->fixed.count;
	add_time(o, "now_ns", now ? (double)v->now : 0, ns);
	add_time(o, "mean_ns", frames_mean(v, k), ns);
	add_time(o, "min_ns", frames_least(v, t, k), ns);
	for (size_t i = 0; i < POINTS; i++)
		add_time(o, points[i].name, percentile(t, k, points[i].percent), ns);
	add_time(o, "max_ns", (double)v->most, ns);
	for (int i = 0; i < ZPROF_AVERAGES; i++)
		json_array_append_new(averages, json_real(frames_average(v, t, &k->fixed, i) * ns));
	json_object_set_new(o, "averages_ns", averages);
	return o;
}

static json_t *calls_json(const struct profile_tally *t, const struct profile_kind *k)
{
	const struct zprof_value *v = &t->fixed.calls;
	json_t *o = json_object(), *averages = json_array();
	add_count(o, "now", t->fixed.frame == k->fixed.count ? (uint64_t)v->now : 0);
	json_object_set_new(o, "mean", json_real(frames_mean(v, k)));
	add_count(o, "min", (uint64_t)frames_least(v, t, k));
	add_count(o, "max", (uint64_t)v->most);
	for (int i = 0; i < ZPROF_AVERAGES; i++)
		json_array_append_new(averages, json_real(frames_average(v, t, &k->fixed, i)));
	json_object_set_new(o, "averages", averages);
	return o;
}

static json_t *zone_name(const struct frames_view *w, uint32_t node)
{
	uint32_t zone = zones_number(w->zones, &w->p->nodes[node]);
	return view_json_text(w->zones->zones->list[zone].name);
}

static json_t *tally_json(const struct frames_view *w, const struct profile_tally *t)
{
	const struct profile_kind *k = &w->f->kinds[t->kind];
	json_t *o = json_object();
	json_object_set_new(o, "name", zone_name(w, t->node));
	add_count(o, "frames", t->fixed.frames);
	json_object_set_new(o, "calls", calls_json(t, k));
	json_object_set_new(o, "self", value_json(w, t, k, &t->fixed.self, frames_self_percentile));
	json_object_set_new(o, "total",
			    value_json(w, t, k, &t->fixed.total, frames_total_percentile));
	return o;
}

/* The head of a frame: number and times, without its zones. */
static json_t *frame_head(const struct frames_view *w, const struct profile_frame *frame)
{
	uint32_t flags = w->f->kinds[frame->kind].fixed.flags;
	double ns = frames_ns(w->p, flags);
	json_t *o = json_object();
	add_count(o, "number", frame->fixed.number);
	add_time(o, "wall_ns", (double)frame->fixed.wall, ns);
	json_object_set_new(o, "preempted_ns",
			    frame->fixed.flags & ZPROF_FRAME_NODES
				? json_real((double)frame->preempted_ns)
				: json_null());
	add_time(o, "ranked_ns", frame->slowness, ns);
	add_time(o, "begun_ns", since_start(w, frame->fixed.begun, flags), ns);
	json_object_set_new(o, "whole", json_boolean(frame->fixed.flags & ZPROF_FRAME_NODES));
	return o;
}

json_t *frames_json_kind(const struct frames_view *w, size_t kind)
{
	const struct profile_kind *k = &w->f->kinds[kind];
	json_t *o = json_object(), *frames = json_array(), *zones = json_array();
	json_object_set_new(o, "name",
			    view_json_text(frames_kind_name(w->f, w->p, kind, w->zones)));
	json_object_set_new(o, "function", json_boolean(k->fixed.flags & ZPROF_FRAMES_FUNCTION));
	add_count(o, "tid", frames_tid(w->p, k));
	if (w->p->recording_count > 1)
		add_count(o, "recording", frames_recording(w->p, k));
	add_count(o, "frames", k->fixed.count);
	add_count(o, "discarded", k->fixed.discarded);
	add_time(o, "own_ns", (double)k->fixed.own, frames_ns(w->p, k->fixed.flags));
	json_object_set_new(o, "wall", wall_json(w, &k->fixed));
	for (size_t i = 0; i < w->f->frame_count; i++)
		if (w->f->frames[i].kind == kind)
			json_array_append_new(frames, frame_head(w, &w->f->frames[i]));
	for (size_t i = 0; i < w->f->tally_count; i++) {
		const struct profile_tally *t = &w->f->tallies[i];
		if (t->kind == kind && t->whole && t->fixed.frames && t->fixed.zone)
			json_array_append_new(zones, tally_json(w, t));
	}
	json_object_set_new(o, "kept", frames);
	json_object_set_new(o, "zones", zones);
	return o;
}

json_t *frames_json_frame(const struct frames_view *w, const struct profile_frame *frame)
{
	double ns = frames_ns(w->p, w->f->kinds[frame->kind].fixed.flags);
	json_t *o = frame_head(w, frame), *list = json_array();
	struct frame_zones zones;
	frames_zones_make(&zones, w->f, w->p, frame, w->zones);
	for (size_t i = 0; i < zones.count; i++) {
		const struct frame_zone *z = &zones.list[i];
		json_t *zone = json_object();
		json_object_set_new(zone, "name",
				    view_json_text(w->zones->zones->list[z->zone].name));
		add_count(zone, "calls", z->calls);
		add_time(zone, "self_ns", z->self, ns);
		add_time(zone, "total_ns", z->total, ns);
		json_object_set_new(zone, "waited_ns", json_real(z->waited_ns));
		json_object_set_new(zone, "preempted_ns", json_real(z->preempted_ns));
		json_array_append_new(list, zone);
	}
	json_object_set_new(o, "kind",
			    view_json_text(frames_kind_name(w->f, w->p, frame->kind, w->zones)));
	json_object_set_new(o, "zones", list);
	frames_zones_free(&zones);
	return o;
}

static json_t *callers_json(const struct frames_view *w, uint32_t node)
{
	json_t *list = json_array();
	uint32_t at = w->p->nodes[node].parent;
	for (; at != PROFILE_NO_NODE && w->p->nodes[at].parent != PROFILE_NO_NODE;
	     at = w->p->nodes[at].parent)
		json_array_append_new(list, zone_name(w, at));
	return list;
}

static json_t *tail_json(const struct frames_view *w, const struct profile_tail *t)
{
	const struct zprof_tail *x = &t->fixed;
	double ns = frames_ns(w->p, x->flags);
	json_t *o = json_object(), *longest = json_object();
	json_object_set_new(o, "name", zone_name(w, t->node));
	json_object_set_new(o, "callers", callers_json(w, t->node));
	add_count(o, "calls", x->calls);
	add_time(o, "mean_ns", (double)x->sum / (double)x->calls, ns);
	add_time(o, "min_ns", (double)x->least, ns);
	for (size_t i = 0; i < POINTS; i++)
		add_time(o, points[i].name,
			 frames_percentile(x->buckets, ZPROF_TALLY_BUCKETS, ZPROF_TALLY_BITS,
					   x->calls, (double)x->least, (double)x->most,
					   points[i].percent),
			 ns);
	add_time(o, "max_ns", (double)x->most, ns);
	add_time(longest, "begun_ns", since_start(w, x->begun, x->flags), ns);
	add_count(longest, "tid", x->tid);
	json_object_set_new(longest, "frame",
			    t->kind == SIZE_MAX ? json_null() : json_integer((json_int_t)x->frame));
	json_object_set_new(longest, "kind",
			    t->kind == SIZE_MAX
				? json_null()
				: view_json_text(frames_kind_name(w->f, w->p, t->kind, w->zones)));
	json_object_set_new(o, "longest", longest);
	return o;
}

json_t *frames_json_tails(const struct frames_view *w)
{
	json_t *list = json_array();
	for (size_t i = 0; i < w->f->tail_count; i++)
		json_array_append_new(list, tail_json(w, &w->f->tails[i]));
	return list;
}
