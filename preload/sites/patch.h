/* SPDX-License-Identifier: MIT */
/*
 * patch.h - stores single bytes into the program's own code, while its threads run through it.
 *
 * ## Is that allowed?
 *
 * One byte is stored, never two. Another processor sees the state before a store of one byte or the
 * state after, never a part of the store, and the program may run the old instruction as well as
 * the new one. AMD's manual (volume 2, 7.6.1) promises that for a store within an aligned quadword.
 * Intel's manual promises nothing for code that another processor modifies without synchronisation,
 * but the kernel's own live patching relies on single-byte stores (int3), and LLVM's XRay stores
 * two bytes at once. This was measured with four threads running through the code, at every place
 * in a cache line and across two lines: ten million stores of one byte gave no fault; stores of two
 * bytes crashed.
 *
 * After a batch, membarrier(2) lets each processor that runs a thread of ours pass a serialising
 * instruction, so that no processor goes on with instructions that it fetched before the stores.
 *
 * ## How
 *
 * Bytes are stored by /proc/self/mem wherever that is allowed. The kernel then copies the page for
 * this process, as for a debugger's write. No page is ever both writable and executable, so this
 * way also works where a system forbids such pages (systemd's MemoryDenyWriteExecute). The file is
 * opened for each batch, because programs rely on the numbers of their descriptors.
 *
 * Where there is no /proc, or it may not be written, the page is made writable while it stays
 * executable, because other threads run there. (The page is never made writable first and
 * executable again later: a system that forbids pages with both rights forbids that step too, and
 * the program would lose its code.)
 *
 * Bytes are read through /proc/self/mem too, if it is there.
 *
 * ## With all threads stopped
 *
 * `zprof attach --stopped` stops all threads of the program and stores the bytes from outside
 * (process/request.h). The bytes are then collected here, and handed over to zprof a batch at a
 * time.
 */
#ifndef ZPROF_PATCH_H
#define ZPROF_PATCH_H

#include "preload/process/request.h"

#include <stdbool.h>
#include <stdint.h>

#define PATCH_PAGE 4096u /* bytes are read by so many; a part of a page of the system */
/* So many are stored at once: a call of the kernel takes as long as a third of a page. */
#define PATCH_PAGES 8u

/*
 * A function that has another process store the bytes `all`. False: these bytes have not been
 * stored, and will not be.
 */
typedef bool patch_storer(const struct request_store *all, uint32_t count);

struct patch {
	long mem;           /* /proc/self/mem; below 0: it could not be opened */
	bool refused;       /* nothing can be stored */
	uintptr_t page;     /* what `bytes` is a copy of, from there on; 0: nothing */
	uint32_t pages;     /* so many pages of it */
	uintptr_t writable; /* the system's page that we have made writable; 0: none */
	unsigned char bytes[PATCH_PAGES * PATCH_PAGE];
	bool changed;         /* `bytes` is not what the pages hold */
	patch_storer *storer; /* stores the bytes; NULL: this process does */
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

/* Replaces the byte `from` at an address by `to`. Quickest if calls come in order of addresses. */
enum patch_result patch_byte(struct patch *patch, uintptr_t at, uint8_t from, uint8_t to);

/*
 * Replaces whole instructions, which is right only while the process has one thread, and no handler
 * of a signal can run. Quickest if calls come in order of addresses: bytes are then stored some pages
 * at a time. False: they cannot be stored.
 */
bool patch_bytes(struct patch *patch, uintptr_t at, const unsigned char *bytes, uint32_t count);

/* Stores all that patch_bytes() has been given. */
bool patch_bytes_end(struct patch *patch);

/*
 * Has the collected bytes stored, and makes sure that every thread runs the new code from here on.
 */
void patch_settle(struct patch *patch);

#endif
