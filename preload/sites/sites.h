/* SPDX-License-Identifier: MIT */
/*
 * sites.h - hooks that vanish: the places in the program that call hooks, switched off and on while
 * the program runs.
 *
 * A hook that records nothing still costs its call, a test and a return, and a program built with
 * hooks takes 1.2 to 6 times as long because of that. A *site* that is switched off (scan.h: how
 * one looks, patch.h: how a byte is stored) costs as much as a nop, so a program that is not being
 * recorded runs at its own speed:
 *
 *     asleep      nothing is recorded, and all sites are off: start=off; a pause that lasts
 *     awake       all sites are on, except for functions that are left out (below)
 *
 *     on  e8 .. .. .. ..  call __fentry__         off  a9 .. .. .. ..  test $..., %eax
 *
 * ## Functions switched one by one
 *
 * With -mfentry the sites of a function's entry and exits are in that function and in no other, and
 * do not say which zone it is: functions can be switched one by one. So functions that only= leaves
 * out are off. With -finstrument-functions a site may serve two functions (the compiler joins their
 * tails), most take the function's address from a register, and an inlined function has its sites
 * in another: all sites are on, or none is.
 *
 * ## Order
 *
 * An exit without its entry is harmless: it finds its zone not open. An entry without its exit
 * would leave a zone open that has ended. So sites go off in this order, and on in the reverse
 * order:
 *
 *     entries off -> exits off, exits on -> entries on         with a barrier (patch.h) in between
 *
 * and recording is paused during the switch if functions are running that have been recorded.
 *
 * The look at open zones (below) comes between exits on and entries on: no zone can end unseen from
 * then on, and none has been entered yet.
 *
 * Functions that are running at a switch go on with the hooks that they have by then. Those entered
 * while off leave with an exit that finds nothing: SWITCHED_EXIT counts them. Those open at the
 * time are looked at by their thread's first event afterwards, which walks its real stack
 * (slow/awake.h).
 *
 * ## When
 *
 * A switch of a thousand sites takes a millisecond or two, so it is not for short pauses. A hook
 * that finds a pause in force switches the sites off once the pause has lasted 32 times as long as
 * a switch takes. So a program that pauses ten thousand times a second never switches. A pause
 * without hook events costs nothing, and needs no switch.
 *
 *     pause ---- hooks return early ----|switch|---- no hooks ------------------|switch| resume
 *                    >= 32 times as long
 *
 * Modules are searched when sites are switched for the first time. Modules loaded later by dlopen
 * are searched at the next switch, or when one of their hooks is called while all should be off.
 *
 * ## Which thread may switch
 *
 * One thread at a time: it has the lock. Hooks that find it taken do not switch. The end of a pause
 * waits for it, a second at most, because the program expects its next calls to be recorded; and
 * dlclose waits, because the code must not go away while it is looked at. A thread that cannot
 * wait, like one whose handler interrupts the switch, leaves its request in `pause->depth`; the
 * holder reads it again when it has finished (recording/pause.c). If a jump out of a handler leaves the
 * switch, its thread takes the lock over next time; because each site shows by itself whether it is
 * on, a switch can stop anywhere and be done again.
 *
 * Nothing is switched if the kernel does not allow stores into code (one line says so). A site
 * whose byte is neither of the two, because a debugger has a breakpoint there, is left alone and
 * counted. Hooks that are called in spite of all this find a pause in force, as in any short pause.
 *
 * A forked child inherits its code, with the sites as they are. The child finds the sites again
 * when it needs them.
 */
#ifndef ZPROF_SITES_H
#define ZPROF_SITES_H

#include "preload/sites/patch.h"
#include "preload/sites/site_table.h"

#include <stdbool.h>
#include <stdint.h>

struct process;

/*
 * Both words change in one 16-byte exchange, so a reader never sees one thread's id with another's
 * stack pointer.
 */
struct sites_lock {
	uint64_t thread; /* id of the thread that is switching sites; 0: none is */
	uint64_t sp;     /* its stack pointer when it took the lock */
} __attribute__((aligned(16)));

/* ZPROF_SITE_ENTER, ... */
#define SITES_HOOKS (ZPROF_SITE_RETURN + 1)

struct sites {
	struct sites_lock lock;
	bool asleep;    /* all sites are off, or some still are, exits among them */
	bool to_sleep;  /* all sites are to be off */
	bool refused;   /* nothing can be stored; a note says so */
	uint32_t slept; /* how often sites were switched on again after all had been off */
	struct site_table table;
	uintptr_t hooks[SITES_HOOKS]; /* where they are (hooks/fronts.h) */
	bool doubted;             /* sites that are off may have been switched on from outside */
	uint32_t switched;        /* sites that the latest switch has changed */
	patch_storer *storer;     /* who stores the bytes (patch.h) of... */
	uintptr_t storers_thread; /* ...the switches of this thread */
	uint64_t price_ns;        /* CPU time that the latest switch took */
	uint64_t strangers;       /* hooks called while asleep, by code that is not known */
};

/* The sites of a forked child are as its parent's were. */
void sites_inherit(struct process *p, const struct process *from);

/*
 * As recording begins: switches sites on that have been put to sleep in their file (zprof sleep),
 * and sites of functions that are left out off; or all off, if recording begins with a pause.
 */
void sites_begin(struct process *p, bool paused);

/*
 * Whether all sites are off, or some may be, exits among them. Entries may still be on, if another
 * process has switched them on (process/request.h): functions entered there must not be recorded.
 */
bool sites_are_asleep(const struct process *p);

/* Whether all sites are off, or ever were: a function may end that was entered meanwhile. */
bool sites_have_slept(const struct process *p);

/*
 * Before recording begins on request: all sites count as off until sites_begin() has switched them
 * on.
 */
void sites_expect(struct process *p);

/*
 * Switches all sites off, if that is still WANTED once no other thread can switch: a thread that
 * wants sites on says so first, and then looks whether another is switching.
 */
void sites_sleep(struct process *p, bool (*wanted)(const struct process *));

/*
 * Switches all sites on that are wanted. False: another switch is in progress, and its thread will
 * look again.
 */
bool sites_wake(struct process *p);

/*
 * Switches the sites of functions that are left out now, or no longer are, unless all sites are
 * off.
 */
void sites_choose(struct process *p);

/* As sites_choose(), but waits for another switch, and returns how many sites were switched. */
uint32_t sites_follow(struct process *p);

/* Another process may have switched entries on that should be off (process/request.h). */
void sites_doubt(struct process *p);

/* From here on STORER stores the bytes that this thread switches; NULL: this process does again. */
void sites_store_by(struct process *p, patch_storer *storer);

/* A hook was called while all should be off, and returns to `ret`: maybe from a new module. */
void sites_meet(struct process *p, uintptr_t ret);

/* Modules have come that may have functions to be left out. */
bool sites_behind(const struct process *p);

/* How many nanoseconds a pause must have lasted for a switch to be worth it. */
uint64_t sites_patience(const struct process *p);

/* Waits until no other thread is switching, but a second at most. */
void sites_wait(const struct process *p);

#endif
