/* SPDX-License-Identifier: MIT */
/* chance.c - see chance.h. */
#include "report/second_run/chance.h"

#include <math.h>

double chance_apart(double share, double samples, double others)
{
	double per = (samples > 0 ? 1 / samples : 0) + (others > 0 ? 1 / others : 0);

	/* the mean of a normal variable's absolute value is sqrt(2 / pi) of its deviation */
	return 100 * sqrt(share * (1 - share) * per) * sqrt(2 / M_PI);
}
