/* SPDX-License-Identifier: MIT */
/*
 * options_table.c - the options of views, in the order of their help. An option that means
 * something else to another command has a line for each meaning.
 */
#include "report/core/options/options_take.h"

#include <stddef.h>

/* What an option does: sets a bool, keeps its value, calls a function, or asks for help. */
#define FLAG(member)   ((struct option_act){.flag = offsetof(struct options, member)})
#define TEXT(member)   ((struct option_act){.text = offsetof(struct options, member)})
#define TAKE(function) ((struct option_act){.take = function})
#define ASK            ((struct option_act){0})

const struct option_spec options_table[] = {
    {0, "tree", NULL, OPTIONS_AS_TREE, "Which view", FLAG(tree),
     "show the context tree: each chain of callers on its own; --min and --depth prune it"},
    {0, "matrix", NULL, OPTIONS_MATRIX, "Which view", FLAG(matrix),
     "split each group's time by the nearest different group that called it"},
    {0, "by-rank", NULL, OPTIONS_RANKS, "Which view", FLAG(by_rank),
     "compare the ranks of a parallel job, function by function"},
    {0, "by-process", NULL, OPTIONS_PARTS, "Which view", FLAG(by_process),
     "one report for each process"},
    {0, "by-thread", NULL, OPTIONS_PARTS, "Which view", FLAG(by_thread),
     "one report for each thread (threads that followed one another in the same place count as one; "
     "the report shows how many)"},

    {0, "counts", NULL, OPTIONS_ANNOTATE, "Which view", FLAG(counts),
     "how often each line ran, in a program that was compiled to count it ('zprof cflags --counts')"},
    {0, "marked", NULL, OPTIONS_ANNOTATE, "Source", FLAG(marked),
     "with --counts: only the lines from ZPROF_COUNTS_ON to ZPROF_COUNTS_OFF in the sources, words "
     "that zprof.h defines as nothing, or that stand in a comment"},
    {0, "lines", "A-B", OPTIONS_ANNOTATE, "Source", TAKE(options_take_lines),
     "these lines, of each file that is shown"},
    {0, "source-path", "OLD=NEW|FOLDER", OPTIONS_ANNOTATE | OPTIONS_ARCHIVE, "Source",
     TAKE(options_take_source_path),
     "where the sources are now: paths that begin with OLD begin with NEW; or the files are below "
     "FOLDER. May be given several times; the first that leads to a file is taken"},
    {0, "right", NULL, OPTIONS_ANNOTATE, "Output", FLAG(right),
     "print the figures to the right of the source"},

    {0, "keep", "N", OPTIONS_REMOVE, "What to remove", TAKE(options_take_keep),
     "keep the newest N runs in the folder; may be 0"},
    {0, "dry-run", NULL, OPTIONS_REMOVE, "What to remove", FLAG(dry_run),
     "print the names of the files instead of removing them"},
    {'o', "output", "FILE", OPTIONS_MERGE, "What to write", TAKE(options_take_output),
     "the merged profile; a merged profile of that name is replaced (see 'zprof help files')"},
    {'o', "output", "FILE", OPTIONS_ARCHIVE, "What to write", TAKE(options_take_output),
     "a copy of the profile, and leave the profile as it is; an archived copy of that name is replaced"},
    {0, "sum-ranks", NULL, OPTIONS_MERGE, "What to write", FLAG(sum_ranks),
     "add all ranks up; the default keeps the ranks of a parallel job apart"},
    {0, "fail", "CONDITION", OPTIONS_DIFF, "The gate", TAKE(options_take_fail),
     "exit with status 3 if a function breaks the condition (see above). May be given several "
     "times"},
    {0, "sum", NULL, OPTIONS_DIFF, "Which profiles", FLAG(sum),
     "add up all files of a side; the default is the mean of its runs"},

    {0, "run", NULL, OPTIONS_INPUT | OPTIONS_FILES, "Which profiles", FLAG(run),
     "with each FILE, read the other files of its run in its folder too: those of the processes it "
     "started and of those that started it"},
    {'f', "force", NULL, OPTIONS_INPUT | OPTIONS_FILES | OPTIONS_LIST | OPTIONS_LIVE,
     "Which profiles", FLAG(force),
     "also read profiles and groups files of users other than you and root, which may be forged; and "
     "let the output replace a file of any kind (see 'zprof help files')"},

    {'F', "func", "PATTERN", OPTIONS_SELECT, "Select: rows or blocks are hidden, no number changes",
     TAKE(options_take_func),
     "functions whose name, or its last parts, match a glob or /an extended regular expression/. "
     "May be given several times: one match is enough. A PATTERN that matches nothing is an error"},
    {0, "group", "GROUP", OPTIONS_SELECT, NULL, TAKE(options_take_group),
     "functions of that group"},
    {0, "module", "PATTERN", OPTIONS_SELECT, NULL, TAKE(options_take_module),
     "functions of that program or library, by its path or the path's last parts"},
    {0, "file", "PATTERN", OPTIONS_SELECT, NULL, TAKE(options_take_file),
     "functions defined in that source file, by its path or the path's last parts"},
    {0, "min", "PERCENT", OPTIONS_SELECT | OPTIONS_ROWS, NULL, TAKE(options_take_min),
     "rows that take at least this share of the whole, callees included"},
    {0, "depth", "N", OPTIONS_SELECT, NULL, TAKE(options_take_depth),
     "functions that occur at most N levels deep (1: outermost); in the tree, its first N levels"},
    {0, "limit", "N", OPTIONS_SELECT | OPTIONS_ROWS | OPTIONS_FRAMES, NULL,
     TAKE(options_take_limit), "the first N rows or blocks"},
    {0, "sort", "KEY", OPTIONS_SELECT | OPTIONS_ROWS, NULL, TAKE(options_take_sort),
     "order of rows or blocks: self, total, calls, error, waited or name. A time smaller than its own "
     "error counts as the largest it may be, here and for --min"},

    {0, "under", "PATTERN", OPTIONS_TREE, "Restrict: all numbers are of some contexts only",
     TAKE(options_take_under), "contexts at or below a function whose name matches"},
    {0, "thread", "PATTERN", OPTIONS_TREE | OPTIONS_PARTS, NULL, TAKE(options_take_thread),
     "threads of that name or number"},
    {0, "pid", "NUMBER", OPTIONS_TREE | OPTIONS_PARTS, NULL, TAKE(options_take_pid),
     "the process of that number"},
    {0, "recording", "N|last", OPTIONS_INPUT | OPTIONS_TREE | OPTIONS_PARTS, NULL,
     TAKE(options_take_recording),
     "what was recorded from the N-th beginning to its end, of a process that was attached to again "
     "('zprof info' lists these); the default is all together"},
    {0, "since", "reset|FILE", OPTIONS_TREE, NULL, TEXT(since),
     "what came after 'zprof reset', or after FILE, a copy that 'zprof snapshot' made"},

    {.name = OPTIONS_OF_LOADERS},

    {'N', "not", "PATTERN", OPTIONS_TREE,
     "Make transparent: zones that are out count as never instrumented; their time goes to their "
     "callers",
     TAKE(options_take_not),
     "functions that match are out: by name, or as group:G, file:P or module:P"},
    {0, "only", "PATTERN", OPTIONS_TREE, NULL, TAKE(options_take_only),
     "functions that do not match are out; PATTERN as for --not"},

    {0, "groups", "FILE", OPTIONS_GROUPS, "Groups", TEXT(groups_path),
     "read groups from FILE instead of 'zprof.groups' in this folder (see 'zprof help "
     "groups-file')"},
    {0, "metric", "NAME", OPTIONS_GROUPS, NULL, TEXT(metric),
     "use the groups that this metric lists, in its order; the default is all groups, in the "
     "file's order"},

    {0, "measure", "NAME", OPTIONS_DIFF, "Output", TEXT(measure),
     "show calls, self, total, or a counter of an interpreter; the default is all that changed, "
     "and self in a series"},
    {0, "all", NULL, OPTIONS_DIFF, "Output", FLAG(all),
     "also show what did not change beyond its error"},
    {0, "all", NULL, OPTIONS_BLOCKS | OPTIONS_AS_TREE, "Output", FLAG(all),
     "show all functions; the default leaves out those of a long list that matter least"},
    {0, "folded", NULL, OPTIONS_DIFF, "Output", FLAG(folded),
     "print folded stacks with the numbers before and after, for flamegraph.pl"},
    {0, "markdown", NULL, OPTIONS_DIFF, "Output", FLAG(markdown),
     "print conditions and the largest changes as Markdown"},
    {0, "junit", NULL, OPTIONS_DIFF, "Output", FLAG(junit),
     "print the conditions as a JUnit test suite"},
    {0, "bencher", NULL, OPTIONS_DIFF, "Output", FLAG(bencher),
     "print the functions of the last side in Bencher's metric format, with error bars"},
    {0, "format", "FORMAT", OPTIONS_FORMAT, "Output", TEXT(format), "one of the formats above"},
    {'o', "output", "FILE", OPTIONS_OUTPUT, "Output", TAKE(options_take_output),
     "write to FILE; a file of that name is replaced if it is of the kind that is written (see 'zprof "
     "help files')"},
    {0, "tokens", "N", OPTIONS_BRIEF, "Output", TAKE(options_take_tokens),
     "print about so many tokens (4 bytes each) at most; the default is 1000"},
    {0, "no-sources", NULL, OPTIONS_ARCHIVE, "What to write", FLAG(no_sources),
     "leave the texts of source files out"},
    {0, "no-sources", NULL, OPTIONS_SOURCES, "Output", FLAG(no_sources),
     "leave the texts of source files out"},
    {'b', "batch", "N", OPTIONS_LIVE, "Output", TAKE(options_take_batch),
     "print N times what the screen would show, and end; 20 rows, or as many as --limit says"},
    {'d', "delay", "SECONDS", OPTIONS_LIVE, NULL, TAKE(options_take_delay),
     "from one reading to the next; the default is 0.5"},
    {0, "view", "NAME", OPTIONS_LIVE, NULL, TEXT(view),
     "begin with self, total, contexts, groups, threads or frames; the default is self"},
    {0, "average", "N", OPTIONS_LIVE, NULL, TAKE(options_take_average),
     "begin with the last interval (0), a moving average of 2 s (1, the default) or 15 s (2), or "
     "with all that was counted"},
    {0, "recursion", "HOW", OPTIONS_TREE, "Output", TAKE(options_take_recursion),
     "spread: each depth of a recursive function is a row of its own (f, f'2, f'3); fold, the "
     "default: one row"},
    {0, "raw", NULL, OPTIONS_INPUT | OPTIONS_LIVE, "Output", FLAG(raw),
     "show times as measured, without taking off the hooks' own cost"},
    {0, "waits", NULL, OPTIONS_BLOCKS | OPTIONS_AS_TREE | OPTIONS_MATRIX, "Output", FLAG(waits),
     "split each time into 'on CPU', on a processor, and 'waited', for anything: a lock, a file, a "
     "signal, or time to pass. 'waits' is how often the function itself waited; 'preempted' is how "
     "long others had its processor, which is not part of any time"},
    {0, "json", NULL, OPTIONS_TEXT, "Output", FLAG(json),
     "print JSON; report/schema.md describes it"},
    {0, "flags", NULL, OPTIONS_TUNE, "Output", FLAG(flags),
     "print only the flags, on one line, which is empty if there are none"},
    {0, "live", NULL, OPTIONS_TUNE, "Output", FLAG(live),
     "unwatch these functions in a running process, named by its number, profile or program"},
    {0, "full-names", NULL, OPTIONS_INPUT | OPTIONS_LIVE, "Output", FLAG(full_names),
     "print long C++ names in full; the default drops what is in brackets from names longer than "
     "64 characters, unless that makes two the same, and on a narrow terminal return types, "
     "brackets and namespaces from any. JSON always has full names"},
    {0, "no-via", NULL, OPTIONS_BLOCKS | OPTIONS_AS_TREE, "Output", FLAG(no_via),
     "do not show the functions without hooks between a caller and a function (see 'zprof help "
     "graph')"},
    {0, "sites", NULL, OPTIONS_BLOCKS, "Output", FLAG(sites),
     "show in callers' lines the source lines (and columns) that call the function, if an "
     "interpreter reported them; at most three, JSON has all"},
    {0, "format", "COLUMN,...", OPTIONS_COLUMNS, "Output", TEXT(columns),
     "print these columns, in this order: by their heads, '%' for the percentages, 'place' for file and "
     "line. '+-' is the error of the time named before it, as in 'total,+-,calls,name'"},
    {0, "color", "WHEN", OPTIONS_TEXT | OPTIONS_LIVE, "Output", TAKE(options_take_color),
     "auto (on a terminal, unless NO_COLOR is set), always or never"},
    {0, "width", "COLUMNS", OPTIONS_TEXT | OPTIONS_LIVE, "Output", TAKE(options_take_width),
     "cut lines at this many columns, 0 for never; the default is the terminal's width"},
    {0, "no-pager", NULL, OPTIONS_TEXT, "Output", FLAG(no_pager),
     "do not start $ZPROF_PAGER, $PAGER or less on a terminal"},
    {'h', "help", NULL, ~0u, "Output", ASK, "this text"},
    {0, NULL, NULL, 0, NULL, ASK, NULL},
};
