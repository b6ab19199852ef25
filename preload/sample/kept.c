/* SPDX-License-Identifier: MIT */
/* kept.c - see kept.h. */
#define _GNU_SOURCE
#include "preload/sample/kept.h"

#include "preload/base/sys.h"

#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE 4096u /* the kernel rounds up to its own pages */

/* ---- io_uring */

/* Returns the descriptor of an io_uring with room for one request, or -errno. */
static long open_uring(void)
{
	struct io_uring_params how = {0};

	return sys2(SYS_io_uring_setup, 1, &how);
}

/* Maps the first page of an io_uring's own memory. */
static long map_uring(long uring, char **page)
{
	long at = sys6(SYS_mmap, 0, PAGE, PROT_READ, MAP_SHARED, uring, IORING_OFF_SQ_RING), r;

	if (SYS_FAILED(at))
		return at;
	r = sys3(SYS_madvise, at, PAGE, MADV_DONTFORK);
	if (r)
		sys2(SYS_munmap, at, PAGE);
	else
		*page = (char *)at;
	return r;
}

/* Files at most that are kept at once. */
#define FILES 8

static long hold_by_uring(const int *fds, uint32_t count, char **page)
{
	long uring = open_uring(), r;

	if (SYS_FAILED(uring))
		return uring;
	r = sys6(SYS_io_uring_register, uring, IORING_REGISTER_FILES, fds, count, 0, 0);
	if (!r)
		r = map_uring(uring, page);
	sys1(SYS_close, uring);
	return r;
}

/* ---- asynchronous I/O */

/* So many files at once, and more where the kernel makes more room; a system has 65,536 requests. */
#define REQUESTS 256

/*
 * What the kernel maps for a context, from its beginning (fs/aio.c, struct aio_ring): the answers to
 * requests come behind it.
 */
struct answers {
	uint32_t id, count;
	uint32_t more[6];
	struct io_event answer[];
};

/* A forked child would have this memory, and could do nothing with it. */
static void leave_to_children(uint64_t context)
{
	const struct answers *a = (const struct answers *)context;
	uint64_t bytes = sizeof(*a) + a->count * sizeof(a->answer[0]);

	sys3(SYS_madvise, context, (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1), MADV_DONTFORK);
}

/* Takes answers to requests that have ended, so that there is room for more requests. */
static void take_answers(const struct kept *kept)
{
	struct io_event answers[4];
	struct timespec at_once = {0};
	long n;

	do
		n = sys6(SYS_io_getevents, kept->context, 0, 4, answers, &at_once, 0);
	while (n == 4);
}

static long hold_by_request(const struct kept *kept, long fd)
{
	struct iocb request = {.aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = (uint32_t)fd};
	struct iocb *requests[] = {&request};
	long r;

	take_answers(kept);
	r = sys3(SYS_io_submit, kept->context, 1, requests);
	return r < 0 ? r : 0;
}

/* ---- either */

long kept_begin(struct kept *kept)
{
	uint64_t signals = sys_block_signals(); /* a jump would leave a descriptor open */
	long r = open_uring();

	kept->context = 0;
	if (!SYS_FAILED(r)) {
		sys1(SYS_close, r);
		r = 0;
	} else {
		r = sys2(SYS_io_setup, REQUESTS, &kept->context);
		if (!r)
			leave_to_children(kept->context);
	}
	sys_restore_signals(signals);
	return r;
}

/* All of them, or none. */
static char *hold_all(long *fds, uint32_t count)
{
	char *page = NULL;
	int files[FILES];
	uint32_t n = 0, i;
	long r;

	for (i = 0; i < count && n < FILES; i++)
		if (fds[i] >= 0)
			files[n++] = (int)fds[i];
	r = n ? hold_by_uring(files, n, &page) : 0;
	for (i = 0; i < n; i++)
		sys1(SYS_close, files[i]);
	for (i = 0; r && i < count; i++)
		if (fds[i] >= 0)
			fds[i] = r;
	return page;
}

char *kept_hold(const struct kept *kept, long *fds, uint32_t count)
{
	uint32_t i;

	if (!kept->context)
		return hold_all(fds, count);
	for (i = 0; i < count; i++) {
		long fd = fds[i], r = fd < 0 ? fd : hold_by_request(kept, fd);

		if (fd >= 0)
			sys1(SYS_close, fd);
		fds[i] = r < 0 ? r : fd;
	}
	return NULL;
}

void kept_release(char *page)
{
	if (page)
		sys2(SYS_munmap, page, PAGE);
}
