/* SPDX-License-Identifier: MIT */
/*
 * adapters.c - loads the adapter of an interpreter that is in the process (preload/adapters/).
 *
 * An adapter is a small library beside libzprof.so that reports the calls of an interpreter by the
 * functions of zprof.h, and does the rest by itself, from its constructor on. It is loaded as the
 * process starts, before main(), and only into a process that is recorded and has the interpreter's
 * symbol. In any other process, all that happens is a search for that symbol.
 */
#define _GNU_SOURCE /* dladdr */
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/start/begin.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <unistd.h>

struct adapter {
	const char *library, *symbol;
};

static const struct adapter adapters[] = {
#define ADAPTER(library, symbol) {library, symbol},
#include "preload/adapters.def"
#undef ADAPTER
    {NULL, NULL},
};

/* Tries the folder of libzprof.so, and the one above it. */
static void load(const char *library)
{
	static const char *const places[] = {"", "../"};
	char path[PATH_MAX];
	struct text t;
	Dl_info here;
	size_t n = 0, i, k;

	if (!dladdr((void *)&adapters, &here) || !here.dli_fname)
		return;
	for (i = 0; here.dli_fname[i]; i++)
		if (here.dli_fname[i] == '/')
			n = i + 1;
	for (k = 0; k < 2; k++) {
		text_init(&t, path, sizeof(path));
		text_bytes(&t, here.dli_fname, n);
		text_add(&t, places[k]);
		text_add(&t, library);
		if (!t.cut && sys3(SYS_faccessat, AT_FDCWD, path, R_OK) == 0 &&
		    dlopen(path, RTLD_NOW | RTLD_LOCAL))
			return;
	}
}

static __attribute__((constructor)) void load_adapters(void)
{
	const struct adapter *a;

	if (!begin_wanted())
		return;
	for (a = adapters; a->library; a++)
		if (dlsym(RTLD_DEFAULT, a->symbol))
			load(a->library);
	dlerror(); /* a symbol that is missing is no error of the program's */
}
