/* SPDX-License-Identifier: MIT */
/* chance.h - what samples differ by, because they are a matter of chance. */
#ifndef REPORT_SAMPLER_CHANCE_H
#define REPORT_SAMPLER_CHANCE_H

/*
 * How many points of 100 two measured shares differ on average: one of so many samples, the other
 * of so many others (0: not made of samples), where SHARE, from 0 to 1, is what both are of.
 */
double chance_apart(double share, double samples, double others);

#endif
