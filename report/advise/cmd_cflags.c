/* SPDX-License-Identifier: MIT */
/*
 * cmd_cflags.c - `zprof cflags`: prints compiler and linker flags for profiling, like pkg-config. A
 * request that the compiler has no flag for is refused: without that flag, the numbers of a profile
 * would mean something else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/processor.h"
#include "report/core/command/command.h"
#include "report/record/record_run.h"

#define HOOKS "-finstrument-functions"
/*
 * -Wp,-p means -pg, but only to the compiler proper; gcc's driver does not see it. A build system
 * may give the same flags to the linker. With -pg, that would link gprof's profiler, which writes
 * gmon.out.
 */
#define FENTRY "-Wp,-p -mfentry -minstrument-return=call"

/* Without calls of __return__: libc has a function __fentry__, so nothing needs to be linked. */
#define ENTRIES       "-Wp,-p -mfentry"
#define CLANG_ENTRIES "-Xclang -pg -mfentry"

/* The flags of one compiler. If a flag is NULL, the compiler has none for this, and the member that
 * ends in `_why` tells the user what to do instead. */
struct compiler {
	const char *name;
	const char *plain, *after_inlining, *fentry, *entries, *no_std_headers, *counts;
	const char *no_fentry_why, *no_release_why, *no_std_headers_why;
};

static const struct compiler gcc = {
    .name = "gcc",
    .plain = HOOKS,
    .after_inlining = FENTRY,
    .fentry = FENTRY,
    .entries = ENTRIES,
    .counts = "-fsanitize-coverage=trace-pc",
    .no_std_headers = HOOKS " " HOOKS "-exclude-file-list=/include/c++/",
};

static const struct compiler clang = {
    .name = "clang",
    .plain = HOOKS,
    .after_inlining = HOOKS "-after-inlining",
    .entries = CLANG_ENTRIES,
    .counts = "-fsanitize-coverage=trace-pc,bb,no-prune",
    .no_fentry_why = "clang has no -minstrument-return, so returns would not be seen; "
		     "--after-inlining does the same by other means",
    .no_release_why = "clang's hooks go on costing time when they are switched off, because their "
		      "arguments are still prepared; build releases with gcc",
    .no_std_headers_why = "clang cannot leave out functions by file; with --after-inlining those "
			  "of the headers that are inlined are left out",
};

struct cflags_options {
	const struct compiler *compiler; /* NULL: gcc */
	bool after_inlining, fentry, entries, release, no_std_headers, counts, cflags, libs;
};

static const struct compiler *compiler_in(const char *text)
{
	if (strstr(text, "clang")) /* first, because clang++ ends like g++ */
		return &clang;
	return strstr(text, "gcc") || strstr(text, "g++") || strstr(text, "Free Software") ? &gcc
											   : NULL;
}

/* Finds out which compiler a command such as `cc` is, by asking it for its version. */
static const struct compiler *ask_compiler(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
	char text[512] = "";
	struct str command = {0};
	if (!*name || name[strspn(name, plain)])
		return NULL;
	str_add(&command, "%s --version 2>/dev/null", name);
	FILE *said = popen(command.text, "r");
	size_t n = said ? fread(text, 1, sizeof text - 1, said) : 0;
	text[n] = 0;
	str_free(&command);
	if (said)
		pclose(said);
	return compiler_in(text);
}

/* Finds the compiler of a command: `gcc-12`, `x86_64-linux-gnu-g++`, `/usr/bin/clang++-14`, `cc`. */
static bool take_cc(struct options *o, const char *value, struct str *err)
{
	struct cflags_options *own = o->own;
	const char *slash = strrchr(value, '/');
	own->compiler = compiler_in(slash ? slash + 1 : value);
	if (!own->compiler)
		own->compiler = ask_compiler(value);
	return own->compiler || str_fail(err,
					 "--cc is gcc or clang, or a compiler whose --version "
					 "says that it is one of them, not '%s'",
					 value);
}

static bool take_std_headers(struct options *o, const char *value, struct str *err)
{
	struct cflags_options *own = o->own;
	own->no_std_headers = !strcmp(value, "no");
	return own->no_std_headers || !strcmp(value, "yes") ||
	       str_fail(err, "--std-headers is yes or no, not '%s'", value);
}

/* The flags for instrumenting; NULL with a message. */
static const char *flags_of(const struct cflags_options *a, struct str *err)
{
	const struct compiler *c = a->compiler;
	const char *flags = a->counts           ? c->counts
			    : a->entries        ? c->entries
			    : a->fentry         ? c->fentry
			    : a->after_inlining ? c->after_inlining
						: c->plain;
	bool by_fentry = flags && strstr(flags, "-mfentry");
	const char *why = by_fentry ? processor_lacks(PROCESSOR_FENTRY) : NULL;
	if (why)
		flags = NULL, str_fail(err, "%s", why);
	else if (!flags)
		str_fail(err, "%s", a->release ? c->no_release_why : c->no_fentry_why);
	else if (a->no_std_headers && !c->no_std_headers)
		flags = NULL, str_fail(err, "%s", c->no_std_headers_why);
	else if (a->no_std_headers && flags != c->plain)
		flags = NULL,
		str_fail(err,
			 "%s leaves out functions by file only if each function of the source "
			 "has hooks; drop --std-headers=no or --after-inlining",
			 c->name);
	return flags && a->no_std_headers ? c->no_std_headers : flags;
}

/* Prints the -I flag of zprof's headers, or nothing if they are not found: a compiler that needs
 * them will say so. */
static void print_include(void)
{
	struct str path = {0};
	if (record_find_include(&path) && !strpbrk(path.text, " \t"))
		printf("-I%s ", path.text);
	str_free(&path);
}

/* Whether the dynamic linker searches FOLDER by default. */
static bool is_searched(const char *folder)
{
	const char *const folders[] = {"/lib", "/usr/lib", processor_libraries};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!strcmp(folder, folders[i]))
			return true;
	return false;
}

/*
 * Prints the flag that links this zprof's library, for the hooks __fentry__ and __return__. It is
 * one word, so that nothing can reorder its parts; it works before and after objects, and under
 * --as-needed. For a release, it includes a build-id, by which debuggers find symbols in a separate
 * file.
 */
static bool print_library(const struct cflags_options *a, struct str *err)
{
	struct str path = {0};
	bool ok = record_find_library(&path, err);
	if (ok && strchr(path.text, ','))
		ok = str_fail(err,
			      "cannot link with '%s': its path has a comma; make a link to it "
			      "elsewhere and set ZPROF_LIB to that",
			      path.text);
	if (ok) {
		printf("%s-Wl,%s--push-state,--no-as-needed,%s,--pop-state", a->cflags ? " " : "",
		       a->release ? "--build-id," : "", path.text);
		*strrchr(path.text, '/') = 0;
		if (!is_searched(path.text))
			printf(",-rpath,%s", path.text);
	}
	str_free(&path);
	return ok;
}

static bool print_flags(const struct cflags_options *a, struct str *err)
{
	const char *flags = flags_of(a, err);
	if (!flags)
		return false;
	if (a->cflags) {
		print_include();
		printf("-g %s", flags);
	}
	if (a->libs && (a->counts || !strcmp(flags, FENTRY)) && !print_library(a, err))
		return false;
	puts("");
	return true;
}

static int run(struct options *o, struct str *err)
{
	struct cflags_options *own = o->own;
	if (o->path_count) {
		str_fail(err, "cflags takes only options, not '%s'; see 'zprof help cflags'",
			 o->paths[0]);
		return EXIT_USAGE;
	}
	if (!own->compiler)
		own->compiler = &gcc;
	own->fentry |= own->release;
	if (!own->cflags && !own->libs)
		own->cflags = own->libs = true;
	return print_flags(own, err) ? command_end() : EXIT_FAILED;
}

static const struct option_spec options[] = {
    {0, "cc", "COMPILER", NULL, OPTION_TAKE_WORD(take_cc, "gcc clang"),
     "gcc, the default, or clang: any name that contains one of the two, or a compiler "
     "whose --version says which one it is"},
    {0, "cflags", NULL, NULL, OPTION_OWN_FLAG(cflags_options, cflags),
     "print only what the compiler needs"},
    {0, "libs", NULL, NULL, OPTION_OWN_FLAG(cflags_options, libs),
     "print only what the linker needs: often nothing"},
    {0, "after-inlining", NULL, NULL, OPTION_OWN_FLAG(cflags_options, after_inlining),
     "functions as they are after inlining: the optimized program as it runs. For gcc "
     "the same as --fentry"},
    {0, "fentry", NULL, NULL, OPTION_OWN_FLAG(cflags_options, fentry),
     "gcc only: hooks by -mfentry, in functions as they are after inlining. The "
     "program is linked with libzprof.so; it runs as usual unless it is recorded"},
    {0, "entries", NULL, NULL, OPTION_OWN_FLAG(cflags_options, entries),
     "hooks at the beginnings of functions alone, as they are after inlining: the cheapest, by gcc "
     "and clang; for calls, contexts and shares of time. Nothing is linked"},
    {0, "release", NULL, NULL, OPTION_OWN_FLAG(cflags_options, release),
     "gcc only: for a release that will be recorded where it runs: --fentry, and a "
     "build-id. Then 'zprof sleep' switches the hooks off in the file"},
    {0, "std-headers", "no", NULL, OPTION_TAKE_WORD(take_std_headers, "yes no"),
     "gcc only: no hooks in functions of the C++ standard library's headers; their "
     "time goes to their callers"},
    {0, "counts", NULL, NULL, OPTION_OWN_FLAG(cflags_options, counts),
     "no hooks, but calls that count how often each statement runs, for 'zprof annotate "
     "--counts'. The program is linked with libzprof.so, and runs as usual unless it "
     "is recorded; the flags can be given beside those that hook functions"},
    {'h', "help", NULL, NULL, OPTION_HELP, "this text"},
    OPTIONS_END,
};

const struct command cmd_cflags = {
    .name = "cflags",
    .options = options,
    .own_size = sizeof(struct cflags_options),
    .run = run,
};
