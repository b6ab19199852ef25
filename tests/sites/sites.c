/* SPDX-License-Identifier: MIT */
/*
 * sites.c - which thread may switch (preload/sites/sites.h). A thread that wants all sites off is asked once
 * more when no other thread can switch: if the pause has ended by then, it switches nothing off, for nothing
 * would switch the sites on again.
 */
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/code/module.h"
#include "preload/sites/sites.h"

#include <stdio.h>

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
	printf("1..%u\n", number);
	return failed != 0;
}
