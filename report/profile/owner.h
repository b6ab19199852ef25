/* SPDX-License-Identifier: MIT */
/*
 * owner.h - whose a file is. In a folder that others may write to, a profile or a file of groups
 * may be anybody's, made to do harm to who reads it; so others' files are read only where that is
 * asked for.
 */
#ifndef REPORT_OWNER_H
#define REPORT_OWNER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "report/base/str.h"

/* Whether a file is the user's own, or root's. */
bool owner_is_trusted(const struct stat *st);

/* The user's name, or `user 1234`, added to TEXT. */
void owner_name(const struct stat *st, struct str *text);

/* False with a message where the file, at PATH, is not to be read unless ANYONE's are. */
bool owner_check(const struct stat *st, bool anyone, const char *path, struct str *err);

#endif
