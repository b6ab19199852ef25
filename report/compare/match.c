/* SPDX-License-Identifier: MIT */
/* match.c - see match.h. In each round, a row that not all sides have gets a key. Rows with equal
 * keys are joined, unless a side has both. */
#include "report/compare/match.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/names/facts.h"
#include "report/core/base/memory.h"
#include "report/core/base/str.h"

#define LEAST_CODE 16 /* bytes that a function needs to be recognized by its code */

enum round { BY_PLACE, BY_MODULE, BY_NAME, BY_STEM, BY_CODE, ROUNDS };

struct candidate {
	char *key;
	uint32_t zone; /* the zone that leads the row */
	uint32_t line; /* decides between equal keys */
	uint64_t address;
};

struct matching {
	const struct zones *zones;
	uint64_t *sides; /* by zone that leads a row: the sides that have the row */
	uint64_t all;
	uint32_t *leader; /* by zone: the zone that leads its row, which may be itself */
	struct candidate *list;
	size_t count, room;
};

static const char *module_name(const struct zones *z, const struct zone *zone)
{
	return zone->module == ZONE_NO_MODULE ? "" : zones_base_name(z->modules[zone->module].path);
}

/* The length of `f` in `f.constprop.0`. */
static int stem_length(const char *linkage)
{
	return (int)(*linkage ? 1 + strcspn(linkage + 1, ".") : 0);
}

static bool code_key(const struct zones *z, const struct zone *zone, struct str *key)
{
	uint64_t print;
	if (zone->kind || zone->module == ZONE_NO_MODULE || zone->spread_of ||
	    zone->bytes < LEAST_CODE)
		return false;
	if (!facts_code(z, zone, &print))
		return false;
	str_add(key, "%llx %llx", (unsigned long long)print, (unsigned long long)zone->bytes);
	return true;
}

/* Makes the key of a zone in a round; false if the zone takes no part in the round. */
static bool make_key(const struct zones *z, uint32_t number, enum round round, struct str *key)
{
	const struct zone *zone = &z->list[number];
	str_clear(key);
	if (round == BY_CODE)
		return code_key(z, zone, key);
	if (zone->nameless)
		return false;
	if (round == BY_STEM) {
		if (zone->kind || zone->spread_of)
			return false;
		str_add(key, "%.*s", stem_length(zone->linkage), zone->linkage);
		return true;
	}
	str_add(key, "%u\n%s\n%s\n%s\n%u", zone->kind, zone->name, zone->linkage, zone->group,
		zone->ordinal);
	if (round < BY_NAME)
		str_add(key, "\n%s", module_name(z, zone));
	if (round == BY_PLACE)
		str_add(key, "\n%s", zones_base_name(zone->file));
	return true;
}

static int by_key(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	return strcmp(a->key, b->key)
		   ?: memory_order(a->line, b->line)
		   ?: memory_order(a->address, b->address)
		   ?: memory_order(a->zone, b->zone);
}

static void collect(struct matching *m, enum round round)
{
	struct str key = {0};
	m->count = 0;
	for (uint32_t i = 1; i < m->zones->count; i++) {
		if (!m->sides[i] || m->leader[i] != i || m->sides[i] == m->all ||
		    !make_key(m->zones, i, round, &key))
			continue;
		*memory_next(m->list, m->count, m->room) =
		    (struct candidate){memory_text(key.text, key.used), i, m->zones->list[i].line,
				       m->zones->list[i].address};
	}
	str_free(&key);
	memory_sort(m->list, m->count, by_key);
}

/* Whether no two of the N candidates at C are on one side. */
static bool all_different(const struct matching *m, const struct candidate *c, size_t n)
{
	uint64_t seen = 0;
	for (size_t i = 0; i < n; i++) {
		if (seen & m->sides[c[i].zone])
			return false;
		seen |= m->sides[c[i].zone];
	}
	return true;
}

/* Joins the N candidates at C, which have one key: each with the first earlier one whose row is on
 * none of its sides. */
static void join(struct matching *m, const struct candidate *c, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			uint32_t to = c[k].zone, from = c[i].zone;
			if (m->leader[to] != to || m->sides[to] & m->sides[from])
				continue;
			m->leader[from] = to;
			m->sides[to] |= m->sides[from];
			break;
		}
}

static void match_round(struct matching *m, enum round round)
{
	collect(m, round);
	for (size_t first = 0, end; first < m->count; first = end) {
		for (end = first + 1;
		     end < m->count && !strcmp(m->list[first].key, m->list[end].key);)
			end++;
		if (round < BY_NAME || all_different(m, m->list + first, end - first))
			join(m, m->list + first, end - first);
	}
	for (size_t i = 0; i < m->count; i++)
		free(m->list[i].key);
}

static uint32_t find_leader(const struct matching *m, uint32_t zone)
{
	while (m->leader[zone] != zone)
		zone = m->leader[zone];
	return zone;
}

static uint32_t lowest(uint64_t sides)
{
	return (uint32_t)__builtin_ctzll(sides);
}

static uint32_t highest(uint64_t sides)
{
	return 63 - (uint32_t)__builtin_clzll(sides);
}

/* Finds the zones of each row's first and last side. SIDES: each zone's, before joining. */
static void name_rows(struct match *out, const struct matching *m, const uint64_t *sides)
{
	struct match_row *rows = out->rows;
	uint32_t *first = memory_zeroed(out->count, sizeof *first);
	for (uint32_t i = 1; i < m->zones->count; i++) {
		uint32_t r = out->row_of[i];
		if (r == MATCH_NONE)
			continue;
		if (!first[r] || lowest(sides[i]) < lowest(sides[first[r]]))
			first[r] = i;
		if (!rows[r].zone || highest(sides[i]) > highest(sides[rows[r].zone]))
			rows[r].zone = i;
	}
	for (size_t r = 1; r < out->count; r++)
		if (strcmp(m->zones->list[first[r]].name, m->zones->list[rows[r].zone].name))
			rows[r].earlier = first[r];
	free(first);
}

void match_zones(struct match *out, const struct zones *zones, const uint64_t *sides, uint64_t all)
{
	struct matching m = {.zones = zones, .all = all};
	m.sides = memory_resize(NULL, zones->count, sizeof *m.sides);
	m.leader = memory_resize(NULL, zones->count, sizeof *m.leader);
	for (uint32_t i = 0; i < zones->count; i++) {
		m.sides[i] = sides[i];
		m.leader[i] = i;
	}
	for (int round = 0; round < ROUNDS; round++)
		match_round(&m, (enum round)round);
	out->row_of = memory_resize(NULL, zones->count, sizeof *out->row_of);
	out->rows = memory_zeroed(zones->count, sizeof *out->rows);
	out->count = 1;
	out->rows[0].sides = all;
	out->row_of[0] = 0;
	for (uint32_t i = 1; i < zones->count; i++) {
		out->row_of[i] = MATCH_NONE;
		if (sides[i] && m.leader[i] == i) {
			out->rows[out->count].sides = m.sides[i];
			out->row_of[i] = (uint32_t)out->count++;
		}
	}
	for (uint32_t i = 1; i < zones->count; i++)
		if (sides[i])
			out->row_of[i] = out->row_of[find_leader(&m, i)];
	name_rows(out, &m, sides);
	free(m.sides);
	free(m.leader);
	free(m.list);
}

void match_free(struct match *m)
{
	free(m->row_of);
	free(m->rows);
	*m = (struct match){0};
}
