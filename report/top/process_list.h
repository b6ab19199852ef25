/* SPDX-License-Identifier: MIT */
/* process_list.h - the list of processes that are being recorded, to choose one from. */
#ifndef REPORT_PROCESS_LIST_H
#define REPORT_PROCESS_LIST_H

#include "report/process/processes.h"
#include "report/top/screen.h"

/* Lists the processes of NAME, or all, until the user chooses one; PATH becomes its profile's path.
 * False: the user quits. */
bool process_list_choose(struct screen *s, const char *name, struct str *path);

/* Lays the list out as lines; public for tests. */
void process_list_sheet(struct sheet *s, const struct processes *p, size_t cursor, int width,
			int height);

#endif
