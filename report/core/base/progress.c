/* SPDX-License-Identifier: MIT */
/* progress.c - see progress.h. A process has one terminal, so its state is static here. */
#include "report/core/base/progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/clock.h"

static struct {
	int64_t started_ms, shown_ms;
	bool shown, off;
} progress;

void progress_step(const char *what, size_t done, size_t all)
{
	if (!progress.started_ms)
		progress.started_ms = clock_ns(CLOCK_MONOTONIC) / 1000000;
	int64_t now = clock_ns(CLOCK_MONOTONIC) / 1000000;
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
