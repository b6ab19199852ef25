/* SPDX-License-Identifier: MIT */
/*
 * plan_file.h - the plan of a module that is mapped in this process: a file in a folder of plans.
 *
 * A wrong plan makes the program crash. So a plan that does not agree with itself in all points
 * (plan_read.h), or is of another file, is not used at all; and a function is left alone whose bytes
 * in memory are not those that the plan was made for (a text relocation, a breakpoint).
 */
#ifndef ZPROF_PLAN_FILE_H
#define ZPROF_PLAN_FILE_H

#include "preload/displace/plan_read.h"
#include "preload/displace/trampoline.h"

struct module;

struct plan_file {
	struct plan plan;
	uintptr_t base; /* the address of offset 0 */
	char *memory;
	size_t mapped;
};

/* Whether a folder has a file FOLDER/BUILD-ID.VERSION.plan, as `zprof plan` keeps plans. */
bool plan_file_is_there(const char *folder, const unsigned char *build_id, uint32_t bytes);

/*
 * What a folder says of a file: `/`: it has the plan; `-`: the file is left as it is; `?`: there can be no
 * plan; 0: nothing. The last two are links to nowhere, which zprof has put there (ask.h).
 */
char plan_file_answer(const char *folder, const unsigned char *build_id, uint32_t bytes);

/* Opens the plan of a module in a folder. False: there is none. */
bool plan_file_open(struct plan_file *file, const char *folder, const struct module *module);

/* Opens the plan of a module: this file. False: it is none. */
bool plan_file_open_at(struct plan_file *file, const char *path, const struct module *module);
void plan_file_close(struct plan_file *file);

/* The function of a window. False: other bytes are in memory. */
bool plan_file_function(const struct plan_file *file, uint32_t window, struct displaced *d);

#endif
