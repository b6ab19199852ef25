/* SPDX-License-Identifier: MIT */
/*
 * check_lines.c - asserts that every call is on a line, once.
 *
 *   check_lines ANNOTATE-JSON GRAPH-JSON
 *
 * The first is what `zprof annotate --json` prints of a profile with call sites, the second what `zprof
 * graph --json` does. Over all lines, calls of a function sum to those of its callers' arcs, except
 * those from code without lines; and a line's calls are the sum of those of its columns. Calls from
 * outside all zones are in neither. Prints each breach and exits 1; exits 2 on what it cannot read.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int breaches;

static json_t *load(const char *path)
{
	json_error_t error;
	json_t *all = json_load_file(path, 0, &error);
	if (!json_is_object(all)) {
		fprintf(stderr, "check_lines: %s: %s\n", path, error.text);
		return NULL;
	}
	return all;
}

static long long number(json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* Adds N to the number that SUMS has for NAME. */
static void add(json_t *sums, const char *name, long long n)
{
	json_object_set_new(sums, name, json_integer(number(sums, name) + n));
}

static void add_line(json_t *sums, const char *file, json_t *line)
{
	size_t i;
	json_t *site;
	long long calls = 0;
	json_array_foreach(json_object_get(line, "sites"), i, site)
	{
		add(sums, json_string_value(json_object_get(site, "callee")),
		    number(site, "calls"));
		calls += number(site, "calls");
	}
	if (calls == number(line, "calls"))
		return;
	printf("%s:%lld: %lld calls, of its columns %lld\n", file, number(line, "line"),
	       number(line, "calls"), calls);
	breaches++;
}

/* What a function's callers called, by the function's name. */
static void add_arcs(json_t *sums, json_t *graph)
{
	json_t *names = json_object(), *item;
	char id[24];
	size_t i;
	json_array_foreach(json_object_get(graph, "functions"), i, item)
	{
		snprintf(id, sizeof id, "%lld", number(item, "id"));
		json_object_set(names, id, json_object_get(item, "name"));
	}
	json_array_foreach(json_object_get(graph, "arcs"), i, item)
	{
		snprintf(id, sizeof id, "%lld", number(item, "callee"));
		if (!json_is_null(json_object_get(item, "caller")))
			add(sums, json_string_value(json_object_get(names, id)),
			    number(item, "calls"));
	}
	json_decref(names);
}

int main(int argc, char **argv)
{
	json_t *lines = argc == 3 ? load(argv[1]) : NULL, *graph = lines ? load(argv[2]) : NULL;
	if (!graph)
		return 2;
	json_t *on_lines = json_object(), *called = json_object(), *file, *line;
	size_t i, k;
	json_array_foreach(json_object_get(lines, "files"), i, file)
	{
		const char *path = json_string_value(json_object_get(file, "file"));
		json_array_foreach(json_object_get(file, "lines"), k, line)
		    add_line(on_lines, path, line);
	}
	add_arcs(called, graph);

	const char *name;
	json_t *calls;
	long long all = 0, missing = 0, nowhere = number(lines, "calls_without_line");
	json_object_foreach(called, name, calls)
	{
		long long more = json_integer_value(calls) - number(on_lines, name);
		all += json_integer_value(calls);
		missing += more;
		if (more >= 0 && more <= nowhere)
			continue;
		printf("%s: called %lld times, on lines %lld\n", name, json_integer_value(calls),
		       number(on_lines, name));
		breaches++;
	}
	if (missing != nowhere) {
		printf("%lld calls are on no line; %lld are said to be\n", missing, nowhere);
		breaches++;
	}
	printf("%lld calls, %lld of them on no line\n", all, nowhere);
	return breaches ? 1 : 0;
}
