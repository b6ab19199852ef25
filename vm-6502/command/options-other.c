/* SPDX-License-Identifier: MIT */
/* options-other: a Forth that isn't ours, as the command line or a preset describes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/command/options-inside.h"

static bool set_other_address(struct options_reading *r, int option, uint16_t *address)
{
	long value;

	if (!options_address(r, r->other[option], &value))
		return false;
	if (value >= 0)
		*address = value;
	return true;
}

/* One token, or two with a comma between them. */
static bool set_exits(struct options_reading *r)
{
	char text[128];
	char *comma;
	long value;

	snprintf(text, sizeof text, "%s", r->other[OTHER_EXIT] ? r->other[OTHER_EXIT] : "0");
	comma = strchr(text, ',');
	if (comma)
		*comma++ = 0;
	if (!options_address(r, text, &value))
		return false;
	r->o->other.exit = value;
	if (!options_address(r, comma, &value))
		return false;
	r->o->other.unnest = value < 0 ? 0 : value;
	return true;
}

/* An address, and after how many NEXTs. */
static bool set_stamp(struct options_reading *r)
{
	char text[128];
	char *plus;

	snprintf(text, sizeof text, "%s", r->other[OTHER_STAMP] ? r->other[OTHER_STAMP] : "");
	plus = strchr(text, '+');
	if (plus)
		*plus++ = 0;
	r->o->other.stamp_after = plus ? atoi(plus) : 0;
	return options_address(r, text[0] ? text : NULL, &r->o->other.stamp);
}

/* For another Forth, checks that all needed to watch it was given. */
bool options_other(struct options_reading *r)
{
	static const int needed[] = {OTHER_IP, OTHER_W, OTHER_DOCOL, OTHER_CORE_END};
	static const char *const name[] = {"ip", "w", "docol", "core-end"};
	struct forth_image *i = &r->o->other;

	for (int k = 0; k < OTHERS; k++)
		i->other |= r->other[k] != NULL;
	if (!i->other)
		return true;
	if (!r->other[OTHER_NEXT])
		return options_wrong(r, "%s", "--next=ADDR is missing: where NEXT is");
	for (int k = 0; k < 4; k++) {
		if (!r->other[needed[k]])
			return options_wrong(r, "--next needs --%s too", name[k]);
	}
	return set_other_address(r, OTHER_NEXT, &i->next) &&
	       set_other_address(r, OTHER_IP, &i->ip) && set_other_address(r, OTHER_W, &i->w) &&
	       set_other_address(r, OTHER_RP, &i->rp) &&
	       set_other_address(r, OTHER_DOCOL, &i->docol) &&
	       set_other_address(r, OTHER_DODOES, &i->dodoes) &&
	       set_other_address(r, OTHER_CORE_END, &i->core_end) && set_exits(r) &&
	       options_address(r, r->other[OTHER_PATCHED], &i->patched) && set_stamp(r);
}
