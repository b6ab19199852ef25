/* SPDX-License-Identifier: MIT */
/* groups.c - see groups.h; reading them from a file is groups_file.c. */
#include "report/core/pattern/groups.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"

void groups_free(struct groups *g)
{
	for (size_t i = 0; i < g->count; i++) {
		free(g->list[i].name);
		free(g->list[i].parent_name);
		pattern_list_free(&g->list[i].patterns);
	}
	for (size_t i = 0; i < g->metric_count; i++) {
		for (size_t k = 0; k < g->metrics[i].group_count; k++)
			free(g->metrics[i].group_names[k]);
		free(g->metrics[i].group_names);
		free(g->metrics[i].name);
	}
	free(g->list);
	free(g->metrics);
	*g = (struct groups){0};
}

uint32_t groups_find(const struct groups *g, const char *name)
{
	for (size_t i = 0; i < g->count; i++)
		if (!strcmp(g->list[i].name, name))
			return (uint32_t)i;
	return GROUP_NONE;
}

bool groups_require(const struct groups *g, const struct pattern *p, struct str *err)
{
	struct near near;
	if (p->of != PATTERN_GROUP || groups_find(g, p->text) != GROUP_NONE)
		return true;
	str_fail(err, "no group '%s'", p->text);
	near_init(&near, p->text);
	for (size_t i = 0; i < g->count; i++) {
		str_add(err, "%s'%s'", i ? ", " : "; there are: ", g->list[i].name);
		near_try(&near, g->list[i].name, g->list[i].name);
	}
	if (!g->count)
		str_add(err, "; groups are read from 'zprof.groups' here, or --groups FILE");
	near_add(&near, err);
	return false;
}

const struct metric *groups_metric(const struct groups *g, const char *name, struct str *err)
{
	for (size_t i = 0; i < g->metric_count; i++)
		if (!strcmp(g->metrics[i].name, name))
			return &g->metrics[i];
	str_fail(err, "no metric '%s' in the groups file", name);
	for (size_t i = 0; i < g->metric_count; i++)
		str_add(err, "%s'%s'", i ? ", " : "; there are: ", g->metrics[i].name);
	return NULL;
}

void groups_add_lent(struct groups *g, const struct zones *zones)
{
	for (size_t i = 1; i < zones->count; i++) {
		const char *name = zones->list[i].group;
		if (!*name || groups_find(g, name) != GROUP_NONE)
			continue;
		*memory_next(g->list, g->count, g->room) =
		    (struct group){.name = memory_text(name, strlen(name)), .parent = GROUP_NONE};
	}
}

struct pattern_subject groups_subject(const struct zones *zones, uint32_t zone)
{
	const struct zone *z = &zones->list[zone];
	if (z->spread_of)
		z = &zones->list[z->spread_of];
	const char *module = z->module == ZONE_NO_MODULE ? "" : zones->modules[z->module].path;
	return (struct pattern_subject){z->name, z->linkage, z->file, module, z->address};
}

static bool is_member(const struct group *g, const struct pattern_subject *s, const char *lent)
{
	if (*lent && !strcmp(g->name, lent))
		return true;
	for (size_t i = 0; i < g->patterns.count; i++)
		if (pattern_matches(&g->patterns.list[i], s))
			return true;
	return false;
}

static bool is_within(const struct groups *g, uint32_t group, uint32_t outer)
{
	for (; group != GROUP_NONE; group = g->list[group].parent)
		if (group == outer)
			return true;
	return false;
}

bool groups_contains(const struct groups *g, uint32_t group, const struct pattern_subject *subject,
		     const char *lent)
{
	for (size_t i = 0; i < g->count; i++)
		if (is_within(g, (uint32_t)i, group) && is_member(&g->list[i], subject, lent))
			return true;
	return false;
}

bool groups_match(const struct groups *g, const struct pattern *p,
		  const struct pattern_subject *subject, const char *lent)
{
	return p->of == PATTERN_GROUP ? groups_contains(g, groups_find(g, p->text), subject, lent)
				      : pattern_matches(p, subject);
}

bool groups_match_any(const struct groups *g, const struct patterns *patterns,
		      const struct pattern_subject *subject, const char *lent)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (groups_match(g, &patterns->list[i], subject, lent))
			return true;
	return false;
}

static bool list_metric(struct group_map *map, const struct groups *g, const char *name,
			struct str *err)
{
	const struct metric *m = groups_metric(g, name, err);
	if (!m)
		return false;
	map->listed = memory_resize(NULL, m->group_count, sizeof *map->listed);
	for (size_t i = 0; i < m->group_count; i++)
		map->listed[map->listed_count++] = groups_find(g, m->group_names[i]);
	return true;
}

/* Position in the metric of GROUP or its nearest listed ancestor; SIZE_MAX: neither is listed. */
static size_t place_in_metric(const struct group_map *map, const struct groups *g, uint32_t group)
{
	for (; group != GROUP_NONE; group = g->list[group].parent)
		for (size_t i = 0; i < map->listed_count; i++)
			if (map->listed[i] == group)
				return i;
	return SIZE_MAX;
}

/* Of the groups that contain a zone: the innermost if they nest, else the one listed first. */
static uint32_t choose(const struct group_map *map, const struct groups *g, const size_t *place,
		       const struct pattern_subject *s, const char *lent)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < g->count; i++) {
		if (place[i] == SIZE_MAX || place[i] == best || !is_member(&g->list[i], s, lent))
			continue;
		if (best == SIZE_MAX) {
			best = place[i];
			continue;
		}
		uint32_t new = map->listed[place[i]], old = map->listed[best];
		if (is_within(g, new, old) || (!is_within(g, old, new) && place[i] < best))
			best = place[i];
	}
	return best == SIZE_MAX ? GROUP_NONE : map->listed[best];
}

bool groups_map(struct group_map *map, const struct groups *g, const char *metric,
		const struct zones *zones, struct str *err)
{
	*map = (struct group_map){.zone_count = zones->count};
	if (metric && !list_metric(map, g, metric, err))
		return false;
	if (!metric) {
		map->listed = memory_resize(NULL, g->count, sizeof *map->listed);
		for (size_t i = 0; i < g->count; i++)
			map->listed[map->listed_count++] = (uint32_t)i;
	}
	size_t *place = memory_resize(NULL, g->count, sizeof *place);
	for (size_t i = 0; i < g->count; i++)
		place[i] = place_in_metric(map, g, (uint32_t)i);
	map->of_zone = memory_resize(NULL, zones->count, sizeof *map->of_zone);
	map->of_zone[0] = GROUP_NONE;
	for (size_t i = 1; i < zones->count; i++) {
		struct pattern_subject s = groups_subject(zones, (uint32_t)i);
		map->of_zone[i] = choose(map, g, place, &s, zones->list[i].group);
	}
	free(place);
	return true;
}

void groups_map_free(struct group_map *map)
{
	free(map->listed);
	free(map->of_zone);
	*map = (struct group_map){0};
}
