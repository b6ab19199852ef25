/* SPDX-License-Identifier: MIT */
/*
 * price.h - what a sample with the top of the stack (rings.h) costs the program that it is taken
 * of: tens of microseconds on a virtual machine, where each timer's interrupt leaves the guest.
 *
 * This thread spins for some milliseconds, with samples taken of it and without, in turn; the price
 * is the median of the differences. On a machine that does other things, too, it comes out a third
 * larger or smaller from one time to the next.
 */
#ifndef REPORT_SAMPLER_PRICE_H
#define REPORT_SAMPLER_PRICE_H

#include <stdint.h>

/*
 * In ns of CPU time; 0 where samples are not allowed. Takes half a second or more, because rings
 * are made anew for each time that it spins.
 */
double price_of_sample(void);

#endif
