/* SPDX-License-Identifier: MIT */
/* chance.h - how much shares differ because samples are a matter of chance. */
#ifndef REPORT_SAMPLER_CHANCE_H
#define REPORT_SAMPLER_CHANCE_H

#include <math.h>

/* How far apart two measured shares are on average, in points of 100, if both are measurements of
 * SHARE (0 to 1). One is made of SAMPLES samples, the other of OTHERS (0: not made of samples). */
static inline double chance_apart(double share, double samples, double others)
{
	double per = (samples > 0 ? 1 / samples : 0) + (others > 0 ? 1 / others : 0);

	/* the mean of a normal variable's absolute value is sqrt(2 / pi) of its deviation */
	return 100 * sqrt(share * (1 - share) * per) * sqrt(2 / M_PI);
}

#endif
