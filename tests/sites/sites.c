/* SPDX-License-Identifier: MIT */
/*
 * sites.c - which thread may switch (preload/sites/sites.h). A thread that wants all sites off is asked once
 * more when no other thread can switch: if the pause has ended by then, it switches nothing off, for nothing
 * would switch the sites on again. And where a site's record lies in the sections of the table (site_table.h).
 */
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/code/module.h"
#include "preload/profile/file.h"
#include "preload/sites/site_table.h"
#include "preload/sites/sites.h"

#include <stdio.h>
#include <string.h>

static struct sites sites;
static struct modules modules;
static struct process process = {.sites = &sites, .modules = &modules};

static unsigned asked, unlocked, early, failed, number;

/* The pause ends while it is asked, or has ended. */
static bool has_ended(const struct process *p)
{
	asked++;
	unlocked += !p->sites->lock.thread;
	early += p->sites->asleep || p->sites->to_sleep;
	return false;
}

static void hold(bool condition, const char *what)
{
	failed += !condition;
	printf("%sok %u - %s\n", condition ? "" : "not ", ++number, what);
}

/* Sections are full before the next one begins. */
static bool table_has_all_sections(void)
{
	static struct {
		struct zprof_section section;
		struct zprof_site sites[200000];
	} room[3];
	struct site_table table = {
	    .sections = {&room[0].section, &room[1].section, &room[2].section}};
	uint32_t at = 0, of[3];
	unsigned i;

	for (i = 0; i < 3; i++)
		for (of[i] = 0;
		     of[i] < 200000 && site_table_at(&table, at) == &room[i].sites[of[i]]; at++)
			of[i]++;
	return of[0] > 1000 && of[1] > 10 * of[0] && of[1] < 200000 && of[2] == of[1];
}

/* The zprof that stores bytes from outside, and has ended. */
static bool has_gone(const struct request_store *all, uint32_t count)
{
	(void)all;
	(void)count;
	return false;
}

/* What such a zprof was to store is stored here, and nothing else. */
static bool stored_without_it(void)
{
	static unsigned char code[4] = {1, 2, 3, 4};
	struct patch *patch = patch_begin(has_gone);
	bool done;

	if (!patch)
		return false;
	done = patch_byte(patch, (uintptr_t)&code[1], 2, 0x90) == PATCH_DONE &&
	       patch_byte(patch, (uintptr_t)&code[2], 3, 0x90) == PATCH_DONE && code[1] == 2;
	patch_settle(patch);
	done = done && !memcmp(code, "\x01\x90\x90\x04", 4) && !patch->storer &&
	       patch_byte(patch, (uintptr_t)&code[3], 4, 0x90) == PATCH_DONE && code[3] == 0x90;
	patch_end(patch);
	return done;
}

int main(void)
{
	sites_sleep(&process, has_ended);
	hold(asked == 1 && !unlocked, "it is asked while no other thread can switch");
	hold(!early, "and before anything counts as off");
	hold(!sites.asleep && !sites.to_sleep && !modules.count,
	     "a pause that has ended switches nothing off");
	hold(!sites.lock.thread, "the next thread can switch");
	sites.asleep = true;
	sites_sleep(&process, has_ended);
	hold(asked == 1, "what is off already is not switched off again");
	sites.asleep = false;
	sites.lock = (struct sites_lock){1, 8};
	sites_sleep(&process, has_ended);
	hold(asked == 1 && sites.lock.thread == 1, "nobody is asked while another thread switches");
	sites.lock = (struct sites_lock){sys_thread_pointer(), UINTPTR_MAX};
	sites_sleep(&process, has_ended);
	hold(asked == 1 && sites.lock.thread,
	     "nor by a handler that has interrupted this thread's own switch");
	sites.lock.sp = 8;
	sites_sleep(&process, has_ended);
	hold(asked == 2 && !sites.lock.thread, "a switch that a jump has left is taken over");
	sites.lock = (struct sites_lock){1, 8};
	hold(!sites_follow(&process) && sites.lock.thread == 1,
	     "who wants to switch in another way waits for that thread, and gives up");
	hold(table_has_all_sections(), "sections of the table are full before the next one begins");
	hold(stored_without_it(),
	     "bytes that another process has not stored are stored here, and no more");
	printf("1..%u\n", number);
	return failed != 0;
}
