/* SPDX-License-Identifier: MIT */
/*
 * check_counts.c - compares the call counts of a profile with what the program counted itself.
 *
 *   zprof graph --json PROFILE | check_counts TRUTH...
 *
 * TRUTH files are written by tests/programs/truth.c; truth.h says what their lines mean. Several
 * are added up. Prints each difference on a line and exits 1 if there is one; a name the truth does
 * not have is a difference too. Names are compared without parameters, and `name@file.c` means only
 * the function of that file. Must never accept what it could not read: exit 2.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One expectation, and what the profile has: a caller and callee (calls), or a callee alone (total;
 * caller NULL). */
struct expected {
	char *caller, *callee;
	unsigned long long min, max, found;
	bool may;
	size_t chain; /* index + 1 of the next with the same hash */
};

static struct expected *list;
static size_t used, room;
static int differences;

static _Noreturn void die(const char *what, const char *subject)
{
	fprintf(stderr, "check_counts: %s '%s'\n", what, subject);
	exit(2);
}

enum { CHAINS = 1 << 14 };

static size_t chains[CHAINS]; /* index + 1 of the latest entry of each; 0: empty */

static size_t *chain_of(const char *caller, const char *callee)
{
	size_t h = caller ? 1 : 0;
	for (const char *s = caller ? caller : ""; *s; s++)
		h = 31 * h + (unsigned char)*s;
	for (const char *s = callee; *s; s++)
		h = 31 * h + (unsigned char)*s;
	return &chains[h % CHAINS];
}

static struct expected *find(const char *caller, const char *callee)
{
	for (size_t i = *chain_of(caller, callee); i; i = list[i - 1].chain) {
		struct expected *e = &list[i - 1];
		if (strcmp(e->callee, callee) == 0 && !caller == !e->caller &&
		    (!caller || strcmp(caller, e->caller) == 0))
			return e;
	}
	return NULL;
}

static void expect(char *caller, char *callee, unsigned long long min, unsigned long long max,
		   bool may)
{
	struct expected *e = find(caller, callee);
	if (!e) {
		if (used == room) {
			room = room ? 2 * room : 256;
			list = realloc(list, room * sizeof *list);
			if (!list)
				die("no memory for", "the truth");
		}
		e = &list[used++];
		*e = (struct expected){
		    caller ? strdup(caller) : NULL, strdup(callee), 0, 0, 0, false,
		    *chain_of(caller, callee)};
		*chain_of(caller, callee) = used;
	}
	e->min += min;
	e->max += max;
	e->may |= may;
}

static unsigned long long number(const char *s, const char *line)
{
	char *end;
	unsigned long long n = strtoull(s, &end, 10);
	if (*s < '0' || *s > '9' || *end)
		die("no number where one belongs:", line);
	return n;
}

static void read_line(char *line, const char *path)
{
	char *field[8];
	int n = 0;
	for (char *p = strtok(line, "\t"); p && n < 8; p = strtok(NULL, "\t"))
		field[n++] = p;
	if (n < 2)
		die("a line that makes no sense in", path);
	if (strcmp(field[0], "may") == 0 && n <= 3) {
		expect(n == 3 ? field[1] : NULL, field[n - 1], 0, 0, true);
		return;
	}
	int shift = strcmp(field[0], "calls") == 0 ? 1 : 0;
	if ((!shift && strcmp(field[0], "total") != 0) || n < 3 + shift || n > 4 + shift)
		die("a line that makes no sense in", path);
	unsigned long long min = number(field[2 + shift], path);
	expect(shift ? field[1] : NULL, field[1 + shift], min,
	       n == 4 + shift ? number(field[3 + shift], path) : min, false);
}

static void read_truth(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[4096];
	if (!f)
		die("cannot open", path);
	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (*line)
			read_line(line, path);
	}
	fclose(f);
}

/* Cuts the parameters off, at the first bracket that does not open `(anonymous namespace)`. The
 * caller frees the result. */
static char *bare(const char *name)
{
	char *copy = strdup(name);
	for (char *p = copy; (p = strchr(p, '(')); p++) {
		if (strncmp(p, "(anonymous", 10) != 0 && p != copy) {
			*p = 0;
			break;
		}
	}
	return copy;
}

/* The name the truth has for a function of the profile: `name`, or `name@file` where it tells files
 * apart. Never freed. */
static const char *truth_name(json_t *function)
{
	char *name = bare(json_string_value(json_object_get(function, "name")));
	const char *file = json_string_value(json_object_get(function, "file"));
	if (file) {
		const char *slash = strrchr(file, '/');
		char *both = malloc(strlen(name) + strlen(file) + 2);
		sprintf(both, "%s@%s", name, slash ? slash + 1 : file);
		for (size_t i = 0; i < used; i++)
			if (strcmp(list[i].callee, both) == 0)
				return both;
	}
	return name;
}

static const char **names; /* by id */
static size_t names_used;

static void read_functions(json_t *functions)
{
	size_t i;
	json_t *f;
	json_array_foreach(functions, i, f)
	{
		size_t id = (size_t)json_integer_value(json_object_get(f, "id"));
		if (!json_is_string(json_object_get(f, "name")))
			die("a function without a name in", "the profile");
		if (id >= names_used) {
			names = realloc(names, (id + 1) * sizeof *names);
			memset(names + names_used, 0, (id + 1 - names_used) * sizeof *names);
			names_used = id + 1;
		}
		names[id] = truth_name(f);
	}
}

static const char *name_of(json_t *id)
{
	if (json_is_null(id))
		return "-";
	size_t i = (size_t)json_integer_value(id);
	if (!json_is_integer(id) || i >= names_used || !names[i])
		die("an arc to a missing function in", "the profile");
	return names[i];
}

static bool has_arcs(const char *callee)
{
	for (size_t i = 0; i < used; i++)
		if (list[i].caller && !list[i].may && strcmp(list[i].callee, callee) == 0)
			return true;
	return false;
}

static void count_arc(const char *caller, const char *callee, unsigned long long calls)
{
	struct expected *arc = find(caller, callee), *total = find(NULL, callee);
	if (calls == 0)
		return;
	if (arc)
		arc->found += calls;
	if (total)
		total->found += calls;
	if (!arc && has_arcs(callee)) {
		printf("%s -> %s: %llu calls that were never made\n", caller, callee, calls);
		differences++;
	} else if (!arc && !total && strcmp(callee, "[zprof]") != 0) {
		printf("%s: %llu calls, but the truth does not know it (called by %s)\n", callee,
		       calls, caller);
		differences++;
	}
}

static void compare(void)
{
	for (size_t i = 0; i < used; i++) {
		const struct expected *e = &list[i];
		if (e->may || (e->found >= e->min && e->found <= e->max))
			continue;
		printf("%s%s%s: %llu calls, the truth is %llu", e->caller ? e->caller : "",
		       e->caller ? " -> " : "", e->callee, e->found, e->min);
		if (e->max != e->min)
			printf(" to %llu", e->max);
		printf("\n");
		differences++;
	}
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, 0, &error), *arcs, *arc;
	size_t i;
	if (argc < 2)
		die("no truth given in", "arguments");
	if (!root)
		die("the profile is not JSON:", error.text);
	for (int a = 1; a < argc; a++)
		read_truth(argv[a]);
	arcs = json_object_get(root, "arcs");
	if (!json_is_array(json_object_get(root, "functions")) || !json_is_array(arcs))
		die("no functions and arcs in", "the profile");
	read_functions(json_object_get(root, "functions"));
	json_array_foreach(arcs, i, arc)
	{
		json_t *calls = json_object_get(arc, "calls");
		if (!json_is_integer(calls))
			die("an arc without calls in", "the profile");
		count_arc(name_of(json_object_get(arc, "caller")),
			  name_of(json_object_get(arc, "callee")),
			  (unsigned long long)json_integer_value(calls));
	}
	compare();
	return differences ? 1 : 0;
}
