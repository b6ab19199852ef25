/* SPDX-License-Identifier: MIT */
/* command.c - how all subcommands begin and end. */
#include "report/core/command/command.h"

#include <errno.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/command/help_text.h"
#include "report/core/view/view.h"

int command_fail(int status, const struct str *message)
{
	say("%s", str_text(message));
	return status;
}

void command_warn(const struct str *warnings)
{
	for (const char *at = str_text(warnings); *at;) {
		int length = (int)strcspn(at, "\n");
		say("%.*s", length, at);
		at += length + (at[length] == '\n');
	}
}

int command_show(void (*show)(struct view *v), struct options *o, struct str *err)
{
	struct view v;
	if (!view_open(&v, o, err))
		return EXIT_FAILED;
	show(&v);
	int status = command_end();
	if (v.failed)
		status = EXIT_USAGE;
	view_close(&v);
	return status;
}

int command_run(const struct command *self, int argc, char **argv)
{
	struct options o = {.paths = argv + 1,
			    .path_count = (size_t)(argc - 1),
			    .width = -1,
			    .sums = self->sums,
			    .apart = self->apart,
			    .cpu_first = self->cpu_first};
	struct str err = {0};
	int status;
	if (self->own_size)
		o.own = memory_zeroed(1, self->own_size);
	if (self->options && !options_parse(&o, self->options, self->words, argc, argv, &err)) {
		str_add(&err, "; see 'zprof help %s'", self->name);
		status = EXIT_USAGE;
	} else if (o.help) {
		help_command(self);
		status = command_end();
	} else {
		status = self->run ? self->run(&o, &err) : command_show(self->show, &o, &err);
	}
	if (err.used)
		command_fail(status, &err);
	if (self->free_own)
		self->free_own(o.own);
	options_free(&o);
	str_free(&err);
	return status;
}

int command_end(void)
{
	if (terminal_close())
		return EXIT_OK;
	say("cannot write the output: %s", strerror(errno));
	return EXIT_FAILED;
}
