/* SPDX-License-Identifier: MIT */
/*
 * module.h - the executable and the shared objects of this process, read from /proc/self/maps.
 *
 * dl_iterate_phdr would take the dynamic linker's lock, which the calling thread may hold; to read
 * the maps takes no lock. A thread that meets a function of an unknown module reads the maps,
 * perhaps while other threads do so too. (To count by an address alone would not be enough, because
 * the address may become another function's.) Known modules stay in an array that only grows.
 * Several threads may store the same values there, so the array needs no lock either.
 *
 * Nobody can know before a dlclose which modules it will unload. Nor can the maps tell that
 * afterwards: another thread may have loaded a module at the same place since, which looks like the
 * old one. So before dlclose each module that was not there at the start is put in *doubt*, and
 * module_find() no longer finds this module. The doubt about a module
 * ends in one of two ways:
 *
 *   - Code of the module runs, and the maps show the same image: the module lives on.
 *   - The last dlclose in progress is over. If the maps show the image then, the module lives on;
 *     if not, it is marked unloaded, and another module may take its addresses.
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
	uint32_t seen;               /* modules.settled as the maps showed this module last */
	bool looked;                 /* entries_look() has asked it */
	bool displaced;              /* entries of its functions lead to trampolines (areas.h) */
	bool unfiltered;             /* only= could not be resolved for this module */
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
	/* Not in the table, because this process cannot read the kernel's image. */
	struct module kernel;
	bool kernel_asked; /* `kernel` is ready, or one thread makes it so, or it cannot be */
};

bool module_init(struct process *p);

/* The loaded module an address lies in, or NULL. Reads no file. */
const struct module *module_find(const struct process *p, uintptr_t address);

/*
 * As module_find(), but reads the maps if no known module holds the address. For files that may not
 * call module_discover.c, which stands on them.
 */
const struct module *module_read_at(struct process *p, uintptr_t address);

/* Reads the maps and records the modules that are new. */
void module_read_all(struct process *p);

/*
 * As module_read_at() and module_read_all(), and then finds out which functions of the new modules
 * are to be recorded (only.h).
 */
const struct module *module_discover(struct process *p, uintptr_t address);
void module_discover_all(struct process *p);

/* The library has unmapped the module that began at an address. */
void module_unmapped(struct process *p, uintptr_t start);

/*
 * The kernel as a module, for an address of its code; its record is written at the first call. NULL:
 * it cannot be recorded (nothing tells which boot of which system this is), or another thread is just
 * recording it, or the address lies too far from the first one.
 */
const struct module *module_kernel(struct process *p, uintptr_t address);

/*
 * To be called before dlclose: puts the modules that may be unloaded in doubt. False: there are
 * none.
 */
bool module_doubt(struct process *p);

/*
 * To be called after dlclose: ends doubts. True: a module is gone whose code ran after it was put
 * in doubt (its destructors), so the caller must retire its addresses once more (threads_retire()).
 */
bool module_settle(struct process *p);

#endif
