/* SPDX-License-Identifier: MIT */
/* record_flags.c - see record_flags.h. */
#include "report/record/record_flags.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"
#include "report/core/command/help_text.h"

enum kind { TEXT, REPORT, NUMBER, CLOCK, HISTORY, SWITCH, ONOFF, OWN, AFTER };

/* A flag for an option of the library, of our OWN, or of a feature: AFTER the run. `argument` NULL:
 * a switch, passed on as 1. */
struct flag {
	const char *name;
	enum kind kind;
	const char *argument, *help;
	uint64_t least, most;          /* limits of a NUMBER */
	const struct after_run *after; /* of AFTER */
};

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

static bool is_clock(const char *value)
{
	return !strcmp(value, "exact") || !strcmp(value, "count");
}

static bool is_history(const char *value)
{
	return !strcmp(value, "off") || !strcmp(value, "self") || !strcmp(value, "full");
}

static const struct flag flags[] = {
#define OPTION(name, kind, value, least, most, argument, table, help)                              \
	{#name, kind, argument, help, least, most, NULL},
#include "preload/options.def"
#undef OPTION
    {"open", OWN, NULL,
     "when the program has ended, write '" RECORD_PAGE
     "' as 'zprof html' does, and show it in $BROWSER, or "
     "in the desktop's browser",
     0, 0, NULL},
    {"no_archive", OWN, NULL,
     "do not put names, lines and sources into the profiles, as 'zprof archive' does", 0, 0, NULL},
    {.kind = AFTER}, /* those of features */
    {"force", OWN, NULL,
     "let -o NAME replace a file that is no recorded profile; a profile in which a process still "
     "counts is never replaced",
     0, 0, NULL},
    {"quiet", OWN, NULL, "do not say where the profile is, nor how many calls were recorded", 0, 0,
     NULL},
};

/* Flag number I, features' included; behind the last its name is NULL. */
static struct flag flag_at(size_t i)
{
	for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
		if (flags[k].kind != AFTER && !i--)
			return flags[k];
		for (int a = 0; flags[k].kind == AFTER && after_runs[a]; a++)
			if (!i--)
				return (struct flag){.name = after_runs[a]->flag,
						     .kind = AFTER,
						     .help = after_runs[a]->help,
						     .after = after_runs[a]};
	}
	return (struct flag){0};
}

void record_flags_help(void)
{
	struct flag f;
	for (size_t i = 0; (f = flag_at(i)).name; i++)
		help_option(strcmp(f.name, "output") ? 0 : 'o', f.name, f.argument, f.help);
	help_option('h', "help", NULL, "this text");
}

/* `max-nodes` is the same as `max_nodes`. */
static bool same_name(const char *given, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if ((given[i] == '-' ? '_' : given[i]) != name[i])
			return false;
	return !name[n];
}

/* Its name is NULL if there is none. */
static struct flag find_flag(const char *given, size_t n)
{
	struct flag f;
	size_t i = 0;
	while ((f = flag_at(i)).name && !same_name(given, n, f.name))
		i++;
	return f;
}

static void hand_on(struct record_flags *r, const char *name, const char *value)
{
	str_add(&r->options, "%s%s=", r->options.used ? "," : "", name);
	for (; *value; value++)
		str_add(&r->options, *value == ',' ? "\\%c" : "%c", *value);
}

/* Takes patterns separated by spaces; the library splits them in the same way. */
static bool take_patterns(struct patterns *to, const char *option, const char *value,
			  struct str *err)
{
	bool ok = true;
	pattern_list_free(to);
	while (ok && *(value += strspn(value, " "))) {
		size_t n = strcspn(value, " ");
		char *pattern = memory_text(value, n);
		ok = pattern_list_add_prefixed(to, pattern, err);
		free(pattern);
		value += n;
	}
	return ok && (to->count || str_fail(err, "--%s: empty pattern", option));
}

static bool are_patterns(const char *option, const char *value, struct str *err)
{
	struct patterns patterns = {0};
	bool ok = take_patterns(&patterns, option, value, err);
	pattern_list_free(&patterns);
	return ok;
}

static bool take(struct record_flags *r, const struct flag *f, const char *value, struct str *err)
{
	if (f->kind == REPORT) { /* zprof record prints it when all processes have ended */
		r->report = !value || strcmp(value, "0") != 0;
		r->report_to = value && strcmp(value, "1") != 0 ? value : NULL;
		return true;
	}
	if (f->kind == OWN) {
		*(!strcmp(f->name, "open")         ? &r->open
		  : !strcmp(f->name, "no_archive") ? &r->no_archive
		  : !strcmp(f->name, "force")      ? &r->force
						   : &r->quiet) = true;
		return !value || str_fail(err, "option '--%s' takes no value", f->name);
	}
	if (f->kind == AFTER) {
		after_run_give(&r->after, f->after);
		return !value || str_fail(err, "option '--%s' takes no value", f->name);
	}
	if (value && !strcmp(f->name, "only") && !take_patterns(&r->only, f->name, value, err))
		return false;
	if (value && (!strcmp(f->name, "frame") || !strcmp(f->name, "tails")) &&
	    !are_patterns(f->name, value, err))
		return false;
	if (!strcmp(f->name, "output"))
		r->output = value;
	if (!strcmp(f->name, "groups"))
		r->groups = value;
	if (!strcmp(f->name, "metric"))
		r->metric = value;
	if (!strcmp(f->name, "clock"))
		r->clock = value;
	if (!strcmp(f->name, "start"))
		r->start = value;
	hand_on(r, f->name, value ? value : "1");
	return true;
}

/* The flag in WORD (`--name`, `--name=value`, `-o` or `-oVALUE`), and its value if WORD has one. */
static struct flag flag_of(const char *word, const char **value)
{
	size_t n = strcspn(word, "=");
	*value = NULL;
	if (word[1] == 'o') {
		*value = word[2] ? word + 2 : NULL;
		return find_flag("output", strlen("output"));
	}
	if (word[1] != '-')
		return (struct flag){0};
	*value = word[n] ? word + n + 1 : NULL;
	return find_flag(word + 2, n - 2);
}

static bool unknown_flag(const char *word, struct str *err)
{
	struct near near;
	struct flag f;
	size_t name = strspn(word, "-");
	char *bare = memory_text(word + name, strcspn(word + name, "="));
	str_fail(err, "unknown option '%s'", word);
	near_init(&near, bare);
	for (size_t i = 0; (f = flag_at(i)).name; i++) {
		struct str shown = {0};
		str_add(&shown, "--%s", f.name);
		near_try(&near, f.name, shown.text);
		str_free(&shown);
	}
	near_add(&near, err);
	str_add(err, "; see 'zprof help record'");
	free(bare);
	return false;
}

/* The flag at ARGV[*I], and its value, which may be the next word; *I stays on the last of them. */
static bool parse_flag(struct record_flags *r, int *i, char **argv, struct str *err)
{
	const char *value, *word = argv[*i];
	struct flag f = flag_of(word, &value);
	if (!f.name)
		return unknown_flag(word, err);
	if (!value && f.argument && !(value = argv[++*i]))
		return str_fail(err, "option '--%s' needs a value: %s; see 'zprof help record'",
				f.name, f.argument);
	if (value && f.kind == NUMBER && !is_number(value, f.least, f.most))
		return str_fail(err, "'--%s' takes a number from %llu to %llu, not '%s'", f.name,
				(unsigned long long)f.least, (unsigned long long)f.most, value);
	if (value && f.kind == ONOFF && strcmp(value, "on") && strcmp(value, "off"))
		return str_fail(err, "'--%s' takes on or off, not '%s'", f.name, value);
	if (value && f.kind == CLOCK && !is_clock(value))
		return str_fail(err, "bad value '%s' for '--%s'; see 'zprof help record'", value,
				f.name);
	if (value && f.kind == HISTORY && !is_history(value))
		return str_fail(err, "'--%s' takes off, self or full, not '%s'", f.name, value);
	return take(r, &f, value, err);
}

bool record_flags_parse(struct record_flags *r, int argc, char **argv, struct str *err)
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		const char *word = argv[i];
		if (!strcmp(word, "--")) {
			i++;
			break;
		}
		r->help = !strcmp(word, "--help") || !strcmp(word, "-h");
		if (r->help)
			return true;
		if (!parse_flag(r, &i, argv, err))
			return false;
	}
	r->program = argv + i;
	if (!after_run_check(&r->after, r, err))
		return false;
	return i < argc || str_fail(err, "no program to run; it looks like 'zprof record ./prog', "
					 "see 'zprof help record'");
}

char *record_flags_in_environment(const char *key)
{
	const char *at = getenv("ZPROF_OPTIONS");
	struct str item = {0};
	char *value = NULL;
	while (at && *at) {
		str_clear(&item);
		for (; *at && *at != ','; at++) {
			at += at[0] == '\\' && at[1] == ',';
			str_add_bytes(&item, at, 1);
		}
		at += *at == ',';
		if (strncmp(str_text(&item), key, strlen(key)))
			continue;
		free(value);
		value = memory_text(item.text + strlen(key), item.used - strlen(key));
	}
	str_free(&item);
	return value;
}

void record_flags_free(struct record_flags *r)
{
	str_free(&r->options);
	pattern_list_free(&r->only);
}
