/* SPDX-License-Identifier: MIT */
/* record_flags.c - see record_flags.h. */
#include "report/record/record_flags.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/option_text.h"
#include "report/record/record_patterns.h"

enum kind { TEXT, REPORT, NUMBER, SWITCH, CLOCK, HISTORY, EVENTS, INSIDE, ONOFF, KINDS };

/* An option of the library. */
struct library_option {
	const char *name;
	enum kind kind;
	uint64_t least, most; /* limits of a NUMBER */
};

/* What the value may be, between spaces; NULL: anything, or a number. */
#define WORDS_TEXT    NULL
#define WORDS_REPORT  NULL
#define WORDS_NUMBER  NULL
#define WORDS_SWITCH  NULL
#define WORDS_CLOCK   "count exact"
#define WORDS_HISTORY "off self full"
#define WORDS_EVENTS                                                                               \
	"page-faults context-switches migrations instructions cache-misses branch-misses"
#define WORDS_INSIDE "0 1 stack"
#define WORDS_ONOFF  "on off"

static const char *const words_of[KINDS] = {[CLOCK] = WORDS_CLOCK,
					    [HISTORY] = WORDS_HISTORY,
					    [INSIDE] = WORDS_INSIDE,
					    [ONOFF] = WORDS_ONOFF};

#define IS(name, other) (!__builtin_strcmp(#name, other))
#define VALUES(name, kind)                                                                         \
	(IS(name, "only") || IS(name, "frame") || IS(name, "tails") ? OPTION_FUNCTIONS             \
								    : WORDS_##kind)

/* Whether VALUE is a number from LEAST to MOST: `4096`, `64k`, `4m`, `1g`. */
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

static void hand_on(struct record_flags *r, const char *name, const char *value)
{
	str_add(&r->options, "%s%s=", r->options.used ? "," : "", name);
	for (; *value; value++)
		str_add(&r->options, *value == ',' ? "\\%c" : "%c", *value);
}

/* Names separated by spaces or commas; the library splits them in the same way. */
static bool are_events(const char *option, const char *value, struct str *err)
{
	bool ok = true, any = false;
	while (ok && *(value += strspn(value, " ,"))) {
		size_t n = strcspn(value, " ,");
		char *name = memory_text(value, n);
		ok = options_word(option, WORDS_EVENTS, name, err) >= 0;
		any = true;
		free(name);
		value += n;
	}
	return ok && (any || options_word(option, WORDS_EVENTS, "", err) >= 0);
}

static bool check(const struct library_option *l, const char *value, struct str *err)
{
	if (l->kind == NUMBER && !is_number(value, l->least, l->most))
		return str_fail(err, "'--%s' takes a number from %llu to %llu, not '%s'", l->name,
				(unsigned long long)l->least, (unsigned long long)l->most, value);
	if (words_of[l->kind])
		return options_word(l->name, words_of[l->kind], value, err) >= 0;
	if (l->kind == EVENTS)
		return are_events(l->name, value, err);
	return true;
}

static struct patterns *patterns_of(struct record_flags *r, const char *name)
{
	return !strcmp(name, "only")    ? &r->only
	       : !strcmp(name, "frame") ? &r->frame
	       : !strcmp(name, "tails") ? &r->tails
					: NULL;
}

/* Passes it on, and keeps what `zprof record` needs to know, too. */
static bool take(struct options *o, const struct library_option *l, const char *value,
		 struct str *err)
{
	struct record_flags *r = o->own;
	if (l->kind == REPORT) { /* zprof record prints it when all processes have ended */
		r->report = !value || strcmp(value, "0") != 0;
		r->report_to = value && strcmp(value, "1") != 0 ? value : NULL;
		return true;
	}
	if (value && !check(l, value, err))
		return false;
	struct patterns *patterns = patterns_of(r, l->name);
	if (patterns && !record_patterns(patterns, l->name, value, err))
		return false;
	if (!strcmp(l->name, "output"))
		o->output = value;
	if (!strcmp(l->name, "groups"))
		o->groups_path = value;
	if (!strcmp(l->name, "metric"))
		o->metric = value;
	if (!strcmp(l->name, "start"))
		r->start = value;
	hand_on(r, l->name, value ? value : "1");
	return true;
}

#define OPTION(name, kind, value, least, most, argument, table, help)                              \
	static bool take_##name(struct options *o, const char *given, struct str *err)             \
	{                                                                                          \
		return take(o, &(struct library_option){#name, kind, least, most}, given, err);    \
	}
#include "preload/options.def"
#undef OPTION

#define LETTER(name) (__builtin_strcmp(#name, "output") ? 0 : 'o')

const struct option_spec record_options[] = {
#define OPTION(name, kind, value, least, most, argument, table, help)                              \
	{LETTER(name), #name, argument, NULL, OPTION_MAYBE_WORD(take_##name, VALUES(name, kind)),  \
	 help},
#include "preload/options.def"
#undef OPTION
    {0, "open", NULL, NULL, OPTION_OWN_FLAG(record_flags, open),
     "when the program has ended, write '" RECORD_PAGE
     "' as 'zprof html' does, and show it in $BROWSER, or "
     "in the desktop's browser"},
    {0, "no_archive", NULL, NULL, OPTION_OWN_FLAG(record_flags, no_archive),
     "do not put names, lines and sources into the profiles, as 'zprof archive' does"},
    OPTIONS_OF_EACH(after_run_options_at),
    {0, "force", NULL, NULL, OPTION_OWN_FLAG(record_flags, force),
     "let -o NAME replace a file that is no recorded profile; a profile in which a process still "
     "counts is never replaced"},
    {0, "quiet", NULL, NULL, OPTION_OWN_FLAG(record_flags, quiet),
     "do not say where the profile is, nor how many calls were recorded"},
    {'h', "help", NULL, NULL, OPTION_HELP, "this text"},
    OPTIONS_END,
};

bool record_flags_check(const struct options *o, struct str *err)
{
	const struct record_flags *r = o->own;
	if (!after_run_check(&r->after, r, err))
		return false;
	if (r->pid && !r->sampled)
		return str_fail(err, "--pid goes with --sampled; 'zprof attach' records a process "
				     "that has hooks");
	if (r->pid)
		return !o->path_count ||
		       str_fail(err, "--pid names a process that runs; leave out '%s'",
				o->paths[0]);
	return o->path_count || str_fail(err, "no program to run; it looks like 'zprof record "
					      "./prog', see 'zprof help record'");
}

char *record_flags_in_environment(const char *name)
{
	return option_text(getenv("ZPROF_OPTIONS"), name);
}

void record_flags_free(void *own)
{
	struct record_flags *r = own;
	str_free(&r->options);
	pattern_list_free(&r->only);
	pattern_list_free(&r->frame);
	pattern_list_free(&r->tails);
}
