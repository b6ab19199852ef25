/* SPDX-License-Identifier: MIT */
/*
 * name_forms.h - the shorter forms of a function's name that people write:
 *
 *     int ns::Grid<char>::scan<long>(long) const         and then, each without what is in front:
 *     int ns::Grid<char>::scan<long>                     ns::Grid<char>::scan
 *     int ns::Grid<char>::scan                           Grid<char>::scan, scan ...
 *
 * What is in brackets is never cut, and `operator<`, `operator()` and `(anonymous namespace)` are
 * whole.
 */
#ifndef REPORT_NAME_FORMS_H
#define REPORT_NAME_FORMS_H

#include <stdbool.h>

/*
 * Calls EACH for the forms of NAME, itself first, until it says true; gives whether it did. LINKAGE
 * is the name as the linker sees it, "" for none: where the two differ a type may stand in front.
 */
bool name_forms(const char *name, const char *linkage,
		bool (*each)(const char *form, void *context), void *context);

/* The name without its parameters; free() it. */
char *name_without_parameters(const char *name);

#endif
