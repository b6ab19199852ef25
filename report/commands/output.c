/* SPDX-License-Identifier: MIT */
/* output.c - see output.h. */
#include "report/commands/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_open(struct output *o, const char *path, struct str *err)
{
	*o = (struct output){path ? fopen(path, "w") : stdout, path};
	return o->to || str_fail(err, "cannot write '%s': %s", path, strerror(errno));
}

/* A device stays. */
static void remove_file(const char *path)
{
	struct stat s;
	if (!lstat(path, &s) && S_ISREG(s.st_mode))
		unlink(path);
}

bool output_close(struct output *o, bool whole, struct str *err)
{
	if (!o->path)
		return whole;
	bool lost = ferror(o->to);
	if (fclose(o->to) || lost)
		whole = str_fail(err, "cannot write '%s': %s", o->path, strerror(errno));
	if (!whole)
		remove_file(o->path);
	return whole;
}
