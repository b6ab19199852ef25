/* SPDX-License-Identifier: MIT */
/*
 * places.h - places in the source, numbered from 1: the file, line and column of a call.
 *
 * The library knows the place of a call as an address in the program's code
 * (preload/calls/callsites.h), an interpreter as a line and column. Here both are places. The line
 * of an address takes longer to find than the profile takes to read. So lines are looked up only on
 * demand, all at once by places_find().
 *
 * A call returns to the address behind it, so the place is that of the byte before. If the called
 * function was inlined, the address lies in its body; the debug information then says where the
 * call would have been. If code without hooks was inlined into the caller, its calls are shown
 * where that code was written, as the line table says.
 *
 * The compiler may spell the path of one file in several ways: `a/b/../c.h` is `a/c.h`. Such a file
 * has one number.
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

/* Notes the folder that a file was compiled in, as the debug information at ADDRESS says. */
void places_compiled(struct places *p, uint32_t file, const struct zones *zones, uint32_t module,
		     uint64_t address);

/* The number of a place in a module. */
uint32_t places_at(struct places *p, uint32_t module, uint64_t address, bool inlined);

/* The number of a place in an interpreter's source: line << 12 | column. */
uint32_t places_lent(struct places *p, uint32_t file, uint32_t packed);

/* Sets the file and line of a place, from a profile that has them. */
void places_tell(struct places *p, uint32_t place, uint32_t file, uint32_t line, uint32_t column);

/* Look up one place; all places that were not looked up yet. */
void places_find_one(struct places *p, uint32_t place, const struct zones *zones);
void places_find(struct places *p, const struct zones *zones);

#endif
