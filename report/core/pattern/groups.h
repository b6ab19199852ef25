/* SPDX-License-Identifier: MIT */
/*
 * groups.h - groups, which are named sets of zones, and metrics, which decide the group that a zone
 * counts for.
 *
 *     [group numbers]           a zone is a member if any pattern of the group matches it
 *     parent = scanner          if a metric lists scanner but not numbers, zones of numbers count
 *                               for scanner
 *     func   = scan_number
 *     [metric compile]          an ordered list: if two groups that do not nest share a zone, it
 *     groups = input scanner    counts for the one listed first
 *
 * An interpreter may name the group of a zone it lends. Such groups need not be in the file.
 */
#ifndef REPORT_GROUPS_H
#define REPORT_GROUPS_H

#include "report/core/pattern/pattern.h"
#include "report/core/names/zones.h"

#define GROUP_NONE     UINT32_MAX
#define GROUP_ETC_NAME "(etc)"

struct group {
	char *name;
	char *parent_name; /* NULL: none */
	uint32_t parent;   /* index, GROUP_NONE */
	struct patterns patterns;
};

struct metric {
	char *name;
	char **group_names;
	size_t group_count, group_room;
};

struct groups {
	struct group *list; /* those of the file, in its order; then those that were lent */
	size_t count, room;
	struct metric *metrics;
	size_t metric_count, metric_room;
};

/* The group that each zone counts for, under the metric in use. */
struct group_map {
	uint32_t *listed; /* groups of the metric, in its order */
	size_t listed_count;
	uint32_t *of_zone; /* by zone number: an index into struct groups' list, GROUP_NONE */
	size_t zone_count;
};

/* Reads the file PATH; if that is NULL, `zprof.groups` in the current folder, which may be missing.
 * The file must belong to the user or root, unless ANYONE is set. */
bool groups_load(struct groups *g, const char *path, bool anyone, struct str *err);
void groups_free(struct groups *g);

/* Adds the groups that lent zones name. */
void groups_add_lent(struct groups *g, const struct zones *zones);

/* Index of the group of that name, GROUP_NONE. */
uint32_t groups_find(const struct groups *g, const char *name);

/* False with a message if P names an unknown group. */
bool groups_require(const struct groups *g, const struct pattern *p, struct str *err);

/* The metric of that name; NULL with a message. */
const struct metric *groups_metric(const struct groups *g, const char *name, struct str *err);

/* Whether SUBJECT, lent with group LENT ("" for none), is in GROUP or in one nested in it. */
bool groups_contains(const struct groups *g, uint32_t group, const struct pattern_subject *subject,
		     const char *lent);

/* Whether SUBJECT, lent with group LENT, matches a pattern, or one of several. */
bool groups_match(const struct groups *g, const struct pattern *p,
		  const struct pattern_subject *subject, const char *lent);
bool groups_match_any(const struct groups *g, const struct patterns *patterns,
		      const struct pattern_subject *subject, const char *lent);

/* Maps zones to groups by METRIC; NULL: all groups, in their order. False with a message if there
 * is no such metric. */
bool groups_map(struct group_map *map, const struct groups *g, const char *metric,
		const struct zones *zones, struct str *err);
void groups_map_free(struct group_map *map);

/* The parts of a zone that patterns are matched against. */
struct pattern_subject groups_subject(const struct zones *zones, uint32_t zone);

#endif
