/* SPDX-License-Identifier: MIT */
/* agent_options.c - the options that the agent (agent.h) adds to `zprof attach`. */
#include "report/fleet/agent.h"
#include "report/fleet/push_options.h"
#include "report/process/attach_more.h"

extern const struct attach_more push_attach_more;

static struct agent_options *given(struct options *o)
{
	return attach_more_given(o, &push_attach_more);
}

static bool take_push(struct options *o, const char *value, struct str *err)
{
	(void)err;
	given(o)->receiver.url = value;
	return true;
}

static bool take_every(struct options *o, const char *value, struct str *err)
{
	given(o)->every_seconds = push_options_time(value);
	return given(o)->every_seconds > 0 ||
	       str_fail(err, "--every takes a time such as 10m or 1h");
}

static bool take_spool(struct options *o, const char *value, struct str *err)
{
	(void)err;
	given(o)->spool = value;
	return true;
}

static bool take_keep(struct options *o, const char *value, struct str *err)
{
	given(o)->keep = options_count("--keep: profiles", value, err);
	return given(o)->keep;
}

static const struct option_spec options[] = {
    {0, "push", "URL", "For a fleet", OPTION_TAKE(take_push),
     "send each recording to this receiver, as 'zprof push' does, of all processes that are named, "
     "one after the other"},
    {0, "every", "TIME", NULL, OPTION_TAKE(take_every),
     "do so again and again, about once in this time (10m, 1h), until SIGTERM or Ctrl-C"},
    {0, "spool", "FOLDER", NULL, OPTION_TAKE(take_spool),
     "keep profiles in this folder while the receiver is gone, and send them later"},
    {0, "keep", "N", NULL, OPTION_TAKE(take_keep),
     "keep at most the newest N profiles there; the default is 20"},
    OPTIONS_END,
};

const struct attach_more push_attach_more = {
    .options = options, .bytes = sizeof(struct agent_options), .run = agent_run};
