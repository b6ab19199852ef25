/* SPDX-License-Identifier: MIT */
/*
 * module.h - the executable and the shared objects of this process, read from /proc/self/maps.
 *
 * dl_iterate_phdr would take the dynamic linker's lock, which the calling thread may hold; the maps
 * need none. A thread that meets a function of an unknown module reads them, perhaps while other
 * threads do so, or in the middle of their reading. (Counting by an address alone would not be
 * enough, because the address may become another function's.) Known modules stay in an array that
 * only grows, and several threads may write the same values there, so it needs no lock either.
 *
 * Which modules dlclose will unload cannot be known before. Afterwards, a module that another
 * thread has loaded at the same place in between looks like the one before. So before dlclose every
 * module that was not there at the start is put in *doubt*: module_find() does not find it any
 * more. The doubt ends when
 *
 *   - code of the module runs, and the maps show the same image; or
 *   - the last dlclose in progress is over. If the maps show the image, the module lives on; if
 *     not, it is marked unloaded, and another may take its place.
 */
#ifndef ZPROF_MODULE_H
#define ZPROF_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULES_MAX 16384

struct process;

struct module {
	uintptr_t start, end; /* [start, end), where it was mapped */
	uintptr_t bias;       /* address minus bias = address in the file's own terms */
	uintptr_t eh_frame_hdr;
	uintptr_t dynamic; /* the dynamic section; 0: there is none */
	uint32_t id;       /* of the record in the profile: 1, 2, ... */
	bool ready;        /* all members above have been stored */
	bool doubtful, unloaded;
	uint32_t seen;               /* when the maps showed it last (modules.settled) */
	bool unfiltered;             /* only= could not be resolved for it */
	struct zprof_module *record; /* in the profile; NULL if it could not be written */
};

struct modules {
	struct module *table; /* MODULES_MAX of them, filled up to count */
	uint32_t count;       /* places taken; published with release */
	uint32_t at_start;    /* modules that were there when recording began */
	uint32_t closing;     /* dlcloses in progress */
	uint32_t settled;     /* how often `closing` went back to 0 */
	uint32_t writing;     /* 1: a thread is writing in `section` */
	struct zprof_section *section;
};

bool module_init(struct process *p);

/* The loaded module an address lies in, or NULL. Reads no file. */
const struct module *module_find(const struct process *p, uintptr_t address);

/* The same, reading the maps if it is not known; for what stands below module_discover.c. */
const struct module *module_read_at(struct process *p, uintptr_t address);

/* Reads the maps and records what is new. */
void module_read_all(struct process *p);

/* The same two, and it is found out which functions of what is new are recorded (only.h). */
const struct module *module_discover(struct process *p, uintptr_t address);
void module_discover_all(struct process *p);

/* Before dlclose: puts the modules that may go in doubt. False: there are none. */
bool module_doubt(struct process *p);

/*
 * After dlclose: ends doubts. True: a module was gone, but its code ran after it had been doubted
 * (the library's own destructors), and its addresses must be retired again.
 */
bool module_settle(struct process *p);

#endif
