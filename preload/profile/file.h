/* SPDX-License-Identifier: MIT */
/*
 * file.h - the profile on disk and in memory: created, mapped, grown.
 *
 * The file's bytes never move: `base` is chosen once, and a reference (format.h) becomes an address
 * by one shift and one addition. Beside every byte of the file lies a private byte, FILE_TWIN
 * further on, that does not go to disk: what the hot path needs to know of a node but no reader
 * does (tree.h). The constant distance costs the hot path nothing.
 *
 *     base                        base + FILE_TWIN
 *     | header | sections ... |   | twins of sections that hold nodes |
 *     '--- shared, the file --'   '--- private, copied by fork -------'
 *
 * Neither is reserved ahead, because a program may limit its address space (RLIMIT_AS), and what is
 * reserved counts like what is used. Instead base lies terabytes away from all that the kernel
 * places by itself, and each growth is mapped where it belongs unless something is there already
 * (MAP_FIXED_NOREPLACE): then that part of the file stays empty, and the next is tried. So the
 * planes may have holes that are not ours, and `pieces` says what is ours.
 *
 * Rejected: reserving the planes, which is what made malloc fail in a program with a limit; a table
 * of chunks, which adds a load to the chain of loads that each call waits for.
 *
 * No descriptor is held: programs close descriptors they do not know, and count on the numbers they
 * get. To grow, the file is opened by its absolute path, known by device and inode, extended,
 * mapped and closed. Disk space is allocated before it is mapped, because a full disk met by a
 * store is a SIGBUS. Growing takes no lock: a place is claimed by one atomic addition.
 *
 * A program that enters a chroot or gives up root cannot open its profile any more. Just before it
 * does, a piece of 16 MiB is allocated and mapped, and later growths are cut from that.
 */
#ifndef ZPROF_FILE_H
#define ZPROF_FILE_H

#include "preload/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILE_TWIN       ((uintptr_t)512 << 20) /* also the largest size of a file */
#define FILE_GRANULES   (FILE_TWIN / ZPROF_GRANULE)
#define FILE_PATH_BYTES 4352

struct process;

struct file {
	char *base;
	uint64_t end; /* next place to claim, a multiple of ZPROF_GRANULE; advanced atomically */
	uint64_t device, inode;
	/* Its descriptor + 1 while it has no name; 0: it has a name, and no descriptor is held. */
	int32_t unnamed;
	uint32_t failures; /* growths that failed; they are retried ever more rarely */
	bool complained;
	bool plain; /* the file system cannot allocate ahead: zeros are written instead */
	uint32_t folder_bytes; /* of the path, with its last '/'; 0: output= was absolute */
	char path[FILE_PATH_BYTES];
	uint64_t aside; /* what is set aside: end << 32 | first that is free, in granules */
	uint64_t pieces[FILE_GRANULES / 64]; /* a bit for each granule that is mapped */
};

/*
 * Private memory in both planes, at a place that becomes a file's base: returns it, or NULL. The
 * first `bytes` of either are there. (calibrate.c measures the hooks in such a place.)
 */
char *file_planes(uint64_t bytes);
void file_planes_free(char *base, uint64_t bytes);

/*
 * Creates the file by the pattern in options.output (in the folder of `from`, the parent of a
 * forked child, else NULL, where the pattern names none), exclusively, with `.2`, `.3` ... appended
 * when taken, and maps room for the header. False: it has been said on stderr.
 */
bool file_create(struct process *p, const struct process *from);

/*
 * Gives the file its name, now that there is a profile in it: until then, what is killed leaves
 * nothing behind. False: it has been said.
 */
bool file_name(struct file *file);

/* Takes back what file_create did, for one who lost the race to begin. */
void file_remove(struct file *file);

/*
 * Claims, allocates and maps `bytes` more (a multiple of ZPROF_GRANULE) and, if asked, their twins.
 * Returns the offset in the file, or 0 when it cannot grow; the caller counts the loss.
 */
uint64_t file_grow(struct process *p, uint64_t bytes, bool with_twins);

/*
 * A new section of at least `bytes` in all, begun (type stored last) and empty; NULL when the file
 * cannot grow.
 */
struct zprof_section *file_section(struct process *p, uint32_t type, uint32_t thread,
				   uint64_t bytes);

/* The file can still be opened, and soon may not be: takes what will be needed then. */
void file_set_aside(struct process *p);

/*
 * In a forked child: what is mapped of the parent's file becomes a private copy, so that a hook
 * that was in progress when the program forked completes into nothing.
 */
void file_detach(struct file *file);

#endif
