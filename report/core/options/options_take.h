/* SPDX-License-Identifier: MIT */
/*
 * options_take.h - what options do with a value that they do not only keep: they check it, turn it
 * into a number, or add it to a list. Each takes the option of its name, and says on an error what
 * the value has to be.
 */
#ifndef REPORT_OPTIONS_TAKE_H
#define REPORT_OPTIONS_TAKE_H

#include "report/core/options/options.h"

/* Rows, and how many of what. */
option_take options_take_min, options_take_limit, options_take_depth, options_take_sort;
option_take options_take_batch, options_take_tokens, options_take_keep;

/* Functions, contexts, and what they are found by. */
option_take options_take_func, options_take_group, options_take_module, options_take_file;
option_take options_take_under, options_take_not, options_take_only;
option_take options_take_thread, options_take_pid, options_take_recording;
option_take options_take_recursion;

/* Sources, and conditions of 'zprof diff'. */
option_take options_take_lines, options_take_source_path, options_take_fail;

/* Where to write, how wide, in which colors, how often. */
option_take options_take_output, options_take_width, options_take_color;
option_take options_take_delay, options_take_average;

/* For options of other files: false if VALUE is no number, or more than MOST. */
bool options_take_number(const char *value, unsigned long most, unsigned long *number);

/*
 * A number of things. WHAT says what it is, for the message. 0 with a message: there must be one.
 */
unsigned long options_take_count(const char *what, const char *value, struct str *err);

#endif
