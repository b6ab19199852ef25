/* SPDX-License-Identifier: MIT */
/* known_names.h - names of the standard library and of some others that no rule can find out. */
#ifndef REPORT_KNOWN_NAMES_H
#define REPORT_KNOWN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* What users call a template with these arguments, such as `std::string` for
 * `std::basic_string<char>`; NULL: nothing else. Default arguments and inline namespaces are left
 * out of NAME. */
const char *known_alias(const char *name);

/* Whether a namespace of that name within another is inline: it tells a version of a library. */
bool known_inline(const char *name, size_t bytes);

#endif
