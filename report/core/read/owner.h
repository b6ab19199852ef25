/* SPDX-License-Identifier: MIT */
/*
 * owner.h - who owns a file. In a folder that others can write to, a profile or groups file may be
 * made to harm its reader; so files of other users are read only on request (--force).
 */
#ifndef REPORT_OWNER_H
#define REPORT_OWNER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "report/core/base/str.h"

/* Whether a file is the user's own, or root's. */
bool owner_is_trusted(const struct stat *st);

/* The user's name, or `user 1234`, added to TEXT. */
void owner_name(const struct stat *st, struct str *text);

/* False with a message if the file at PATH is another user's and ANYONE is not set. */
bool owner_check(const struct stat *st, bool anyone, const char *path, struct str *err);

#endif
