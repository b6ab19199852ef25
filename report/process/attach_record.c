/* SPDX-License-Identifier: MIT */
/* attach_record.c - see attach_record.h. */
#include "report/process/attach_record.h"

#include <limits.h>
#include <unistd.h>

#include "report/core/base/say.h"

/* Adds a value to the options. As in ZPROF_OPTIONS, a comma ends a value, so one inside is
 * escaped. */
static void add_value(struct str *options, const char *value)
{
	for (; *value; value++)
		str_add(options, *value == ',' ? "\\%c" : "%c", *value);
}

/* Composes the options of the recording. The process itself makes the profile: in our folder,
 * unless that is another user's, or the process knows that folder by another name. */
static void compose(const struct attach_wish *w, const struct running *r, struct str *options)
{
	char folder[PATH_MAX];
	const char *output = w->output ? w->output : "zprof.out.%p";
	str_add(options, "output=");
	if (*output != '/' && r->same_user && r->same_files && getcwd(folder, sizeof folder)) {
		add_value(options, folder);
		str_add(options, "/");
	}
	add_value(options, output);
	if (w->only) {
		str_add(options, ",only=");
		add_value(options, w->only);
	}
}

static bool may_begin(struct running *r, const struct attach_wish *w, struct str *err)
{
	enum process_state state;
	if (!running_state(r, &state, err))
		return false;
	if (state == PROCESS_RECORDING && !running_is_paused(r))
		return str_fail(err,
				"process %d is being recorded already; 'zprof detach %d' ends it",
				(int)r->pid, (int)r->pid);
	if (state != PROCESS_UNBEGUN && (w->only || w->output))
		return str_fail(
		    err,
		    "process %d has begun a profile, and its next recording goes there: "
		    "%s cannot be changed",
		    (int)r->pid, w->only ? "--only" : "--output");
	return true;
}

bool attach_record_begin(struct running *r, const struct attach_wish *w, struct str *profile,
			 struct str *err)
{
	struct str options = {0};
	bool ok = may_begin(r, w, err);
	r->reach.stops = w->stopped;
	r->patience_s = w->patience_s;
	if (ok) {
		compose(w, r, &options);
		ok = attach_request(r, REQUEST_BEGIN, str_text(&options), profile, err);
	}
	str_free(&options);
	return ok;
}

bool attach_record_end(struct running *r, double seconds, struct str *err)
{
	struct str profile = {0};
	attach_sleep(r, seconds);
	bool ok = attach_request(r, REQUEST_END, "", &profile, err),
	     gone = !ok && attach_has_gone(r);
	if (gone) {
		say("process %d has ended; it was recorded until then", (int)r->pid);
		str_clear(err);
	}
	bool later = !ok && !gone && r->patience_s > 0 && !ask_is_taken_on(r);
	if (later) {
		say("process %d calls no function; its recording ends at its next call",
		    (int)r->pid);
		str_clear(err);
	}
	str_free(&profile);
	return ok || gone || later;
}
