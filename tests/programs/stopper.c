/* SPDX-License-Identifier: MIT */
/*
 * stopper.c - lets all threads of a process stand still over and over, until it ends, as zprof does
 * with --stopped (report/live/stopped.h).
 *
 *   stopper PID MICROSECONDS      between two times; prints how many there were
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/live/stopped.h"

int main(int argc, char **argv)
{
	pid_t pid = argc == 3 ? (pid_t)atoi(argv[1]) : 0;
	struct str err = {0};
	long times = 0;

	if (pid <= 0)
		return 2;
	for (;;) {
		struct stopped s = {0};

		str_clear(&err);
		if (!stopped_begin(&s, pid, &err))
			break;
		times++;
		stopped_end(&s);
		usleep((useconds_t)atoi(argv[2]));
	}
	printf("%ld times: %s\n", times, str_text(&err));
	str_free(&err);
	return 0;
}
