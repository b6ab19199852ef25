/* SPDX-License-Identifier: MIT */
/*
 * commands.c - see commands.h: one table of commands, in the order of the overview, one of the work
 * that features do after a run (record/after_run.h), and one of what they add to `zprof attach`
 * (process/attach_more.h).
 */
#include "report/commands.h"

#include <string.h>

#include "report/core/base/near.h"
#include "report/core/command/help_text.h"
#include "report/process/attach_more.h"
#include "report/record/after_run.h"

/* The names of commands; each is defined as cmd_NAME. */
#define COMMANDS(LINE)                                                                             \
	LINE(record)                                                                               \
	LINE(top)                                                                                  \
	LINE(view)                                                                                 \
	LINE(report)                                                                               \
	LINE(graph)                                                                                \
	LINE(annotate)                                                                             \
	LINE(groups)                                                                               \
	LINE(frames)                                                                               \
	LINE(html)                                                                                 \
	LINE(brief)                                                                                \
	LINE(diff)                                                                                 \
	LINE(merge)                                                                                \
	LINE(archive)                                                                              \
	LINE(ls)                                                                                   \
	LINE(rm)                                                                                   \
	LINE(info)                                                                                 \
	LINE(reset)                                                                                \
	LINE(snapshot)                                                                             \
	LINE(tune)                                                                                 \
	LINE(export)                                                                               \
	LINE(push)                                                                                 \
	LINE(mcp)                                                                                  \
	LINE(cflags)                                                                               \
	LINE(sleep)                                                                                \
	LINE(wake)                                                                                 \
	LINE(attach)                                                                               \
	LINE(detach)                                                                               \
	LINE(watch)                                                                                \
	LINE(unwatch)                                                                              \
	LINE(help)                                                                                 \
	LINE(resolve)                                                                              \
	LINE(plan)                                                                                 \
	LINE(manual)

/* Each is defined as NAME_after_run. */
#define AFTER_RUNS(LINE)                                                                           \
	LINE(any)                                                                                  \
	LINE(sampled)                                                                              \
	LINE(verify)                                                                               \
	LINE(native)                                                                               \
	LINE(push)

/* Each is defined as NAME_attach_more. */
#define ATTACH_MORES(LINE) LINE(push)

#define DECLARE_COMMAND(name) extern const struct command cmd_##name;
#define LIST_COMMAND(name)    &cmd_##name,
COMMANDS(DECLARE_COMMAND)

const struct command *const commands[] = {COMMANDS(LIST_COMMAND) NULL};

#define DECLARE_AFTER_RUN(name) extern const struct after_run name##_after_run;
#define LIST_AFTER_RUN(name)    &name##_after_run,
AFTER_RUNS(DECLARE_AFTER_RUN)

const struct after_run *const after_runs[] = {AFTER_RUNS(LIST_AFTER_RUN) NULL};

#define DECLARE_ATTACH_MORE(name) extern const struct attach_more name##_attach_more;
#define LIST_ATTACH_MORE(name)    &name##_attach_more,
ATTACH_MORES(DECLARE_ATTACH_MORE)

const struct attach_more *const attach_mores[] = {ATTACH_MORES(LIST_ATTACH_MORE) NULL};

const struct command *commands_find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

void commands_try_names(struct near *n)
{
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i]))
			near_try(n, commands[i]->name, commands[i]->name);
}
