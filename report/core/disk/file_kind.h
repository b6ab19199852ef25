/* SPDX-License-Identifier: MIT */
/*
 * file_kind.h - what a file on disk is, which process it is of, and whether that process still
 * counts in it.
 *
 * Whatever a command does to a file, it asks here first; file_rules.h says what it may do then.
 *
 *     kind        made by                     counts as
 *     ---------   -------------------------   -----------------------------------------------
 *     recorded    libzprof.so (or cp, mv)     its process
 *     copy        zprof archive -o            its process, if no other file of it is read
 *     snapshot    zprof snapshot, reset       nothing, unless it is named
 *     merged      zprof merge                 all its members; an overlap is refused
 *     put aside   zprof record -o             nothing, unless it is named
 *     foreign     anybody else                nothing
 *
 * A process is told by its run, its number, and the moment at which it began to be recorded, by
 * two clocks in nanoseconds: the date, and the time since the machine was started. So two processes
 * of one number are told apart, on one machine and on two, before and after a restart, whatever
 * their files are called. A profile whose header lacks the date (one made by hand) is of no known
 * process, and equals no other.
 *
 * A file is live while its process has it mapped: its inode, so a copy of it is not live. Where maps
 * may not be read (another user's process), a process that began before the recording did counts as
 * the one that was recorded. A process of another pid namespace is not found, so its file does not
 * seem to be live.
 */
#ifndef REPORT_FILE_KIND_H
#define REPORT_FILE_KIND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "preload/format.h"

enum file_kind {
	FILE_ABSENT,
	FILE_FOLDER,
	FILE_STREAM, /* a device, a FIFO, a socket */
	FILE_FOREIGN,
	FILE_RECORDED,
	FILE_COPY,
	FILE_SNAPSHOT,
	FILE_MERGED,
};

struct file_process {
	uint8_t run_id[16];
	uint64_t start_realtime_ns, start_ns;
	uint32_t pid;
};

struct file_facts {
	enum file_kind kind;
	bool live;
	struct file_process process;
	dev_t device;
	ino_t inode;
};

/*
 * Links are followed. A file that cannot be read is foreign; one that cannot even be looked for is
 * absent, and whoever writes it will say why that fails.
 */
void file_look(struct file_facts *f, const char *path);

/* The header of the profile at PATH; false without a message: it is none. */
bool file_header(const char *path, struct zprof_header *h);

/* Whether the profile at PATH, whose header is H, was put aside (record_replace.h). */
bool file_is_aside(const char *path, const struct zprof_header *h);

/* The kind of a profile with this header. */
enum file_kind file_kind_of(const struct zprof_header *h);

/* How messages call a kind: "a merged profile". */
const char *file_kind_name(enum file_kind kind);

/* The process of a profile with this header; file_is_known() says whether it is known. */
struct file_process file_process_of(const struct zprof_header *h);
bool file_is_known(const struct file_process *p);
bool file_same_process(const struct file_process *a, const struct file_process *b);
uint64_t file_process_hash(const struct file_process *p);

/* Whether a process of this machine counts in the profile at PATH, whose header is H. */
bool file_is_live(const char *path, const struct zprof_header *h);

#endif
