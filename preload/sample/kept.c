/* SPDX-License-Identifier: MIT */
/* kept.c - see kept.h. */
#define _GNU_SOURCE
#include "preload/sample/kept.h"

#include "preload/base/sys.h"

#include <linux/aio_abi.h>
#include <sys/mman.h>
#include <time.h>

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

	sys3(SYS_madvise, context, (bytes + 4095) & ~(uint64_t)4095, MADV_DONTFORK);
}

long kept_begin(struct kept *kept)
{
	long r;

	kept->context = 0;
	r = sys2(SYS_io_setup, KEPT_MOST, &kept->context);
	if (!r)
		leave_to_children(kept->context);
	return r;
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

long kept_hold(const struct kept *kept, int fd)
{
	struct iocb request = {.aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = (uint32_t)fd};
	struct iocb *requests[] = {&request};
	long r;

	take_answers(kept);
	r = sys3(SYS_io_submit, kept->context, 1, requests);
	return r < 0 ? r : 0;
}
