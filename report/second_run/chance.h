/* SPDX-License-Identifier: MIT */
/* chance.h - how much shares differ because samples are a matter of chance. */
#ifndef REPORT_SAMPLER_CHANCE_H
#define REPORT_SAMPLER_CHANCE_H

/* How far apart two measured shares are on average, in points of 100, if both are measurements of
 * SHARE (0 to 1). One is made of SAMPLES samples, the other of OTHERS (0: not made of samples). */
double chance_apart(double share, double samples, double others);

#endif
