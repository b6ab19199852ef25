/* SPDX-License-Identifier: MIT */
/*
 * units.h - numbers as people read them: the one place that chooses units, decimals and thousands.
 */
#ifndef REPORT_UNITS_H
#define REPORT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define UNITS_TEXT 40 /* bytes that are enough for any text made here */

/* A time: 12.1 ns, 398 us, 3.21 s; 0 for zero or less. With FAKE, NS is a count of ticks. */
const char *units_time(char text[UNITS_TEXT], double ns, bool fake);

/* The next number up that has one digit but for zeros; at least LEAST, which is a power of ten. */
double units_round_up(double value, double least);

/* A time of which no more is known than that it is below NS: `<3 ms`, rounded up to one digit; `0`
 * for zero or less. */
const char *units_below(char text[UNITS_TEXT], double ns, bool fake);

/* 1,234,567 */
const char *units_count(char text[UNITS_TEXT], uint64_t n);

/* A number of things, in the plural unless N is 1: `1 call`, `1,620 calls`, `2 processes`. ONE is a
 * word in the singular, of at most 10 letters. */
const char *units_of(char text[UNITS_TEXT], uint64_t n, const char *one);

/* Three significant digits: 0.98, 16.2, 1,620. */
const char *units_digits(char text[UNITS_TEXT], double value);

/* A percentage: 72.4; WHOLE may be 0. Never above 100: if too much hook cost was subtracted from
 * other parts, one part may be larger than the whole. */
const char *units_percent(char text[UNITS_TEXT], double part, double whole);

/* A percentage of which no more is known than that it is below PART of WHOLE: `<0.1`, `<20`. */
const char *units_percent_below(char text[UNITS_TEXT], double part, double whole);

/* The error bar of a time VALUE, in the unit that units_time() gives it, with two digits but no more
 * decimals: `84` of 593 ms, `0.24` of 1.24 s, `<1` of 181 ms; "" for no error bar. */
const char *units_bar(char text[UNITS_TEXT], double bar, double value);

/* 4,096 bytes, 12.3 MB */
const char *units_bytes(char text[UNITS_TEXT], uint64_t bytes);

/* 2.000 GHz */
const char *units_rate(char text[UNITS_TEXT], double hz);

/* `2026-05-17 12:00:00`, in local time; "" for 0. */
const char *units_moment(char text[UNITS_TEXT], uint64_t realtime_ns);

#endif
