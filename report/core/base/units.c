/* SPDX-License-Identifier: MIT */
/* units.c - see units.h. */
#include "report/core/base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Three significant digits: 9.87, 98.7, 987, and 1,234 where there is no larger unit. */
static const char *digits(char text[UNITS_TEXT], double value, const char *unit)
{
	char number[UNITS_TEXT];
	if (value >= 999.5)
		units_count(number, (uint64_t)llround(value));
	else
		snprintf(number, sizeof number, "%.*f",
			 value < 9.995   ? 2
			 : value < 99.95 ? 1
					 : 0,
			 value);
	snprintf(text, UNITS_TEXT, "%.32s %s", number, unit);
	return text;
}

const char *units_time(char text[UNITS_TEXT], double ns, bool fake)
{
	static const char *const names[] = {"ns", "us", "ms", "s"};
	if (fake)
		return units_count(text, ns > 0 ? (uint64_t)llround(ns < 1e18 ? ns : 1e18) : 0);
	if (!(ns >= 0.005))
		return strcpy(text, "0");
	int unit = 0;
	while (unit < 3 && ns >= 999.5) {
		ns /= 1000;
		unit++;
	}
	return digits(text, ns < 1e18 ? ns : 1e18, names[unit]);
}

double units_round_up(double value, double least)
{
	double digit = least;
	while (value > 9 * digit && digit < 1e30)
		digit *= 10;
	return fmax(ceil(value / digit), 1) * digit;
}

const char *units_below(char text[UNITS_TEXT], double ns, bool fake)
{
	static const char *const names[] = {" ns", " us", " ms", " s"};
	char number[UNITS_TEXT];
	int unit = 0;
	if (!(ns > 0))
		return strcpy(text, "0");
	ns = units_round_up(ns, fake ? 1 : 0.1);
	while (!fake && unit < 3 && ns >= 1000) {
		ns /= 1000;
		unit++;
	}
	if (ns < 1)
		snprintf(number, sizeof number, "%.1f", ns);
	else
		units_count(number, (uint64_t)llround(ns < 1e18 ? ns : 1e18));
	snprintf(text, UNITS_TEXT, "<%.32s%s", number, fake ? "" : names[unit]);
	return text;
}

const char *units_count(char text[UNITS_TEXT], uint64_t n)
{
	char plain[24];
	int length = snprintf(plain, sizeof plain, "%llu", (unsigned long long)n), to = 0;
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[to++] = ',';
		text[to++] = plain[i];
	}
	text[to] = 0;
	return text;
}

const char *units_of(char text[UNITS_TEXT], uint64_t n, const char *one)
{
	char number[UNITS_TEXT];
	size_t length = strlen(one);
	const char *ending = n == 1 ? "" : one[length - 1] == 's' ? "es" : "s";
	snprintf(text, UNITS_TEXT, "%.26s %.10s%s", units_count(number, n), one, ending);
	return text;
}

const char *units_digits(char text[UNITS_TEXT], double value)
{
	uint64_t unit = 1;
	if (!(value >= 999.5)) {
		snprintf(text, UNITS_TEXT, "%.*f",
			 value < 9.995   ? 2
			 : value < 99.95 ? 1
					 : 0,
			 value);
		return text;
	}
	value = value < 1e18 ? value : 1e18;
	while (value / (double)unit >= 999.5)
		unit *= 10;
	return units_count(text, (uint64_t)llround(value / (double)unit) * unit);
}

const char *units_percent(char text[UNITS_TEXT], double part, double whole)
{
	double percent = whole > 0 && part > 0 ? part / whole * 100 : 0;
	snprintf(text, UNITS_TEXT, "%.1f", percent < 100 ? percent : 100);
	return text;
}

const char *units_percent_below(char text[UNITS_TEXT], double part, double whole)
{
	double percent = whole > 0 ? fmin(units_round_up(part / whole * 100, 0.1), 100) : 100;
	if (part > 0)
		snprintf(text, UNITS_TEXT, "<%.*f", percent < 1, percent);
	else
		units_percent(text, 0, whole);
	return text;
}

const char *units_bar(char text[UNITS_TEXT], double bar, double value)
{
	double scale = 1;
	if (!(bar > 0))
		return strcpy(text, "");
	for (int unit = 0; unit < 3 && value / scale >= 999.5; unit++)
		scale *= 1000;
	bar /= scale;
	value /= scale;
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	int enough = bar < 0.995 ? 2 : bar < 9.95 ? 1 : 0;
	decimals = enough < decimals ? enough : decimals;
	double least = pow(10, -decimals);
	snprintf(text, UNITS_TEXT, "%s%.*f", bar < least ? "<" : "", decimals,
		 fmin(fmax(bar, least), 1e18));
	return text;
}

const char *units_bytes(char text[UNITS_TEXT], uint64_t bytes)
{
	static const char *const names[] = {"kB", "MB", "GB", "TB"};
	double value = (double)bytes;
	int unit = -1;
	if (bytes < 10000) {
		char number[UNITS_TEXT];
		snprintf(text, UNITS_TEXT, "%.32s bytes", units_count(number, bytes));
		return text;
	}
	while (unit < 3 && value >= 9999.5) {
		value /= 1000;
		unit++;
	}
	return digits(text, value, names[unit]);
}

const char *units_rate(char text[UNITS_TEXT], double hz)
{
	if (hz >= 1e9)
		snprintf(text, UNITS_TEXT, "%.3f GHz", hz / 1e9);
	else if (hz >= 1e6)
		snprintf(text, UNITS_TEXT, "%.3f MHz", hz / 1e6);
	else
		snprintf(text, UNITS_TEXT, "%.0f Hz", hz);
	return text;
}

const char *units_moment(char text[UNITS_TEXT], uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm tm;
	if (!realtime_ns || !localtime_r(&seconds, &tm) ||
	    !strftime(text, UNITS_TEXT, "%Y-%m-%d %H:%M:%S", &tm))
		*text = 0;
	return text;
}
