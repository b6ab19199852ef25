/* SPDX-License-Identifier: MIT */
/* planes.c - see planes.h. */
#include "preload/profile/planes.h"

#include "preload/base/sys.h"

#include <errno.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17; older kernels take the address for a hint */
#endif

/* Maps memory exactly at `at`, or not at all. Returns 0 or -errno. */
static long map_at(char *at, uint64_t bytes)
{
	long r;

	if (!sys_take(bytes))
		return -ENOMEM;
	r = sys6(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (r == (long)at)
		return 0;
	sys_give_back(bytes);
	if (SYS_FAILED(r))
		return r;
	sys2(SYS_munmap, r, bytes);
	return -EEXIST;
}

static void unmap(char *at, uint64_t bytes)
{
	sys2(SYS_munmap, at, bytes);
	sys_give_back(bytes);
}

long planes_map_twins(char *at, uint64_t bytes)
{
	return map_at(at + PLANES_TWIN, bytes);
}

void planes_unmap_twins(char *at, uint64_t bytes)
{
	unmap(at + PLANES_TWIN, bytes);
}

long planes_map(char *at, uint64_t bytes, bool with_twins)
{
	long r = map_at(at, bytes);

	if (r || !with_twins)
		return r;
	r = planes_map_twins(at, bytes);
	if (r)
		unmap(at, bytes);
	return r;
}

void planes_unmap(char *at, uint64_t bytes, bool with_twins)
{
	unmap(at, bytes);
	if (with_twins)
		planes_unmap_twins(at, bytes);
}

/*
 * The kernel maps libraries, this one too, stacks and large blocks of malloc near each other. The
 * space far below these, but far above the program and its heap, stays empty unless somebody asks
 * for it: the base lies there. Some tools (ThreadSanitizer) have taken all of that space; then a
 * place nearer to the libraries is used, which still leaves room for the program's mappings. Up to
 * 32 places are tried, because the files of the processes that this one was forked from are still
 * mapped at some.
 */
char *planes_find(uint64_t bytes)
{
	static const uintptr_t far[] = {(uintptr_t)16 << 40, (uintptr_t)64 << 30};
	const uintptr_t span = 4 * PLANES_BYTES, here = (uintptr_t)&sys_forbidden & ~(span - 1);
	size_t i, n;

	for (i = 0; i < sizeof(far) / sizeof(far[0]); i++)
		for (n = 1; n <= 32 && far[i] + n * span < here; n++) {
			char *base = (char *)(here - far[i] - n * span);
			long r = planes_map(base, bytes, true);

			if (!r)
				return base;
			if (r != -EEXIST)
				return NULL;
		}
	return NULL;
}

/* ---- the granules that are ours */

void planes_note(struct planes_pieces *pieces, uint64_t offset, uint64_t bytes, bool ours)
{
	uint64_t i, end = (offset + bytes) / ZPROF_GRANULE;

	for (i = offset / ZPROF_GRANULE; i < end; i++) {
		uint64_t *word = &pieces->words[i / 64], bit = (uint64_t)1 << i % 64;

		if (ours)
			__atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
		else
			__atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
	}
}

static bool is_ours(const struct planes_pieces *pieces, uint64_t granule)
{
	return __atomic_load_n(&pieces->words[granule / 64], __ATOMIC_ACQUIRE) >> granule % 64 & 1;
}

bool planes_next(const struct planes_pieces *pieces, uint64_t *start, uint64_t *end)
{
	uint64_t i = *end / ZPROF_GRANULE;

	while (i < PLANES_GRANULES && !is_ours(pieces, i))
		i += i % 64 || pieces->words[i / 64] ? 1 : 64;
	*start = i * ZPROF_GRANULE;
	while (i < PLANES_GRANULES && is_ours(pieces, i))
		i++;
	*end = i * ZPROF_GRANULE;
	return *start < *end;
}
