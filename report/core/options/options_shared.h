/* SPDX-License-Identifier: MIT */
/*
 * options_shared.h - the options that several commands have. Options that always go together are one
 * table.
 *
 * A table has the heading of its options, unless commands show them under different headings.
 */
#ifndef REPORT_OPTIONS_SHARED_H
#define REPORT_OPTIONS_SHARED_H

#include "report/core/options/options.h"

/* Headings that commands add options to. */
#define OPTIONS_VIEW     "Which view"
#define OPTIONS_PROFILES "Which profiles"
#define OPTIONS_SELECT   "Select: rows or blocks are hidden, no number changes"
#define OPTIONS_RESTRICT "Restrict: all numbers are of some contexts only"

/* Which profiles, and which parts of them. */
extern const struct option_spec options_profiles[];  /* --run, --force */
extern const struct option_spec options_force[];     /* only --force */
extern const struct option_spec options_parts[];     /* --by-process, --by-thread */
extern const struct option_spec options_part_of[];   /* --thread, --pid, --recording */
extern const struct option_spec options_recording[]; /* only --recording */

/* Functions and contexts. */
extern const struct option_spec options_select[];   /* which rows: --func ... --sort */
extern const struct option_spec options_rows[];     /* for views without functions: --min ... */
extern const struct option_spec options_limit[];    /* only --limit */
extern const struct option_spec options_contexts[]; /* restrict, make transparent, groups */
extern const struct option_spec options_groups[];   /* only --groups, --metric */

/* Where the output goes, and what it looks like. */
extern const struct option_spec options_recursion[];
extern const struct option_spec options_raw[];
extern const struct option_spec options_below[];
extern const struct option_spec options_time[];
extern const struct option_spec options_json[];
extern const struct option_spec options_full_names[];
extern const struct option_spec options_columns[];
extern const struct option_spec options_output[];
extern const struct option_spec options_source_path[];
extern const struct option_spec options_screen[];   /* --color, --width */
extern const struct option_spec options_terminal[]; /* --color, --width, --no-pager, --help */
extern const struct option_spec options_help[];

option_take options_take_output;

#endif
