/* SPDX-License-Identifier: MIT */
/*
 * sleep_file.h - switches the calls of hooks off, or on again, in a program's file.
 *
 * The library finds and switches these calls in memory (preload/sites/). Here the same search looks
 * through the file, laid out as the dynamic linker would, and one byte changes at each call. The
 * build-id, notes and all lengths stay.
 *
 * The change must be possible to undo exactly. So a file is refused in which some calls are on and
 * others off, or where a search in the changed file does not find the same calls.
 */
#ifndef REPORT_SLEEP_FILE_H
#define REPORT_SLEEP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/core/base/str.h"

/* Replaces the file by one whose hooks are off, or on again. *SITES becomes the number of calls; 0:
 * the file was so already. False with a message, and the file is as it was. */
bool sleep_file(const char *path, bool asleep, size_t *sites, struct str *err);

#endif
