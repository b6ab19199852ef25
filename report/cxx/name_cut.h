/* SPDX-License-Identifier: MIT */
/*
 * name_cut.h - a C++ name with `...` for those of its arguments that find no room:
 *
 *     Eigen::internal::evaluator<Eigen::Block<...>>::evaluator(...)
 *
 *     root ARGUMENT  `Eigen::internal::evaluator` <group> `::evaluator` <group>
 *                                                    |
 *                                  ARGUMENT  `Eigen::Block` <group> ...
 *
 * Arguments are shown from the outside in, template arguments before parameters, while there is
 * room. An argument that tells two functions apart is shown in any case.
 */
#ifndef REPORT_NAME_CUT_H
#define REPORT_NAME_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "report/core/base/str.h"

/* A pair of brackets with what is in it, or one argument. The parts within a part follow it. */
struct name_part {
	uint32_t from, to; /* bytes of the name; of a group, with its brackets */
	uint32_t next;     /* the first part that is not within this one */
	uint32_t parent, depth;
	bool group;
	bool needed; /* of an argument: always shown */
	bool shown;
};

struct name_cut {
	char *name;
	struct name_part *parts; /* parts[0] is the whole name */
	size_t count, room;
	uint32_t left_out; /* the group of the function's own parameters, if it is; 0: it is not */
	bool whole;        /* nothing outside brackets may be left out */
};

void name_cut_init(struct name_cut *c, const char *name);
void name_cut_free(struct name_cut *c);

/* From now on, what byte AT of the name belongs to is shown. False if that was shown already. */
bool name_cut_need(struct name_cut *c, size_t at);

/* TEXT becomes a form of the name for ROOM columns. Where nothing else helps, parameters and then
 * scopes are left out: with SCOPES the outer ones, otherwise those in the middle. The form may still
 * be wider. */
void name_cut_fit(struct name_cut *c, struct str *text, int room, bool scopes);

/* TEXT becomes the innermost argument that byte AT belongs to. False if that is outside brackets. */
bool name_cut_argument(const struct name_cut *c, struct str *text, size_t at);

#endif
