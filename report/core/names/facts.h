/* SPDX-License-Identifier: MIT */
/*
 * facts.h - facts about functions: from the profile if it has them (told.h), otherwise from the
 * module's file and its debug information.
 */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "report/core/names/zones.h"

/* A function's name and place. */
struct fact_name {
	const char *name, *linkage; /* never NULL, and valid as long as the zones */
	const char *file;           /* NULL: unknown */
	uint32_t line;
	uint64_t start, size; /* of the function; size 0: unknown */
	bool known;           /* false: the name is an address */
};

/* The function that contains ADDRESS, in the terms of module MODULE. */
struct fact_name facts_name(const struct zones *z, uint32_t module, uint64_t address);

/* The same without its line, and quicker: for a function of a library that only names a caller. */
struct fact_name facts_bare_name(const struct zones *z, uint32_t module, uint64_t address);

/* Of a function whose name is an address: the nearest function before it that has a name, as a hint at
 * the file that it is from (symbolize_after()); NULL: unknown. */
const char *facts_after(const struct zones *z, uint32_t module, uint64_t address);

/* The variable that contains ADDRESS. */
struct fact_name facts_variable(const struct zones *z, uint32_t module, uint64_t address);

/* *CODE becomes symbolize_code() of the zone; false if that is unknown. */
bool facts_code(const struct zones *z, const struct zone *zone, uint64_t *code);

/* The name that the zone's compiler left in the debug information; "" if it is unknown. */
const char *facts_compiler(const struct zones *z, const struct zone *zone);

/* The folder in which the code at ADDRESS of a module was compiled; NULL: unknown. */
const char *facts_folder(const struct zones *z, uint32_t module, uint64_t address);

/* The last line of the zone's own code, without code inlined into it; 0: unknown. */
uint32_t facts_last_line(const struct zones *z, const struct zone *zone);

#endif
