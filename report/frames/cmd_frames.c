/* SPDX-License-Identifier: MIT */
/*
 * cmd_frames.c - `zprof frames`: turns of a main loop, requests and single calls: how long they
 * take, and why one of them was slow.
 */
#include <stdio.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/core/command/command.h"
#include "report/frames/frames.h"
#include "report/core/read/recordings.h"
#include "report/frames/frames_view.h"

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
		if (w->asked->tails || !kind_is_asked_for(w, i))
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
	if (w->asked->tails)
		return w->f->tail_count || frames_say_none(w->p, true, err);
	for (size_t i = 0; i < w->f->kind_count; i++)
		if (kind_is_asked_for(w, i))
			return true;
	if (w->asked->pick.kind && w->f->kind_count)
		return str_fail(err, "'%s' has no frames of kind '%s'", w->p->path,
				w->asked->pick.kind);
	return w->f->tail_count || frames_say_none(w->p, false, err);
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

const struct command cmd_frames = {
    .name = "frames",
    .synopsis = "[OPTION...] [FILE]",
    .summary = "turns and requests: how long they take, and the slowest",
    .options = OPTIONS_INPUT | OPTIONS_TEXT | OPTIONS_FRAMES,
    .text =
	"A frame is one turn of a program's main loop, or one request: what lies between two calls "
	"of zprof_frame() in a thread, or a call of a function that 'zprof record "
	"--frame=FUNCTION' names. For each kind of frame this prints how long frames take (their "
	"wall time, by the clock), and what each function takes in a frame: the mean; percentiles "
	"over all frames, where those in which it did not run count as 0; and 'lately', an average "
	"in which a frame's weight halves every half second.\n\n"
	"The slowest 8 frames of each kind are kept whole, however old they are. 'zprof record "
	"--history=full' also keeps the latest ones, as many as fit in --history-bytes: 64 bytes "
	"each, and 24 for each context that ran. With --history=self a frame takes 8 bytes for "
	"each function that ran, and has self times only, for the column of the latest frames.\n\n"
	"--frame and --slowest show one frame: what each function took in it, what it usually "
	"takes (in the median frame), and how much more it took this time, largest first; 'waited' "
	"is how long it waited, 'others' how long others had its processor. With the same options "
	"any view shows that frame: 'zprof graph --slowest 1', 'zprof html --frame 17'. With "
	"'--frame median' it shows what contexts take in the median frame, and 'zprof diff "
	"--slowest 1' compares the two.\n\n"
	"Under clock=exact times of functions are exact in each frame, hooks included. Under "
	"clock=count, the default, calls and waits are exact, and times on a processor come from "
	"samples, a thousand a second: a frame of less than a millisecond often has none. The wall time "
	"of a frame is right either way.\n\n"
	"'zprof record --tails=PATTERN' times each call of some functions: --tails shows for each "
	"context how long calls take, the longest, who called it, when, and in which frame. "
	"Percentiles are accurate to a fifth of their value, those of wall times to 3 %.",
    .examples = "why is one request slower than the others?\n"
		"    zprof record --frame=parse ./sim && zprof frames --slowest 1\n"
		"its call graph\n"
		"    zprof record --frame=parse ./sim && zprof graph --slowest 1\n"
		"how long single calls take, and the longest of them\n"
		"    zprof record --tails=cast_ray ./sim && zprof frames --tails",
    .show = show,
};
