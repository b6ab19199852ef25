/* SPDX-License-Identifier: MIT */
/* notes_play.c - plays a row of notes.h: its words in turn, and what happens meanwhile. */
#include "tests/sample/notes.h"

#include "preload/sample/away.h"
#include "preload/sample/ring.h"
#include "preload/sample/waits.h"
#include "preload/track/charge.h"
#include "preload/recording/pause.h"
#include "tests/sample/notes_happens.h"
#include "tests/sample/notes_kernel.h"
#include "tests/sample/notes_thread.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#define WORDS  8
#define DURING 16
#define READS  100000 /* more than a look can have */

/* What happens when the library does something for the nth time in a look. */
struct during {
	enum kernel_point point;
	uint32_t n;
	char text[80];
};

static struct during during[DURING];
static uint32_t during_count, met[KERNEL_POINTS];
static uint64_t read_ticks; /* by a hook that has not looked yet; 0: there is none */
static bool inside;         /* a hook is going on */
static bool endless;        /* a look did not end */
static jmp_buf outside;     /* where a jump out of a handler leads */

static void play_words(const char *text);

static enum thread_zone zone_of(const char *word)
{
	enum thread_zone zone;

	for (zone = 0; zone < ZONES; zone++)
		if (!strcmp(word, thread_zones[zone]))
			return zone;
	notes_complain("no such zone", word);
}

void kernel_met(enum kernel_point point)
{
	uint32_t i;

	if (!inside)
		return;
	if (met[point]++ > READS) {
		endless = true;
		longjmp(outside, 1);
	}
	for (i = 0; i < during_count; i++)
		if (during[i].point == point && during[i].n == met[point]) {
			during[i].n = 0;
			play_words(during[i].text);
		}
}

/* ---- the library's doing */

static void meet(const char *text)
{
	static const char *const names[KERNEL_POINTS] = {"read",     "ticks", "clock", "cpu",
							 "switches", "queue", "open"};
	struct during *d = &during[during_count];
	char name[16];
	int rest = 0;

	if (during_count == DURING || sscanf(text, "during %15s %u: %n", name, &d->n, &rest) != 2 ||
	    !rest)
		notes_complain("no such moment", text);
	while (d->point < KERNEL_POINTS && strcmp(names[d->point], name))
		d->point++;
	if (d->point == KERNEL_POINTS)
		notes_complain("no such moment", text);
	snprintf(d->text, sizeof(d->text), "%s", text + rest);
	during_count++;
}

static uint64_t ticks_now(void)
{
	return thread.sampling.exact ? kernel.now_ns * KERNEL_TICKS_PER_NS : 0;
}

/* As a hook does it. A handler's looks at every event (charge.c). */
static void look(struct track *track, enum thread_zone zone)
{
	struct event e = {.ticks = read_ticks ? read_ticks : ticks_now()};

	read_ticks = track->level ? read_ticks : 0;
	track->top->node = thread_node(zone);
	if (track->level || *track_self.news != track_self.known)
		charge_look(track, &e);
	if (thread.sampling.exact && !track->level)
		charge_event(track, &e);
}

static void work(const char *how_long)
{
	happens((const char *[]){"runs", how_long, "", ""});
	charge_own(&track_self);
}

static void end(enum thread_zone zone)
{
	struct zprof_node *node = pause_in_force(&thread.process) ? NULL : thread_node(zone);

	notes_end(&thread.notes, &thread.process, node, zone == ZONE_ROOT);
}

static void play_zone(enum thread_zone zone, const char *verb, const char *more)
{
	struct zprof_node *node = thread_node(zone);

	if (!strcmp(verb, "looks"))
		look(&track_self, zone);
	else if (!strcmp(verb, "called"))
		thread.notes.comes_from = node;
	else if (!strcmp(verb, "reads"))
		read_ticks = ticks_now();
	else if (!strcmp(verb, "asks"))
		away_charge_queued(&thread.notes, &thread.process, node);
	else if (!strcmp(verb, "works"))
		work(more);
	else if (!strcmp(verb, "rests"))
		track_self.top->node = node, charge_look_now();
	else if (!strcmp(verb, "outlasts"))
		track_self.top->node = node, charge_look_ahead();
	else if (!strcmp(verb, "ends"))
		end(zone);
	else
		notes_complain("no such word", verb);
}

static void play_library(const char **words)
{
	const char *word = words[0];

	if (!strcmp(word, "handler"))
		look(&thread.handler, zone_of(words[1]));
	else if (!strcmp(word, "jumps"))
		longjmp(outside, 1);
	else if (!strcmp(word, "paused") || !strcmp(word, "resumed"))
		thread.process.pause->depth = *word == 'p';
	else if (!strcmp(word, "pause"))
		charge_overlook(&track_self);
	else if (!strcmp(word, "split"))
		notes_split(&thread.notes, thread_node(zone_of(words[1])), kernel.now_ns);
	else
		play_zone(zone_of(word), words[1], words[2]);
}

/* ---- words */

static void play_words(const char *text)
{
	const char *words[WORDS];
	char copy[80], *rest = copy, *word;
	bool began = !inside;
	int n = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	while (n < WORDS && (word = strsep(&rest, " ")))
		words[n++] = word;
	while (n < WORDS)
		words[n++] = "";
	if (happens(words))
		return;
	inside = true;
	if (!began) {
		play_library(words);
		return;
	}
	if (!setjmp(outside))
		play_library(words);
	inside = false;
	if (strcmp(words[1], "reads")) {
		for (n = 0; n < (int)during_count; n++)
			if (during[n].n)
				notes_complain("it did not come to that", during[n].text);
		memset(met, 0, sizeof(met));
		memset(during, 0, sizeof(during));
		during_count = 0;
	}
}

static void play_story(const char *story)
{
	char copy[1024], *rest = copy, *words;

	snprintf(copy, sizeof(copy), "%s", story);
	while ((words = strsep(&rest, ","))) {
		words += strspn(words, " ");
		if (!strncmp(words, "during ", 7))
			meet(words);
		else
			play_words(words);
	}
}

/* Time that is in no zone: of pauses, of parents, and of a look that a jump has ended. */
static bool leaves_out(const char *story)
{
	return strstr(story, "pause") || strstr(story, "forks") || strstr(story, "jumps") ||
	       strstr(story, "refused");
}

bool notes_play(const struct row *row, const char **why)
{
	static char text[8192];
	const char *charged, *unsound;
	bool knows = !strstr(row->story, "forbidden") && !strstr(row->story, "ends") &&
		     !strstr(row->setting, "timer");

	during_count = 0;
	memset(met, 0, sizeof(met));
	memset(during, 0, sizeof(during));
	read_ticks = 0;
	endless = false;
	happens_begin();
	if (inside)
		notes_complain("a hook of the row before is still going on", row->name);
	thread_begin(row->setting);
	if (!strstr(row->setting, "later"))
		thread_sample();
	play_story(row->story);
	charged = thread_charged(strstr(row->setting, "alive"));
	unsound = endless ? "a look did not end"
			  : thread_unsound(knows, knows && !leaves_out(row->story));
	snprintf(text, sizeof(text), "was: %s%s%s", charged, unsound ? "\n  and " : "",
		 unsound ? unsound : "");
	*why = text;
	if (thread.notes.ring.memory)
		ring_close(&thread.notes.ring);
	if (thread.notes.waits)
		waits_end(thread.notes.waits);
	return !strcmp(charged, row->charged) && !unsound;
}
