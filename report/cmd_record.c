/* SPDX-License-Identifier: MIT */
/*
 * cmd_record.c - `zprof record`: runs a program with libzprof.so preloaded, and says where the
 * profile is.
 *
 * Its flags are the library's options under the same names. They are handed on as they are: the
 * library knows which values make sense, and says so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "report/command.h"
#include "report/find_files.h"
#include "report/help.h"
#include "report/memory.h"
#include "report/record_check.h"
#include "report/record_run.h"

#define DEFAULT_OUTPUT "zprof.out.%p"

/* A flag. `argument` NULL: a switch, handed on as 1; a value may still be given as --NAME=VALUE. */
struct flag {
	const char *name, *argument, *help;
};

static const struct flag flags[] = {
    {"output", "PATTERN",
     "the profile's file; %p is the process id, %e the program, %h the host, %r the rank in a "
     "parallel "
     "job, %% a '%'. zprof.out.%p when not given; .2, .3 is appended where that is taken"},
    {"report", NULL,
     "print the call graph on stderr when the program has ended; --report=FILE writes it to FILE"},
    {"groups", "FILE",
     "the file with groups for --only and --report, instead of zprof.groups here"},
    {"metric", "NAME", "the metric for --report"},
    {"only", "PATTERN",
     "record only functions that match (a glob, /a regular expression/, group:G; several are "
     "separated "
     "by spaces); others are not recorded, their time goes to their callers"},
    {"max_nodes", "N", "how many contexts the profile may hold in all"},
    {"verbose", NULL, "say what the library does"},
    /* Handed on without a word of help: the library says which of them it offers. */
    {"clock", "MODE", NULL},
    {"recursion", "N", NULL},
    {"frame", "NAME", NULL},
    {"history", "N", NULL},
    {"callsites", NULL, NULL},
    {"throttle", NULL, NULL},
    {"sample", "HZ", NULL},
    {"offcpu", NULL, NULL},
    {"libcalls", NULL, NULL},
    {"check", "N", NULL},
    {"start", "WHEN", NULL},
};

static void own_options(void)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (flags[i].help)
			help_option(0, flags[i].name, flags[i].argument, flags[i].help);
	help_option('h', "help", NULL, "this text");
}

struct recording {
	struct str options; /* for ZPROF_OPTIONS */
	const char *output, *groups, *metric, *report_to;
	bool report, help;
	char **program;
};

/* `max-nodes` is as good as `max_nodes`. */
static bool same_name(const char *given, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if ((given[i] == '-' ? '_' : given[i]) != name[i])
			return false;
	return !name[n];
}

static const struct flag *find_flag(const char *given, size_t n)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (same_name(given, n, flags[i].name))
			return &flags[i];
	return NULL;
}

static void hand_on(struct recording *r, const char *name, const char *value)
{
	str_add(&r->options, "%s%s=", r->options.used ? "," : "", name);
	for (; *value; value++)
		str_add(&r->options, *value == ',' ? "\\%c" : "%c", *value);
}

static void take(struct recording *r, const struct flag *f, const char *value)
{
	if (!strcmp(f->name, "report")) { /* done here, once all processes have ended */
		r->report = !value || strcmp(value, "0") != 0;
		r->report_to = value && strcmp(value, "1") != 0 ? value : NULL;
		return;
	}
	if (!strcmp(f->name, "output"))
		r->output = value;
	if (!strcmp(f->name, "groups"))
		r->groups = value;
	if (!strcmp(f->name, "metric"))
		r->metric = value;
	hand_on(r, f->name, value ? value : "1");
}

static bool parse(struct recording *r, int argc, char **argv, struct str *err)
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		const char *word = argv[i];
		if (!strcmp(word, "--")) {
			i++;
			break;
		}
		r->help = !strcmp(word, "--help") || !strcmp(word, "-h");
		if (r->help)
			return true;
		size_t n = strcspn(word, "=");
		const struct flag *f = strncmp(word, "--", 2) ? NULL : find_flag(word + 2, n - 2);
		if (!f)
			return str_fail(err, "unknown option '%s'; see 'zprof help record'", word);
		const char *value = word[n] ? word + n + 1 : NULL;
		if (!value && f->argument && ++i == argc)
			return str_fail(err,
					"option '--%s' needs a value: %s; see 'zprof help record'",
					f->name, f->argument);
		take(r, f, !value && f->argument ? argv[i] : value);
	}
	r->program = argv + i;
	return i < argc || str_fail(err, "no program to run; it looks like 'zprof record ./prog', "
					 "see 'zprof help record'");
}

static void find_profiles(struct find_files *files, const char *output, const uint8_t run_id[16])
{
	const char *pattern = output ? output : DEFAULT_OUTPUT, *slash = strrchr(pattern, '/');
	char *folder = slash ? memory_text(pattern, slash > pattern ? (size_t)(slash - pattern) : 1)
			     : memory_text(".", 1);
	const char *name = slash ? slash + 1 : pattern;
	char *prefix = memory_text(name, strcspn(name, "%"));
	find_files_of_run(files, folder, prefix, run_id);
	free(folder);
	free(prefix);
}

static bool after(const struct recording *r, const uint8_t run_id[16], struct str *err)
{
	struct find_files files = {0};
	bool ok = true;
	find_profiles(&files, r->output, run_id);
	if (!files.count)
		fprintf(
		    stderr,
		    "zprof: no profile was written: no instrumented function ran in '%s'; build it "
		    "with -g -finstrument-functions, for compiler and linker alike\n",
		    r->program[0]);
	else if (files.count == 1)
		fprintf(stderr, "zprof: the profile is in '%s'\n", files.paths[0]);
	else
		fprintf(stderr,
			"zprof: the profiles of %zu processes are in '%s' and others of its run\n",
			files.count, files.paths[0]);
	if (files.count && r->report)
		ok = record_print_graph(files.paths, files.count, r->groups, r->metric,
					r->report_to, err);
	find_files_free(&files);
	return ok;
}

static int record(struct recording *r, struct str *err)
{
	struct str library = {0}, program = {0};
	uint8_t run_id[16];
	int status = RECORD_FAILED;
	bool ready =
	    record_find_library(&library, err) && (!record_find_program(&program, r->program[0]) ||
						   record_check_program(program.text, err));
	if (ready && getrandom(run_id, sizeof run_id, 0) != sizeof run_id)
		ready = str_fail(err, "cannot make up a run id: %s", strerror(errno));
	if (ready) {
		record_set_environment(library.text, r->options.text, run_id);
		status = record_run(r->program, err);
		if (!err->used)
			after(r, run_id, err);
	}
	str_free(&library);
	str_free(&program);
	return status;
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_record;
	struct recording r = {0};
	struct str err = {0};
	int status;
	if (!parse(&r, argc, argv, &err)) {
		status = EXIT_USAGE;
	} else if (r.help) {
		help_command(&cmd_record);
		status = command_end();
	} else {
		status = record(&r, &err);
	}
	if (err.used)
		command_fail(status, &err);
	str_free(&r.options);
	str_free(&err);
	return status;
}

const struct command cmd_record = {
    .name = "record",
    .synopsis = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
    .summary = "run a program and record its calls",
    .own_options = own_options,
    .text =
	"Runs PROGRAM with libzprof.so preloaded, which records every call of every function that "
	"was "
	"compiled with instrumentation:\n\n"
	"  gcc   -g -O2 -finstrument-functions\n"
	"  clang -g -O2 -finstrument-functions-after-inlining\n\n"
	"The profile is a file in the current folder, one for each process that entered such a "
	"function. "
	"It is written while the program runs and can be read at any moment; nothing is lost when "
	"the "
	"program crashes or is killed. Afterwards 'zprof graph' and 'zprof report' show it.\n\n"
	"The program is not disturbed: its input, output, terminal, signals and exit status are "
	"its "
	"own. PROGRAM may be a script; what its interpreter runs is recorded. What cannot be "
	"preloaded is refused, by name: programs linked statically or with musl, 32-bit programs, "
	"programs with rights of their own (setuid).\n\n"
	"The same can be had without this command, by LD_PRELOAD=libzprof.so and the options in "
	"ZPROF_OPTIONS=\"key=value,key=value\". Options given there stay in force; those given "
	"here come "
	"after them.\n\n"
	"Exit status: the program's own, 128+N when signal N ended it; 2 for wrong usage; 125 when "
	"zprof itself failed, 126 when the program could not be run, 127 when it was not found.",
    .examples = "run, and show what takes a percent or more\n"
		"    zprof record ./sim --turns 500\n"
		"    zprof graph --min 1\n"
		"print the call graph at the end\n"
		"    zprof record --report ./sim\n"
		"record the scanner's functions alone, as the file zprof.groups names them\n"
		"    zprof record --only group:scanner ./compiler prog.pas",
    .run = run,
};
