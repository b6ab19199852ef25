/* SPDX-License-Identifier: MIT */
/*
 * cmd_frames.c - `zprof frames`: turns of a main loop, requests and single calls: how long they
 * take, and why one of them was slow.
 */
#include <stdio.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/core/command/command.h"
#include "report/frames/frame_options.h"
#include "report/frames/frames.h"
#include "report/core/read/recordings.h"
#include "report/frames/frames_view.h"

struct frames_options {
	bool tails;
};

static bool tails_alone(const struct view *v)
{
	return ((const struct frames_options *)v->options->own)->tails;
}

/* Shows one frame; false with a message. */
static bool show_frame(const struct frames_view *w, struct str *err)
{
	FILE *to = w->v->terminal.out;
	const struct profile_frame *frame =
	    frame_pick_find(w->f, w->p, w->zones, &w->asked->pick, err);
	if (!frame)
		return false;
	if (w->v->options->json)
		view_json_member(to, "frame", frames_json_frame(w, frame));
	else
		frame_view_print(w, frame);
	return true;
}

static bool kind_is_asked_for(const struct frames_view *w, size_t kind)
{
	const char *name = w->asked->pick.kind;
	return w->f->kinds[kind].fixed.count &&
	       (!name || frames_is_kind(w->f, w->p, kind, w->zones, name));
}

static void show_kinds(const struct frames_view *w)
{
	FILE *to = w->v->terminal.out;
	bool first = true, json = w->v->options->json;
	if (json)
		view_json_array(to, "kinds");
	for (size_t i = 0; i < w->f->kind_count; i++) {
		if (tails_alone(w->v) || !kind_is_asked_for(w, i))
			continue;
		if (json) {
			view_json_item(to, &first, frames_json_kind(w, i));
			continue;
		}
		if (!first)
			fputc('\n', to);
		first = false;
		frames_view_kind(w, i);
	}
	if (json) {
		view_json_array_end(to);
		view_json_member(to, "tails", frames_json_tails(w));
	} else if (w->f->tail_count && !w->asked->pick.kind) {
		if (!first)
			fputc('\n', to);
		frame_view_tails(w);
	}
}

/* Whether the profile has frames, or single calls, of the wanted kind; else a message. */
static bool check(const struct frames_view *w, struct str *err)
{
	if (tails_alone(w->v))
		return w->f->tail_count || frames_say_none(w->p, w->zones->zones, true, err);
	for (size_t i = 0; i < w->f->kind_count; i++)
		if (kind_is_asked_for(w, i))
			return true;
	if (w->asked->pick.kind && w->f->kind_count)
		return str_fail(err, "'%s' has no frames of kind '%s'", w->p->path,
				w->asked->pick.kind);
	return w->f->tail_count || frames_say_none(w->p, w->zones->zones, false, err);
}

static bool show_profile(struct view *v, const struct profile *p, struct str *err)
{
	struct profile_frames f;
	struct zones_of_profile zones;
	if (!profile_frames_load(&f, p, v->options->force, err))
		return false;
	zones_of_profile_init(&zones, &v->load.zones, p);
	const struct frame_options *asked = frame_options(v->options);
	struct frames_view w = {v, p, &f, &zones, asked, v->fake};
	bool ok = check(&w, err);
	if (ok && frame_pick_is_set(&asked->pick))
		ok = show_frame(&w, err);
	else if (ok)
		show_kinds(&w);
	zones_of_profile_free(&zones);
	profile_frames_free(&f);
	return ok;
}

static void show(struct view *v)
{
	struct derived d;
	struct str err = {0};
	struct profile p;
	derive(&d, v->tree, v->load.zones.count);
	if (v->load.process_count > 1)
		str_fail(&err, "frames are of one profile, and there are %zu: name one",
			 v->load.process_count);
	else if (profile_load(&p, v->load.processes[0].path, v->options->force, &err)) {
		if (v->load.processes[0].recording)
			recordings_keep(&p, v->load.processes[0].recording);
		if (v->options->json)
			view_json_begin(v, &d);
		else if (!frame_pick_is_set(&frame_options(v->options)->pick))
			view_print_head(v, &d);
		show_profile(v, &p, &err);
		if (v->options->json) {
			view_json_threads(v);
			view_json_end(v->terminal.out);
		}
		profile_free(&p);
	}
	v->failed = err.used;
	if (err.used)
		say("%s", err.text);
	str_free(&err);
	derive_free(&d);
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_limit),
    OPTIONS_OF(options_recording),
    OPTIONS_OF(frame_options_beside),
    {0, "tails", NULL, NULL, OPTION_OWN_FLAG(frames_options, tails),
     "only single calls (record --tails): percentiles, and the longest of each context"},
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_json),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_frames = {
    .name = "frames",
    .options = options,
    .own_size = sizeof(struct frames_options),
    .show = show,
};
