/* SPDX-License-Identifier: MIT */
/*
 * outside.h - records a program without hooks by samples taken from outside: `zprof record
 * --sampled`.
 *
 * ## The file is an ordinary profile
 *
 * A profile of calls is a tree of contexts. Each node has a count of calls, exact, and a sum of
 * samples, which is a matter of chance. Samples of whole stacks make the same tree without the
 * counts. So what is written here is a profile as preload/format.h has it: threads, nodes, modules
 * and samples, with the flag ZPROF_SAMPLED. All nodes have 0 calls. Every view, filter, export and
 * comparison works on the file as it is, and an error bar is what the number of samples allows. A
 * format of its own would have needed a second reader and a second set of views, which would have
 * drifted from the first. Where a count would stand, views print that there is none: a 0 would be a
 * statement about the program.
 *
 * ## What is sampled
 *
 * The kernel interrupts each thread at equal steps of its own processor time, in the program and in
 * the kernel working for the program. It copies the registers and the top of the stack (rings.h).
 * Threads and processes that the program starts are sampled, too. The program runs on meanwhile, and
 * nothing is loaded into it, so a program may be static, or linked with any C library. A sample in the
 * kernel belongs to the function that called the kernel; its address there is kept beside it, and
 * --below divides that function's time among the kernel's (core/load/below.h).
 *
 * Stacks are walked by the unwind tables (.eh_frame), and by frame pointers where code has no
 * tables (Go, assembler). Frame pointers alone would not do: Debian's C library and programs have
 * none. A sample whose stack was not followed to its beginning keeps the frames that were found,
 * with a function above them that is called `[stack cut]`; such samples are counted as a loss. So no
 * function that has a caller is shown as if it had none.
 *
 * ## Contexts by address first, by function later
 *
 * While the program runs, a context is a chain of code addresses: that takes no symbols. Symbols of
 * large programs take seconds to read, and the kernel's rings hold about a second. When all has
 * ended, addresses become functions (outside_write.c), by the symbols of their files. Where a file
 * has none, the unwind tables still say where a function begins; it is shown as file+0xOFFSET.
 *
 * ## Processes
 *
 * A process that calls exec becomes another program, so each exec begins an image, with a profile of
 * its own. An image that used no processor time between two samples has no profile, but for the
 * program that the user named. Records of all processors are put in the order of their times, because
 * a fork, an exec and a mapping change what an address means.
 */
#ifndef REPORT_OUTSIDE_H
#define REPORT_OUTSIDE_H

#include "report/core/base/lookup.h"
#include "report/core/base/str.h"
#include "report/second_run/rings.h"
#include "report/second_run/unwind.h"

#define OUTSIDE_NONE UINT32_MAX

/* One place on the stacks of a thread: a chain of addresses. Number 0 is the beginning of stacks. */
struct outside_node {
	uint32_t parent;       /* comes earlier in the array; OUTSIDE_NONE: it is the beginning */
	uint64_t address;      /* within the call, or of the sample; OUTSIDE_CUT */
	uint64_t user, kernel; /* samples here */
};

/* Samples of a place on the stacks that found the thread at an address of the kernel's. */
struct outside_kernel {
	uint32_t node;
	uint64_t address;
	uint64_t samples;
};

#define OUTSIDE_CUT UINT64_MAX /* stands for callers that were not found */

/* A thread, or several that followed one another and had one name. */
struct outside_thread {
	uint32_t tid, count;
	bool ended;
	char name[16];
	struct outside_node *nodes;
	size_t node_count, node_room;
	struct lookup by_caller;
	struct outside_kernel *kernels;
	size_t kernel_count, kernel_room;
	struct lookup by_kernel;
};

struct outside_map {
	char *path;
	uint64_t address, offset, bytes;
};

/* A process from its fork, or an exec, until its end or the next exec. */
struct outside_image {
	uint32_t pid, parent_pid;
	bool first; /* the program that the user named */
	bool ended;
	uint64_t began_ns, ended_ns; /* CLOCK_MONOTONIC; 0: not known */
	char name[16];
	char *exe, *command; /* arguments that end with zeros; NULL: not known */
	size_t command_bytes;
	struct outside_map *maps;
	size_t map_count, map_room;
	struct unwind *unwind; /* NULL until the first sample */
	struct outside_thread *threads;
	size_t thread_count, thread_room;
	uint64_t samples, cut;
};

struct outside {
	uint64_t period_ns;
	bool sees_kernel;
	uint64_t lost; /* samples that the kernel had no room for */
	struct outside_image **images;
	size_t image_count, image_room;
	uint64_t *addresses; /* of the sample that is looked at, innermost first */
	size_t address_count, address_room;
};

/* Begins with process PID. RUNS: it runs already, and its mappings and threads are read from /proc. */
void outside_init(struct outside *o, pid_t pid, bool runs, uint64_t period_ns);
void outside_free(struct outside *o);

/* Takes a record; for rings_drain_ordered(), with a struct outside as context. */
void outside_take(void *outside, const struct perf_event_header *record);

/* Writes the profiles of all images: PATTERN is a name with %p for the process's number. *CUT and
 * *SAMPLES become their numbers of samples. False with a message. */
bool outside_write(struct outside *o, const char *pattern, const uint8_t run_id[16],
		   uint64_t *samples, uint64_t *cut, struct str *err);

#endif
