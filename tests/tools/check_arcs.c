/* SPDX-License-Identifier: MIT */
/*
 * check_arcs.c - compares every count of a profile with what tests/real/count.c counted in another
 * run of the same program, by addresses, so that names play no part.
 *
 *   check_arcs PROFILE COUNTS
 *
 * Compares how often each function called each other; or, if the counts say that the hooks do not
 * come in pairs, how often each was called at all. Reads the profile with preload/format.h alone.
 * For each difference it prints
 *
 *     CALLER CALLEE CALLS TRUTH      addresses in hexadecimal; CALLER 0: the outermost, or any
 *
 * on a line, and exits 1; 2 on what it cannot read. If all is equal, it prints how much that was.
 */
#include "preload/format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arc {
	uint64_t caller, callee, calls, truth;
};

enum { ARCS = 1 << 20, MODULES = 1 << 15 };

static struct arc *arcs; /* a hash table, probed linearly; callee 0: not in use */
static size_t arcs_used;
static uint64_t bias_of[MODULES]; /* by module id */
static bool paired;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "check_arcs: %s\n", what);
	exit(2);
}

static struct arc *find(uint64_t caller, uint64_t callee)
{
	size_t i = (caller * 31 + callee) * 0x9e3779b97f4a7c15u >> 44;
	if (!paired)
		caller = 0;
	while (arcs[i].callee && (arcs[i].caller != caller || arcs[i].callee != callee))
		i = (i + 1) % ARCS;
	if (!arcs[i].callee && ++arcs_used > ARCS / 2)
		die("more arcs than it has room for");
	arcs[i].caller = caller;
	arcs[i].callee = callee;
	return &arcs[i];
}

static void read_counts(const char *path)
{
	FILE *f = fopen(path, "r");
	uint64_t unpaired, caller, callee, calls;
	int fields;
	if (!f || fscanf(f, "unpaired %" SCNu64, &unpaired) != 1)
		die("cannot read the counts");
	paired = unpaired == 0;
	while ((fields = fscanf(f, "%" SCNx64 " %" SCNx64 " %" SCNu64, &caller, &callee, &calls)) ==
	       3)
		find(caller, callee)->truth += calls;
	if (fields != EOF || arcs_used == 0)
		die("cannot read the counts");
	fclose(f);
}

static char *read_all(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END))
		die("cannot open the profile");
	*bytes = (size_t)ftell(f);
	char *data = malloc(*bytes + 1);
	rewind(f);
	if (!data || fread(data, 1, *bytes, f) != *bytes || *bytes < ZPROF_GRANULE ||
	    memcmp(data, ZPROF_MAGIC, 8) != 0)
		die("not a profile");
	fclose(f);
	return data;
}

static void read_modules(const char *at, const char *end)
{
	for (const struct zprof_module *m; at < end; at += m->bytes) {
		m = (const void *)at;
		if (m->bytes < sizeof *m || m->id >= MODULES)
			die("a module's record is wrong");
		bias_of[m->id] = m->bias;
	}
}

/* As the program's symbol table has it; 0 for a thread's root. */
static uint64_t address_of(const struct zprof_node *n)
{
	if (n->zone == 0)
		return 0;
	if (ZPROF_ZONE_KIND(n->zone) != ZPROF_ZONE_NATIVE || ZPROF_NODE_MODULE(n) >= MODULES)
		die("a zone that is not a function of the program");
	return n->zone - bias_of[ZPROF_NODE_MODULE(n)];
}

static void read_nodes(const char *data, size_t bytes, const char *at, const char *end)
{
	for (; at + sizeof(struct zprof_node) <= end; at += sizeof(struct zprof_node)) {
		const struct zprof_node *n = (const void *)at;
		uint64_t parent = (uint64_t)n->parent * ZPROF_NODE_BYTES;
		if (n->calls == 0 || n->zone == ZPROF_ZONE_OF_ID(ZPROF_ID_SELF))
			continue;
		if (parent == 0 || parent > bytes - sizeof *n)
			die("a node's parent is not within the file");
		find(address_of((const void *)(data + parent)), address_of(n))->calls += n->calls;
	}
}

static void read_sections(const char *data, size_t bytes, uint32_t type)
{
	for (size_t at = ZPROF_GRANULE; at + sizeof(struct zprof_section) <= bytes;) {
		const struct zprof_section *s = (const void *)(data + at);
		const char *first = data + at + sizeof *s, *end = data + at + s->used;
		if (s->type == ZPROF_SECTION_NONE) {
			at += ZPROF_GRANULE;
			continue;
		}
		if (s->bytes == 0 || s->bytes > bytes - at || s->used > s->bytes)
			die("a section is not within the file");
		if (s->type == type && type == ZPROF_SECTION_MODULES)
			read_modules(first, end);
		if (s->type == type && type == ZPROF_SECTION_NODES)
			read_nodes(data, bytes, first, end);
		at += s->bytes;
	}
}

int main(int argc, char **argv)
{
	size_t bytes, differences = 0;
	uint64_t calls = 0;
	arcs = calloc(ARCS, sizeof *arcs);
	if (argc != 3 || !arcs)
		die("usage: check_arcs PROFILE COUNTS");
	read_counts(argv[2]);
	const char *data = read_all(argv[1], &bytes);
	read_sections(data, bytes, ZPROF_SECTION_MODULES);
	read_sections(data, bytes, ZPROF_SECTION_NODES);
	for (size_t i = 0; i < ARCS; i++) {
		const struct arc *a = &arcs[i];
		calls += a->calls;
		if (a->calls == a->truth)
			continue;
		printf("%" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", a->caller, a->callee,
		       a->calls, a->truth);
		differences++;
	}
	if (differences)
		return 1;
	printf("%" PRIu64 " calls on %zu %s\n", calls, arcs_used,
	       paired ? "arcs" : "functions (hooks do not come in pairs here, so not by caller)");
	return 0;
}
