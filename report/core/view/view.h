/* SPDX-License-Identifier: MIT */
/*
 * view.h - what all commands that show profiles share. First they load, find groups and filter;
 * then they print the head of a report, and the losses at its end.
 */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include <stdio.h>

#include <jansson.h>

#include "report/core/disk/file_rules.h"
#include "report/core/load/left_alone.h"
#include "report/core/load/load.h"
#include "report/cxx/short_names.h"
#include "report/core/options/options.h"

struct view {
	struct options *options;
	struct load load;
	struct groups groups;
	struct group_map group_map; /* under --metric, or all groups */
	struct tree filtered;       /* empty if the filters leave the tree as it is */
	struct tree *tree;          /* what to show: &filtered or &load.tree */
	struct terminal terminal;
	bool fake, counts_only, knows_waits;
	bool sampled;                       /* a process has no counts of calls (ZPROF_SAMPLED) */
	bool all_sampled;                   /* no process has */
	bool piece;                         /* of a profile, such as a frame (core/load/loader.h) */
	double most_ns;                     /* the length of the piece; 0: not known */
	double whole_ns[TIME_MEASURES];     /* the most that the whole can be; 0: not known */
	double least_bar_ns;                /* view_bounded() */
	enum time_measure measure;          /* what is shown of each cost: view_shown() */
	struct left_alone left_alone;       /* of the whole profile, whatever the filters */
	bool failed;                        /* a message was printed */
	struct short_names_of *short_names; /* by zone number, as far as they were made */
	size_t short_count;
};

/* False with a message; V needs no closing then. Prints warnings on stderr before it returns. */
bool view_open(struct view *v, struct options *o, struct str *err);
void view_close(struct view *v);

/* Whether PATH may be written (core/disk/file_rules.h) by a command that shows V. */
bool view_may_write(const struct view *v, const struct file_output *output, const char *path,
		    struct str *err);

/* Whether nobody counted what is shown as CALLS: it is of processes sampled from outside. In views
 * of counted and sampled processes together, a number above 0 is of the counted ones. */
bool view_uncounted(const struct view *v, uint64_t calls);

/* The text of a number of calls: `sampled`, where none is known. */
const char *view_calls(const struct view *v, char text[UNITS_TEXT], uint64_t calls);

/* The lines above a text report; D is of the view's tree. */
void view_print_head(const struct view *v, const struct derived *d);

/* Says on stderr why nothing is shown: the filters left nothing, or the profile is empty. */
void view_say_empty(const struct view *v, const struct derived *d);

/* The lines below the report: what was lost and what was repaired. */
void view_print_losses(const struct view *v);

/* Those of a part of what is shown: ZPROF_COUNTERS_MAX numbers. OF names it: `Before: `. */
void view_print_losses_of(const struct view *v, const uint64_t *losses, const char *of);

/* The same as texts, for free(). */
char *view_head_text(const struct view *v, const struct derived *d);
char *view_losses_text(const struct view *v);

/*
 * Prints the beginning of all JSON, `{"schema":...,"command":...,"clock":...,"overhead":...,
 * "losses":...`, without a closing brace. view_json_member() adds members, view_json_end() closes
 * it.
 */
void view_json_begin(const struct view *v, const struct derived *d);
void view_json_member(FILE *to, const char *name, json_t *value); /* steals VALUE */
json_t *view_json_losses(const uint64_t *losses); /* by name, those that are not zero */
json_t *view_json_text(const char *text);         /* a string, whatever the bytes */
/* A number of calls: null, where none is known. */
json_t *view_json_calls(const struct view *v, uint64_t calls);
/* Writes VALUE, and steals it. Terminal controls and invisible characters are escaped; they only
 * occur in strings, so the JSON means the same. */
void view_json_write(FILE *to, json_t *value);
void view_json_array(FILE *to, const char *name);           /* `,"name":[` */
void view_json_item(FILE *to, bool *first, json_t *object); /* steals OBJECT */
void view_json_array_end(FILE *to);
/* Adds `"counters":[{"name":"steps","self":1,"total":2}]` if an interpreter counted; TOTAL may be
 * NULL. */
void view_json_counters(json_t *object, const struct view *v, const struct cost *self,
			const struct cost *total);
/* Adds `"PREFIX_waited_ns":..,"PREFIX_waits":..`, null if the profile does not tell. */
void view_json_waits(json_t *object, const struct view *v, const char *prefix,
		     const struct cost *c);
/* The same, with `PREFIX_on_cpu_ns`, `PREFIX_preempted_ns`, `PREFIX_preemptions`,
 * `PREFIX_wall_ns`, and error bars such as `PREFIX_wall_error_ns`: BAR is that of a self time or a
 * total (cost.h). */
void view_json_absences(json_t *object, const struct view *v, const char *prefix,
			const struct cost *c, double (*bar)(const struct cost *c));
/* The threads of the view's tree, or those folded into it. */
void view_json_threads(const struct view *v);
void view_json_end(FILE *to);

/* A zone's name as rows show it, valid until there are more zones. */
const char *view_zone_name(struct view *v, uint32_t zone);

/* Whether a zone is a function without hooks, whose calls nobody counted (--below). */
bool view_is_sampled(const struct view *v, uint32_t zone);

/* By which choice a function was not recorded any more; NULL: it was recorded to the end. */
const struct choice *view_unwatched(const struct view *v, uint32_t zone);

/* Behind the name of a function: " (open)", " (unwatched)", both, or nothing. */
const char *view_state(const struct view *v, uint32_t zone, bool open);

/* The name of a zone's group: of the metric, else the group it was lent with; "" for none. */
const char *view_group_name(const struct view *v, uint32_t zone);

/* `file.c:12`, with the last part of the path only; of a function without a name, `after NAME`, the
 * nearest one before it that has a name; "" if unknown. */
void view_place(const struct zone *z, struct str *text);

/* Sets the view's measure from the options, once V's profiles are loaded. False with a message if a
 * profile does not know the measure. */
bool view_choose_measure(struct view *v, struct str *err);

/* Finds the counter that --sort names. False with a message if the profiles have none of the name. */
bool view_find_counter(struct view *v, struct str *err);

/* A cost in a measure, for rows: no bar is longer than is possible (cost_cut_bars()). */
static inline struct cost view_measured(const struct view *v, enum time_measure m,
					const struct cost *c)
{
	struct cost shown = measure_cost(m, c);
	cost_cut_bars(&shown, v->whole_ns[m]);
	return shown;
}

/* A cost as the view shows it: its ns and its bars are those of the view's measure. */
static inline struct cost view_shown(const struct view *v, const struct cost *c)
{
	return view_measured(v, v->measure, c);
}

/* The bars of a cost's own time, whatever the measure, as JSON and exports have them. */
static inline double view_self_bar(const struct view *v, const struct cost *c)
{
	struct cost shown = view_measured(v, TIME_OWN, c);
	return cost_self_bar(&shown);
}

static inline double view_total_bar(const struct view *v, const struct cost *c)
{
	struct cost shown = view_measured(v, TIME_OWN, c);
	return cost_total_bar(&shown);
}

/* A time of the view's clock, clamped at zero. */
const char *view_time(const struct view *v, char *text, double ns);

/*
 * A time as tables of text show it; no table decides by itself whether it shows a time or a bound:
 *
 *     NS above BAR_NS     12.3 ms +-0.5  the time; view_bar() is its error bar, in the time's unit
 *     any other time      <3 ms          the upper end of the bar (cost_upper()), rounded up
 *
 * In a piece, neither is more than the length of the piece, and a function without a sample may have
 * run for as long as two samples stand for. JSON and exports have times and bars.
 */
const char *view_bounded(const struct view *v, char *text, double ns, double bar_ns);

/* The same for each of CALLS calls, on average. */
const char *view_each(const struct view *v, char *text, double ns, double bar_ns, uint64_t calls);

/* The same where no time is above MOST_NS; 0: there is no such limit. */
const char *view_bounded_by(const struct view *v, char *text, double ns, double bar_ns,
			    double most_ns);

/* What stands beside such a time: its bar, empty for a bound, and its share of WHOLE_NS, which is
 * a bound, too, if the time is one. */
const char *view_bar(const struct view *v, char *text, double ns, double bar_ns);
const char *view_percent(const struct view *v, char *text, double ns, double bar_ns,
			 double whole_ns);

/* The same of a total; LOW: the total may be more than is known. */
const char *view_known_total(const struct view *v, char *text, double ns, double bar_ns, bool low);

/* Marks a total that may be more. */
#define VIEW_AT_LEAST ">="

/* A thread's overflow table as a caller: the callers of its functions are unknown. */
#define VIEW_OVERFLOW "(not told apart)"

#endif
