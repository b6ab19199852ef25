/* SPDX-License-Identifier: MIT */
/*
 * zones.h - the zones of everything loaded, numbered from 1, each with its name and place.
 *
 * A native zone is identified by its module and the function's start address there. So if two runs
 * load a function at two addresses, it is one zone. A zone with a name of its own is identified by
 * kind, name, group, file and line. If a process has several zones with all these equal, they are
 * numbered (`ordinal`), and zones of two processes are one if their ordinals are equal. Number 0 is
 * outside of all zones.
 */
#ifndef REPORT_ZONES_H
#define REPORT_ZONES_H

#include "report/core/base/lookup.h"
#include "report/core/names/told.h"
#include "report/core/read/profile_read.h"
#include "symbolize/symbolize.h"

#define ZONE_OUTSIDE   0u
#define ZONE_NO_MODULE UINT32_MAX

struct zone {
	char *name; /* as people read it: demangled */
	char *linkage;
	char *file;  /* "" when unknown */
	char *group; /* named by the interpreter that lent the zone; "" otherwise */
	uint32_t line;
	uint32_t kind;      /* 0 native, else enum zprof_zone_kind */
	uint32_t module;    /* index into modules, ZONE_NO_MODULE */
	uint32_t ordinal;   /* among zones of the same name and place in one process */
	uint32_t spread_of; /* the zone of which this is a deeper level, 0: none */
	uint64_t address;   /* in the module's own terms; without a module, as the program ran */
	uint64_t bytes;     /* size of the function, 0 unknown */
	uint64_t code;      /* symbolize_code(), if a profile told it; 0 unknown */
	bool nameless;      /* no symbol is known: its name is an address */
	const char
	    *after; /* of a nameless one, as facts_after(); the symbolizer's. NULL: unknown */
	bool alone; /* of a wait: no other thread of the process ends it */
};

struct zone_module {
	char *path;
	uint8_t build_id[32];
	uint32_t build_id_bytes;
	struct symbolize_module *symbols;
	bool is_kernel;
	uint32_t entered;  /* zones in it */
	uint32_t asked;    /* zones that were looked up in its file */
	uint32_t nameless; /* of these, zones without a known symbol */
};

struct zones {
	struct zone *list;
	size_t count, room;
	struct zone_module *modules;
	size_t module_count, module_room;
	struct symbolizer *symbolizer;
	bool borrowed; /* the symbolizer is the caller's */
	struct lookup by_key;
	struct told told;
};

void zones_init(struct zones *z);
void zones_free(struct zones *z);

/* Uses SYMBOLIZER, which stays the caller's, instead of one of its own. Must be called before there
 * are modules. */
void zones_borrow(struct zones *z, struct symbolizer *symbolizer);

/* Maps one profile's zones to numbers, while that profile's nodes are added. */
struct zones_of_profile {
	struct zones *zones;
	const struct profile *profile;
	struct zone_seen *seen;
	size_t seen_count, seen_room;
	struct lookup by_value;
	uint32_t *module_numbers; /* in the order of profile->modules */
	uint32_t *ordinals;       /* in the order of profile->zones */
};

void zones_of_profile_init(struct zones_of_profile *m, struct zones *zones,
			   const struct profile *p);
void zones_of_profile_free(struct zones_of_profile *m);

/* The number of NODE's zone; the name of a new zone is looked up. */
uint32_t zones_number(struct zones_of_profile *m, const struct zprof_node *node);

/* The number of a zone that stands for waits (ZPROF_ZONE_WAIT); no profile has such a zone. FILE
 * may be "". */
uint32_t zones_wait(struct zones *z, const char *name, const char *file, uint32_t line);

/* What a zone is made of that stands for a function without hooks (load/below.h). */
struct zone_sampled {
	const char *name;
	const char *file; /* "" when unknown */
	uint32_t line;
	uint32_t module;  /* may be ZONE_NO_MODULE */
	uint64_t address; /* of the function in its module */
	bool nameless;    /* no symbol is known; AFTER is as in struct zone */
	const char *after;
};

/* The number of such a zone; no profile has one. */
uint32_t zones_sampled(struct zones *z, const struct zone_sampled *of);

/* The number of the native zone that begins at ADDRESS of a module, with a name or without;
 * ZONE_OUTSIDE: there is none. */
uint32_t zones_native(const struct zones *z, uint32_t module, uint64_t address);

/* The number, in zones->modules, of a module of the profile. */
uint32_t zones_module_number(struct zones_of_profile *m, const struct profile_module *module);

/* With --recursion=spread, each level of a recursion is a zone of its own. Returns the zone that
 * ZONE is a level of, else ZONE itself. */
uint32_t zones_unspread(const struct zones *z, uint32_t zone);

/* Forgets the zones from number COUNT on, all of which are levels of other zones. */
void zones_forget_levels(struct zones *z, size_t count);

/* The last part of a path. */
const char *zones_base_name(const char *path);

#endif
