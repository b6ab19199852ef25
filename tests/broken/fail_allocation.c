/* SPDX-License-Identifier: MIT */
/*
 * fail_allocation.c - a library, preloaded, in which one allocation fails.
 *
 * FAIL_ALLOCATION=N: the call number N of malloc, calloc and realloc, of all threads, returns NULL.
 * Without N none does. Where FAIL_ALLOCATION_COUNT names a file, the number of calls is written
 * there at the end of the process. Calls that libdw and libelf make, or other libraries on their
 * behalf, do not count: these two end the process with a message of their own, or assert.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, by the names under which it exports them. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);

static long calls, fails = -1;
static __thread int inside;

enum { DEPTH = 12 };

/* Whether one of the innermost callers, before the program itself, is one of the two. */
static int is_excepted(void)
{
	void *at[DEPTH];
	int i, n = backtrace(at, DEPTH);
	Dl_info info;

	for (i = 0; i < n && dladdr(at[i], &info) && strstr(info.dli_fname, ".so"); i++)
		if (strstr(info.dli_fname, "libdw") || strstr(info.dli_fname, "libelf"))
			return 1;
	return 0;
}

static int fail(void)
{
	const char *n;
	int excepted;

	if (inside)
		return 0;
	inside = 1;
	excepted = is_excepted();
	inside = 0;
	if (excepted)
		return 0;
	if (fails < 0) {
		n = getenv("FAIL_ALLOCATION");
		fails = n ? strtol(n, NULL, 10) : 0;
	}
	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != fails)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t bytes)
{
	return fail() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return fail() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *p, size_t bytes)
{
	return fail() ? NULL : __libc_realloc(p, bytes);
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("FAIL_ALLOCATION_COUNT");
	char text[24];
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;

	if (fd < 0)
		return;
	if (write(fd, text, (size_t)snprintf(text, sizeof(text), "%ld\n", calls)) < 0)
		perror(path);
	close(fd);
}
