/* SPDX-License-Identifier: MIT */
/*
 * record_plans.h - a folder with the plans that one run uses (symbolize/plan/plans.h). It has a link to each, so
 * no other plan that the user's cache keeps has an effect on the run. It is removed after the run, with all
 * that is in it.
 */
#ifndef REPORT_RECORD_PLANS_H
#define REPORT_RECORD_PLANS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/core/base/str.h"
#include "report/record/record_check.h"

struct record_plans {
	char folder[256]; /* empty: there is none */
};

/* Makes the folder. False with a message; record_plans_end() is due in any case. */
bool record_plans_begin(struct record_plans *p, struct str *err);

/* Adds the plan that is kept at PATH. False: errno says why not. */
bool record_plans_add(const struct record_plans *p, const char *path);

/* Gives the library the folder as its option OPTION. */
void record_plans_tell(const struct record_plans *p, const char *option);

void record_plans_end(struct record_plans *p);

/*
 * PATH becomes the file that runs if the program NAME does: of a script, its interpreter. False: there is none.
 * *KNOWN: LOADER is the dynamic linker that the file asks for.
 */
bool record_program_file(struct str *path, const char *name, char loader[RECORD_INTERPRETER],
			 bool *known);

#endif
