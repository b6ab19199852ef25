/* SPDX-License-Identifier: MIT */
/* options-take: the options by name, and what each does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/command/options-help.h"
#include "vm-6502/command/options-inside.h"
#include "vm-6502/guest/forth-machine.h"

enum {
	MACHINE = 256,
	CPU,
	LOAD,
	SKIP,
	START,
	RESET,
	PUTC,
	GETC,
	IMAGE,
	PURE,
	DIR,
	STOP,
	LOOP,
	CYCLES,
	SYMBOLS,
	REGISTERS,
	DISASSEMBLE,
	TRACE,
	BREAK,
	WATCH,
	MONITOR,
	PROFILE,
	LISTING,
	HELPERS,
	ZONES,
	PRIMITIVES,
	BUCKETS,
	REPORT,
	METRIC,
	CLASSIC,
	TICKS,
	STARTED,
	GUEST,
	GROUPS,
	PRESET,
	THREADING,
	OTHER, /* and the rest of enum options_other */
	OTHER_LAST = OTHER + OTHERS - 1,
	NEWLINE,
	EXIT_AT_EOF,
	KEYS,
	TYPE,
	SCREEN,
	HELP,
	VERSION,
};

const struct option options_table[] = {
    {"machine", required_argument, NULL, MACHINE},
    {"cpu", required_argument, NULL, CPU},
    {"load", required_argument, NULL, LOAD},
    {"skip", required_argument, NULL, SKIP},
    {"start", required_argument, NULL, START},
    {"reset", no_argument, NULL, RESET},
    {"putc", required_argument, NULL, PUTC},
    {"getc", required_argument, NULL, GETC},
    {"image", required_argument, NULL, IMAGE},
    {"pure", no_argument, NULL, PURE},
    {"dir", required_argument, NULL, DIR},
    {"stop", required_argument, NULL, STOP},
    {"until-loop", no_argument, NULL, LOOP},
    {"cycles", required_argument, NULL, CYCLES},
    {"symbols", required_argument, NULL, SYMBOLS},
    {"registers", no_argument, NULL, REGISTERS},
    {"disassemble", no_argument, NULL, DISASSEMBLE},
    {"trace", optional_argument, NULL, TRACE},
    {"break", required_argument, NULL, BREAK},
    {"watch", required_argument, NULL, WATCH},
    {"monitor", no_argument, NULL, MONITOR},
    {"report", no_argument, NULL, PROFILE},
    {"listing", required_argument, NULL, LISTING},
    {"helpers", required_argument, NULL, HELPERS},
    {"zones", required_argument, NULL, ZONES},
    {"primitives", no_argument, NULL, PRIMITIVES},
    {"buckets", required_argument, NULL, BUCKETS},
    {"bucket-report", optional_argument, NULL, REPORT},
    {"metric", required_argument, NULL, METRIC},
    {"classic", required_argument, NULL, CLASSIC},
    {"ticks", required_argument, NULL, TICKS},
    {"started", no_argument, NULL, STARTED},
    {"guest", no_argument, NULL, GUEST},
    {"groups", optional_argument, NULL, GROUPS},
    {"preset", required_argument, NULL, PRESET},
    {"next", required_argument, NULL, OTHER + OTHER_NEXT},
    {"ip", required_argument, NULL, OTHER + OTHER_IP},
    {"w", required_argument, NULL, OTHER + OTHER_W},
    {"rp", required_argument, NULL, OTHER + OTHER_RP},
    {"docol", required_argument, NULL, OTHER + OTHER_DOCOL},
    {"dodoes", required_argument, NULL, OTHER + OTHER_DODOES},
    {"exit", required_argument, NULL, OTHER + OTHER_EXIT},
    {"core-end", required_argument, NULL, OTHER + OTHER_CORE_END},
    {"threading", required_argument, NULL, THREADING},
    {"patched", required_argument, NULL, OTHER + OTHER_PATCHED},
    {"stamp", required_argument, NULL, OTHER + OTHER_STAMP},
    {"newline", required_argument, NULL, NEWLINE},
    {"exit-at-eof", no_argument, NULL, EXIT_AT_EOF},
    {"keys", required_argument, NULL, KEYS},
    {"type", required_argument, NULL, TYPE},
    {"screen", no_argument, NULL, SCREEN},
    {"help", no_argument, NULL, HELP},
    {"version", no_argument, NULL, VERSION},
    {0},
};

bool options_wrong(struct options_reading *r, const char *format, const char *text)
{
	snprintf(r->err, sizeof r->err, format, text);
	return false;
}

void options_add_arg(struct options_reading *r, int kind, const char *text)
{
	r->arg[r->args++] = (struct machine_arg){.kind = kind, .text = text};
}

static bool set_machine(struct options_reading *r, const char *name)
{
	r->o->kind = machine_find(name);
	r->machine = name;
	return r->o->kind || options_wrong(r, "there is no machine '%s': see --help", name);
}

static bool set_cpu(struct options_reading *r, const char *name)
{
	r->cpu = name;
	return strcmp(name, "6502") == 0 || strcmp(name, "65c02") == 0 ||
	       options_wrong(r, "there is no processor '%s': 6502 and 65c02", name);
}

static bool set_number(struct options_reading *r, const char *text, unsigned long long *number)
{
	char *end;
	*number = strtoull(text, &end, 10);
	return (*text >= '0' && *text <= '9' && !*end) ||
	       options_wrong(r, "'%s' is not a number", text);
}

bool options_is_debug(const char *path)
{
	FILE *file = fopen(path, "r");
	char begin[8] = "";
	bool is = file && fread(begin, 1, 8, file) == 8 && memcmp(begin, "version\t", 8) == 0;

	if (file)
		fclose(file);
	return is;
}

static bool load_symbols(struct options_reading *r, const char *path)
{
	if (!r->o->symbols)
		r->o->symbols = symbols_new();
	if (!r->debug || options_is_debug(path))
		r->debug = path;
	return r->o->symbols && symbols_load(r->o->symbols, path, r->err, sizeof r->err);
}

static bool set_zones(struct options_reading *r, const char *which)
{
	struct options *o = r->o;

	o->zones = strcmp(which, "subroutines") == 0 ? ZONES_SUBROUTINES
		   : strcmp(which, "cells") == 0     ? ZONES_CELLS
						     : ZONES_FORTH;
	o->forth.words = strcmp(which, "words") == 0 || strcmp(which, "both") == 0;
	o->forth.buckets = strcmp(which, "buckets") == 0 || strcmp(which, "both") == 0;
	return o->zones != ZONES_FORTH || o->forth.words || o->forth.buckets ||
	       options_wrong(
		   r, "there are no zones '%s': words, buckets, both, subroutines or cells", which);
}

/* Takes one of two words; *second becomes whether it was the second. */
static bool set_choice(struct options_reading *r, const char *text, const char *const choice[2],
		       bool *second)
{
	char message[128];

	*second = strcmp(text, choice[1]) == 0;
	snprintf(message, sizeof message, "'%%s' is neither %s nor %s", choice[0], choice[1]);
	return *second || strcmp(text, choice[0]) == 0 || options_wrong(r, message, text);
}

static void set_trace(struct options *o, const char *value)
{
	if (value && strcmp(value, "words") == 0)
		o->forth.trace = "-";
	else if (value && strncmp(value, "words:", 6) == 0)
		o->forth.trace = value + 6;
	else
		o->trace = value ? value : "-";
}

static bool take_preset(void *reading, const char *name, const char *value);

/* An option that describes another Forth; as options_take() below. */
static bool take_other(struct options_reading *r, int option, const char *value)
{
	static const char *const threadings[2] = {"itc", "dtc"};

	switch (option) {
	case PRESET:
		return preset_load(&r->o->preset, value, take_preset, r, r->err, sizeof r->err);
	case THREADING:
		return set_choice(r, value, threadings, &r->o->other.direct);
	default:
		if (option < OTHER || option > OTHER_LAST)
			return options_wrong(r, "%s", "wrong option: see --help");
		r->other[option - OTHER] = value;
		return true;
	}
}

/* An option for a Forth; as options_take() below. */
static bool take_forth(struct options_reading *r, int option, const char *value)
{
	static const char *const layouts[2] = {"now", "talk"}, *const ticks[2] = {"as-run",
										  "as-next"};
	struct options *o = r->o;
	bool second, good = true;

	switch (option) {
	case ZONES:
		return set_zones(r, value);
	case PRIMITIVES:
		o->forth.primitives = true;
		break;
	case BUCKETS:
		o->buckets[o->forth.buckets_files++] = value;
		break;
	case REPORT:
		o->bucket_report = value ? value : "-";
		break;
	case METRIC:
		o->report.metric = value;
		break;
	case CLASSIC:
		good = set_choice(r, value, layouts, &second);
		o->report.layout = second ? FORTH_TALK : FORTH_CLASSIC;
		break;
	case TICKS:
		good = set_choice(r, value, ticks, &second);
		o->forth.as_next = o->report.as_next = second;
		break;
	case STARTED:
		o->forth.started = true;
		break;
	case GUEST:
		o->forth.guest = true;
		break;
	case GROUPS:
		o->groups = value ? value : "zprof.groups";
		break;
	default:
		return take_other(r, option, value);
	}
	return good;
}

/* An option that says how the guest's run is looked at or reported; as options_take() below. */
static bool take_watching(struct options_reading *r, int option, const char *value)
{
	static const char *const helpers[2] = {"open", "folded"};
	struct options *o = r->o;

	switch (option) {
	case SYMBOLS:
		return load_symbols(r, value);
	case REGISTERS:
		o->registers = true;
		break;
	case DISASSEMBLE:
		o->disassemble = true;
		break;
	case TRACE:
		set_trace(o, value);
		break;
	case BREAK:
		o->breaks[o->break_count++] = value;
		break;
	case WATCH:
		o->watches[o->watch_count++] = value;
		break;
	case MONITOR:
		o->monitor = true;
		break;
	case PROFILE:
		o->reported = true;
		break;
	case LISTING:
		o->listing = value;
		break;
	case HELPERS:
		return set_choice(r, value, helpers, &o->fold);
	default:
		return take_forth(r, option, value);
	}
	return true;
}

/* An option that says where the guest's run begins or ends; as options_take() below. */
static bool take_course(struct options_reading *r, int option, const char *value)
{
	unsigned long long number = 0;
	bool good = true;

	switch (option) {
	case START:
		r->start = value;
		break;
	case RESET:
		r->o->machine.reset = true;
		break;
	case STOP:
		r->stop = value;
		break;
	case LOOP:
		r->o->until_loop = true;
		break;
	case CYCLES:
		good = set_number(r, value, &number);
		r->o->cycles = number;
		break;
	default:
		return take_watching(r, option, value);
	}
	return good;
}

/* An option that says what the machine is and what it holds; as options_take() below. */
static bool take_machine(struct options_reading *r, int option, const char *value)
{
	static const char *const newlines[2] = {"lf", "cr"};
	struct machine_options *m = &r->o->machine;
	unsigned long long number = 0;
	bool good = true;

	switch (option) {
	case NEWLINE:
		return set_choice(r, value, newlines, &m->cr);
	case KEYS:
		m->keys = value;
		break;
	case TYPE:
		m->type = value;
		break;
	case SCREEN:
		m->screen = true;
		break;
	case EXIT_AT_EOF:
		m->exit_at_eof = true;
		break;
	case MACHINE:
		return set_machine(r, value);
	case CPU:
		return set_cpu(r, value);
	case LOAD:
		r->load = value;
		break;
	case SKIP:
		good = set_number(r, value, &number);
		m->skip = number;
		break;
	case PUTC:
		r->putc = value;
		break;
	case GETC:
		r->getc = value;
		break;
	case IMAGE:
		m->image = value;
		break;
	case PURE:
		m->pure = true;
		break;
	case DIR:
		m->dir = value;
		break;
	default:
		return take_course(r, option, value);
	}
	return good;
}

bool options_take(struct options_reading *r, int option, const char *value)
{
	switch (option) {
	case 'I':
		r->include[r->includes++] = value;
		return true;
	case 'e':
		options_add_arg(r, FORTH_ARG_TEXT, value);
		return true;
	case HELP:
		options_help(stdout);
		return false;
	case VERSION:
		puts("vm-6502 1.0");
		return false;
	default:
		return take_machine(r, option, value);
	}
}

/* A line of a preset. */
static bool take_preset(void *reading, const char *name, const char *value)
{
	for (const struct option *o = options_table; o->name; o++) {
		if (strcmp(o->name, name) == 0 && o->val != PRESET)
			return options_take(reading, o->val, value);
	}
	return options_wrong(reading, "a preset has no '%s'", name);
}
