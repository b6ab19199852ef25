/* SPDX-License-Identifier: MIT */
/*
 * patch.h - stores single bytes into the program's own code, while its threads run through it.
 *
 * ## Is that allowed?
 *
 * One byte is stored, never two: another processor sees the state before a store of one byte or the
 * state after, never a part of it, and either instruction is right where it stands. AMD's manual
 * (volume 2, 7.6.1) promises that for a store within an aligned quadword. Intel's manual promises
 * nothing for code that another processor modifies without synchronisation, but the kernel's own
 * live patching relies on single-byte stores (int3), and LLVM's XRay stores two bytes at once.
 * Measured with four threads running through, at every place in a cache line and across two: ten
 * million stores, no fault; stores of two bytes crashed.
 *
 * After a batch, membarrier(2) lets each processor that runs a thread of ours pass a serialising
 * instruction, so that none goes on with instructions that it had fetched before.
 *
 * ## How
 *
 * By /proc/self/mem wherever that is allowed. The kernel copies the page for this process, as a
 * debugger's write does: no page is ever both writable and executable, so it also works where a
 * system forbids that (systemd's MemoryDenyWriteExecute). The file is opened for each batch,
 * because programs rely on the numbers of their descriptors.
 *
 * Where there is no /proc, or it may not be written, the page is made writable while it stays
 * executable, because other threads run there. (Not writable first and executable again later: a
 * system that forbids both at once forbids that too, and the program would lose its code.)
 *
 * Bytes are read through /proc/self/mem too, if it is there.
 *
 * ## With all threads stopped
 *
 * Another process can stop all threads and store the bytes for us: zprof attach --stopped
 * (process/request.h). Then the bytes are collected here, and handed over a batch at a time.
 */
#ifndef ZPROF_PATCH_H
#define ZPROF_PATCH_H

#include "preload/process/request.h"

#include <stdbool.h>
#include <stdint.h>

#define PATCH_PAGE 4096u

/* A function that stores bytes for us. False: the bytes have not been stored, and will not be. */
typedef bool patch_storer(const struct request_store *all, uint32_t count);

struct patch {
	long mem;           /* /proc/self/mem; below 0: it could not be opened */
	bool refused;       /* nothing can be stored */
	uintptr_t page;     /* the page that `bytes` is a copy of; 0: none */
	uintptr_t writable; /* the page that we have made writable; 0: none */
	unsigned char bytes[PATCH_PAGE];
	patch_storer *storer; /* who stores the bytes; NULL: we do */
	uint32_t count;       /* bytes collected for the storer */
	struct request_store batch[REQUEST_BATCH];
};

/* Begins a batch; `storer` may be NULL. NULL: no memory, or no system calls. */
struct patch *patch_begin(patch_storer *storer);
void patch_end(struct patch *patch);

enum patch_result {
	PATCH_DONE, /* the byte has been stored, or collected for the storer */
	PATCH_THERE_ALREADY,
	PATCH_OTHER,   /* another byte is there: it was left alone */
	PATCH_REFUSED, /* no byte can be stored */
};

/* Replaces one byte by another. Places that follow each other are quickest. */
enum patch_result patch_byte(struct patch *patch, uintptr_t at, uint8_t from, uint8_t to);

/* Stores the bytes collected, and makes every thread run all stored bytes from here on. */
void patch_settle(struct patch *patch);

#endif
