/* SPDX-License-Identifier: MIT */
/* options.c - see options.h. A new option is an entry of options.def. */
#include "preload/process/options.h"

#include "preload/format.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"

enum kind { TEXT, REPORT, NUMBER, CLOCK, HISTORY, EVENTS, SWITCH, INSIDE, ONOFF };

struct option {
	const char *name;
	enum kind kind;
	size_t offset;
	const char *value; /* the default; NULL: none */
	uint64_t least, most;
};

static const struct option table[] = {
#define OPTION(name, kind, value, least, most, ...)                                                \
	{#name, kind, offsetof(struct options, name), value, least, most},
#include "preload/options.def"
#undef OPTION
};

#define OPTIONS (sizeof(table) / sizeof(table[0]))

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

/* 0: no mode has this name. */
static uint32_t mode_of(const char *name)
{
	if (text_same(name, "exact"))
		return ZPROF_MODE_EXACT;
	return text_same(name, "count") ? ZPROF_MODE_COUNT : 0;
}

static uint32_t history_of(const char *name)
{
	if (text_same(name, "off"))
		return HISTORY_OFF;
	if (text_same(name, "self"))
		return HISTORY_SELF;
	return text_same(name, "full") ? HISTORY_FULL : HISTORY_NONE;
}

static bool set_inside(uint32_t *mode, const char *value)
{
	*mode = text_same(value, "stack") ? INSIDE_STACK
		: text_same(value, "1")   ? INSIDE_ADDRESSES
					  : INSIDE_NONE;
	return *mode || text_same(value, "0") ||
	       refuse("ZPROF_OPTIONS: bad value", value, "inside takes 0, 1 or stack");
}

/* The number of the event whose name is so many bytes at `name`; ZPROF_EVENTS_USED: there is none. */
static uint32_t event_of(const char *name, size_t bytes)
{
	static const char *const names[] = {
#define X(name, text) text,
	    ZPROF_EVENTS(X)
#undef X
	};
	uint32_t i = 0;

	while (i < ZPROF_EVENTS_USED &&
	       (strlen(names[i]) != bytes || memcmp(names[i], name, bytes) != 0))
		i++;
	return i;
}

static bool set_events(uint32_t *events, const char *value)
{
	const char *at = value;

	for (*events = 0; *at;) {
		size_t bytes = 0;

		while (at[bytes] && at[bytes] != ' ' && at[bytes] != ',')
			bytes++;
		if (bytes)
			*events |= 1u << event_of(at, bytes);
		at += bytes + !bytes;
	}
	return (*events && !(*events >> ZPROF_EVENTS_USED)) ||
	       refuse("ZPROF_OPTIONS: bad value", value,
		      "events takes page-faults, context-switches, migrations, instructions, "
		      "cache-misses, branch-misses, separated by spaces");
}

static bool refuse_range(const struct option *option, const char *value)
{
	char range[96];
	struct text t;

	text_init(&t, range, sizeof(range));
	text_add(&t, option->name);
	text_add(&t, " takes a number from ");
	text_number(&t, option->least);
	text_add(&t, " to ");
	text_number(&t, option->most);
	return refuse("ZPROF_OPTIONS: bad value", value, range);
}

static bool set(struct options *options, const struct option *option, const char *value)
{
	char *field = (char *)options + option->offset;
	uint64_t number;

	switch (option->kind) {
	case TEXT:
	case REPORT:
		if (!*value)
			return refuse("ZPROF_OPTIONS: empty value for option", option->name,
				      "give it a value or leave it out");
		*(const char **)field =
		    option->kind == REPORT && text_same(value, "0") ? NULL : value;
		return true;
	case NUMBER:
		if (!text_to_number(value, option->most, &number) || number < option->least)
			return refuse_range(option, value);
		*(uint32_t *)field = (uint32_t)number;
		return true;
	case SWITCH:
		if (!text_same(value, "0") && !text_same(value, "1"))
			return refuse("ZPROF_OPTIONS: bad value", value, "a switch takes 0 or 1");
		*(bool *)field = *value == '1';
		return true;
	case INSIDE:
		return set_inside((uint32_t *)field, value);
	case ONOFF:
		if (!text_same(value, "on") && !text_same(value, "off"))
			return refuse("ZPROF_OPTIONS: bad value", value,
				      "this option takes on or off");
		*(bool *)field = text_same(value, "on");
		return true;
	case EVENTS:
		return set_events((uint32_t *)field, value);
	case HISTORY:
		*(uint32_t *)field = history_of(value);
		return history_of(value) ||
		       refuse("ZPROF_OPTIONS: bad value", value, "history takes off, self or full");
	case CLOCK:
		*(uint32_t *)field = mode_of(value);
		return mode_of(value) ||
		       refuse("ZPROF_OPTIONS: bad value", value, "clock takes exact or count");
	}
	return false;
}

/* Cuts one `name=value` off *rest, and makes each `\,` in it a comma. */
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
		return refuse("ZPROF_OPTIONS: no '=' in", item, "write name=value");
	*value++ = 0;
	for (i = 0; i < OPTIONS; i++)
		if (text_same(table[i].name, item))
			return set(options, &table[i], value);
	return refuse("ZPROF_OPTIONS: unknown option", item, "see zprof record --help");
}

bool options_parse(struct options *options, const char *value)
{
	struct text copy;
	char *rest;
	size_t i;

	for (i = 0; i < OPTIONS; i++)
		if (table[i].value)
			set(options, &table[i], table[i].value);
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
