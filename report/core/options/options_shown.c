/* SPDX-License-Identifier: MIT */
/* options_shown.c - see options_shared.h: which profiles, and how they are shown. */
#include "report/core/options/options_shared.h"

#include "report/core/base/memory.h"
#include "report/core/times/measure.h"

static bool take_source_path(struct options *o, const char *value, struct str *err)
{
	(void)err;
	*memory_next(o->source_paths, o->source_path_count, o->source_path_room) = value;
	return true;
}

bool options_take_output(struct options *o, const char *value, struct str *err)
{
	if (!*value)
		return str_fail(err, "--output is the name of a file, not ''");
	o->output = value;
	return true;
}

#define COLORS "auto always never" /* as enum terminal_color */
#define TIMES  "cpu wait wall own"

static bool take_time(struct options *o, const char *value, struct str *err)
{
	o->time = value;
	return options_word("time", TIMES, value, err) >= 0;
}

static bool take_color(struct options *o, const char *value, struct str *err)
{
	int n = options_word("color", COLORS, value, err);
	if (n >= 0)
		o->color = (enum terminal_color)n;
	return n >= 0;
}

static bool take_width(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!options_number(value, 100000, &n))
		return str_fail(err, "--width is a number of columns, 0 for any, not '%s'", value);
	o->width = (int)n;
	return true;
}

const struct option_spec options_force[] = {
    {'f', "force", NULL, OPTIONS_PROFILES, OPTION_FLAG(force),
     "also read profiles and groups files of users other than you and root, which may be forged; and "
     "let the output replace a file of any kind (see 'zprof help files')"},
    OPTIONS_END,
};

const struct option_spec options_profiles[] = {
    {0, "run", NULL, OPTIONS_PROFILES, OPTION_FLAG(run),
     "with each FILE, read the other files of its run in its folder too: those of the processes it "
     "started and of those that started it"},
    OPTIONS_OF(options_force),
    OPTIONS_END,
};

const struct option_spec options_parts[] = {
    {0, "by-process", NULL, OPTIONS_VIEW, OPTION_FLAG(by_process), "one report for each process"},
    {0, "by-thread", NULL, NULL, OPTION_FLAG(by_thread),
     "one report for each thread (threads that followed one another in the same place count as one; "
     "the report shows how many)"},
    OPTIONS_END,
};

const struct option_spec options_raw[] = {
    {0, "raw", NULL, "Output", OPTION_FLAG(raw),
     "show times as measured, without taking off the hooks' own cost"},
    OPTIONS_END,
};

const struct option_spec options_below[] = {
    {0, "below", NULL, "Output", OPTION_FLAG(below),
     "divide self times among the functions without hooks that samples found below each function: "
     "rows NAME (sampled) and [kernel] NAME (sampled), which have no calls, since nobody counted any"},
    OPTIONS_END,
};

const struct option_spec options_time[] = {
    {0, "time", "MEASURE", "Output", OPTION_TAKE_WORD(take_time, TIMES),
     "which time is shown: cpu, on a processor; wait, waiting for anything; own, both of these; wall, both "
     "and the time that others had the processor. Reports show cpu where it is known, and own of frames, "
     "with --waits and of what was recorded with offcpu=1; exports and comparisons show own"},
    OPTIONS_END,
};

const struct option_spec options_json[] = {
    {0, "json", NULL, "Output", OPTION_FLAG(json), "print JSON; report/schema.md describes it"},
    OPTIONS_END,
};

const struct option_spec options_full_names[] = {
    {0, "full-names", NULL, "Output", OPTION_FLAG(full_names),
     "print C++ names in full; the default leaves out return types, default template arguments and "
     "inline namespaces, and arguments beyond 60 columns, but for those that tell two functions "
     "apart; on a narrow terminal namespaces, too. JSON always has full names"},
    OPTIONS_END,
};

/* Those of any table. */
#define COLUMNS "% self +- total calls waited waits preempted self/call total/call name place group"

const struct option_spec options_columns[] = {
    {0, "format", "COLUMN,...", "Output", OPTION_TEXT_WORD(columns, COLUMNS),
     "print these columns, in this order: by their heads, '%' for the percentages, 'place' for file and "
     "line. '+-' is the error of the time named before it, as in 'total,+-,calls,name'"},
    OPTIONS_END,
};

const struct option_spec options_output[] = {
    {'o', "output", "FILE", "Output", OPTION_TAKE(options_take_output),
     "write to FILE; a file of that name is replaced if it is of the kind that is written (see 'zprof "
     "help files')"},
    OPTIONS_END,
};

const struct option_spec options_source_path[] = {
    {0, "source-path", "OLD=NEW|FOLDER", "Source", OPTION_TAKE(take_source_path),
     "where the sources are now: paths that begin with OLD begin with NEW; or the files are below "
     "FOLDER. May be given several times; the first that leads to a file is taken"},
    OPTIONS_END,
};

const struct option_spec options_screen[] = {
    {0, "color", "WHEN", "Output", OPTION_TAKE_WORD(take_color, COLORS),
     "auto (on a terminal, unless NO_COLOR is set), always or never"},
    {0, "width", "COLUMNS", NULL, OPTION_TAKE(take_width),
     "cut lines at this many columns, 0 for never; the default is the terminal's width"},
    OPTIONS_END,
};

const struct option_spec options_help[] = {
    {'h', "help", NULL, "Output", OPTION_HELP, "this text"},
    OPTIONS_END,
};

const struct option_spec options_terminal[] = {
    OPTIONS_OF(options_screen),
    {0, "no-pager", NULL, NULL, OPTION_FLAG(no_pager),
     "do not start $ZPROF_PAGER, $PAGER or less on a terminal"},
    OPTIONS_OF(options_help),
    OPTIONS_END,
};
