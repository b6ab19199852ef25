/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what is known of a function: from the profile if it tells (told.h), otherwise from the
 * module's file and its debug information.
 */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "report/core/names/zones.h"

/* A function's name and place, as a profile told it or the module's file has it. */
struct fact_name {
	const char *name, *linkage; /* never NULL, and valid as long as the zones */
	const char *file;           /* NULL: unknown */
	uint32_t line;
	uint64_t start, size; /* of the function; size 0: unknown */
	bool known;           /* false: the name is an address */
};

/* The function that ADDRESS, in the terms of module MODULE, lies in. */
struct fact_name facts_name(const struct zones *z, uint32_t module, uint64_t address);

/* The same of a variable. */
struct fact_name facts_variable(const struct zones *z, uint32_t module, uint64_t address);

/* Puts symbolize_code() of the zone into *CODE; false if it is not known. */
bool facts_code(const struct zones *z, const struct zone *zone, uint64_t *code);

/* What compiled the zone, as it says itself; "" if it is not known. */
const char *facts_compiler(const struct zones *z, const struct zone *zone);

/* The folder in which the code at ADDRESS of a module was compiled; NULL: unknown. */
const char *facts_folder(const struct zones *z, uint32_t module, uint64_t address);

/* The last line that the zone has code in itself, without what was inlined into it; 0: unknown. */
uint32_t facts_last_line(const struct zones *z, const struct zone *zone);

#endif
