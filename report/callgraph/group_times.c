/* SPDX-License-Identifier: MIT */
/* group_times.c - see group_times.h. One loop up the array of nodes: a node's group follows from
 * its parent's. */
#include "report/callgraph/group_times.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

/* The group that a context counts for, and the group that called it. */
struct place {
	uint32_t row, caller;
};

static uint32_t *rows_of_zones(const struct view *v)
{
	const struct group_map *map = &v->group_map;
	uint32_t *row_of_group = memory_zeroed(v->groups.count, sizeof *row_of_group);
	uint32_t *rows = memory_zeroed(map->zone_count, sizeof *rows);
	for (size_t i = 0; i < map->listed_count; i++)
		row_of_group[map->listed[i]] = (uint32_t)i + 1;
	for (size_t i = 1; i < map->zone_count; i++)
		if (map->of_zone[i] != GROUP_NONE)
			rows[i] = row_of_group[map->of_zone[i]];
	free(row_of_group);
	return rows;
}

/* A zone in no group counts for its caller's group; an outermost one for (etc). The outside of all
 * zones is in no group at all. */
static struct place place_of(const struct group_times *g, const struct tree *t, uint32_t index,
			     const uint32_t *rows, const struct place *places)
{
	const struct node *n = &t->nodes[index];
	uint32_t none = (uint32_t)g->count;
	if (!n->zone)
		return (struct place){none, none};
	struct place above = places[n->parent];
	uint32_t row = rows[n->zone];
	if (!row)
		row = above.row == none ? 0 : above.row;
	if (row == above.row)
		return above;
	return (struct place){row, above.row};
}

void group_times_make(struct group_times *g, const struct view *v)
{
	const struct tree *t = v->tree;
	*g = (struct group_times){.count = v->group_map.listed_count + 1};
	g->rows = memory_zeroed(g->count, sizeof *g->rows);
	g->cells = memory_zeroed(g->count * (g->count + 1), sizeof *g->cells);
	uint32_t *rows = rows_of_zones(v);
	struct place *places = memory_resize(NULL, t->count, sizeof *places);
	for (size_t i = 0; i < t->count; i++) {
		const struct node *n = &t->nodes[i];
		places[i] = place_of(g, t, (uint32_t)i, rows, places);
		if (!n->zone)
			continue;
		struct group_row *row = &g->rows[places[i].row];
		struct group_row *cell =
		    &g->cells[places[i].row * (g->count + 1) + places[i].caller];
		uint64_t entries = places[i].row != places[n->parent].row ? n->calls : 0;
		row->calls += entries;
		cell->calls += entries;
		cost_add(&row->self, &n->self);
		cost_add(&cell->self, &n->self);
		cost_add(&g->whole, &n->self);
		g->calls += n->calls;
	}
	free(places);
	free(rows);
}

void group_times_free(struct group_times *g)
{
	free(g->rows);
	free(g->cells);
	*g = (struct group_times){0};
}

bool group_times_check(const struct group_times *g)
{
	int64_t whole = 0;
	for (size_t i = 0; i < g->count; i++) {
		int64_t row = 0;
		uint64_t calls = 0;
		for (size_t k = 0; k <= g->count; k++) {
			row = cost_ticks(row, g->cells[i * (g->count + 1) + k].self.ticks);
			calls += g->cells[i * (g->count + 1) + k].calls;
		}
		if (row != g->rows[i].self.ticks || calls != g->rows[i].calls)
			return false;
		whole = cost_ticks(whole, row);
	}
	return whole == g->whole.ticks;
}

const char *group_times_name(const struct view *v, size_t row)
{
	return row ? v->groups.list[v->group_map.listed[row - 1]].name : GROUP_ETC_NAME;
}
