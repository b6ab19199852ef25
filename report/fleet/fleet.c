/* SPDX-License-Identifier: MIT */
/* fleet.c - see fleet.h. */
#include "report/fleet/fleet.h"

#include "report/core/base/str.h"
#include "report/core/base/units.h"

void fleet_counts_text(const struct fleet_counts *c, struct str *text)
{
	static const char *const words[FLEET_OUTCOMES] = {[FLEET_RECEIVED] = "received",
							  [FLEET_REFUSED] = "refused",
							  [FLEET_NOT_YET] = "not sent",
							  [FLEET_PERHAPS] = "perhaps received"};
	char count[UNITS_TEXT];
	str_add(text, "%s received", units_of(count, c->of[FLEET_RECEIVED], "profile"));
	for (int i = 0; i < FLEET_OUTCOMES; i++)
		if (i != FLEET_RECEIVED && c->of[i])
			str_add(text, ", %zu %s", c->of[i], words[i]);
}
