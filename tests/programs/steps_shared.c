/* SPDX-License-Identifier: MIT */
/*
 * steps_shared.c - `steps_shared STRIDE`: two threads have one thread-local storage, and while each
 * goes through its hooks, the other comes out of a hook and goes into the next.
 *
 * The second thread is made by clone() without CLONE_SETTLS. One thread, the walker, makes a call,
 * stepped, while the other, the visitor, has stopped in a hook. Before the instruction `from` of the
 * walker's hooks the visitor goes on until it is out, and before the instruction `to` it goes into
 * its next hook. A walk makes such calls for each STRIDE-th `from`, and for `to` 1, 2, 3, 5, 8 ...
 * instructions later. First the owner of the storage walks, then the thread that shares it.
 *
 * It prints how many calls of each there were: of owners() by the owner, of sharers() by the other.
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

enum { STACK_BYTES = 256 * 1024, DEPTHS = 24, FAR = 400, NEAR = 55 };
enum place { OUTSIDE, IN_HOOK, ENDED };
enum who { OWNER, SHARER };

static char *stack;   /* the sharer's */
static int alive = 1; /* cleared by the kernel when the sharer has ended */
static unsigned stride, calls[2];
static enum who walker;
static enum place wanted, place; /* of the visitor */
static unsigned from, to, at;    /* instructions of the walker's hooks */
static unsigned depth, deep;     /* and of the visitor's: it stops before instruction `depth` */

APART static void owners(void)
{
	__asm__ volatile("");
}

APART static void sharers(void)
{
	__asm__ volatile("");
}

UNSEEN static void call(enum who caller)
{
	step();
	if (caller == OWNER)
		owners();
	else
		sharers();
	run();
	calls[caller]++;
}

UNSEEN static enum place look(const enum place *where)
{
	return __atomic_load_n(where, __ATOMIC_ACQUIRE);
}

UNSEEN static void say(enum place *where, enum place what)
{
	__atomic_store_n(where, what, __ATOMIC_RELEASE);
	raw_call(SYS_futex, (long)where, FUTEX_WAKE_PRIVATE, (const void *)2);
}

UNSEEN static void wait_while(const enum place *where, enum place what)
{
	while (look(where) == what)
		raw_call(SYS_futex, (long)where, FUTEX_WAIT_PRIVATE, (const void *)(uintptr_t)what);
}

UNSEEN static void wait_until(const enum place *where, enum place what)
{
	enum place now;

	while ((now = look(where)) != what)
		wait_while(where, now);
}

UNSEEN static void stay_while_wanted(void)
{
	say(&place, IN_HOOK);
	wait_while(&wanted, IN_HOOK);
}

/* Returns when the visitor is there. */
UNSEEN static void send(enum place where)
{
	say(&wanted, where);
	wait_until(&place, where);
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	uintptr_t here = (uintptr_t)&context - (uintptr_t)stack;
	enum who self = here < STACK_BYTES ? SHARER : OWNER;

	(void)signal;
	(void)info;
	if (!in_library(context))
		return;
	if (self != walker) {
		if (++deep == depth) {
			stay_while_wanted();
			step_no_on(context);
		}
		return;
	}
	at++;
	if (at == from)
		send(OUTSIDE);
	if (at == to) {
		send(IN_HOOK);
		step_no_on(context);
	}
}

UNSEEN static void walk(void)
{
	for (from = 1; from == 1 || (at >= from && from < FAR); from += stride) {
		unsigned near = 1, far = 2;

		do {
			to = from + near;
			far += near;
			near = far - near;
			depth = 1 + (from + to) % DEPTHS;
			at = 0;
			send(IN_HOOK);
			call(walker);
			send(OUTSIDE);
		} while (at >= to && near <= NEAR);
	}
	send(ENDED);
}

/* Comes and goes as the walker wants it. A call that ends before `depth` ends outside. */
UNSEEN static void visit(enum who self)
{
	enum place next;

	while ((next = look(&wanted)) != ENDED) {
		if (next == IN_HOOK) {
			deep = 0;
			call(self);
			stay_while_wanted();
		}
		say(&place, OUTSIDE);
		wait_while(&wanted, OUTSIDE);
	}
	say(&place, ENDED);
}

UNSEEN static int sharer(void *unused)
{
	(void)unused;
	visit(SHARER);
	wait_while(&wanted, ENDED);
	walk();
	return 0;
}

UNSEEN int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};

	stride = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	dl_iterate_phdr(find_library, NULL);
	if (!stride || !high || stack == MAP_FAILED || handle_steps(&action))
		return 2;
	owners();
	calls[OWNER]++;
	if (clone(sharer, stack + STACK_BYTES,
		  CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
		      CLONE_CHILD_CLEARTID,
		  NULL, NULL, NULL, &alive) < 0)
		return 1;
	walk();
	walker = SHARER;
	say(&wanted, OUTSIDE);
	visit(OWNER);
	while (__atomic_load_n(&alive, __ATOMIC_ACQUIRE))
		usleep(1000);
	printf("%u of owners, %u of sharers\n", calls[OWNER], calls[SHARER]);
	return 0;
}
