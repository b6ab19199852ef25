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
 *
 * A program may also load its interpreter later, with a plugin. So the library stands in front of
 * dlopen() and looks again afterwards, also for functions to displace (displacing.h). The dynamic
 * linker looks at who calls dlopen(), for $ORIGIN and for RPATH and RUNPATH. Where that may matter, the
 * call is passed on by a jump, and nobody looks until the next dlopen().
 */
#define _GNU_SOURCE /* dladdr1 */
#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/start/bare.h"
#include "preload/start/begin.h"
#include "preload/start/displacing.h"
#include "preload/start/interpreter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/limits.h>
#include <stddef.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden"), used))

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

#define ADAPTERS (sizeof(adapters) / sizeof(adapters[0]))

static void *loaded[ADAPTERS];
static bool wanted;           /* the process is recorded */
static __thread bool looking; /* the thread is in look(), or in an adapter that look() has called */

typedef void *dlopen_function(const char *file, int mode);
typedef bool take_function(void **functions, void *const *ours, size_t count);

static dlopen_function *real_dlopen;

dlopen_function *adapters_choose(const char *file) HIDDEN;

static void find_real(void)
{
	if (!real_dlopen)
		real_dlopen = (dlopen_function *)dlsym(RTLD_NEXT, "dlopen");
}

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

/*
 * Whether the process has the interpreter, in a place where the adapter can work with it. `handle` is
 * of a library that has just been loaded, or NULL: the process starts. An adapter that is for a program's
 * own interpreter, too, is loaded at the start or not at all. *INSIDE: the adapter may take over functions
 * of the program.
 */
static bool is_for(const struct adapter *a, void *handle, bool *inside)
{
	void *address = dlsym(RTLD_DEFAULT, a->symbol);

	*inside = false;

	if (handle && a->from == ANYWHERE)
		return false;
	if (!address && handle)
		address = dlsym(handle, a->symbol);
	if (!address || a->from == ANYWHERE)
		return address;
	*inside = is_of_program(address) && !handle && interpreter_is_ready();
	return *inside || !is_of_program(address);
}

/* Tries the folder of libzprof.so, and the one above it. */
static void *load(const char *library)
{
	static const char *const places[] = {"", "../"};
	char path[PATH_MAX];
	struct text t;
	Dl_info here;
	size_t n = 0, i, k;

	if (!dladdr((void *)&adapters, &here) || !here.dli_fname)
		return NULL;
	for (i = 0; here.dli_fname[i]; i++)
		if (here.dli_fname[i] == '/')
			n = i + 1;
	for (k = 0; k < 2; k++) {
		text_init(&t, path, sizeof(path));
		text_bytes(&t, here.dli_fname, n);
		text_add(&t, places[k]);
		text_add(&t, library);
		if (!t.cut && sys3(SYS_faccessat, AT_FDCWD, path, R_OK) == 0)
			return real_dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	return NULL;
}

/* ---- dlopen */

static int has_search_path(struct dl_phdr_info *module, size_t size, void *data)
{
	const ElfW(Dyn) *d = NULL;
	size_t i;

	(void)size;
	(void)data;
	for (i = 0; i < module->dlpi_phnum; i++)
		if (module->dlpi_phdr[i].p_type == PT_DYNAMIC)
			d = (const void *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
	for (; d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_RPATH || d->d_tag == DT_RUNPATH)
			return 1;
	return 0;
}

/* Whether libc's dlopen() does the same for any caller, and somebody wants to look afterwards. */
static bool may_call(const char *file)
{
	const char *c;

	if (!wanted || looking || !file)
		return false;
	for (c = file; *c && *c != '$'; c++)
		;
	if (*c)
		return false;
	for (c = file; *c && *c != '/'; c++)
		;
	return *c || !dl_iterate_phdr(has_search_path, NULL);
}

/* The option adapters=0. */
static bool are_left_out(void)
{
	char value[8];

	return environment_option("adapters=", value, sizeof(value)) && value[0] == '0' &&
	       !value[1];
}

/* Loads the adapters that the process now needs, and has those that want that look for themselves. */
static void look(void *handle)
{
	size_t i;

	if (are_left_out())
		return;
	looking = true;
	for (i = 0; adapters[i].library; i++) {
		void (*look_there)(take_function *);
		bool inside = false;

		if (!loaded[i] && is_for(&adapters[i], handle, &inside))
			loaded[i] = load(adapters[i].library);
		if (!loaded[i])
			continue;
		bare_of(loaded[i]);
		*(void **)&look_there = dlsym(loaded[i], "adapter_look");
		if (look_there)
			look_there(inside ? interpreter_take : NULL);
	}
	dlerror(); /* a symbol that is missing is no error of the program's */
	looking = false;
}

/* First of all, entries are displaced: an adapter that is loaded is no library of the program's. */
static void *open_and_look(const char *file, int mode)
{
	uint32_t known = displacing_expect();
	void *handle = real_dlopen(file, mode);

	if (handle) {
		displacing_loaded(known);
		look(handle);
	}
	return handle;
}

dlopen_function *adapters_choose(const char *file)
{
	find_real();
	return may_call(file) ? open_and_look : real_dlopen;
}

CPU_ENTRY void *dlopen(__attribute__((unused)) const char *file, __attribute__((unused)) int mode)
{
	CPU_CHOOSE(adapters_choose);
}

static __attribute__((constructor)) void load_adapters(void)
{
	if (!begin_wanted())
		return;
	find_real();
	look(NULL);
	wanted = true;
}
