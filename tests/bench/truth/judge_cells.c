/* SPDX-License-Identifier: MIT */
#include "tests/bench/truth/judge_cells.h"

json_t *judge_load(const char *path)
{
	FILE *f = fopen(path, "r");
	json_t *cells, *cell;
	json_error_t error;

	if (!f) {
		fprintf(stderr, "judge: cannot read '%s'\n", path);
		return NULL;
	}
	cells = json_array();
	while ((cell = json_loadf(f, JSON_DISABLE_EOF_CHECK, &error)))
		json_array_append_new(cells, cell);
	fclose(f);
	return cells;
}

const char *cell_text(const json_t *cell, const char *name)
{
	const char *value = json_string_value(json_object_get(cell, name));

	return value ? value : "";
}

double cell_number(const json_t *cell, const char *name)
{
	return json_number_value(json_object_get(cell, name));
}
