/* SPDX-License-Identifier: MIT */
/*
 * json_shape.c - `json_shape <JSON`: a line `PATH TYPE` for every member, once for each type, as
 * report/schema.md writes them: `functions[].id integer`. Members of objects whose names are data
 * (`losses`) are written `losses.*`. Numbers of several sides (`diff`) are objects of one shape
 * wherever they stand: their type is `sides`, and their members are written once, as
 * `(sides).values`.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_sides(const json_t *value)
{
	return json_object_get(value, "values") && json_object_get(value, "change");
}

static const char *type_of(const json_t *value)
{
	if (is_sides(value))
		return "sides";
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return "object";
	case JSON_ARRAY:
		return "array";
	case JSON_STRING:
		return "string";
	case JSON_INTEGER:
		return "integer";
	case JSON_REAL:
		return "real";
	case JSON_TRUE:
	case JSON_FALSE:
		return "boolean";
	default:
		return "null";
	}
}

static bool is_losses(const char *path)
{
	const char *last = strrchr(path, '.');
	return !strcmp(last ? last + 1 : path, "losses");
}

static void print_shape(const char *path, json_t *value)
{
	char below[256];
	const char *key;
	json_t *item;
	size_t i;
	/* The members of its objects describe an array of objects. */
	if (*path && !(json_is_object(value) && strchr("]", path[strlen(path) - 1])))
		printf("%s %s\n", path, type_of(value));
	if (json_is_array(value)) {
		snprintf(below, sizeof below, "%s[]", path);
		json_array_foreach(value, i, item) print_shape(below, item);
	}
	if (!json_is_object(value))
		return;
	if (is_sides(value))
		path = "(sides)";
	json_object_foreach(value, key, item)
	{
		const char *name = is_losses(path) ? "*" : key;
		snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", name);
		print_shape(below, item);
	}
}

int main(void)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		fprintf(stderr, "json_shape: line %d: %s\n", error.line, error.text);
		return 1;
	}
	print_shape("", root);
	json_decref(root);
	return 0;
}
