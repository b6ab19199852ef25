/* SPDX-License-Identifier: MIT */
/*
 * cmd_cflags.c - `zprof cflags`: prints compiler and linker flags for profiling, like pkg-config. A
 * request that the compiler has no flag for is refused: without that flag, the numbers of a profile
 * would mean something else.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/command/command.h"
#include "report/core/command/help_text.h"
#include "report/core/base/memory.h"
#include "report/record/record_run.h"

#define HOOKS "-finstrument-functions"
/*
 * -Wp,-p means -pg, but only to the compiler proper; gcc's driver does not see it. A build system
 * may give the same flags to the linker. With -pg, that would link gprof's profiler, which writes
 * gmon.out.
 */
#define FENTRY "-Wp,-p -mfentry -minstrument-return=call"

/* The flags of one compiler. A flag of NULL: the compiler cannot do this, and the text of `why`
 * says what to do. */
struct compiler {
	const char *name;
	const char *plain, *after_inlining, *fentry, *no_std_headers, *counts;
	const char *no_fentry_why, *no_release_why, *no_std_headers_why;
};

static const struct compiler gcc = {
    .name = "gcc",
    .plain = HOOKS,
    .after_inlining = FENTRY,
    .fentry = FENTRY,
    .counts = "-fsanitize-coverage=trace-pc",
    .no_std_headers = HOOKS " " HOOKS "-exclude-file-list=/include/c++/",
};

static const struct compiler clang = {
    .name = "clang",
    .plain = HOOKS,
    .after_inlining = HOOKS "-after-inlining",
    .counts = "-fsanitize-coverage=trace-pc,bb,no-prune",
    .no_fentry_why = "clang has no -minstrument-return, so returns would not be seen; "
		     "--after-inlining does the same by other means",
    .no_release_why = "clang's hooks go on costing time when they are switched off, because their "
		      "arguments are still prepared; build releases with gcc",
    .no_std_headers_why = "clang cannot leave out functions by file; with --after-inlining those "
			  "of the headers that are inlined are left out",
};

struct asked {
	const struct compiler *compiler;
	bool after_inlining, fentry, release, no_std_headers, counts, cflags, libs, help;
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

/* Finds the compiler of a command such as `gcc-12`, `x86_64-linux-gnu-g++`, `/usr/bin/clang++-14`
 * or `cc`. */
static bool find_compiler(const char *path, const struct compiler **compiler, struct str *err)
{
	const char *slash = strrchr(path, '/');
	*compiler = compiler_in(slash ? slash + 1 : path);
	if (!*compiler)
		*compiler = ask_compiler(path);
	return *compiler || str_fail(err,
				     "--cc is gcc or clang, or a compiler whose --version "
				     "says that it is one of them, not '%s'",
				     path);
}

static bool take_std_headers(struct asked *a, const char *value, struct str *err)
{
	a->no_std_headers = !strcmp(value, "no");
	return a->no_std_headers || !strcmp(value, "yes") ||
	       str_fail(err, "--std-headers is yes or no, not '%s'", value);
}

static bool take(struct asked *a, int code, char *const *argv, struct str *err)
{
	switch (code) {
	case 'c':
		return find_compiler(optarg, &a->compiler, err);
	case 'a':
		return a->after_inlining = true;
	case 'f':
		return a->fentry = true;
	case 'r':
		return a->fentry = a->release = true;
	case 's':
		return take_std_headers(a, optarg, err);
	case 'n':
		return a->counts = true;
	case 'C':
		return a->cflags = true;
	case 'l':
		return a->libs = true;
	case 'h':
		return a->help = true;
	case ':':
		return str_fail(err, "option '%s' needs a value", argv[optind - 1]);
	default:
		return str_fail(err, "unknown option '%s'", argv[optind - 1]);
	}
}

static bool parse(struct asked *a, int argc, char **argv, struct str *err)
{
	static const struct option list[] = {{"cc", required_argument, NULL, 'c'},
					     {"after-inlining", no_argument, NULL, 'a'},
					     {"fentry", no_argument, NULL, 'f'},
					     {"release", no_argument, NULL, 'r'},
					     {"std-headers", required_argument, NULL, 's'},
					     {"cflags", no_argument, NULL, 'C'},
					     {"libs", no_argument, NULL, 'l'},
					     {"counts", no_argument, NULL, 'n'},
					     {"help", no_argument, NULL, 'h'},
					     {NULL, 0, NULL, 0}};
	int code;
	*a = (struct asked){.compiler = &gcc};
	opterr = optind = 0;
	while ((code = getopt_long(argc, argv, ":h", list, NULL)) != -1)
		if (!take(a, code, argv, err))
			return false;
	if (optind < argc)
		return str_fail(err, "cflags takes only options, not '%s'", argv[optind]);
	if (!a->cflags && !a->libs)
		a->cflags = a->libs = true;
	return true;
}

/* The flags for instrumenting; NULL with a message. */
static const char *flags_of(const struct asked *a, struct str *err)
{
	const struct compiler *c = a->compiler;
	const char *flags = a->counts           ? c->counts
			    : a->fentry         ? c->fentry
			    : a->after_inlining ? c->after_inlining
						: c->plain;
	if (!flags)
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
	static const char *const folders[] = {"/lib", "/usr/lib", "/usr/lib/x86_64-linux-gnu"};
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
static bool print_library(const struct asked *a, struct str *err)
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

static bool print_flags(const struct asked *a, struct str *err)
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

static int run(int argc, char **argv)
{
	extern const struct command cmd_cflags;
	struct asked a;
	struct str err = {0};
	int status = EXIT_OK;
	if (!parse(&a, argc, argv, &err)) {
		str_add(&err, "; see 'zprof help cflags'");
		status = command_fail(EXIT_USAGE, &err);
	} else if (a.help) {
		help_command(&cmd_cflags);
		status = command_end();
	} else {
		status = print_flags(&a, &err) ? command_end() : command_fail(EXIT_FAILED, &err);
	}
	str_free(&err);
	return status;
}

static void own_options(void)
{
	help_option(
	    0, "cc", "COMPILER",
	    "gcc, the default, or clang: any name that contains one of the two, or a compiler "
	    "whose --version says which one it is");
	help_option(0, "cflags", NULL, "print only what the compiler needs");
	help_option(0, "libs", NULL, "print only what the linker needs: often nothing");
	help_option(
	    0, "after-inlining", NULL,
	    "functions as they are after inlining: the optimized program as it runs. For gcc "
	    "the same as --fentry");
	help_option(0, "fentry", NULL,
		    "gcc only: hooks by -mfentry, in functions as they are after inlining. The "
		    "program is linked with libzprof.so; it runs as usual unless it is recorded");
	help_option(0, "release", NULL,
		    "gcc only: for a release that will be recorded where it runs: --fentry, and a "
		    "build-id. Then 'zprof sleep' switches the hooks off in the file");
	help_option(0, "std-headers", "no",
		    "gcc only: no hooks in functions of the C++ standard library's headers; their "
		    "time goes to their callers");
	help_option(
	    0, "counts", NULL,
	    "no hooks, but calls that count how often each statement runs, for 'zprof annotate "
	    "--counts'. The program is linked with libzprof.so, and runs as usual unless it "
	    "is recorded; the flags can be given beside those that hook functions");
	help_option('h', "help", NULL, "this text");
}

const struct command cmd_cflags = {
    .name = "cflags",
    .synopsis = "[--cc CC] [--std-headers=no] [--cflags|--libs]\n"
		"[--cc CC] --after-inlining|--fentry|--release [--cflags|--libs]\n"
		"[--cc CC] --counts [--cflags|--libs]",
    .summary = "the flags to compile and link a program with",
    .own_options = own_options,
    .text = "Prints on one line the flags to compile and link a program with so that zprof can "
	    "record it. Give the same line to the compiler and to the linker, before or after "
	    "the files; each ignores the other's flags. -I names the folder of zprof.h.\n\n"
	    "What a compiler cannot do is refused, with exit status 1:\n\n"
	    "  gcc    reports functions of the source, also those that were inlined; with\n"
	    "         --after-inlining, those that still exist. It leaves out functions\n"
	    "         by name or file ('zprof help tune'), but not with --after-inlining\n"
	    "  clang  reports either, and leaves out only functions that have\n"
	    "         __attribute__((no_instrument_function)); has no --fentry. When an\n"
	    "         exception leaves a function, clang calls no hook; zprof notices\n\n"
	    "--fentry passes -Wp,-p where gcc's manual says -pg, because -pg makes the linker "
	    "add gprof's profiler, which writes gmon.out. So if gmon.out appears, look for -pg "
	    "in the flags of the build itself. gcc drops -Wp,-p, and with it all hooks, if it "
	    "preprocesses in a separate step (-save-temps, -no-integrated-cpp, distcc) or "
	    "compiles at link time (-flto); do not use these with it.",
    .examples = "in a Makefile\n"
		"    CFLAGS += $(shell zprof cflags)\n"
		"C++ as it runs after optimization, by clang and by gcc\n"
		"    clang++ -O2 $(zprof cflags --cc clang --after-inlining) prog.cc\n"
		"    g++ -O2 $(zprof cflags --after-inlining) prog.cc\n"
		"a release that can be recorded where it runs\n"
		"    gcc -O2 $(zprof cflags --release) prog.c -o prog && zprof sleep prog\n"
		"by CMake\n"
		"    cmake -B build -DCMAKE_CXX_FLAGS=\"$(zprof cflags --after-inlining)\"\n"
		"where compiler and linker have separate variables, as in Meson\n"
		"    export CXXFLAGS=\"$(zprof cflags --after-inlining --cflags)\"\n"
		"    export LDFLAGS=\"$(zprof cflags --after-inlining --libs)\"\n"
		"    meson setup build",
    .run = run,
};
