/* SPDX-License-Identifier: MIT */
/*
 * export.h - profiles in the formats of other programs. Each format is a file here, and a line in
 * the table of cmd_export.c.
 *
 * Viewers add times up: an inclusive time is the sum of the self times below. So most formats get
 * times that add up: each context's self time in whole nanoseconds, none below zero. A context
 * whose time came out below zero (see cost.h) gets 0; export_make() says how much that adds to the
 * whole. Formats that store each number separately get the times that `zprof report` shows, with
 * their error.
 */
#ifndef REPORT_EXPORT_H
#define REPORT_EXPORT_H

#include <stdio.h>

#include "report/core/disk/file_rules.h"
#include "report/core/view/listing.h"

struct export
{
	FILE *to;
	struct view *view;
	const struct zones *zones;
	const struct tree *tree;
	const struct derived *derived;
	const struct listing *listing;
	double added_ns; /* how much larger the sum is because times below zero became 0 */
};

struct export_format {
	const char *name;
	const char *summary; /* which programs read it */
	bool binary;
	bool adds_up;        /* times are whole nanoseconds, none below zero */
	bool repeats;        /* is written again and again: no message says how much that adds */
	bool names_measures; /* has a column of each measure; others have the one that is shown */
	bool spread;         /* recursion is spread, as --recursion=spread does */
	/* For formats whose rows say which profile they are of: many profiles, one by one, make one
	 * file. Prints the line above the rows; WRITE prints the rows of one profile. NULL: not so. */
	const char *heading;
	/* How each file of this format begins. NULL: IS_ONE recognises files; or nothing does. */
	const char *begins;
	bool (*is_one)(const char *head, size_t bytes);
	/* False with a message if the profile has nothing that the format can hold. */
	bool (*write)(const struct export *e, struct str *err);
};

/* How to recognise files of this format, for file_may_write(). WHAT becomes the format's name. */
struct file_output export_output(const struct export_format *format, struct str *what);

/* Writes V in FORMAT to TO. False with a message. */
bool export_make(FILE *to, const struct export_format *format, struct view *v, struct str *err);

/* A context's time, which export_make() has made whole. */
static inline int64_t export_ns(const struct cost *c)
{
	return (int64_t)c->ns;
}

/* A counter of an interpreter, at least 0: a damaged profile may have any value. */
static inline int64_t export_counter(const struct cost *c, size_t column)
{
	return c->counter[column] > 0 ? c->counter[column] : 0;
}

/* Measures beside time and calls, for formats that can hold several. First come the counters of
 * interpreters, last the waits, if the profile knows them. */
size_t export_further_count(const struct export *e);
const char *export_further_name(const struct export *e, size_t measure);
bool export_further_is_time(const struct export *e, size_t measure);
int64_t export_further(const struct export *e, const struct cost *c, size_t measure);

/* A context's weight in formats with one measure: time, or calls if there are no times. */
static inline int64_t export_weight(const struct export *e, const struct node *n)
{
	return e->view->counts_only ? (int64_t)n->calls : export_ns(&n->self);
}

/* A zone's full name. Zone 0 stands for calls in the overflow table. */
const char *export_zone_name(const struct export *e, uint32_t zone);

/* The path of a zone's module, "" if it has none. */
const char *export_module(const struct export *e, uint32_t zone);

/* Puts `name (tid)` into TEXT, also the process if there are several. */
void export_thread_name(const struct export *e, uint32_t thread, struct str *text);

/* The command line of the first process, or the profile's path if that is unknown. */
const char *export_title(const struct export *e);

/* Says on stderr how many paths were shortened (see walk.h), if any were. */
void export_say_shortened(size_t contexts);

/* Prints a text between quotes, as csv has it: one line, quotes doubled. */
void export_quoted(const struct export *e, const char *text);

/* Prints a JSON string. */
void export_json_text(const struct export *e, const char *text);

#endif
