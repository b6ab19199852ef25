/* SPDX-License-Identifier: MIT */
/* owner.c - see owner.h. */
#include "report/core/read/owner.h"

#include <pwd.h>
#include <unistd.h>

bool owner_is_trusted(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

void owner_name(const struct stat *st, struct str *text)
{
	const struct passwd *user = getpwuid(st->st_uid);
	if (user)
		str_add(text, "'%s'", user->pw_name);
	else
		str_add(text, "user %u", (unsigned)st->st_uid);
}

bool owner_check(const struct stat *st, bool anyone, const char *path, struct str *err)
{
	if (anyone || owner_is_trusted(st))
		return true;
	str_fail(err, "'%s' belongs to ", path);
	owner_name(st, err);
	str_add(err, ", not to you or root, and is not read: if you trust it, make a copy, or use "
		     "--force");
	return false;
}
