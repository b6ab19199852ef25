/* SPDX-License-Identifier: MIT */
/* inlined.c - see inlined.h. */
#include "report/core/select/inlined.h"

#include "report/cxx/short_name.h"
#include "report/core/base/units.h"

#define INLINED_SHOWN 3 /* functions that are named */

struct counting {
	const struct pattern *pattern;
	size_t places;
};

static bool count_call(void *context, const struct symbolize_inlined *call)
{
	struct counting *c = context;
	struct pattern_subject s = {call->name, call->linkage, "", "", 0};
	c->places += pattern_matches(c->pattern, &s);
	return true;
}

static void add_function(struct str *text, const struct zone *zone, size_t places, bool first)
{
	struct str name = {0};
	short_name(&name, zone->name);
	str_add(text, "%s%s (%s)", first ? "was inlined into " : ", ", str_text(&name),
		units_of((char[UNITS_TEXT]){0}, places, "place"));
	str_free(&name);
}

bool inlined_describe(const struct pattern *p, const struct zones *zones, struct str *text)
{
	size_t functions = 0;
	for (size_t i = 1; p->of == PATTERN_FUNC && i < zones->count; i++) {
		const struct zone *zone = &zones->list[i];
		struct counting c = {p, 0};
		if (zone->kind || zone->module == ZONE_NO_MODULE || zone->spread_of)
			continue;
		symbolize_inlined(zones->modules[zone->module].symbols, zone->address, count_call,
				  &c);
		if (c.places && functions < INLINED_SHOWN)
			add_function(text, zone, c.places, !functions);
		functions += c.places > 0;
	}
	if (functions > INLINED_SHOWN)
		str_add(text, " and %s other function%s",
			units_count((char[UNITS_TEXT]){0}, functions - INLINED_SHOWN),
			functions == INLINED_SHOWN + 1 ? "" : "s");
	if (functions)
		str_add(text,
			functions > 1 ? ", whose times include it" : ", whose time includes it");
	return functions;
}
