/* SPDX-License-Identifier: MIT */
/* options.c - see options.h. A new option is one line in the table. */
#include "preload/options.h"

#include "preload/format.h"
#include "preload/sys.h"
#include "preload/text.h"

enum kind { TEXT, NUMBER, SWITCH, CLOCK, ABSENT, REMOVED };

struct option {
	const char *key;
	enum kind kind;
	size_t offset;
	uint64_t min, max;
};

#define AT(field) offsetof(struct options, field)

/*
 * ABSENT: a key of the project that this version does not offer; saying so beats "unknown".
 * REMOVED: one that an older version had.
 */
static const struct option table[] = {
    {"output", TEXT, AT(output), 0, 0},
    {"report", TEXT, AT(report), 0, 0},
    {"only", TEXT, AT(only), 0, 0},
    {"groups", TEXT, AT(groups), 0, 0},
    {"metric", TEXT, AT(metric), 0, 0},
    {"max_nodes", NUMBER, AT(max_nodes), 64, OPTIONS_MAX_NODES},
    {"check", NUMBER, AT(check), 1, UINT32_MAX},
    {"verbose", SWITCH, AT(verbose), 0, 0},
    {"clock", CLOCK, 0, 0, 0},
    {"recursion", NUMBER, AT(recursion), 1, UINT32_MAX},
    {"throttle", REMOVED, 0, 0, 0},
    {"frame", ABSENT, 0, 0, 0},
    {"history", ABSENT, 0, 0, 0},
    {"callsites", ABSENT, 0, 0, 0},
    {"sample", ABSENT, 0, 0, 0},
    {"offcpu", ABSENT, 0, 0, 0},
    {"libcalls", ABSENT, 0, 0, 0},
    {"start", ABSENT, 0, 0, 0},
};

static bool refuse(const char *what, const char *subject, const char *remedy)
{
	char advice[160];
	struct text t;

	text_init(&t, advice, sizeof(advice));
	text_add(&t, remedy);
	text_add(&t, "; running unprofiled");
	text_complain(what, subject, 0, advice);
	return false;
}

/* An older version's name for a mode that timed some of the calls. */
#define ADAPTIVE "adaptive"

/* 0: there is none of this name. */
static uint32_t mode_of(const char *name)
{
	if (text_same(name, "exact"))
		return ZPROF_MODE_EXACT;
	return text_same(name, "count") || text_same(name, ADAPTIVE) ? ZPROF_MODE_COUNT : 0;
}

static bool set(struct options *options, const struct option *option, const char *value)
{
	char *field = (char *)options + option->offset;
	uint64_t number;

	switch (option->kind) {
	case TEXT:
		if (!*value)
			return refuse("ZPROF_OPTIONS: empty value for option", option->key,
				      "give it a value or leave it out");
		*(const char **)field = value;
		return true;
	case NUMBER:
		if (!text_to_number(value, option->max, &number) || number < option->min) {
			char range[96];
			struct text t;

			text_init(&t, range, sizeof(range));
			text_add(&t, option->key);
			text_add(&t, " takes a number from ");
			text_number(&t, option->min);
			text_add(&t, " to ");
			text_number(&t, option->max);
			return refuse("ZPROF_OPTIONS: bad value", value, range);
		}
		*(uint32_t *)field = (uint32_t)number;
		return true;
	case SWITCH:
		if (!text_same(value, "0") && !text_same(value, "1"))
			return refuse("ZPROF_OPTIONS: bad value", value, "a switch takes 0 or 1");
		*(bool *)field = *value == '1';
		return true;
	case CLOCK:
		options->mode = mode_of(value);
		options->asks_adaptive = text_same(value, ADAPTIVE);
		return options->mode ||
		       refuse("ZPROF_OPTIONS: bad value", value, "clock takes exact or count");
	case REMOVED:
		return refuse("ZPROF_OPTIONS: there is no longer an option", option->key,
			      "use clock=count, or leave small functions out: see zprof tune");
	case ABSENT:
		break;
	}
	return refuse("ZPROF_OPTIONS: this version does not offer option", option->key,
		      "leave it out");
}

/* Cuts one `key=value` off *rest, undoing `\,`. */
static char *next_item(char **rest)
{
	char *item = *rest, *from = item, *to = item;

	for (; *from && *from != ','; from++) {
		if (from[0] == '\\' && from[1] == ',')
			from++;
		*to++ = *from;
	}
	*rest = *from ? from + 1 : from;
	*to = 0;
	return item;
}

static bool apply(struct options *options, char *item)
{
	char *value = item;
	size_t i;

	while (*value && *value != '=')
		value++;
	if (!*value)
		return refuse("ZPROF_OPTIONS: no '=' in", item, "write key=value");
	*value++ = 0;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (text_same(table[i].key, item))
			return set(options, &table[i], value);
	return refuse("ZPROF_OPTIONS: unknown option", item, "see zprof record --help");
}

bool options_parse(struct options *options, const char *value)
{
	struct text copy;
	char *rest;

	options->output = "zprof.out.%p";
	options->max_nodes = OPTIONS_MAX_NODES_DEFAULT;
	options->mode = ZPROF_MODE_EXACT;
	if (!value)
		return true;
	text_init(&copy, options->raw, sizeof(options->raw));
	text_add(&copy, value);
	if (copy.cut)
		return refuse("ZPROF_OPTIONS is too long", NULL, "8191 bytes at most");
	memcpy(options->text, options->raw, sizeof(options->text));
	rest = options->text;
	while (*rest) {
		char *item = next_item(&rest);

		if (*item && !apply(options, item))
			return false;
	}
	return true;
}
