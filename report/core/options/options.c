/* SPDX-License-Identifier: MIT */
/* options.c - see options.h. */
#include "report/core/options/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"

#define FIRST_LONG 256 /* getopt_long()'s value of the first option */

const struct option_spec *options_at(size_t i)
{
	for (const struct option_spec *s = options_table; s->name; s++) {
		if (*s->name && !i--)
			return s;
		for (int k = 0; !*s->name && loaders[k]; k++)
			for (const struct option_spec *o = loaders[k]->options; o && o->name; o++)
				if (!i--)
					return o;
	}
	return NULL;
}

static struct option *long_options(unsigned sets, struct str *letters)
{
	size_t count = 0, room = 0;
	struct option *list = NULL;
	const struct option_spec *s;
	str_add(letters, ":");
	for (int i = 0; (s = options_at((size_t)i)); i++) {
		if (!(s->set & sets))
			continue;
		list = memory_room(list, count, &room, sizeof *list);
		list[count++] = (struct option){
		    s->name, s->argument ? required_argument : no_argument, NULL, FIRST_LONG + i};
		if (s->letter)
			str_add(letters, "%c%s", s->letter, s->argument ? ":" : "");
	}
	list = memory_room(list, count, &room, sizeof *list);
	list[count] = (struct option){0};
	return list;
}

/* The option with that value or letter, of a command with these sets: a letter may be in several. */
static const struct option_spec *find_spec(int code, unsigned sets)
{
	const struct option_spec *s;
	if (code >= FIRST_LONG)
		return options_at((size_t)(code - FIRST_LONG));
	for (size_t i = 0; (s = options_at(i)); i++)
		if (s->letter == code && s->set & sets)
			return s;
	return NULL;
}

static bool unknown_option(const char *word, unsigned sets, struct str *err)
{
	struct near near;
	const struct option_spec *s;
	size_t name = strspn(word, "-");
	char *bare = memory_text(word + name, strcspn(word + name, "="));
	str_fail(err, "unknown option '%s'", word);
	near_init(&near, bare);
	for (size_t i = 0; (s = options_at(i)); i++)
		if (s->set & sets) {
			struct str shown = {0};
			str_add(&shown, "--%s", s->name);
			near_try(&near, s->name, shown.text);
			str_free(&shown);
		}
	near_add(&near, err);
	free(bare);
	return false;
}

static bool bad_option(int code, unsigned sets, char **argv, struct str *err)
{
	const char *word = argv[optind - 1];
	const struct option_spec *s = code == ':' ? find_spec(optopt, sets) : NULL;
	if (s)
		return str_fail(err, "option '--%s' needs a value: %s", s->name, s->argument);
	if (optopt && optopt < FIRST_LONG)
		return str_fail(err, "unknown option '-%c'", optopt);
	if (optopt)
		return str_fail(err, "option '%s' takes no value", word);
	return unknown_option(word, sets, err);
}

static bool asks_for_help(const struct option_act *a)
{
	return !a->flag && !a->text && !a->take;
}

static bool act(struct options *o, const struct option_act *a, const char *value, struct str *err)
{
	char *members = (char *)o;
	if (a->take)
		return a->take(o, value, err);
	if (a->flag)
		*(bool *)(members + a->flag) = true;
	else
		*(const char **)(members + a->text) = value;
	return true;
}

bool options_parse(struct options *o, unsigned sets, int argc, char **argv, bool *help,
		   struct str *err)
{
	struct str letters = {0};
	struct option *list = long_options(sets, &letters);
	bool ok = true;
	*o = (struct options){.width = -1,
			      .apart = sets & OPTIONS_APART,
			      .sums = sets & (OPTIONS_PARTS | OPTIONS_DIFF | OPTIONS_BRIEF)};
	*help = false;
	opterr = 0;
	optind = 0;
	while (ok && !*help) {
		int code = getopt_long(argc, argv, letters.text, list, NULL);
		if (code == -1)
			break;
		if (code == '?' || code == ':') {
			ok = bad_option(code, sets, argv, err);
			break;
		}
		const struct option_spec *s = find_spec(code, sets);
		*help = asks_for_help(&s->act);
		ok = *help || act(o, &s->act, optarg, err);
	}
	o->paths = argv + optind;
	o->path_count = (size_t)(argc - optind);
	free(list);
	str_free(&letters);
	return ok;
}

void options_free(struct options *o)
{
	filters_free(&o->filters);
	loader_memory_free(&o->asked);
	free(o->fails);
	free(o->source_paths);
}
