/* SPDX-License-Identifier: MIT */
/* choose.c - see choose.h. */
#include "report/process/choose.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/clock.h"
#include "report/core/base/units.h"
#include "report/core/pattern/pattern.h"

bool choose_may(struct running *r, struct str *err)
{
	enum process_state state;
	if (!running_state(r, &state, err))
		return false;
	if (state == PROCESS_UNBEGUN)
		return str_fail(
		    err,
		    "process %d is not being recorded: 'zprof attach --only PATTERN %d' "
		    "begins with functions of your choice",
		    (int)r->pid, (int)r->pid);
	if (state == PROCESS_NOT_RECORDED || running_is_paused(r))
		return str_fail(
		    err,
		    "process %d is paused, with all hooks off: 'zprof attach %d' lets it "
		    "go on",
		    (int)r->pid, (int)r->pid);
	return true;
}

bool choose_add(struct str *patterns, const char *text, struct str *err)
{
	struct patterns list = {0};
	bool ok = *text ? pattern_list_add_prefixed(&list, text, err)
			: str_fail(err, "a pattern is empty");
	pattern_list_free(&list);
	if (!ok)
		return false;
	str_add(patterns, "%s", patterns->used ? " " : "");
	for (; *text; text++)
		str_add(patterns, "%c", *text == '\n' ? '?' : *text == ' ' ? '?' : *text);
	return true;
}

void choose_add_name(struct str *patterns, const char *name)
{
	str_add(patterns, "%s", patterns->used ? " " : "");
	for (; *name; name++)
		if (strchr("*?[]\\", *name))
			str_add(patterns, "\\%c", *name);
		else
			str_add(patterns, "%c", *name == ' ' ? '?' : *name);
}

void choose_describe(struct str *text, const struct running *r, enum request_what what,
		     const char *patterns)
{
	char functions[UNITS_TEXT], calls[UNITS_TEXT];
	bool watch = what == REQUEST_WATCH;
	if (!r->matched) {
		str_add(text, "no function of process %d matches '%s' so far", (int)r->pid,
			patterns);
		return;
	}
	str_add(text, "process %d: %s function%s %s %s", (int)r->pid,
		units_count(functions, r->matched), r->matched == 1 ? "" : "s",
		r->matched == 1 ? "is" : "are", watch ? "watched" : "unwatched");
	if (r->switched)
		str_add(text, ", %s of hooks switched %s", units_of(calls, r->switched, "call"),
			watch ? "on" : "off");
	else
		str_add(text, "; no hooks were switched (with -finstrument-functions they stay, "
			      "and return at once; without hooks, what --only left out as the "
			      "program started stays as it is)");
}

/* ---- a request while the caller does other things */

static void end(struct choose *c)
{
	running_close(&c->running);
	c->asked = false;
}

bool choose_ask(struct choose *c, const char *process, enum request_what what, const char *patterns,
		struct str *err)
{
	choose_free(c);
	str_add(&c->patterns, "%s", patterns);
	c->what = what;
	c->knocked = false;
	c->asked_ns = clock_ns(CLOCK_MONOTONIC);
	c->asked = running_open(&c->running, process, err) && choose_may(&c->running, err) &&
		   ask_for(&c->running, what, patterns, err);
	if (!c->asked)
		running_close(&c->running);
	return c->asked;
}

bool choose_over(struct choose *c, struct str *text)
{
	struct str profile = {0};
	bool answered = false;
	if (!ask_answered(&c->running, &answered, text)) {
		end(c);
		return true;
	}
	if (!answered) {
		if (!c->knocked && clock_ns(CLOCK_MONOTONIC) - c->asked_ns > ASK_KNOCK_NS) {
			c->knocked = true;
			if (!ask_is_taken_on(&c->running))
				ask_knock(&c->running, text);
			str_clear(text);
		}
		return false;
	}
	if (ask_answer(&c->running, &profile, text))
		choose_describe(text, &c->running, c->what, str_text(&c->patterns));
	str_free(&profile);
	end(c);
	return true;
}

void choose_free(struct choose *c)
{
	if (c->asked) {
		ask_withdraw(&c->running);
		end(c);
	}
	str_free(&c->patterns);
	c->patterns = (struct str){0};
}
