/* SPDX-License-Identifier: MIT */
/*
 * module.h - the executable and the shared objects of this process, read from /proc/self/maps.
 *
 * dl_iterate_phdr would take the dynamic linker's lock, which the thread at hand may hold; the maps
 * need none. They are read when a function is met whose module is not known yet. Known modules stay
 * in an array that only grows, so looking one up takes no lock either.
 *
 * What dlclose unloads cannot be known before, nor afterwards told apart from what another thread
 * has loaded at the same place meanwhile. So every module that was not there at the start is put in
 * *doubt* before: it is not found any more, until the maps show the same image at the same place
 * again (it lives on) or do not (it is marked unloaded, and its place may be taken by another).
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
	uint32_t id; /* of the record in the profile: 1, 2, ... */
	bool doubtful, unloaded;
	bool unfiltered;             /* only= could not be resolved for it */
	struct zprof_module *record; /* in the profile; NULL if it could not be written */
};

struct modules {
	struct module *table; /* MODULES_MAX of them, filled up to count */
	uint32_t count;       /* published with release */
	uint32_t at_start;    /* how many there were when recording began */
	uint32_t busy;        /* 1: somebody is reading the maps */
	struct zprof_section *section;
};

bool modules_init(struct process *p);

/* The loaded module an address lies in, or NULL. Reads no file. */
const struct module *module_find(const struct process *p, uintptr_t address);

/*
 * The same, reading the maps if it is not known. NULL also when somebody else is reading them at
 * this moment: the caller goes on without, and a reader of the profile finds the module by address.
 */
const struct module *module_discover(struct process *p, uintptr_t address);

/* Before dlclose: doubts what may go. False: nothing is in doubt. */
bool modules_doubt(struct process *p);

/* After it: what is in doubt and not in the maps is gone. */
void modules_settle(struct process *p);

/* Reads the maps and records what is new. */
void modules_scan(struct process *p);

#endif
