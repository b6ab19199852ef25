/* SPDX-License-Identifier: MIT */
/* record_push.c - `zprof record --push URL`: sends the profiles of a run when it has ended. */
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/fleet/push.h"
#include "report/record/after_run.h"
#include "report/record/record_flags.h"

extern const struct after_run push_after_run;

static bool check(const struct after_run *self, const struct record_flags *flags, struct str *err)
{
	struct receiver r;
	struct receiver_options to = {.url = after_run_value(&flags->after, self)};
	if (!receiver_open(&r, &to, err))
		return false;
	receiver_close(&r);
	return true;
}

static void *begin(const struct after_run *self, const struct record_flags *flags, struct str *err)
{
	struct push *p = memory_zeroed(1, sizeof *p);
	struct receiver_options to = {.url = after_run_value(&flags->after, self)};
	if (push_open(p, &to, err))
		return p;
	free(p);
	return NULL;
}

/* A receiver that is gone is no failure of the program: the status stays the program's. */
static bool show(void *kept, const struct after_recorded *run, struct str *err)
{
	struct push *p = kept;
	(void)err;
	for (size_t i = 0; i < run->count; i++)
		push_file(p, run->files[i], 0, true);
	push_say(p);
	return true;
}

static void end(void *kept)
{
	push_close(kept);
	free(kept);
}

static bool take(struct options *o, const char *value, struct str *err)
{
	(void)err;
	return after_run_give_value(o, &push_after_run, value);
}

static const struct option_spec options[] = {
    {0, "push", "URL", NULL, OPTION_TAKE(take),
     "when the program has ended, send its profiles to this receiver, as 'zprof push' does"},
    OPTIONS_END,
};

const struct after_run push_after_run = {
    .options = options, .check = check, .begin = begin, .show = show, .end = end};
