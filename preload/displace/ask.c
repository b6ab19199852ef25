/* SPDX-License-Identifier: MIT */
/* ask.c - see ask.h. */
#include "preload/displace/ask.h"

#include "preload/base/sys.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <unistd.h>

#define PATHS_BYTES ((size_t)64 * 1024)

bool ask_begin(struct ask *a, const char *folder)
{
	const char **argument = a->arguments;

	a->count = 0;
	a->memory = sys_memory(PATHS_BYTES);
	if (!a->memory)
		return false;
	text_init(&a->paths, a->memory, PATHS_BYTES);
	*argument++ = "plan";
	*argument++ = "--paths";
	*argument++ = "--run";
	*argument++ = folder;
	*argument = NULL;
	return true;
}

bool ask_add(struct ask *a, const char *path, size_t bytes)
{
	const char **argument = a->arguments + (SPAWN_ARGUMENTS - ASK_MOST) + a->count;

	if (a->count == ASK_MOST || bytes + 2 > a->paths.room - a->paths.used)
		return false;
	*argument++ = a->memory + a->paths.used;
	*argument = NULL;
	text_bytes(&a->paths, path, bytes);
	text_char(&a->paths, 0);
	a->count++;
	return true;
}

void ask_end(struct ask *a)
{
	sys_memory_free(a->memory, PATHS_BYTES);
}

static long open_in(const char *folder, const char *name, int flags)
{
	char path[PATH_MAX];
	struct text t;

	text_init(&t, path, sizeof(path));
	text_add(&t, folder);
	text_add(&t, name);
	return t.cut ? -1 : sys4(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}

bool ask_may(const char *folder)
{
	long fd = open_in(folder, "/run", O_RDONLY);

	if (SYS_FAILED(fd))
		return false;
	sys1(SYS_close, fd);
	return true;
}

void ask_without(const char *folder, const char *path, const char *why)
{
	char line[PATH_MAX + 128];
	struct text t;
	long fd = open_in(folder, "/left", O_WRONLY | O_APPEND), at;

	if (SYS_FAILED(fd))
		return;
	at = sys3(SYS_lseek, fd, 0, 2);
	text_init(&t, line, sizeof(line));
	text_add(&t, why ? "functions of '" : "");
	text_add(&t, path);
	text_add(&t, why ? "' are not recorded: " : "");
	text_add(&t, why ? why : "");
	text_char(&t, '\n');
	if (!t.cut && at >= 0 && sys_file_may_have((uint64_t)at + t.used))
		sys3(SYS_write, fd, line, t.used);
	sys1(SYS_close, fd);
}
