/* SPDX-License-Identifier: MIT */
/*
 * kept.h - files that stay open without a descriptor, so that the program does not meet them.
 *
 * Events that write into the ring of another (event.h) have no memory of their own that would keep
 * them alive. Linux 6.18 refuses to map the ring once more for them (EBUSY). So another file holds
 * theirs, and is held by a page of memory (which io_uring refuses to map to a given address, so it
 * cannot stand beside the ring):
 *
 *     [ a page of io_uring ] --> files of this io_uring: [ event | event ] --> [ ring of the thread ]
 *
 * Where io_uring is switched off (kernel.io_uring_disabled, containers), a request of the older
 * asynchronous I/O waits for the event (io_submit(2), IOCB_CMD_POLL, since Linux 4.19), and holds its
 * file:
 *
 *     context of this process --> [ request | request | ... ]    at most some 512, one for each event
 *                                      '--> event of a thread --> ring of the thread
 *
 * Such a request ends when the ring is unmapped. But a process with such a context takes 30 to 50 ms
 * longer to end, because the kernel waits for all processors twice. With io_uring it takes no longer.
 *
 * A forked child has neither the page nor the context. All ends with the process, and as it becomes
 * another program.
 */
#ifndef ZPROF_KEPT_H
#define ZPROF_KEPT_H

#include <stdint.h>

struct kept {
	uint64_t context; /* of asynchronous I/O; 0: there is none, io_uring holds files */
};

/* Finds out what can hold files in this process. Returns 0, or -errno: nothing can. */
long kept_begin(struct kept *kept);

/*
 * Keeps the files of `count` descriptors, and closes these. A negative number in place of a
 * descriptor is left as it is; in place of one whose file cannot be kept, -errno is stored. Returns a
 * page, until whose release the files are kept. NULL: there is a context, and files are kept until
 * they end by themselves; or none is kept.
 */
char *kept_hold(const struct kept *kept, long *fds, uint32_t count);

/* NULL: does nothing. May be called by any thread. */
void kept_release(char *page);

#endif
