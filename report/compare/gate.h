/* SPDX-License-Identifier: MIT */
/*
 * gate.h - conditions on a comparison of two sides, for continuous integration.
 *
 *     calls>0%                      of each function: more calls than before
 *     cast_ray self>5%+2sigma       of functions that match a pattern: the change, less two standard
 *                                   errors of it, is more than 5 % of what was before
 *     group:parser self>1ms         of a group, here by a time: less two standard errors, too
 *     whole self>1ms+0sigma         the change itself, however uncertain
 *     whole self>2%                 of all functions together
 *     calls<5%                      of each function: calls fell by more than 5 %
 *
 * A new function was 0 before, so it breaks any limit in per cent. Zones of zprof itself are left
 * out, unless a pattern names them.
 */
#ifndef REPORT_GATE_H
#define REPORT_GATE_H

#include "report/compare/compare.h"

struct gate_condition {
	const char *text;
	char *selector; /* "": each function; "whole"; "group:NAME"; or a pattern */
	char *measure_name;
	size_t measure;
	bool falls, percent;
	double limit, sigmas; /* sigmas: standard errors that are taken off the change */
	size_t breaches;
};

struct gate_breach {
	size_t condition;
	const struct compare_table *table;
	size_t row;
};

struct gate {
	struct gate_condition *conditions;
	size_t count, room;
	struct gate_breach *breaches; /* in the order of conditions, the largest change first */
	size_t breach_count, breach_room;
};

/* Adds a condition; TEXT must live as long as G. False with a message if TEXT is not valid. */
bool gate_add(struct gate *g, const char *text, struct str *err);

/* Finds the breaches; false with a message if a condition names what no profile has. */
bool gate_check(struct gate *g, const struct compare *c, struct str *err);
void gate_free(struct gate *g);

/* The arcs of a breach's function whose numbers changed in the breach's measure and direction, the
 * largest change first; at most MOST of them. free() the list. */
size_t *gate_callers(const struct gate *g, const struct compare *c, const struct gate_breach *b,
		     size_t most, size_t *count);

#endif
