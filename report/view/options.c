/* SPDX-License-Identifier: MIT */
/* options.c - see options.h. */
#include "report/view/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/base/near.h"

static bool parse_number(const char *value, unsigned long most, unsigned long *number)
{
	char *end;
	if (*value < '0' || *value > '9')
		return false;
	*number = strtoul(value, &end, 10);
	return !*end && *number <= most;
}

static bool take_kind(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->pick.kind = o->second.kind = value;
	return true;
}

static bool add_pick(struct options *o, struct frame_pick pick, struct str *err)
{
	struct frame_pick *to = frame_pick_is_set(&o->pick) ? &o->second : &o->pick;
	if (frame_pick_is_set(to))
		return str_fail(err, "--frame and --slowest name two frames at most");
	pick.kind = to->kind;
	*to = pick;
	return true;
}

static bool take_frame_number(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, UINT32_MAX, &n) || !n)
		return str_fail(err, "--frame is the number of a frame, 1 or more, not '%s'",
				value);
	return add_pick(o, (struct frame_pick){.number = n}, err);
}

static bool take_frame(struct options *o, const char *value, struct str *err)
{
	if (!strcmp(value, "median"))
		return add_pick(o, (struct frame_pick){.median = true}, err);
	return take_frame_number(o, value, err);
}

static bool take_slowest(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, UINT32_MAX, &n) || !n)
		return str_fail(
		    err, "--slowest is 1 for the slowest frame, 2 for the next, not '%s'", value);
	return add_pick(o, (struct frame_pick){.slowest = n}, err);
}

/* For 'zprof frames', which looks at a frame beside all others. */
static bool take_frame_beside(struct options *o, const char *value, struct str *err)
{
	o->beside = true;
	return take_frame_number(o, value, err);
}

static bool take_slowest_beside(struct options *o, const char *value, struct str *err)
{
	o->beside = true;
	return take_slowest(o, value, err);
}

static bool take_func(struct options *o, const char *value, struct str *err)
{
	return patterns_add_prefixed(&o->filters.func, value, err);
}

static bool take_group(struct options *o, const char *value, struct str *err)
{
	return patterns_add(&o->filters.group, PATTERN_GROUP, value, err);
}

static bool take_module(struct options *o, const char *value, struct str *err)
{
	return patterns_add(&o->filters.module, PATTERN_MODULE, value, err);
}

static bool take_file(struct options *o, const char *value, struct str *err)
{
	return patterns_add(&o->filters.file, PATTERN_FILE, value, err);
}

static bool take_not(struct options *o, const char *value, struct str *err)
{
	return patterns_add_prefixed(&o->filters.not_in, value, err);
}

static bool take_only(struct options *o, const char *value, struct str *err)
{
	return patterns_add_prefixed(&o->filters.only, value, err);
}

static bool take_under(struct options *o, const char *value, struct str *err)
{
	return patterns_add_prefixed(&o->filters.under, value, err);
}

static bool take_thread(struct options *o, const char *value, struct str *err)
{
	return patterns_add(&o->filters.thread, PATTERN_FUNC, value, err);
}

static bool take_pid(struct options *o, const char *value, struct str *err)
{
	return patterns_add(&o->filters.pid, PATTERN_FUNC, value, err);
}

static bool take_since(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->since = value;
	return true;
}

static bool take_min(struct options *o, const char *value, struct str *err)
{
	char *end;
	double percent = strtod(value, &end);
	if (*end == '%')
		end++;
	if (end == value || *end || !(percent >= 0 && percent <= 100))
		return str_fail(err, "--min is a percentage from 0 to 100, not '%s'", value);
	o->filters.min_percent = percent;
	return true;
}

static bool take_limit(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, 1000000000, &n) || !n)
		return str_fail(err, "--limit is a number of rows, 1 or more, not '%s'", value);
	o->filters.limit = n;
	return true;
}

static bool take_depth(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, 1000000000, &n) || !n)
		return str_fail(err, "--depth is a number of levels, 1 or more, not '%s'", value);
	o->filters.depth = (uint32_t)n;
	return true;
}

static bool take_sort(struct options *o, const char *value, struct str *err)
{
	static const struct {
		const char *name;
		enum filter_sort sort;
	} keys[] = {{"self", FILTER_SORT_SELF},     {"total", FILTER_SORT_TOTAL},
		    {"calls", FILTER_SORT_CALLS},   {"error", FILTER_SORT_ERROR},
		    {"waited", FILTER_SORT_WAITED}, {"name", FILTER_SORT_NAME}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strcmp(value, keys[i].name)) {
			o->filters.sort = keys[i].sort;
			return true;
		}
	(void)err; /* it may be a counter's name: checked when the profiles are loaded */
	o->filters.sort = FILTER_SORT_COUNTER;
	o->filters.sort_name = value;
	return true;
}

static bool take_batch(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, 1000000000, &n) || !n)
		return str_fail(err, "--batch is a number of prints, 1 or more, not '%s'", value);
	o->prints = n;
	return true;
}

static bool take_delay(struct options *o, const char *value, struct str *err)
{
	char *end;
	double seconds = strtod(value, &end);
	if (end == value || *end || !(seconds >= 0.05 && seconds <= 3600))
		return str_fail(err, "--delay is in seconds, from 0.05 to 3600, not '%s'", value);
	o->delay_s = seconds;
	return true;
}

static bool take_view(struct options *o, const char *value, struct str *err)
{
	(void)err; /* the command knows its views */
	o->view = value;
	return true;
}

static bool take_average(struct options *o, const char *value, struct str *err)
{
	if (strcmp(value, "all") && (strlen(value) != 1 || *value < '0' || *value > '2'))
		return str_fail(err, "--average is 0, 1, 2 or all, not '%s'", value);
	o->average = value;
	return true;
}

static bool take_lines(struct options *o, const char *value, struct str *err)
{
	unsigned long first, last;
	char *dash = strchr(value, '-'), *start = memory_text(value, strcspn(value, "-"));
	bool ok = parse_number(start, UINT32_MAX, &first) && first;
	last = first;
	if (ok && dash)
		ok = parse_number(dash + 1, UINT32_MAX, &last) && last >= first;
	free(start);
	if (!ok)
		return str_fail(err, "--lines is a line, or two such as 100-150, not '%s'", value);
	o->first_line = (uint32_t)first;
	o->last_line = (uint32_t)last;
	return true;
}

static bool take_source_path(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->source_paths = memory_room(o->source_paths, o->source_path_count, &o->source_path_room,
				      sizeof *o->source_paths);
	o->source_paths[o->source_path_count++] = value;
	return true;
}

static bool take_counts(struct options *o, const char *value, struct str *err)
{
	(void)value, (void)err;
	o->counts = true;
	return true;
}

static bool take_right(struct options *o, const char *value, struct str *err)
{
	(void)value, (void)err;
	o->right = true;
	return true;
}

static bool take_format(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->format = value;
	return true;
}

static bool take_columns(struct options *o, const char *value, struct str *err)
{
	(void)err; /* counters have columns: checked when the profiles are loaded */
	o->columns = value;
	return true;
}

static bool take_output(struct options *o, const char *value, struct str *err)
{
	if (!*value)
		return str_fail(err, "--output is the name of a file, not ''");
	o->output = value;
	return true;
}

static bool take_tokens(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, 1000000000, &n) || !n)
		return str_fail(err, "--tokens is a number, 1 or more, not '%s'", value);
	o->tokens = n;
	return true;
}

static bool take_recursion(struct options *o, const char *value, struct str *err)
{
	o->filters.spread = !strcmp(value, "spread");
	if (!o->filters.spread && strcmp(value, "fold"))
		return str_fail(err, "--recursion is spread or fold, not '%s'", value);
	return true;
}

static bool take_groups(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->groups_path = value;
	return true;
}

static bool take_metric(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->metric = value;
	return true;
}

static bool take_color(struct options *o, const char *value, struct str *err)
{
	if (terminal_color_parse(value ? value : "always", &o->color))
		return true;
	return str_fail(err, "--color is auto, always or never, not '%s'", value);
}

static bool take_width(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, 100000, &n))
		return str_fail(err, "--width is a number of columns, 0 for any, not '%s'", value);
	o->width = (int)n;
	return true;
}

#define TAKE_FLAG(member)                                                                          \
	static bool take_##member(struct options *o, const char *value, struct str *err)           \
	{                                                                                          \
		(void)value;                                                                       \
		(void)err;                                                                         \
		o->member = true;                                                                  \
		return true;                                                                       \
	}

TAKE_FLAG(json)
TAKE_FLAG(tails)
TAKE_FLAG(flags)
TAKE_FLAG(live)
TAKE_FLAG(raw)
TAKE_FLAG(run)
TAKE_FLAG(force)
TAKE_FLAG(by_thread)
TAKE_FLAG(by_process)
TAKE_FLAG(by_rank)
TAKE_FLAG(tree)
TAKE_FLAG(matrix)
TAKE_FLAG(no_pager)
TAKE_FLAG(full_names)
TAKE_FLAG(no_via)
TAKE_FLAG(sites)
TAKE_FLAG(no_sources)
TAKE_FLAG(waits)
TAKE_FLAG(sum)
TAKE_FLAG(all)
TAKE_FLAG(folded)
TAKE_FLAG(markdown)
TAKE_FLAG(junit)
TAKE_FLAG(bencher)

TAKE_FLAG(sum_ranks)
TAKE_FLAG(marked)
TAKE_FLAG(dry_run)

static bool take_keep(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!parse_number(value, 1000000000, &n))
		return str_fail(err, "--keep is a number of runs, not '%s'", value);
	o->keep = n;
	o->keep_given = true;
	return true;
}

static bool take_measure(struct options *o, const char *value, struct str *err)
{
	(void)err; /* it may be a counter's name: checked when the profiles are loaded */
	o->measure = value;
	return true;
}

static bool take_fail(struct options *o, const char *value, struct str *err)
{
	(void)err;
	o->fails = memory_room(o->fails, o->fail_count, &o->fail_room, sizeof *o->fails);
	o->fails[o->fail_count++] = value;
	return true;
}

const struct option_spec options_table[] = {
    {0, "tree", NULL, OPTIONS_AS_TREE, "Which view", take_tree,
     "show the context tree: each chain of callers on its own; --min and --depth prune it"},
    {0, "matrix", NULL, OPTIONS_MATRIX, "Which view", take_matrix,
     "split each group's time by the nearest different group that called it"},
    {0, "by-rank", NULL, OPTIONS_RANKS, "Which view", take_by_rank,
     "compare the ranks of a parallel job, function by function"},
    {0, "by-process", NULL, OPTIONS_PARTS, "Which view", take_by_process,
     "one report for each process"},
    {0, "by-thread", NULL, OPTIONS_PARTS, "Which view", take_by_thread,
     "one report for each thread (threads that followed one another in the same place count as one; "
     "the report shows how many)"},

    {0, "counts", NULL, OPTIONS_ANNOTATE | OPTIONS_DIFF, "Which view", take_counts,
     "how often each line ran, in a program that was compiled to count it ('zprof cflags --counts')"},
    {0, "marked", NULL, OPTIONS_ANNOTATE, "Source", take_marked,
     "with --counts: only the lines from ZPROF_COUNTS_ON to ZPROF_COUNTS_OFF in the sources, words "
     "that zprof.h defines as nothing, or that stand in a comment"},
    {0, "lines", "A-B", OPTIONS_ANNOTATE, "Source", take_lines,
     "these lines, of each file that is shown"},
    {0, "source-path", "OLD=NEW|FOLDER", OPTIONS_ANNOTATE | OPTIONS_ARCHIVE | OPTIONS_DIFF,
     "Source", take_source_path,
     "where the sources are now: paths that begin with OLD begin with NEW; or the files are below "
     "FOLDER. May be given several times; the first that leads to a file is taken"},
    {0, "right", NULL, OPTIONS_ANNOTATE, "Output", take_right,
     "print the figures to the right of the source"},

    {0, "keep", "N", OPTIONS_REMOVE, "What to remove", take_keep,
     "keep the newest N runs in the folder; may be 0"},
    {0, "dry-run", NULL, OPTIONS_REMOVE, "What to remove", take_dry_run,
     "print the names of the files instead of removing them"},
    {'o', "output", "FILE", OPTIONS_MERGE, "What to write", take_output,
     "the merged profile; a profile of that name is replaced, other files are not"},
    {'o', "output", "FILE", OPTIONS_ARCHIVE, "What to write", take_output,
     "a copy of the profile, and leave the profile as it is"},
    {0, "sum-ranks", NULL, OPTIONS_MERGE, "What to write", take_sum_ranks,
     "add all ranks up; the default keeps the ranks of a parallel job apart"},
    {0, "fail", "CONDITION", OPTIONS_DIFF, "The gate", take_fail,
     "exit with status 3 if a function breaks the condition (see above). May be given several "
     "times"},
    {0, "sum", NULL, OPTIONS_DIFF, "Which profiles", take_sum,
     "add up all files of a side; the default is the mean of its runs"},

    {0, "run", NULL, OPTIONS_INPUT | OPTIONS_FILES, "Which profiles", take_run,
     "with each FILE, read the other files of its run in its folder too: those of the processes it "
     "started and of those that started it"},
    {'f', "force", NULL, OPTIONS_INPUT | OPTIONS_FILES | OPTIONS_LIST | OPTIONS_LIVE,
     "Which profiles", take_force,
     "also read profiles and groups files of users other than you and root; such files may be "
     "forged"},

    {'F', "func", "PATTERN", OPTIONS_SELECT, "Select: rows or blocks are hidden, no number changes",
     take_func,
     "functions whose name, or its last parts, match a glob or /an extended regular expression/. "
     "May be given several times: one match is enough. A PATTERN that matches nothing is an error"},
    {0, "group", "GROUP", OPTIONS_SELECT, NULL, take_group, "functions of that group"},
    {0, "module", "PATTERN", OPTIONS_SELECT, NULL, take_module,
     "functions of that program or library, by its path or the path's last parts"},
    {0, "file", "PATTERN", OPTIONS_SELECT, NULL, take_file,
     "functions defined in that source file, by its path or the path's last parts"},
    {0, "min", "PERCENT", OPTIONS_SELECT | OPTIONS_ROWS, NULL, take_min,
     "rows that take at least this share of the whole, callees included"},
    {0, "depth", "N", OPTIONS_SELECT, NULL, take_depth,
     "functions that occur at most N levels deep (1: outermost); in the tree, its first N levels"},
    {0, "limit", "N", OPTIONS_SELECT | OPTIONS_ROWS | OPTIONS_FRAMES, NULL, take_limit,
     "the first N rows or blocks"},
    {0, "sort", "KEY", OPTIONS_SELECT | OPTIONS_ROWS, NULL, take_sort,
     "order of rows or blocks: self, total, calls, error, waited or name. A time smaller than its own "
     "error counts as the largest it may be, here and for --min"},

    {0, "under", "PATTERN", OPTIONS_TREE, "Restrict: all numbers are of some contexts only",
     take_under, "contexts at or below a function whose name matches"},
    {0, "thread", "PATTERN", OPTIONS_TREE | OPTIONS_PARTS, NULL, take_thread,
     "threads of that name or number"},
    {0, "pid", "NUMBER", OPTIONS_TREE | OPTIONS_PARTS, NULL, take_pid,
     "the process of that number"},
    {0, "since", "reset|FILE", OPTIONS_TREE, NULL, take_since,
     "what came after 'zprof reset', or after FILE, a copy that 'zprof snapshot' made"},
    {0, "frame", "N", OPTIONS_TREE, NULL, take_frame,
     "frame number N alone, as it was, with times as measured (see 'zprof help frames'); 'median': "
     "what contexts take in the median frame"},
    {0, "slowest", "K", OPTIONS_TREE, NULL, take_slowest,
     "the slowest frame (1), or the K-th, in the same way"},
    {0, "kind", "NAME", OPTIONS_TREE, NULL, take_kind,
     "frames of that name, or of calls of that function; NAME@THREAD for those of one thread"},

    {0, "frame", "N", OPTIONS_FRAMES, "Frames", take_frame_beside, "what ran in frame number N"},
    {0, "slowest", "K", OPTIONS_FRAMES, "Frames", take_slowest_beside,
     "what ran in the slowest frame (1), or the K-th, beside what is usual"},
    {0, "kind", "NAME", OPTIONS_FRAMES, "Frames", take_kind,
     "frames of that name, or of calls of that function; NAME@THREAD for those of one thread"},
    {0, "tails", NULL, OPTIONS_FRAMES, "Frames", take_tails,
     "only single calls (record --tails): percentiles, and the longest of each context"},

    {'N', "not", "PATTERN", OPTIONS_TREE,
     "Make transparent: zones that are out count as never instrumented; their time goes to their "
     "callers",
     take_not, "functions that match are out: by name, or as group:G, file:P or module:P"},
    {0, "only", "PATTERN", OPTIONS_TREE, NULL, take_only,
     "functions that do not match are out; PATTERN as for --not"},

    {0, "groups", "FILE", OPTIONS_GROUPS, "Groups", take_groups,
     "read groups from FILE instead of 'zprof.groups' in this folder (see 'zprof help "
     "groups-file')"},
    {0, "metric", "NAME", OPTIONS_GROUPS, NULL, take_metric,
     "use the groups that this metric lists, in its order; the default is all groups, in the "
     "file's order"},

    {0, "measure", "NAME", OPTIONS_DIFF, "Output", take_measure,
     "show calls, self, total, or a counter of an interpreter; the default is all that changed, "
     "and self in a series"},
    {0, "all", NULL, OPTIONS_DIFF, "Output", take_all,
     "also show what did not change beyond its error"},
    {0, "all", NULL, OPTIONS_BLOCKS | OPTIONS_AS_TREE, "Output", take_all,
     "show all functions; the default leaves out those of a long list that matter least"},
    {0, "folded", NULL, OPTIONS_DIFF, "Output", take_folded,
     "print folded stacks with the numbers before and after, for flamegraph.pl"},
    {0, "markdown", NULL, OPTIONS_DIFF, "Output", take_markdown,
     "print conditions and the largest changes as Markdown"},
    {0, "junit", NULL, OPTIONS_DIFF, "Output", take_junit,
     "print the conditions as a JUnit test suite"},
    {0, "bencher", NULL, OPTIONS_DIFF, "Output", take_bencher,
     "print the functions of the last side in Bencher's metric format, with error bars"},
    {0, "format", "FORMAT", OPTIONS_FORMAT, "Output", take_format, "one of the formats above"},
    {'o', "output", "FILE", OPTIONS_OUTPUT, "Output", take_output,
     "write to FILE, replacing it, instead of stdout"},
    {0, "tokens", "N", OPTIONS_BRIEF, "Output", take_tokens,
     "print about so many tokens (4 bytes each) at most; the default is 1000"},
    {0, "no-sources", NULL, OPTIONS_ARCHIVE, "What to write", take_no_sources,
     "leave the texts of source files out"},
    {0, "no-sources", NULL, OPTIONS_SOURCES, "Output", take_no_sources,
     "leave the texts of source files out"},
    {'b', "batch", "N", OPTIONS_LIVE, "Output", take_batch,
     "print N times what the screen would show, and end; 20 rows, or as many as --limit says"},
    {'d', "delay", "SECONDS", OPTIONS_LIVE, NULL, take_delay,
     "from one reading to the next; the default is 0.5"},
    {0, "view", "NAME", OPTIONS_LIVE, NULL, take_view,
     "begin with self, total, contexts, groups, threads or frames; the default is self"},
    {0, "average", "N", OPTIONS_LIVE, NULL, take_average,
     "begin with the last interval (0), a moving average of 2 s (1, the default) or 15 s (2), or "
     "with all that was counted"},
    {0, "recursion", "HOW", OPTIONS_TREE, "Output", take_recursion,
     "spread: each depth of a recursive function is a row of its own (f, f'2, f'3); fold, the "
     "default: one row"},
    {0, "raw", NULL, OPTIONS_INPUT | OPTIONS_LIVE, "Output", take_raw,
     "show times as measured, without taking off the hooks' own cost"},
    {0, "waits", NULL, OPTIONS_BLOCKS | OPTIONS_AS_TREE | OPTIONS_MATRIX, "Output", take_waits,
     "split each time into 'on CPU', on a processor, and 'waited', for anything: a lock, a file, a "
     "signal, or time to pass. 'waits' is how often the function itself waited; 'preempted' is how "
     "long others had its processor, which is not part of any time"},
    {0, "json", NULL, OPTIONS_TEXT, "Output", take_json,
     "print JSON; report/schema.md describes it"},
    {0, "flags", NULL, OPTIONS_TUNE, "Output", take_flags,
     "print only the flags, on one line, which is empty if there are none"},
    {0, "live", NULL, OPTIONS_TUNE, "Output", take_live,
     "unwatch these functions in a running process, named by its number, profile or program"},
    {0, "full-names", NULL, OPTIONS_INPUT | OPTIONS_LIVE, "Output", take_full_names,
     "print long C++ names in full; the default drops what is in brackets from names longer than "
     "64 characters, unless that makes two the same, and on a narrow terminal return types, "
     "brackets and namespaces from any. JSON always has full names"},
    {0, "no-via", NULL, OPTIONS_BLOCKS | OPTIONS_AS_TREE, "Output", take_no_via,
     "do not show the functions without hooks between a caller and a function (see 'zprof help "
     "graph')"},
    {0, "sites", NULL, OPTIONS_BLOCKS, "Output", take_sites,
     "show in callers' lines the source lines (and columns) that call the function, if an "
     "interpreter reported them; at most three, JSON has all"},
    {0, "format", "COLUMN,...", OPTIONS_COLUMNS, "Output", take_columns,
     "print these columns, in this order: by their heads, '%' for the percentages, 'place' for file and "
     "line. '+-' is the error of the time named before it, as in 'total,+-,calls,name'"},
    {0, "color", "WHEN", OPTIONS_TEXT | OPTIONS_LIVE, "Output", take_color,
     "auto (on a terminal, unless NO_COLOR is set), always or never"},
    {0, "width", "COLUMNS", OPTIONS_TEXT | OPTIONS_LIVE, "Output", take_width,
     "cut lines at this many columns, 0 for never; the default is the terminal's width"},
    {0, "no-pager", NULL, OPTIONS_TEXT, "Output", take_no_pager,
     "do not start $ZPROF_PAGER, $PAGER or less on a terminal"},
    {'h', "help", NULL, ~0u, "Output", NULL, "this text"},
    {0, NULL, NULL, 0, NULL, NULL, NULL},
};

#define FIRST_LONG 256 /* getopt_long()'s value of options_table[0] */

static struct option *long_options(unsigned sets, struct str *letters)
{
	size_t count = 0, room = 0;
	struct option *list = NULL;
	str_add(letters, ":");
	for (int i = 0; options_table[i].name; i++) {
		const struct option_spec *s = &options_table[i];
		if (!(s->set & sets))
			continue;
		list = memory_room(list, count, &room, sizeof *list);
		list[count++] = (struct option){
		    s->name, s->argument ? required_argument : no_argument, NULL, FIRST_LONG + i};
		if (s->letter)
			str_add(letters, "%c%s", s->letter, s->argument ? ":" : "");
	}
	list = memory_room(list, count, &room, sizeof *list);
	list[count] = (struct option){0};
	return list;
}

static int spec_index(int code)
{
	if (code >= FIRST_LONG)
		return code - FIRST_LONG;
	for (int i = 0; options_table[i].name; i++)
		if (options_table[i].letter == code)
			return i;
	return -1;
}

static bool unknown_option(const char *word, unsigned sets, struct str *err)
{
	struct near near;
	size_t name = strspn(word, "-");
	char *bare = memory_text(word + name, strcspn(word + name, "="));
	str_fail(err, "unknown option '%s'", word);
	near_init(&near, bare);
	for (int i = 0; options_table[i].name; i++)
		if (options_table[i].set & sets) {
			struct str shown = {0};
			str_add(&shown, "--%s", options_table[i].name);
			near_try(&near, options_table[i].name, shown.text);
			str_free(&shown);
		}
	near_add(&near, err);
	free(bare);
	return false;
}

static bool bad_option(int code, unsigned sets, char **argv, struct str *err)
{
	const char *word = argv[optind - 1];
	int i = code == ':' ? spec_index(optopt) : -1;
	if (i >= 0)
		return str_fail(err, "option '--%s' needs a value: %s", options_table[i].name,
				options_table[i].argument);
	if (optopt && optopt < FIRST_LONG)
		return str_fail(err, "unknown option '-%c'", optopt);
	if (optopt)
		return str_fail(err, "option '%s' takes no value", word);
	return unknown_option(word, sets, err);
}

bool options_parse(struct options *o, unsigned sets, int argc, char **argv, bool *help,
		   struct str *err)
{
	struct str letters = {0};
	struct option *list = long_options(sets, &letters);
	bool ok = true;
	*o = (struct options){.width = -1,
			      .apart = sets & OPTIONS_APART,
			      .sums = sets & (OPTIONS_PARTS | OPTIONS_DIFF | OPTIONS_BRIEF)};
	*help = false;
	opterr = 0;
	optind = 0;
	while (ok && !*help) {
		int code = getopt_long(argc, argv, letters.text, list, NULL);
		if (code == -1)
			break;
		if (code == '?' || code == ':') {
			ok = bad_option(code, sets, argv, err);
			break;
		}
		const struct option_spec *s = &options_table[spec_index(code)];
		*help = !s->take;
		ok = *help || s->take(o, optarg, err);
	}
	o->paths = argv + optind;
	o->path_count = (size_t)(argc - optind);
	free(list);
	str_free(&letters);
	return ok;
}

void options_free(struct options *o)
{
	filters_free(&o->filters);
	free(o->fails);
	free(o->source_paths);
}
