/* SPDX-License-Identifier: MIT */
/* measure.c - see measure.h. */
#include "report/core/times/measure.h"

#include <string.h>

static const char *const names[TIME_MEASURES] = {
    [TIME_OWN] = "own", [TIME_CPU] = "cpu", [TIME_WAIT] = "wait", [TIME_WALL] = "wall"};

struct cost measure_cost(enum time_measure m, const struct cost *c)
{
	struct cost shown = *c;
	switch (m) {
	case TIME_CPU:
		shown.ns = c->cpu_ns;
		shown.error_ns = c->error_ns - c->wait_error_ns;
		shown.all_error_ns = c->all_error_ns - c->lengthened_ns;
		break;
	case TIME_WAIT:
		shown.ns = c->wait_ns;
		shown.error_ns = c->wait_error_ns;
		shown.all_error_ns = c->lengthened_ns;
		shown.variance = 0;
		break;
	case TIME_WALL:
		shown.ns = c->cpu_ns + c->wait_ns + c->preempted_ns;
		break;
	default:
		break;
	}
	return shown;
}

const char *measure_name(enum time_measure m)
{
	return names[m];
}

bool measure_parse(const char *name, enum time_measure *m)
{
	for (int i = 0; i < TIME_MEASURES; i++)
		if (!strcmp(name, names[i])) {
			*m = (enum time_measure)i;
			return true;
		}
	return false;
}
