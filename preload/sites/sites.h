/* SPDX-License-Identifier: MIT */
/*
 * sites.h - hooks that vanish: the places in the program that call hooks, switched off and on while
 * the program runs.
 *
 * A hook that records nothing still costs its call, a test and a return: a program with such hooks
 * takes 1.2 to 6 times as long. A *site* that is switched off costs as much as a nop, so a program
 * that is not being recorded runs at its own speed. (scan.h shows the sites' code, patch.h how a
 * byte is stored.)
 *
 *     asleep      nothing is recorded, and all sites are off: start=off; a pause that lasts
 *     awake       all sites are on, except for functions that are left out (below)
 *
 *     on  e8 .. .. .. ..  call __fentry__         off  a9 .. .. .. ..  test $..., %eax
 *
 * ## Functions switched one by one
 *
 * With -mfentry the sites of a function's entry and exits stand in that function's code and in no
 * other's. So functions can be switched one by one, and the sites of functions that only= leaves
 * out are off. With -finstrument-functions a site may serve two functions (the compiler joins their
 * tails), most sites pass on the function's address from a register, and an inlined function has
 * its sites in its host. So all sites are on, or none is.
 *
 * Programs that nobody built with hooks have a site in each trampoline (code/areas.h), and functions
 * are switched one by one. The jump to a trampoline that is off stays.
 *
 * ## Order
 *
 * If an exit is recorded and its entry is not, that is harmless: the exit finds its zone not open.
 * If an entry is recorded and its exit is not, a zone stays open that has ended. So sites are
 * switched in this order:
 *
 *     entries off -> exits off, exits on -> entries on         with a barrier (patch.h) in between
 *
 * and recording is paused during the switch if functions are running that have been recorded.
 *
 * When all sites are switched on, zones that were open meanwhile are dealt with (below) between
 * exits on and entries on: from then on no zone can end unseen, and no zone has been entered yet.
 *
 * Functions that are running during a switch call, from then on, the hooks that are on. A function
 * that was entered while its sites were off ends with an exit that finds no zone: SWITCHED_EXIT
 * counts such exits. A zone that was open when the sites went off may have ended since: its
 * thread's first event afterwards walks the real stack to see (slow/awake.h).
 *
 * ## When
 *
 * A switch of a thousand sites takes a millisecond or two, too long for short pauses. A hook that
 * finds a pause in force switches the sites off once the pause has lasted 32 times as long as a
 * switch takes. So a program that pauses ten thousand times a second never switches. A pause
 * without hook events costs nothing, and needs no switch.
 *
 *     pause ---- hooks return early ----|switch|---- no hooks ------------------|switch| resume
 *                    >= 32 times as long
 *
 * Modules are searched when sites are switched for the first time. Modules loaded later by dlopen
 * are searched at the next switch, or when one of their functions calls a hook while all sites
 * should be off.
 *
 * ## Which thread may switch
 *
 * One thread at a time, the one that has the lock. A hook that finds the lock taken does not
 * switch. The end of a pause waits for the lock, a second at most, because the program expects its
 * next calls to be recorded. dlclose waits too, because code must not be unmapped while a switch
 * reads it. A thread that cannot wait, such as one whose own switch a handler has interrupted,
 * leaves its wish in `pause->depth`, which the holder of the lock reads again after its switch
 * (recording/pause.c). If a jump out of a handler leaves a switch, the same thread takes the lock
 * over at its next switch. Each site shows by its byte whether it is on, so a switch can stop
 * anywhere and be done again.
 *
 * Nothing is switched if the kernel does not allow stores into code (a message says so). A site
 * whose byte is neither the byte for on nor the one for off, because a debugger has a breakpoint
 * there, is left alone and counted. Hooks that are still called then find a pause in force, as in
 * any short pause.
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
 * The lock of a switch. Both words change in one 16-byte exchange, so no reader sees the id of one
 * thread with the stack pointer of another.
 */
struct sites_lock {
	uint64_t thread; /* id of the thread that is switching sites; 0: none is */
	uint64_t sp;     /* the thread's stack pointer as it took the lock */
} __attribute__((aligned(16)));

/* ZPROF_SITE_ENTER, ... */
#define SITES_HOOKS (ZPROF_SITE_RETURN + 1)

struct sites {
	struct sites_lock lock;
	bool asleep;    /* all sites are off, or some may still be, exits among them */
	bool to_sleep;  /* all sites are to be off */
	bool refused;   /* no byte can be stored; a message says so */
	uint32_t slept; /* how often sites were switched on again after all had been off */
	struct site_table table;
	uintptr_t hooks[SITES_HOOKS]; /* their addresses (hooks/fronts.h) */
	bool doubted;             /* sites that are off may have been switched on from outside */
	uint32_t switched;        /* sites that the latest switch has changed */
	patch_storer *storer;     /* stores the bytes (patch.h) in... */
	uintptr_t storers_thread; /* ...the switches of this thread */
	uint64_t price_ns;        /* CPU time that the latest switch took */
	uint64_t strangers;       /* hooks called while asleep, by code that is not known */
};

/* In a forked child: takes over the state of the parent's sites, which the child's code has too. */
void sites_inherit(struct process *p, const struct process *from);

/*
 * To be called as recording begins. If it begins with a pause, switches all sites off. Else
 * switches off the sites of functions that are left out, and on all other sites that `zprof sleep`
 * has put to sleep in their file.
 */
void sites_begin(struct process *p, bool paused);

/*
 * Whether all sites are off, or some may be, exits among them. Entries may still be on, if another
 * process has switched them on (process/request.h): functions entered there must not be recorded.
 */
bool sites_are_asleep(const struct process *p);

/* Whether all sites are off, or ever were: a function entered then may end without an open zone. */
bool sites_have_slept(const struct process *p);

/*
 * Before recording begins on request: all sites count as off until sites_begin() has switched them
 * on.
 */
void sites_expect(struct process *p);

/*
 * Switches all sites off, if `wanted` still says so once this thread has the lock. (A thread that
 * wants sites on makes `wanted` false first, and then looks whether another thread has the lock.)
 */
void sites_sleep(struct process *p, bool (*wanted)(const struct process *));

/*
 * Switches all sites on, except those of functions that are left out. False: another thread is
 * switching, and will see at its end that sites are to be on.
 */
bool sites_wake(struct process *p);

/*
 * Switches off the sites of functions that are left out now, and on those of functions that no
 * longer are, unless all sites are off.
 */
void sites_choose(struct process *p);

/* As sites_choose(), but waits for another switch, and returns how many sites were switched. */
uint32_t sites_follow(struct process *p);

/*
 * To be called when zprof may have switched entries on from outside that should be off
 * (process/request.h): the next switch checks the bytes of all sites that should be off.
 */
void sites_doubt(struct process *p);

/*
 * From here on `storer` stores the bytes of this thread's switches; NULL: this process does again.
 */
void sites_store_by(struct process *p, patch_storer *storer);

/*
 * A hook was called while all sites should be off, and returns to `ret`, which may lie in a new
 * module: if so, that module is searched.
 */
void sites_meet(struct process *p, uintptr_t ret);

/* Whether modules have been loaded whose sites have not been searched yet. */
bool sites_behind(const struct process *p);

/* How many nanoseconds a pause must have lasted for a switch to be worth it. */
uint64_t sites_patience(const struct process *p);

/* Waits until no other thread is switching, but a second at most. */
void sites_wait(const struct process *p);

#endif
