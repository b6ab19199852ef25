/* SPDX-License-Identifier: MIT */
/* head_waits.c - see head_lines.h: how long the program waited, and stood by. */
#include <string.h>

#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/cxx/short_name.h"
#include "report/core/view/head_lines.h"

#define WAITING_ZONES 3 /* named in the head, at most */

/* Finds the zones that wait most; gives how many of WAITING_ZONES do more than next to nothing. */
static size_t find_waiting(const struct derived *d, const struct function *most[])
{
	size_t count = 0;
	for (size_t i = 1; i < d->function_count; i++) {
		const struct function *f = &d->functions[i];
		size_t at = count;
		if (f->self.wait_ns <= HEAD_WORTH_A_LINE * d->whole.wait_ns)
			continue;
		while (at && most[at - 1]->self.wait_ns < f->self.wait_ns)
			at--;
		if (at == WAITING_ZONES)
			continue;
		count += count < WAITING_ZONES;
		memmove(&most[at + 1], &most[at], (count - at - 1) * sizeof *most);
		most[at] = f;
	}
	return count;
}

#define WAITING_NAME 40 /* columns of a name in the line on waiting */

/* Names zones that wait, and how long, behind BEFORE. */
static void add_waiting_zones(struct str *to, const struct view *v, const struct derived *d,
			      const char *before)
{
	char text[UNITS_TEXT];
	const struct function *most[WAITING_ZONES];
	size_t count = find_waiting(d, most);
	for (size_t i = 0; i < count; i++) {
		const char *name = v->load.zones.list[most[i]->zone].name;
		struct str shown = {0};
		if (v->options->full_names)
			str_add(&shown, "%s", name);
		else
			short_name_fit(&shown, name, NULL, WAITING_NAME);
		str_add(to, "%s%s", i ? ", " : before, i ? "" : count > 1 ? "most in " : "in ");
		visible_add(to, str_text(&shown));
		str_add(to, " %s", view_time(v, text, most[i]->self.wait_ns));
		str_free(&shown);
	}
}

static const char *all_threads(const struct view *v)
{
	return head_threads(v) > 1 ? " of all threads together" : "";
}

/* How much waiting there is beside the times shown, or among them, and where it is. */
static void add_waiting(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct cost *whole = &d->whole;
	if (!v->knows_waits ||
	    whole->wait_ns <= HEAD_WORTH_A_LINE * (whole->cpu_ns + whole->wait_ns))
		return;
	str_add(to, "Waiting: %s%s", view_time(v, text, whole->wait_ns), all_threads(v));
	bool lengthened = whole->lengthened_ns > HEAD_WORTH_A_LINE * whole->wait_ns;
	if (lengthened)
		str_add(to, "; hooks may have caused up to %s of it",
			view_time(v, text, whole->lengthened_ns));
	add_waiting_zones(to, v, d, lengthened ? "; " : ", ");
	str_add(to, v->measure == TIME_CPU ? " (see --time wait)\n" : "\n");
}

#define BUSY_MACHINE 0.1 /* of the time that passed for all threads */

/* How long the program was ready to run while others ran. */
static void add_preempted(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct cost *w = &d->whole;
	if (!v->knows_waits ||
	    w->preempted_ns <= BUSY_MACHINE * (w->cpu_ns + w->wait_ns + w->preempted_ns))
		return;
	str_add(to, "The machine was busy: threads had to stand by for %s, while others ran\n",
		view_time(v, text, w->preempted_ns));
}

void head_add_waits(struct str *to, const struct view *v, const struct derived *d)
{
	add_waiting(to, v, d);
	add_preempted(to, v, d);
}
