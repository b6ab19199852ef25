/* SPDX-License-Identifier: MIT */
/*
 * planes.h - the address space that a profile is counted in.
 *
 * The file's bytes never move: its base is chosen once, and a reference (format.h) becomes an
 * address by one shift and one addition. For every byte of the file there is a private byte,
 * PLANES_TWIN further on, that does not go to disk. These bytes hold what the hot path needs to
 * know of a node but no reader does (tree.h). The constant distance costs the hot path nothing,
 * except if it is a multiple of 256 MiB: AMD's processors guess the way of the data cache that
 * holds a line from a hash of bits 12 to 27 of its address. A node and its twin would have the same
 * hash and the same set, so that each drove the other out at every event; that took 1 to 3 ns per
 * call. (Software Optimization Guide for AMD Family 17h, 2.6.2.2; the hash: Lipp and others, "Take
 * A Way", 2020.) So the distance is a page more, and that page is as large as any system's.
 *
 *     base                        base + PLANES_TWIN
 *     | header | sections ... |   | twins of sections that hold nodes |
 *     '--- shared, the file --'   '--- private, copied by fork -------'
 *
 * Neither plane is reserved ahead, because a program may limit its address space (RLIMIT_AS), and
 * reserved memory counts like used memory. Instead the base lies terabytes away from all that the
 * kernel places by itself. Each new part of the file is mapped at its own address, unless another
 * mapping is there already (MAP_FIXED_NOREPLACE): then that part of the file stays empty, and the
 * next is tried. So a plane may have holes that are not ours, and `struct planes_pieces` says which
 * parts are ours.
 *
 * Rejected: reserving the planes, which made malloc fail in a program with a limit; a table of
 * chunks, which adds a load to the chain of loads that each call waits for.
 */
#ifndef ZPROF_PLANES_H
#define ZPROF_PLANES_H

#include "preload/format.h"
#include "preload/base/sys.h"

#include <stdbool.h>
#include <stdint.h>

#define PLANES_BYTES    ((uintptr_t)512 << 20) /* the size of a plane */
#define PLANES_TWIN     (PLANES_BYTES + SYS_PAGE_MOST)
#define PLANES_GRANULES (PLANES_BYTES / ZPROF_GRANULE)

_Static_assert((PLANES_TWIN >> 12 & 0xffff) != 0,
	       "a node and its twin do not compete for the cache");

/* Which granules of the file's plane are mapped by us: a bit for each. */
struct planes_pieces {
	uint64_t words[PLANES_GRANULES / 64];
};

/*
 * Finds an address that can be the base of a file, and maps private memory for the first `bytes` of
 * both planes. Returns the base, or NULL. (calibrate.c measures the hooks in such memory.)
 */
char *planes_find(uint64_t bytes);

/*
 * Maps private memory exactly at `at` in the file's plane and, if asked, for its twins. Returns 0,
 * or -errno: -EEXIST if another mapping lies in the way.
 */
long planes_map(char *at, uint64_t bytes, bool with_twins);
void planes_unmap(char *at, uint64_t bytes, bool with_twins);

/* Private memory for the twins alone. */
long planes_map_twins(char *at, uint64_t bytes);
void planes_unmap_twins(char *at, uint64_t bytes);

/*
 * Notes that a piece of the file's plane is ours, or is not. A piece must be noted as ours as long
 * as it is mapped, since a forked child maps over all pieces that are ours (file_detach()).
 */
void planes_note(struct planes_pieces *pieces, uint64_t offset, uint64_t bytes, bool ours);

/*
 * The next run of granules that are ours, from *end on; false: there is none. Begin with 0 in *end.
 */
bool planes_next(const struct planes_pieces *pieces, uint64_t *start, uint64_t *end);

#endif
