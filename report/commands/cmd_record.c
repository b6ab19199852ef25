/* SPDX-License-Identifier: MIT */
/*
 * cmd_record.c - `zprof record`: runs a program with libzprof.so preloaded, and says where the
 * profile is.
 *
 * Its flags are the library's options under the same names, and are passed on. A bad value is
 * refused here, before the program runs; the library itself would let the program run unprofiled.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/commands/command.h"
#include "report/base/units.h"
#include "report/profile/find_files.h"
#include "report/profile/profile_read.h"
#include "report/model/groups.h"
#include "report/commands/help.h"
#include "report/base/memory.h"
#include "report/base/near.h"
#include "report/commands/record_archive.h"
#include "report/commands/record_check.h"
#include "report/commands/record_native.h"
#include "report/commands/record_run.h"
#include "report/commands/record_verify.h"
#include "report/base/say.h"

#define DEFAULT_OUTPUT "zprof.out.%p"
#define PAGE           "zprof.html"

enum kind { TEXT, REPORT, NUMBER, CLOCK, HISTORY, SWITCH, ONOFF, OWN };

/* A flag for an option of the library, or of our OWN. `argument` NULL: a switch, passed on as 1. */
struct flag {
	const char *name;
	enum kind kind;
	const char *argument, *help;
	uint64_t least, most; /* of a NUMBER */
};

/* `4096`, `64k`, `4m`, `1g` */
static bool is_number(const char *value, uint64_t least, uint64_t most)
{
	static const char units[] = "kKmMgG";
	char *end;
	if (*value < '0' || *value > '9')
		return false;
	uint64_t number = strtoull(value, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	unsigned shift = unit ? 10 * (unsigned)((unit - units) / 2 + 1) : 0;
	return !end[unit != NULL] && number <= most >> shift && number << shift >= least;
}

static bool is_clock(const char *value)
{
	return !strcmp(value, "exact") || !strcmp(value, "adaptive") || !strcmp(value, "count");
}

static bool is_history(const char *value)
{
	return !strcmp(value, "off") || !strcmp(value, "self") || !strcmp(value, "full");
}

static const struct flag flags[] = {
#define OPTION(name, kind, value, least, most, argument, table, help)                              \
	{#name, kind, argument, help, least, most},
#include "preload/options.def"
#undef OPTION
    {"open", OWN, NULL,
     "when the program has ended, write '" PAGE
     "' as 'zprof html' does, and show it in $BROWSER, or "
     "in the desktop's browser",
     0, 0},
    {"no_archive", OWN, NULL,
     "do not put names, lines and sources into the profiles, as 'zprof archive' does", 0, 0},
    {"verify", OWN, NULL,
     "run the program a second time, with all hooks switched off, and print where it spends its time "
     "then, by samples, beside what the profile shows",
     0, 0},
    {"native", OWN, NULL,
     "run the program a second time, with all hooks switched off, and take the times from there, by "
     "samples; calls and contexts are those of the first run",
     0, 0},
    {"quiet", OWN, NULL, "do not say where the profile is, nor how many calls were recorded", 0, 0},
};

static void own_options(void)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		help_option(strcmp(flags[i].name, "output") ? 0 : 'o', flags[i].name,
			    flags[i].argument, flags[i].help);
	help_option('h', "help", NULL, "this text");
}

struct recording {
	struct str options; /* for ZPROF_OPTIONS */
	const char *output, *groups, *metric, *report_to, *clock;
	struct patterns only, frame, tails;
	double wall_ns;
	struct second_run second;
	bool default_place; /* of the profile: where `zprof report` looks */
	int report_file;    /* the descriptor of report_to; -1: stderr */
	bool report, open, quiet, no_archive, verify, native, paused, help;
	char **program;
};

/* `max-nodes` is the same as `max_nodes`. */
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

/* Takes patterns separated by spaces, which the library splits in the same way. */
static bool take_patterns(struct patterns *to, const char *option, const char *value,
			  struct str *err)
{
	bool ok = true;
	patterns_free(to);
	while (ok && *(value += strspn(value, " "))) {
		size_t n = strcspn(value, " ");
		char *pattern = memory_text(value, n);
		ok = patterns_add_prefixed(to, pattern, err);
		free(pattern);
		value += n;
	}
	return ok && (to->count || str_fail(err, "--%s: empty pattern", option));
}

static bool take(struct recording *r, const struct flag *f, const char *value, struct str *err)
{
	if (f->kind == REPORT) { /* zprof record does it, after all processes have ended */
		r->report = !value || strcmp(value, "0") != 0;
		r->report_to = value && strcmp(value, "1") != 0 ? value : NULL;
		return true;
	}
	if (f->kind == OWN) {
		*(!strcmp(f->name, "open")         ? &r->open
		  : !strcmp(f->name, "no_archive") ? &r->no_archive
		  : !strcmp(f->name, "verify")     ? &r->verify
		  : !strcmp(f->name, "native")     ? &r->native
						   : &r->quiet) = true;
		return !value || str_fail(err, "option '--%s' takes no value", f->name);
	}
	if (value && !strcmp(f->name, "only") && !take_patterns(&r->only, f->name, value, err))
		return false;
	if (value && !strcmp(f->name, "frame") && !take_patterns(&r->frame, f->name, value, err))
		return false;
	if (value && !strcmp(f->name, "tails") && !take_patterns(&r->tails, f->name, value, err))
		return false;
	if (!strcmp(f->name, "output"))
		r->output = value;
	if (!strcmp(f->name, "groups"))
		r->groups = value;
	if (!strcmp(f->name, "metric"))
		r->metric = value;
	if (!strcmp(f->name, "clock"))
		r->clock = value;
	if (!strcmp(f->name, "start"))
		r->paused = !strcmp(value, "off");
	hand_on(r, f->name, value ? value : "1");
	return true;
}

/* The flag in WORD (`--name`, `--name=value`, `-o` or `-oVALUE`), and its value if WORD has one. */
static const struct flag *flag_of(const char *word, const char **value)
{
	size_t n = strcspn(word, "=");
	*value = NULL;
	if (word[1] == 'o') {
		*value = word[2] ? word + 2 : NULL;
		return find_flag("output", strlen("output"));
	}
	if (word[1] != '-')
		return NULL;
	*value = word[n] ? word + n + 1 : NULL;
	return find_flag(word + 2, n - 2);
}

static bool unknown_flag(const char *word, struct str *err)
{
	struct near near;
	size_t name = strspn(word, "-");
	char *bare = memory_text(word + name, strcspn(word + name, "="));
	str_fail(err, "unknown option '%s'", word);
	near_init(&near, bare);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		struct str shown = {0};
		str_add(&shown, "--%s", flags[i].name);
		near_try(&near, flags[i].name, shown.text);
		str_free(&shown);
	}
	near_add(&near, err);
	str_add(err, "; see 'zprof help record'");
	free(bare);
	return false;
}

/* The flag at ARGV[*I], and its value, which may be the next word; *I stays on the last of them. */
static bool parse_flag(struct recording *r, int *i, char **argv, struct str *err)
{
	const char *value, *word = argv[*i];
	const struct flag *f = flag_of(word, &value);
	if (!f && !strncmp(word, "--throttle", strlen("--throttle")))
		return str_fail(err,
				"the option '--throttle' no longer exists; use --clock=count, or "
				"leave out small functions: see 'zprof help tune'");
	if (!f)
		return unknown_flag(word, err);
	if (!value && f->argument && !(value = argv[++*i]))
		return str_fail(err, "option '--%s' needs a value: %s; see 'zprof help record'",
				f->name, f->argument);
	if (value && f->kind == NUMBER && !is_number(value, f->least, f->most))
		return str_fail(err, "'--%s' takes a number from %llu to %llu, not '%s'", f->name,
				(unsigned long long)f->least, (unsigned long long)f->most, value);
	if (value && f->kind == ONOFF && strcmp(value, "on") && strcmp(value, "off"))
		return str_fail(err, "'--%s' takes on or off, not '%s'", f->name, value);
	if (value && f->kind == CLOCK && !is_clock(value))
		return str_fail(err, "bad value '%s' for '--%s'; see 'zprof help record'", value,
				f->name);
	if (value && f->kind == HISTORY && !is_history(value))
		return str_fail(err, "'--%s' takes off, self or full, not '%s'", f->name, value);
	return take(r, f, value, err);
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
		if (!parse_flag(r, &i, argv, err))
			return false;
	}
	r->program = argv + i;
	if (r->verify && r->native)
		return str_fail(err, "--native takes the times of which --verify tells how they "
				     "compare: give one of them");
	if ((r->verify || r->native) && r->paused)
		return str_fail(err, "--%s compares whole runs: leave out --start=off",
				r->verify ? "verify" : "native");
	return i < argc || str_fail(err, "no program to run; it looks like 'zprof record ./prog', "
					 "see 'zprof help record'");
}

/* The value of KEY (with its '=') in ZPROF_OPTIONS, as the library reads it; NULL if it is not
 * there. */
static char *option_in_environment(const char *key)
{
	const char *at = getenv("ZPROF_OPTIONS");
	struct str item = {0};
	char *value = NULL;
	while (at && *at) {
		str_clear(&item);
		for (; *at && *at != ','; at++) {
			at += at[0] == '\\' && at[1] == ',';
			str_add_bytes(&item, at, 1);
		}
		at += *at == ',';
		if (strncmp(str_text(&item), key, strlen(key)))
			continue;
		free(value);
		value = memory_text(item.text + strlen(key), item.used - strlen(key));
	}
	str_free(&item);
	return value;
}

/* The library warns only in a run's first process; that is this one, so it must warn. */
static void warn_of_adaptive(const struct recording *r)
{
	char *elsewhere = r->clock ? NULL : option_in_environment("clock=");
	const char *clock = r->clock ? r->clock : elsewhere;
	if (clock && !strcmp(clock, "adaptive"))
		fputs("zprof: clock=adaptive now means clock=count: calls are counted, not timed\n",
		      stderr);
	free(elsewhere);
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

/* How many calls the files hold. */
static uint64_t count_calls(const struct find_files *files)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < files->count; i++) {
		struct profile p;
		struct str err = {0};
		if (profile_load(&p, files->paths[i], true, &err)) {
			for (size_t k = 0; k < p.node_count; k++)
				calls += p.nodes[k].zone ? p.nodes[k].calls : 0;
			profile_free(&p);
		}
		str_free(&err);
	}
	return calls;
}

/* Says to somebody at a terminal what there is to see. */
static void say_recorded(const struct recording *r, const struct find_files *files)
{
	char calls[UNITS_TEXT], time[UNITS_TEXT];
	if (!isatty(STDERR_FILENO) || r->report || r->open)
		return;
	units_count(calls, count_calls(files));
	units_time(time, r->wall_ns, false);
	if (r->default_place)
		say("%s calls in %s; see 'zprof report'", calls, time);
	else
		say("%s calls in %s; see 'zprof report %s%s'", calls, time,
		    files->count > 1 ? "--run " : "", files->paths[0]);
}

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* PROGRAM: where its file is. STATUS: with which it ended. */
static bool after(struct recording *r, const char *program, int status, const uint8_t run_id[16],
		  struct str *err)
{
	struct find_files files = {0};
	bool ok = true;
	char *elsewhere = r->output ? NULL : option_in_environment("output=");
	find_profiles(&files, elsewhere ? elsewhere : r->output, run_id);
	r->default_place = !elsewhere && !r->output;
	free(elsewhere);
	if (files.count && r->native)
		ok = native_run(&r->second, r->program, status, files.paths, files.count, err);
	if (!r->no_archive)
		record_archive(&files, r->quiet);
	if (!files.count && record_is_instrumented(program))
		say("no profile was written, although '%s' is instrumented", r->program[0]);
	else if (!files.count)
		say("no profile was written: no instrumented function ran in '%s'; build it with "
		    "-g -finstrument-functions, for compiler and linker alike",
		    r->program[0]);
	else if (r->quiet)
		;
	else if (files.count == 1)
		say("the profile is in '%s'", files.paths[0]);
	else
		say("the profiles of %zu processes are in '%s' and others of its run", files.count,
		    files.paths[0]);
	if (files.count && !r->quiet)
		say_recorded(r, &files);
	if (ok && files.count && r->report)
		ok = record_print_graph(files.paths, files.count, r->groups, r->metric,
					r->report_file, err);
	else if (r->report_file >= 0)
		unlink(r->report_to); /* it would be empty */
	if (ok && files.count && r->open)
		ok = record_open_page(PAGE, files.paths, files.count, r->groups, r->metric, err);
	if (ok && files.count && r->verify)
		ok = verify_run(&r->second, r->program, files.paths, files.count, err);
	find_files_free(&files);
	return ok;
}

/* Checks, if the groups file will be used, that it can be read and has the groups wanted. */
static bool check_groups(const struct recording *r, struct str *err)
{
	struct groups groups;
	if (!r->only.count && !r->report && !r->open && !r->groups)
		return true;
	if (!groups_load(&groups, r->groups, false, err))
		return false;
	bool ok = !r->metric || groups_metric(&groups, r->metric, err);
	for (size_t i = 0; ok && i < r->only.count; i++)
		ok = groups_require(&groups, &r->only.list[i], err);
	groups_free(&groups);
	return ok;
}

static int record(struct recording *r, struct str *err)
{
	struct str library = {0}, program = {0};
	uint8_t run_id[16];
	int status = RECORD_FAILED;
	bool ready = check_groups(r, err) && record_find_library(&library, err) &&
		     (!record_find_program(&program, r->program[0]) ||
		      record_check_program(program.text, err));
	ready = ready && record_make_run_id(run_id, err);
	r->report_file = -1;
	if (ready && r->report_to)
		ready = (r->report_file = record_make_report(r->report_to, err)) >= 0;
	if (ready) {
		warn_of_adaptive(r);
		record_set_environment(library.text, r->options.text, run_id);
		second_run_note(&r->second);
		r->wall_ns = now_ns();
		status = record_run(r->program, err);
		r->wall_ns = now_ns() - r->wall_ns;
		if (!err->used)
			after(r, str_text(&program), status, run_id, err);
		else if (r->report_file >= 0)
			unlink(r->report_to);
	}
	if (r->report_file >= 0)
		close(r->report_file);
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
	patterns_free(&r.only);
	second_run_free(&r.second);
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
	"Runs PROGRAM with libzprof.so preloaded, which records every call of every "
	"function that was compiled with instrumentation:\n\n"
	"  gcc   -g -O2 -finstrument-functions\n"
	"  clang -g -O2 -finstrument-functions-after-inlining\n\n"
	"Each process that enters such a function writes one profile, a file in the current "
	"folder. It can be read at any moment while the program runs, and nothing is lost "
	"if the program crashes or is killed. Afterwards 'zprof graph' and 'zprof report' "
	"show it.\n\n"
	"The program is not disturbed: its input, output, terminal, signals and exit status "
	"are its own. PROGRAM may be a script; what its interpreter runs is recorded. A "
	"program that cannot be preloaded is refused, with the reason: programs linked "
	"statically or with musl, 32-bit programs, programs with rights of their own "
	"(setuid).\n\n"
	"The same works without this command: set LD_PRELOAD=libzprof.so, and options in "
	"ZPROF_OPTIONS=\"key=value,key=value\". 'zprof record' keeps options that are set "
	"there, and adds its own after them.\n\n"
	"When the program has ended, names of functions, lines and sources are put into the "
	"profiles, as long as that adds less than 10 MB in all: see 'zprof help archive'.\n\n"
	"With --verify the program runs twice. The second run has its hooks switched off, discards "
	"its output, and reads standard input again if that is a file. Samples taken from outside "
	"tell where the program spends its time without hooks; a table shows these shares beside "
	"those of the profile, and how far apart they are in points of 100: the same measure as in "
	"the README, for your program on your machine. Hooks of -finstrument-functions cost time "
	"even when they are off, and the table says so.\n\n"
	"With --native the second run does not judge the times, it makes them: calls and contexts are "
	"exact, from the first run, and each context's time on a processor is what the program takes "
	"without hooks, from samples of whole stacks. It is for programs that do the same each "
	"time, and that do not find what the first run has written (writing output takes it no time: that is "
	"discarded). If the second run ends with "
	"another status, its times are not taken. Of other processes that the program starts, "
	"times are those of the first run.\n\n"
	"Exit status: the program's own, or 128+N if signal N ended it; 2 for wrong usage; "
	"125 if zprof itself failed, 126 if the program could not be run, 127 if it was not "
	"found.",
    .examples = "run, and show what takes a percent or more\n"
		"    zprof record ./sim --turns 500\n"
		"    zprof graph --min 1\n"
		"print the call graph at the end\n"
		"    zprof record --report ./sim\n"
		"look at it in a browser at the end\n"
		"    zprof record --open ./sim\n"
		"see how true its times are\n"
		"    zprof record --verify ./sim\n"
		"count calls in one run, and take times from another, without hooks\n"
		"    zprof record --native ./sim\n"
		"record the scanner's functions alone, as the file zprof.groups names them\n"
		"    zprof record --only group:scanner ./compiler prog.pas",
    .run = run,
};
