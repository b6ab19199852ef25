/* SPDX-License-Identifier: MIT */
/*
 * adapters.c - loads the adapter of an interpreter that is in the process (preload/adapters/).
 *
 * An adapter is a small library beside libzprof.so that reports the calls of an interpreter by the
 * functions of zprof.h, and does the rest by itself, from its constructor on. It is loaded as the
 * process starts, before main(), and only into a process that is recorded and has the interpreter's
 * symbol, where the adapter can work with it. In any other process, all that happens is a search for
 * that symbol: an adapter that is loaded for nothing would change the addresses that the program gets
 * from malloc().
 */
#define _GNU_SOURCE /* dladdr1 */
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/start/begin.h"

#include <dlfcn.h>
#include <link.h>
#include <linux/limits.h>
#include <unistd.h>

enum from { ANYWHERE, SHARED };

struct adapter {
	const char *library, *symbol;
	enum from from;
};

static const struct adapter adapters[] = {
#define ADAPTER(library, symbol, from) {library, symbol, from},
#include "preload/adapters.def"
#undef ADAPTER
    {NULL, NULL, ANYWHERE},
};

/*
 * Whether the program's own file defines what is at `address`. A program at a fixed address that takes
 * the address of a library's function has an undefined symbol there.
 */
static bool is_of_program(void *address)
{
	const ElfW(Sym) *symbol = NULL;
	const struct link_map *module = NULL;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&module, RTLD_DL_LINKMAP) || !module)
		return true;
	if (*module->l_name)
		return false;
	return !dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	       symbol->st_shndx != SHN_UNDEF;
}

/* Whether the process has the interpreter, in a place where the adapter can work with it. */
static bool is_for(const struct adapter *a)
{
	void *address = dlsym(RTLD_DEFAULT, a->symbol);

	return address && (a->from == ANYWHERE || !is_of_program(address));
}

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
		if (!t.cut && sys2(SYS_access, path, R_OK) == 0 &&
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
		if (is_for(a))
			load(a->library);
	dlerror(); /* a symbol that is missing is no error of the program's */
}
