/* SPDX-License-Identifier: MIT */
/* patch.c - see patch.h. */
#include "preload/sites/patch.h"

#include "preload/base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/mman.h>

struct patch *patch_begin(patch_storer *storer)
{
	struct patch *patch = sys_memory(sizeof(*patch));

	if (!patch)
		return NULL;
	patch->storer = storer;
	patch->mem = sys4(SYS_openat, AT_FDCWD, SYS_SELF "mem", O_RDWR | O_CLOEXEC, 0);
	return patch;
}

/* The page of the system that `at` lies in; 0: none is writable any more. */
static void make_writable(struct patch *patch, uintptr_t at)
{
	uintptr_t page = at & ~(uintptr_t)(sys_page_bytes() - 1);

	if (patch->writable == page)
		return;
	if (patch->writable)
		sys3(SYS_mprotect, patch->writable, sys_page_bytes(), PROT_READ | PROT_EXEC);
	patch->writable = 0;
	if (page && !SYS_FAILED(sys3(SYS_mprotect, page, sys_page_bytes(),
				     PROT_READ | PROT_WRITE | PROT_EXEC)))
		patch->writable = page;
}

void patch_end(struct patch *patch)
{
	make_writable(patch, 0);
	if (patch->mem >= 0)
		sys1(SYS_close, patch->mem);
	sys_memory_free(patch, sizeof(*patch));
}

/* Reads the byte at an address; false: nothing is mapped there. */
static bool look(struct patch *patch, uintptr_t at, uint8_t *byte)
{
	uintptr_t page = at & ~(uintptr_t)(PATCH_PAGE - 1);

	if (patch->mem < 0) {
		*byte = *(const volatile unsigned char *)at;
		return true;
	}
	if (patch->page != page) {
		patch->page = 0;
		if (sys4(SYS_pread64, patch->mem, patch->bytes, PATCH_PAGE, page) != PATCH_PAGE)
			return false;
		patch->page = page;
		patch->pages = 1;
	}
	*byte = patch->bytes[at - page];
	return true;
}

static bool store(struct patch *patch, uintptr_t at, uint8_t byte)
{
	if (patch->mem >= 0 && sys4(SYS_pwrite64, patch->mem, &byte, 1, at) == 1)
		return true;
	make_writable(patch, at);
	if (!patch->writable)
		return false;
	__atomic_store_n((unsigned char *)at, byte, __ATOMIC_RELEASE);
	return true;
}

bool patch_bytes_end(struct patch *patch)
{
	long bytes = (long)(patch->pages * PATCH_PAGE), i;

	if (!patch->changed)
		return !patch->refused;
	patch->changed = false;
	if (patch->mem >= 0 &&
	    sys4(SYS_pwrite64, patch->mem, patch->bytes, bytes, patch->page) == bytes)
		return true;
	for (i = 0; i < bytes && !patch->refused; i += PATCH_PAGE) {
		make_writable(patch, patch->page + (uintptr_t)i);
		if (patch->writable)
			memcpy((void *)(patch->page + (uintptr_t)i), patch->bytes + i, PATCH_PAGE);
		else
			patch->refused = true;
	}
	return !patch->refused;
}

/* Makes `bytes` hold a page, behind those before it if there is room. False: nothing can be stored. */
static bool hold(struct patch *patch, uintptr_t page)
{
	if (page - patch->page < patch->pages * PATCH_PAGE)
		return true;
	if (!patch->changed || page != patch->page + patch->pages * PATCH_PAGE ||
	    patch->pages == PATCH_PAGES) {
		if (!patch_bytes_end(patch))
			return false;
		patch->page = page;
		patch->pages = 0;
	}
	memcpy(patch->bytes + patch->pages * PATCH_PAGE, (const void *)page, PATCH_PAGE);
	patch->pages++;
	return true;
}

bool patch_bytes(struct patch *patch, uintptr_t at, const unsigned char *bytes, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count && !patch->refused; i++) {
		if (!hold(patch, (at + i) & ~(uintptr_t)(PATCH_PAGE - 1)))
			return false;
		patch->bytes[at + i - patch->page] = bytes[i];
		patch->changed = true;
	}
	return !patch->refused;
}

/*
 * Gives the collected bytes to the storer, the zprof that stores them from outside while this process
 * stands still (patch.h). If that zprof has ended meanwhile, the bytes are stored here.
 */
static void hand_over(struct patch *patch)
{
	uint32_t i;

	if (patch->count && !patch->storer(patch->batch, patch->count)) {
		patch->storer = NULL;
		for (i = 0; i < patch->count && !patch->refused; i++)
			patch->refused =
			    !store(patch, (uintptr_t)patch->batch[i].at, patch->batch[i].to);
	}
	patch->count = 0;
}

static void collect(struct patch *patch, uintptr_t at, uint8_t from, uint8_t to)
{
	if (patch->count == REQUEST_BATCH)
		hand_over(patch);
	patch->batch[patch->count++] = (struct request_store){.at = at, .from = from, .to = to};
}

enum patch_result patch_byte(struct patch *patch, uintptr_t at, uint8_t from, uint8_t to)
{
	uint8_t byte;

	if (patch->refused)
		return PATCH_REFUSED;
	if (!look(patch, at, &byte))
		return PATCH_OTHER;
	if (byte == to)
		return PATCH_THERE_ALREADY;
	if (byte != from)
		return PATCH_OTHER;
	if (patch->storer) {
		collect(patch, at, from, to);
		return PATCH_DONE;
	}
	if (store(patch, at, to))
		return PATCH_DONE;
	patch->refused = true;
	return PATCH_REFUSED;
}

void patch_settle(struct patch *patch)
{
	long r;

	hand_over(patch);
	r = sys3(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	if (r != -EPERM)
		return;
	sys3(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	sys3(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}
