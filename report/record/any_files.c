/* SPDX-License-Identifier: MIT */
/* any_files.c - see any_files.h. */
#include "report/record/any_files.h"

#include <string.h>

bool any_is_run_time(const char *file)
{
	static const char *const names[] = {"ld-linux-x86-64.so.", "libc.so.",      "libm.so.",
					    "libpthread.so.",      "libdl.so.",     "librt.so.",
					    "libgcc_s.so.",        "libstdc++.so.", "libresolv.so.",
					    "libutil.so."};
	const char *name = strrchr(file, '/') + 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

bool any_is_own(const char *file)
{
	return !strncmp(strrchr(file, '/') + 1, "libzprof", strlen("libzprof"));
}

bool any_is_interpreter(const char *file)
{
	const char *name = strrchr(file, '/') + 1;
	return !strncmp(name, "liblua5.", strlen("liblua5.")) ||
	       !strncmp(name, "libluajit-5.1.", strlen("libluajit-5.1."));
}
