/* SPDX-License-Identifier: MIT */
/*
 * kept.h - files that stay open without a descriptor, so that the program does not meet them.
 *
 * A second event that writes into the ring of a first one (event.h) has no memory of its own that
 * would keep it alive. Linux 6.18 refuses to map the ring once more for it (EBUSY). So a request of
 * the kernel's asynchronous I/O waits for the event (io_submit(2), IOCB_CMD_POLL, since Linux 4.19).
 * The request holds the file, and the number of the descriptor is free again:
 *
 *     context of this process --> [ request | request | ... ]    at most KEPT_MOST
 *                                      '--> event of a thread --> ring of the thread
 *
 * When the ring is unmapped, or the thread ends, the kernel ends the request, and so the event. When
 * the process ends or becomes another program, the kernel ends all requests. A forked child has no
 * context.
 *
 * io_uring can hold files too, but is often switched off (kernel.io_uring_disabled), and its own
 * file would have to be held.
 */
#ifndef ZPROF_KEPT_H
#define ZPROF_KEPT_H

#include <stdint.h>

/* So many files at once; a system has 65,536 requests (fs.aio-max-nr). */
#define KEPT_MOST 256

struct kept {
	uint64_t context; /* 0: there is none */
};

/* Makes the context of this process. Returns 0, or -errno. */
long kept_begin(struct kept *kept);

/* Keeps the file of a descriptor that the caller then closes. Returns 0, or -errno. */
long kept_hold(const struct kept *kept, int fd);

#endif
