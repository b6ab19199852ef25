/* SPDX-License-Identifier: MIT */
/* terminal.c - see terminal.h. A process has one pager, so its state is static here. */
#define _GNU_SOURCE
#include "report/core/base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager = -1;

static int terminal_width(void)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	if (columns && atoi(columns) > 0)
		return atoi(columns);
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

static bool wants_color(enum terminal_color color, bool is_terminal)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	if (color != TERMINAL_AUTO)
		return color == TERMINAL_ALWAYS;
	return is_terminal && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

static const char *pager_command(void)
{
	const char *own = getenv("ZPROF_PAGER"), *any = getenv("PAGER");
	const char *command = own ? own : any ? any : "less";
	return !*command || !strcmp(command, "cat") ? NULL : command;
}

/* Makes stdout a pipe into the pager. If that fails, output goes to the terminal directly. */
static void start_pager(const char *command)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return;
	fflush(stdout);
	pager = fork();
	if (pager == 0) {
		dup2(ends[0], STDIN_FILENO);
		setenv("LESS", "FRSX", 0);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pager > 0)
		dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
}

void terminal_open(struct terminal *t, enum terminal_color color, int width, bool use_pager)
{
	bool is_terminal = isatty(STDOUT_FILENO);
	signal(SIGPIPE, SIG_IGN);
	t->out = stdout;
	t->color = wants_color(color, is_terminal);
	t->width = width >= 0 ? width : is_terminal ? terminal_width() : 0;
	const char *command = pager_command();
	/* Without a keyboard, the user could not leave the pager. */
	if (use_pager && is_terminal && isatty(STDIN_FILENO) && command)
		start_pager(command);
}

bool terminal_close(void)
{
	bool ok = (!fflush(stdout) && !ferror(stdout)) || errno == EPIPE;
	int why = errno;
	if (pager > 0) {
		fclose(stdout);
		while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	errno = why;
	return ok;
}
