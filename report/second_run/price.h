/* SPDX-License-Identifier: MIT */
/*
 * price.h - measures how much CPU time a sample with the top of the stack (rings.h) takes from the
 * program: tens of microseconds on a virtual machine, where each timer interrupt leaves the guest.
 *
 * This thread spins for some milliseconds, in turn with and without samples being taken of it. The
 * price is the median of the differences. On a machine that does other things, too, it comes out a
 * third larger or smaller from one time to the next.
 */
#ifndef REPORT_SAMPLER_PRICE_H
#define REPORT_SAMPLER_PRICE_H

#include <stdint.h>

/* The price in ns of CPU time; 0 if samples are not allowed. Takes half a second or more: each time
 * that the thread spins, the kernel makes new ring buffers for its samples. */
double price_of_sample(void);

#endif
