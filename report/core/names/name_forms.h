/* SPDX-License-Identifier: MIT */
/*
 * name_forms.h - the shorter forms of a function's name that users may write:
 *
 *     int ns::Grid<char>::scan<long>(long) const         and each of them without its front:
 *     int ns::Grid<char>::scan<long>                     ns::Grid<char>::scan
 *     int ns::Grid<char>::scan                           Grid<char>::scan, scan ...
 *
 * The forms of its plain name (plain_name.h), which reports show, are among them.
 *
 * A form never ends within brackets. `operator<`, `operator()` and `(anonymous namespace)` stay
 * whole.
 */
#ifndef REPORT_NAME_FORMS_H
#define REPORT_NAME_FORMS_H

#include <stdbool.h>

#include "report/core/base/near.h"

/* Calls EACH for the forms of NAME, NAME first, until EACH returns true; returns whether it did.
 * LINKAGE is the name the linker sees, or "": if the two differ, NAME may begin with a type. */
bool name_forms(const char *name, const char *linkage,
		bool (*each)(const char *form, void *context), void *context);

/* Remembers the function, without its parameters, as one that might be meant (near.h), if one of
 * its forms resembles the word. */
void name_forms_near(struct near *near, const char *name, const char *linkage);

/* The name without its parameters; free() it. */
char *name_without_parameters(const char *name);

#endif
