/* SPDX-License-Identifier: MIT */
/* tune_live.c - see tune_live.h. */
#include "report/advise/tune_live.h"

#include <stdio.h>

#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/process/attach_wait.h"
#include "report/process/choose.h"

struct sum {
	uint32_t functions, switched;
};

/* Makes one request, and empties PATTERNS for the next. */
static bool ask(struct running *r, struct str *patterns, struct sum *sum, struct str *err)
{
	struct str profile = {0};
	bool ok = !patterns->used ||
		  attach_request(r, REQUEST_UNWATCH, str_text(patterns), &profile, err);
	if (ok && patterns->used) {
		sum->functions += r->matched;
		sum->switched += r->switched;
	}
	str_free(&profile);
	str_clear(patterns);
	return ok;
}

static bool ask_all(struct running *r, const struct view *v, const struct leave_out *o,
		    struct sum *sum, struct str *err)
{
	struct str patterns = {0}, one = {0};
	bool ok = choose_may(r, err);
	for (size_t i = 0; ok && i < o->count; i++) {
		const struct zone *z = &v->load.zones.list[o->list[i].zone];
		if (z->kind || z->nameless || view_unwatched(v, o->list[i].zone))
			continue;
		str_clear(&one);
		choose_add_name(&one, z->name);
		if (patterns.used + one.used + 2 > REQUEST_TEXT_BYTES)
			ok = ask(r, &patterns, sum, err);
		if (one.used + 2 <= REQUEST_TEXT_BYTES)
			choose_add_name(&patterns, z->name);
	}
	ok = ok && ask(r, &patterns, sum, err);
	str_free(&patterns);
	str_free(&one);
	return ok;
}

bool tune_live(struct view *v, const struct leave_out *o, double run_ns, struct str *err)
{
	char pid[16], functions[UNITS_TEXT], hooks[UNITS_TEXT], run[UNITS_TEXT],
	    percent[UNITS_TEXT];
	struct running r;
	struct sum sum = {0};
	snprintf(pid, sizeof pid, "%u", v->load.processes[0].header.pid);
	attach_catch_interrupts();
	bool ok = running_open(&r, pid, err) && ask_all(&r, v, o, &sum, err);
	running_close(&r);
	if (!ok)
		return false;
	if (!sum.functions) {
		say("process %s: nothing more to unwatch", pid);
		return true;
	}
	say("process %s: %s function%s %s unwatched; the hooks of their calls took %s of %s so far, "
	    "%s %%%s",
	    pid, units_count(functions, sum.functions), sum.functions == 1 ? "" : "s",
	    sum.functions == 1 ? "is" : "are", view_time(v, hooks, o->gain_ns),
	    view_time(v, run, run_ns), units_percent(percent, o->gain_ns, run_ns),
	    sum.switched ? "" : "; no hooks were switched off, so part of that remains");
	return true;
}
