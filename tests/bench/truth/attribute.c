/* SPDX-License-Identifier: MIT */
#include "tests/bench/truth/attribute.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/symbolize.h"

enum { FUNCTIONS_MAX = 1 << 16, CACHE = 1 << 16, UNKNOWN_YET = -2 };

struct attribute {
	struct symbolizer *symbolizer;
	struct symbolize_module *program;
	enum attribute_by by;
	const char *names[FUNCTIONS_MAX]; /* sorted */
	int count;
	struct {
		uint64_t address;
		int function;
	} cache[CACHE];
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int find_name(const struct attribute *a, const char *name)
{
	const char **at = bsearch(&name, a->names, (size_t)a->count, sizeof(a->names[0]), compare);

	return at ? (int)(at - a->names) : -1;
}

struct attribute *attribute_new(const char *program, enum attribute_by by)
{
	struct attribute *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->by = by;
	a->symbolizer = symbolize_new();
	a->program = symbolize_add(a->symbolizer, program, NULL, 0, SYMBOLIZE_FILE);
	for (size_t i = 0; i < CACHE; i++)
		a->cache[i].function = UNKNOWN_YET;
	return a;
}

bool attribute_read_hooked(struct attribute *a, const char *hooked, const char *counts)
{
	struct symbolize_module *m = symbolize_add(a->symbolizer, hooked, NULL, 0, SYMBOLIZE_FILE);
	FILE *f = fopen(counts, "r");
	char line[256];
	uint64_t callee;
	int unique = 0;

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f) && a->count < FUNCTIONS_MAX) {
		struct symbolize_result r;

		if (sscanf(line, "%*x %" SCNx64 " %*u", &callee) != 1)
			continue;
		symbolize_lookup(m, callee, &r);
		a->names[a->count++] = r.name;
	}
	fclose(f);
	qsort(a->names, (size_t)a->count, sizeof(a->names[0]), compare);
	for (int i = 0; i < a->count; i++)
		if (!unique || strcmp(a->names[i], a->names[unique - 1]) != 0)
			a->names[unique++] = a->names[i];
	a->count = unique;
	return unique > 0;
}

static int look_up(struct attribute *a, uint64_t address)
{
	struct symbolize_result r;

	symbolize_lookup(a->program, address, &r);
	if (a->by == ATTRIBUTE_INLINED)
		for (size_t i = r.frame_count; i-- > 0;) {
			int found = find_name(a, r.frames[i].name);

			if (found >= 0)
				return found;
		}
	return find_name(a, r.name);
}

int attribute_find(struct attribute *a, uint64_t address)
{
	size_t slot = address * 0x9e3779b97f4a7c15u >> 48;

	if (a->cache[slot].function == UNKNOWN_YET || a->cache[slot].address != address) {
		a->cache[slot].address = address;
		a->cache[slot].function = look_up(a, address);
	}
	return a->cache[slot].function;
}

const char *attribute_name(const struct attribute *a, int function)
{
	return a->names[function];
}

int attribute_count(const struct attribute *a)
{
	return a->count;
}
