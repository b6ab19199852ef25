/* SPDX-License-Identifier: MIT */
/* source.c - see source.h. */
#define _GNU_SOURCE
#include "report/core/read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/core/read/owner.h"

/* All of stdin, in memory that can be read again and again; -1 with errno. */
static int stdin_copy(void)
{
	static int copy = -1;
	char block[1 << 16];
	if (copy >= 0)
		return fcntl(copy, F_DUPFD_CLOEXEC, 0);
	int fd = memfd_create("stdin", MFD_CLOEXEC);
	for (;;) {
		ssize_t got = read(STDIN_FILENO, block, sizeof block);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			copy = got < 0 ? -1 : fd;
			return copy < 0 ? -1 : fcntl(copy, F_DUPFD_CLOEXEC, 0);
		}
		for (ssize_t done = 0, put; done < got; done += put)
			if ((put = write(fd, block + done, (size_t)(got - done))) < 0)
				return -1;
	}
}

bool source_open(struct source *from, const char *path, bool anyone, struct str *err)
{
	struct stat st;
	bool is_stdin = !strcmp(path, "-");
	*from = (struct source){
	    is_stdin ? stdin_copy() : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), NULL, 0};
	if (from->fd < 0)
		return str_fail(err, "cannot open '%s': %s", path, strerror(errno));
	if (fstat(from->fd, &st) || !S_ISREG(st.st_mode)) {
		close(from->fd);
		return str_fail(err, "cannot read '%s': it is not a regular file", path);
	}
	if (!is_stdin && !owner_check(&st, anyone, path, err)) {
		close(from->fd);
		return false;
	}
	from->size = (uint64_t)st.st_size;
	errno = 0;
	return true;
}

void source_close(struct source *from)
{
	close(from->fd);
}

bool source_read(const struct source *from, uint64_t offset, void *to, size_t n)
{
	if (offset > from->size || n > from->size - offset)
		return false;
	if (from->bytes) {
		memcpy(to, from->bytes + offset, n);
		return true;
	}
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(from->fd, (char *)to + done, n - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}
