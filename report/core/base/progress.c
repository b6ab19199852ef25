/* SPDX-License-Identifier: MIT */
/* progress.c - see progress.h. A process has one terminal, so its state is static here. */
#include "report/core/base/progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	int64_t started_ms, shown_ms;
	bool shown, off;
} progress;

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_step(const char *what, size_t done, size_t all)
{
	if (!progress.started_ms)
		progress.started_ms = now_ms();
	int64_t now = now_ms();
	if (progress.off || now - progress.started_ms < 1000 || now - progress.shown_ms < 100 ||
	    !isatty(STDERR_FILENO))
		return;
	progress.shown_ms = now;
	progress.shown = true;
	fprintf(stderr, "\r\033[Kzprof: %s ... %zu", what, done);
	if (all)
		fprintf(stderr, " of %zu", all);
	fflush(stderr);
}

void progress_off(void)
{
	progress_end();
	progress.off = true;
}

void progress_end(void)
{
	if (progress.shown)
		fputs("\r\033[K", stderr);
	progress.shown = false;
}
