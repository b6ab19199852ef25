/* SPDX-License-Identifier: MIT */
/* counted.c - see counted.h. */
#define _GNU_SOURCE
#include "preload/sample/counted.h"

#include "preload/base/sys.h"

#include <fcntl.h>
#include <sys/resource.h>

void counted_switches(uint64_t *waits, uint64_t *preemptions)
{
	struct rusage usage = {.ru_nvcsw = 0};

	sys2(SYS_getrusage, RUSAGE_THREAD, &usage);
	*waits = (uint64_t)usage.ru_nvcsw;
	*preemptions = (uint64_t)usage.ru_nivcsw;
}

/* The file's line is "CPU_TIME RUN_DELAY TIMES". Both times are in ns. */
uint64_t counted_queue_ns(void)
{
	char text[64] = "";
	const char *c = text;
	uint64_t ns = 0;
	long fd = sys4(SYS_openat, AT_FDCWD, SYS_SELF "schedstat", O_RDONLY | O_CLOEXEC, 0);

	if (SYS_FAILED(fd))
		return 0;
	/*
	 * By pread, since the program may close fd just now and open another file: the position in
	 * that file then does not move.
	 */
	if (SYS_FAILED(sys4(SYS_pread64, fd, text, sizeof(text) - 1, 0)))
		*text = '\0';
	sys1(SYS_close, fd);
	while (*c && *c++ != ' ')
		;
	for (; *c >= '0' && *c <= '9'; c++)
		ns = 10 * ns + (uint64_t)(*c - '0');
	return ns;
}
