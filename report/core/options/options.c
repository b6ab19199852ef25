/* SPDX-License-Identifier: MIT */
/* options.c - see options.h. */
#include "report/core/options/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"

#define FIRST_LONG 256 /* getopt_long()'s value of the first option */

struct parsing {
	struct option_row *rows;
	struct option *names; /* an option may have two */
	size_t count, room;
	struct str letters;
};

static void add_rows(struct option_row **rows, size_t *count, size_t *room, const char **heading,
		     const struct option_spec *s)
{
	const struct option_spec *table;
	for (; s->name || s->act.table || s->act.tables; s++) {
		*heading = s->heading ? s->heading : *heading;
		if (s->act.table)
			add_rows(rows, count, room, heading, s->act.table);
		for (size_t i = 0; s->act.tables && (table = s->act.tables(i)); i++)
			add_rows(rows, count, room, heading, table);
		if (!s->name)
			continue;
		*memory_next(*rows, *count, *room) = (struct option_row){s, *heading};
	}
}

struct option_row *options_flatten(const struct option_spec *table)
{
	struct option_row *rows = NULL;
	size_t count = 0, room = 0;
	const char *heading = "";
	add_rows(&rows, &count, &room, &heading, table);
	rows = memory_room(rows, count, &room, sizeof *rows);
	rows[count] = (struct option_row){0};
	return rows;
}

static void add_name(struct parsing *p, const char *name, int takes, int code)
{
	*memory_next(p->names, p->count, p->room) = (struct option){name, takes, NULL, code};
}

static void parsing_init(struct parsing *p, const struct option_spec *table,
			 enum option_words words)
{
	*p = (struct parsing){.rows = options_flatten(table)};
	str_add(&p->letters, words == WORDS_PROGRAM ? "+:" : ":");
	for (int i = 0; p->rows[i].option; i++) {
		const struct option_spec *s = p->rows[i].option;
		int takes = s->argument                      ? required_argument
			    : s->act.what == OPTION_MAY_TAKE ? optional_argument
							     : no_argument;
		add_name(p, s->name, takes, FIRST_LONG + i);
		if (strchr(s->name, '_')) {
			char *with_dashes = memory_text(s->name, strlen(s->name));
			for (char *at = with_dashes; (at = strchr(at, '_'));)
				*at = '-';
			add_name(p, with_dashes, takes, FIRST_LONG + i);
		}
		if (s->letter)
			str_add(&p->letters, "%c%s", s->letter, s->argument ? ":" : "");
	}
	add_name(p, NULL, 0, 0);
}

static void parsing_free(struct parsing *p)
{
	for (struct option *name = p->names; name->name; name++)
		if (name->name != p->rows[name->val - FIRST_LONG].option->name)
			free((char *)name->name);
	free(p->names);
	free(p->rows);
	str_free(&p->letters);
}

static const struct option_spec *find_option(const struct parsing *p, int code)
{
	if (code >= FIRST_LONG)
		return p->rows[code - FIRST_LONG].option;
	for (const struct option_row *r = p->rows; r->option; r++)
		if (r->option->letter == code)
			return r->option;
	return NULL;
}

static bool unknown_option(const struct parsing *p, const char *word, struct str *err)
{
	struct near near;
	size_t name = strspn(word, "-");
	char *bare = memory_text(word + name, strcspn(word + name, "="));
	str_fail(err, "unknown option '%s'", word);
	near_init(&near, bare);
	for (const struct option_row *r = p->rows; r->option; r++) {
		struct str shown = {0};
		str_add(&shown, "--%s", r->option->name);
		near_try(&near, r->option->name, shown.text);
		str_free(&shown);
	}
	near_add(&near, err);
	free(bare);
	return false;
}

static bool bad_option(const struct parsing *p, int code, const char *word, struct str *err)
{
	const struct option_spec *s = code == ':' ? find_option(p, optopt) : NULL;
	if (s)
		return str_fail(err, "option '--%s' needs a value: %s", s->name, s->argument);
	if (optopt && optopt < FIRST_LONG)
		return str_fail(err, "unknown option '-%c'", optopt);
	if (optopt)
		return str_fail(err, "option '%s' takes no value", word);
	return unknown_option(p, word, err);
}

static bool act(struct options *o, const struct option_act *a, const char *value, struct str *err)
{
	char *member = (char *)(a->own ? o->own : o) + a->at;
	switch (a->what) {
	case OPTION_SETS:
		*(bool *)member = true;
		return true;
	case OPTION_KEEPS:
		*(const char **)member = value;
		return true;
	case OPTION_MATCHES:
		return pattern_list_add_prefixed((struct patterns *)member, value, err);
	case OPTION_MATCHES_OF:
		return pattern_list_add((struct patterns *)member, a->of, value, err);
	case OPTION_TAKES:
	case OPTION_MAY_TAKE:
		return a->take(o, value, err);
	default:
		o->help = true;
		return true;
	}
}

/*
 * getopt_long() takes the first `--` away and loses its place among the words. So each `--` is
 * replaced by this text, which is recognised by its address: a file may have the same name.
 */
static char between[] = "(between sides)";

bool options_is_between(const char *word)
{
	return word == between;
}

/* Does with `--` what getopt_long() does not do; gives how many words are left to it. */
static int take_dashes(struct options *o, enum option_words words, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		if (words == WORDS_SIDES)
			argv[i] = between;
		if (words == WORDS_OR_PROGRAM) {
			o->program = i + 1 < argc ? argv + i + 1 : NULL;
			argv[i] = NULL;
			return i;
		}
	}
	return argc;
}

bool options_parse(struct options *o, const struct option_spec *table, enum option_words words,
		   int argc, char **argv, struct str *err)
{
	struct parsing p;
	bool ok = true;
	parsing_init(&p, table, words);
	argc = take_dashes(o, words, argc, argv);
	opterr = 0;
	optind = 0;
	while (ok && !o->help) {
		int code = getopt_long(argc, argv, p.letters.text, p.names, NULL);
		if (code == -1)
			break;
		if (code == '?' || code == ':')
			ok = bad_option(&p, code, argv[optind - 1], err);
		else
			ok = act(o, &find_option(&p, code)->act, optarg, err);
	}
	o->paths = argv + optind;
	o->path_count = (size_t)(argc - optind);
	parsing_free(&p);
	return ok;
}

void options_free(struct options *o)
{
	filters_free(&o->filters);
	loader_memory_free(&o->asked);
	free(o->source_paths);
	free(o->own);
}

bool options_number(const char *value, unsigned long most, unsigned long *number)
{
	char *end;
	if (*value < '0' || *value > '9')
		return false;
	*number = strtoul(value, &end, 10);
	return !*end && *number <= most;
}

unsigned long options_count(const char *what, const char *value, struct str *err)
{
	unsigned long n;
	if (options_number(value, UINT32_MAX, &n) && n)
		return n;
	str_fail(err, "%s, 1 or more, not '%s'", what, value);
	return 0;
}
