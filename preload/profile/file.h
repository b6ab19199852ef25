/* SPDX-License-Identifier: MIT */
/*
 * file.h - the profile's file: created, mapped, grown. planes.h tells where in memory the file
 * lies, and what lies beside it; path.h has its name.
 *
 * No descriptor is held: programs close descriptors they do not know, and count on the numbers they
 * get. To grow, the file is opened by its absolute path, known by device and inode, extended,
 * mapped and closed. Disk space is allocated before it is mapped, because a full disk met by a
 * store is a SIGBUS. Growing takes no lock: a place is claimed by one atomic addition.
 *
 * A program that enters a chroot or gives up root cannot open its profile any more. Just before the
 * program does so, a piece of up to 16 MiB is allocated and mapped, and later growths are cut from
 * this piece.
 */
#ifndef ZPROF_FILE_H
#define ZPROF_FILE_H

#include "preload/profile/planes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILE_PATH_BYTES 4352

struct process;

struct file {
	char *base;
	uint64_t end; /* next place to claim, at the beginning of a page; advanced atomically */
	uint64_t device, inode;
	/*
	 * The descriptor + 1 while the file has no name; 0: it has a name, and no descriptor is
	 * held.
	 */
	int32_t unnamed;
	uint32_t failures; /* how often growing failed; tried again ever more rarely */
	bool complained;
	bool plain; /* the file system cannot allocate ahead: zeros are written instead */
	uint32_t folder_bytes; /* of the path, with its last '/'; 0: output= was absolute */
	char path[FILE_PATH_BYTES];
	uint64_t aside; /* room set aside: end << 32 | first free granule, in granules */
	struct planes_pieces pieces;
};

/*
 * Creates the file by the pattern in options.output, and maps room for the header. `from` is the
 * parent of a forked child, else NULL. False after a message on stderr.
 */
bool file_create(struct process *p, const struct process *from);

/*
 * Gives the file its name, now that there is a profile in it: until then, a process that is killed
 * leaves nothing behind. False after a message on stderr.
 */
bool file_name(struct file *file);

/* Undoes file_create(), for a thread that lost the race to begin. */
void file_remove(struct file *file);

/*
 * Claims, allocates and maps `bytes` more (whole pages) and, if asked, their twins.
 * Returns the offset in the file, or 0 if the file cannot grow; the caller counts the loss.
 */
uint64_t file_grow(struct process *p, uint64_t bytes, bool with_twins);

/*
 * A new section of at least `bytes` in all, begun (type stored last) and empty; NULL when the file
 * cannot grow.
 */
struct zprof_section *file_section(struct process *p, uint32_t type, uint32_t thread,
				   uint64_t bytes);

/*
 * Room for a record of so many bytes in *section. If *section is full or NULL, a new section is
 * made, twice as large as the last, up to 1 MB. The record is zeros, and counts as used at once. So
 * the caller must store one member last, by which readers know that the record is complete. NULL
 * when the file cannot grow.
 */
void *file_record(struct process *p, struct zprof_section **section, uint32_t type, uint32_t thread,
		  uint64_t bytes);

/*
 * Sets room aside for later growth. To be called just before the program may lose the means to open
 * the file.
 */
void file_set_aside(struct process *p);

/*
 * In a forked child: the mapping of the parent's file becomes a private copy, so that a hook that
 * was in progress when the program forked completes into nothing. False: there is no memory for it,
 * and part of the copy holds zeros.
 */
bool file_detach(struct file *file);

#endif
