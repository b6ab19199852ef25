/* SPDX-License-Identifier: MIT */
/* formats.c - see formats.h. */
#include "report/export/formats.h"

#include <string.h>

extern const struct export_format callgrind_format, pprof_format, firefox_format, cpuprofile_format,
    speedscope_format, folded_format, dot_format, gmon_format, csv_format, ordering_format;

const struct export_format *const formats[] = {
    &callgrind_format,
    &pprof_format,
    &firefox_format,
    &cpuprofile_format,
    &speedscope_format,
    &folded_format,
    &dot_format,
    &gmon_format,
    &csv_format,
    &ordering_format,
    NULL,
};

const struct export_format *formats_find(const char *name)
{
	for (int i = 0; formats[i]; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}
