/* SPDX-License-Identifier: MIT */
/*
 * sleep_file.h - switches the calls of hooks off, or on again, in a program's file.
 *
 * The library finds and switches them in memory (preload/sites/). Here the same search looks
 * through the file, laid out as the dynamic linker would, and one byte changes at each place.
 * Nothing else does: neither build-id nor notes, nor the length of anything.
 *
 * It must be undone exactly, so a file is refused in which some are on and some are off, or where
 * the same search does not find the same places afterwards.
 */
#ifndef REPORT_SLEEP_FILE_H
#define REPORT_SLEEP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/core/base/str.h"

/*
 * Replaces the file by one whose hooks are called no more, or again; the number of places goes to
 * *SITES, 0: it was so already. False with a message, and the file is as it was.
 */
bool sleep_file(const char *path, bool asleep, size_t *sites, struct str *err);

#endif
