/* SPDX-License-Identifier: MIT */
/*
 * file_kind.h - what a file on disk is, which process it is of, and whether that process still
 * counts in it.
 *
 * A command asks here before it does anything to a file. file_rules.h says what it then may do.
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
 * A process is known by its run, its number, and the moment at which its recording began. That
 * moment is kept by two clocks in nanoseconds: the date, and the time since the machine was
 * started. So two processes with one number are told apart, on one machine or two, before and after
 * a restart, whatever the names of their files. A profile made by hand may lack the date; its
 * process is unknown, and equals no other.
 *
 * A file is live while its process has it mapped. The inode is compared, so a copy is not live. If
 * maps may not be read (another user's process), a process with the right number counts if it is
 * older than the recording. A process of another pid namespace is not found, so its file does not
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

/* Finds out about a file; links are followed. A file that cannot be read is foreign. A file whose
 * folder cannot be searched is absent; a command that then writes it will get the error. */
void file_look(struct file_facts *f, const char *path);

/* The header of the profile at PATH; false, without a message: the file is no profile. */
bool file_header(const char *path, struct zprof_header *h);

/* Whether the profile at PATH, whose header is H, was put aside (record_replace.h). */
bool file_is_aside(const char *path, const struct zprof_header *h);

/* The kind of a profile with this header. */
enum file_kind file_kind_of(const struct zprof_header *h);

/* The name of a kind in messages: "a merged profile". */
const char *file_kind_name(enum file_kind kind);

/* The process of a profile with this header; file_is_known() says whether it is known. */
struct file_process file_process_of(const struct zprof_header *h);
bool file_is_known(const struct file_process *p);
bool file_same_process(const struct file_process *a, const struct file_process *b);
uint64_t file_process_hash(const struct file_process *p);

/* Seconds since the fork that made a process; below 0: unknown. */
double file_process_age(uint32_t pid);

/* Whether a process of this machine still counts in the profile at PATH, whose header is H. */
bool file_is_live(const char *path, const struct zprof_header *h);

#endif
