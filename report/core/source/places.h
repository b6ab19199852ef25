/* SPDX-License-Identifier: MIT */
/*
 * places.h - places in the source, numbered from 1: the file, line and column of a call.
 *
 * The recorder knows where a call was made as an address in the program's code (preload/calls/
 * callsites.h), an interpreter as a line and column. Either is a place. Addresses are looked up
 * only on demand, because that takes longer than reading the profile: places_find() does
 * it for all.
 *
 * A call returns to the address behind it, so the place is that of the byte before. For a function
 * that was inlined, the address lies in its body, and the debug information says where it would
 * have been called. Code that was inlined into the caller, and has no hooks, is shown where it was
 * written, as the line table says.
 *
 * A file has one number, however the compiler has spelled it in its different parts: `a/b/../c.h`
 * is `a/c.h`.
 */
#ifndef REPORT_PLACES_H
#define REPORT_PLACES_H

#include "report/core/base/lookup.h"
#include "report/core/names/zones.h"

#define PLACE_UNKNOWN 0u

struct code_place {
	uint32_t module; /* index into modules of struct zones; ZONE_NO_MODULE: of a lent zone */
	/* Of the return, in the module's own terms; of a lent zone: line << 12 | column. */
	uint64_t address;
	bool inlined;  /* the address lies in the callee's body, which was inlined */
	bool found;    /* the members below are known */
	uint32_t file; /* number; 0: unknown */
	uint32_t line, column;
};

struct places {
	struct code_place *list; /* [0] is the unknown one */
	size_t count, room;
	struct lookup by_key;
	char **files;         /* [0] is "" */
	const char **folders; /* by file: where code of it was compiled; NULL: unknown */
	size_t file_count, file_room, folder_room;
	struct lookup by_path;
};

void places_init(struct places *p);
void places_free(struct places *p);

/* PATH without `.`, `//` and folders that are left again; free() it. */
char *places_plain_path(const char *path);

/* The number of a file; of "", 0. */
uint32_t places_file(struct places *p, const char *path);

/* Notes where a file was compiled, as the zones' module knows of the code at an address. */
void places_compiled(struct places *p, uint32_t file, const struct zones *zones, uint32_t module,
		     uint64_t address);

/* The number of a place in a module. */
uint32_t places_at(struct places *p, uint32_t module, uint64_t address, bool inlined);

/* The number of a place in an interpreter's source: line << 12 | column. */
uint32_t places_lent(struct places *p, uint32_t file, uint32_t packed);

/* What a place is, where a profile says so itself. */
void places_tell(struct places *p, uint32_t place, uint32_t file, uint32_t line, uint32_t column);

/* Looks up a place; all that have not been. */
void places_find_one(struct places *p, uint32_t place, const struct zones *zones);
void places_find(struct places *p, const struct zones *zones);

#endif
