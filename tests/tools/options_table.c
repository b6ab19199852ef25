/* SPDX-License-Identifier: MIT */
/* options_table.c - prints the library's options as the table in preload/README.md has them. */
#include <stdio.h>

static void row(const char *name, const char *argument, const char *text)
{
	printf("| `%s=%s` | %s |\n", name, argument ? argument : "1", text);
}

int main(void)
{
	puts("| option | |\n|---|---|");
#define OPTION(name, kind, value, least, most, argument, table, help) row(#name, argument, table);
#include "preload/options.def"
	return 0;
}
