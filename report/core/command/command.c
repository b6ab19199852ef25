/* SPDX-License-Identifier: MIT */
/* command.c - how all subcommands begin and end. */
#include "report/core/command/command.h"

#include <errno.h>
#include <string.h>

#include "report/core/command/help_text.h"
#include "report/core/base/say.h"
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

int command_options(const struct command *self, struct options *o, int argc, char **argv)
{
	struct str err = {0};
	bool help = false;
	int status = -1;
	if (!options_parse(o, self->options, argc, argv, &help, &err)) {
		str_add(&err, "; see 'zprof help %s'", self->name);
		status = command_fail(EXIT_USAGE, &err);
	} else if (help) {
		help_command(self);
		status = command_end();
	}
	if (status >= 0)
		options_free(o);
	str_free(&err);
	return status;
}

int command_view(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct view v;
	struct str err = {0};
	int status = command_options(self, &o, argc, argv);
	if (status >= 0)
		return status;
	if (view_open(&v, &o, &err)) {
		self->show(&v);
		status = command_end();
		if (v.failed)
			status = EXIT_USAGE;
		view_close(&v);
	} else {
		status = command_fail(EXIT_FAILED, &err);
	}
	options_free(&o);
	str_free(&err);
	return status;
}

int command_run(const struct command *self, int argc, char **argv)
{
	return self->run ? self->run(argc, argv) : command_view(self, argc, argv);
}

int command_write(const struct command *self, int argc, char **argv,
		  int (*write)(struct options *o, struct str *err))
{
	struct options o;
	struct str err = {0};
	int status = command_options(self, &o, argc, argv);
	if (status >= 0)
		return status;
	status = write(&o, &err);
	if (err.used)
		command_fail(status, &err);
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
