/* SPDX-License-Identifier: MIT */
/* curl_library.c - see curl_library.h. */
#include "report/fleet/curl_library.h"

#include <dlfcn.h>
#include <string.h>

/* The version of libcurl's binary interface since 2006. */
#define FILE_NAME "libcurl.so.4"

/* (ISO C has no cast from a pointer to an object to one to a function.) */
static bool find(void *file, const char *name, void *to)
{
	void *found = dlsym(file, name);
	memcpy(to, &found, sizeof found);
	return found;
}

const struct curl_library *curl_library_load(struct str *err)
{
	static struct curl_library library;
	void *file = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
	bool all = file;
#define X(name) all = all && find(file, "curl_" #name, &library.name);
	CURL_LIBRARY_FUNCTIONS(X)
#undef X
	if (!all)
		str_fail(err, "cannot send without libcurl: %s; install it (Debian: libcurl4)",
			 dlerror());
	return all ? &library : NULL;
}
