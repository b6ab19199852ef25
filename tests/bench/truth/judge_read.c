/* SPDX-License-Identifier: MIT */
#include "tests/bench/truth/judge.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/demangle.h"

enum { LINE = 1 << 16 };

static struct intern names;

/* Linkers' names become those of the source, without what a compiler appends (f.part.0). */
static const char *plain_name(const char *name)
{
	const char *plain = demangle_name(&names, name);

	return intern_text(&names, plain, strlen(plain));
}

static struct judged *find(struct judge *j, const char *plain)
{
	for (size_t i = 0; i < j->count; i++)
		if (j->functions[i].name == plain)
			return &j->functions[i];
	return NULL;
}

struct judged *judge_function(struct judge *j, const char *name)
{
	struct judged *found;

	name = plain_name(name);
	found = find(j, name);
	if (found)
		return found;
	if (j->count == JUDGE_FUNCTIONS)
		return NULL;
	j->functions[j->count] = (struct judged){.name = name};
	return &j->functions[j->count++];
}

/* A row that is not a function. */
static bool add_bracket(struct judge *j, const char *name, double shown)
{
	size_t i;

	for (i = 0; i < j->bracket_count; i++)
		if (!strcmp(j->brackets[i].name, name))
			break;
	if (i == JUDGE_BRACKETS)
		return false;
	if (i == j->bracket_count) {
		j->brackets[i].name = plain_name(name);
		j->bracket_count++;
	}
	j->brackets[i].shown += shown;
	return true;
}

static bool add_shown(struct judge *j, const char *name, double shown, double error)
{
	struct judged *d;

	if (name[0] == '[')
		return add_bracket(j, name, shown);
	if (j->truth_is_known && !find(j, plain_name(name)))
		return true; /* a function without a known truth is ignored */
	d = judge_function(j, name);
	if (!d)
		return false;
	/* Functions of one name count as one. Their errors may all have the same sign. */
	d->shown += shown;
	d->error += error;
	return true;
}

/* The sampler's line about all its samples. */
static void add_taken(struct judge *j, const char *line)
{
	double taken, lost, elsewhere, broken, kernel;

	if (sscanf(line, "# samples %lf, lost %lf, elsewhere %lf, broken %lf, kernel %lf", &taken,
		   &lost, &elsewhere, &broken, &kernel) != 5)
		return;
	j->taken += taken;
	j->unplaced += lost + elsewhere + broken;
	j->in_kernel += kernel;
}

/* Calls TAKE with each line's name and the rest, split at the first tab. */
static bool read_lines(struct judge *j, const char *path, int half,
		       bool (*take)(struct judge *, int, const char *, const char *))
{
	static char line[LINE];
	FILE *f = fopen(path, "r");
	bool good = true;

	if (!f) {
		fprintf(stderr, "judge: cannot read '%s'\n", path);
		return false;
	}
	while (good && fgets(line, sizeof(line), f)) {
		char *tab = strchr(line, '\t');

		if (line[0] == '#')
			add_taken(j, line);
		if (line[0] == '#' || !tab)
			continue;
		*tab = '\0';
		good = take(j, half, line, tab + 1);
	}
	fclose(f);
	return good;
}

static bool take_truth(struct judge *j, int half, const char *name, const char *rest)
{
	struct judged *d = judge_function(j, name);
	double first, second;

	if (!d || sscanf(rest, "%lf %lf", &first, &second) != 2)
		return false;
	d->samples[half < 0 ? 0 : half] += half < 0 ? first : first + second;
	if (half < 0)
		d->samples[1] += second;
	return true;
}

bool judge_read_truth(struct judge *j, const char *path, int half)
{
	return read_lines(j, path, half, take_truth);
}

bool judge_read_known(struct judge *j, const char *path)
{
	FILE *f = fopen(path, "r");
	char name[64];
	double ns;
	struct judged *d;

	if (!f) {
		fprintf(stderr, "judge: cannot read '%s'\n", path);
		return false;
	}
	j->truth_is_known = true;
	while (fscanf(f, "%63s %*f %lf", name, &ns) == 2)
		if ((d = judge_function(j, name)))
			d->samples[0] += ns;
	fclose(f);
	return j->count > 0;
}

static bool take_shown(struct judge *j, int half, const char *name, const char *rest)
{
	(void)half;
	return add_shown(j, name, strtod(rest, NULL), 0);
}

static bool read_json(struct judge *j, const char *path)
{
	json_error_t error;
	json_t *whole = json_load_file(path, 0, &error), *function;
	const char *name;
	double self_ns, error_ns;
	bool good = whole;
	size_t i;

	if (!whole)
		fprintf(stderr, "judge: cannot read '%s': %s\n", path, error.text);
	j->has_errors = true;
	json_unpack(json_object_get(whole, "overhead"), "{s:F}", "error_ns", &j->whole_error);
	json_array_foreach(json_object_get(whole, "functions"), i, function)
	{
		if (!json_unpack(function, "{s:s, s:F, s:F}", "name", &name, "self_ns", &self_ns,
				 "error_ns", &error_ns))
			good = add_shown(j, name, self_ns, error_ns) && good;
	}
	json_decref(whole);
	return good;
}

bool judge_read_shown(struct judge *j, const char *path)
{
	size_t length = strlen(path);

	if (length > 5 && !strcmp(path + length - 5, ".json"))
		return read_json(j, path);
	return read_lines(j, path, 0, take_shown);
}
