/* SPDX-License-Identifier: MIT */
/*
 * plans.h - the plans of modules, and the user's folder of them: this header is the contract of
 * symbolize/plan/ for report/.
 *
 * A plan is kept as $XDG_CACHE_HOME/zprof/ID.VERSION.plan, or below ~/.cache, where ID is the
 * module's build-id as hexadecimal digits, or, for a file without one, device, inode, size and time.
 *
 * A wrong plan makes a program crash, and whoever writes a plan can make the program run code. So a
 * folder or a file is used only if it belongs to the user, nobody else can write there, and it is no
 * symbolic link; and a plan only after plan_check(). A new plan is written beside and renamed, so
 * that no reader ever sees half of one. Whatever goes wrong with the folder costs time alone: then
 * the plan is made again, and `notice` says why.
 */
#ifndef SYMBOLIZE_PLANS_H
#define SYMBOLIZE_PLANS_H

#include <stdbool.h>

#include "preload/displace/plan_read.h"

#define PLANS_NAME (2 * PLAN_BUILD_ID + 64) /* bytes of a plan's name */

struct plans_held {
	void *bytes;
	size_t size;
	struct plan plan;
	uint64_t low;    /* an offset of the plan plus this is an address in the file's own terms */
	bool code;       /* the file has code: a plan without functions misses some */
	bool kept;       /* the plan was in the folder */
	char path[4096]; /* where the plan is kept now; empty: nowhere */
	const char *notice; /* why the plan is kept nowhere; NULL */
};

/*
 * Gets the plan of the file ELF: the one that is kept, unless ANEW, or else a new one, which is then
 * kept. If the user has no folder of plans, it is kept in the folder INSTEAD, unless that is NULL.
 * NULL: done, and plans_free() is due. Otherwise why not.
 */
const char *plans_get(struct plans_held *held, const char *elf, bool anew, const char *instead);
void plans_free(struct plans_held *held);

/* Why a function is refused (PLAN_REFUSAL_...), and why a module has no plan (PLAN_MODULE_...), as sentences. */
const char *plans_why_refused(unsigned refusal);
const char *plans_why_none(unsigned module);

/* The name of the file's plan in the folder. False: it has no build-id. */
bool plans_name(const char *elf, char name[PLANS_NAME]);

#endif
