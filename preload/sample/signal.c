/* SPDX-License-Identifier: MIT */
/* signal.c - see signal.h. */
#include "preload/sample/signal.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"

#define MASK_BYTES sizeof(uint64_t)

/* What the program has asked for. A forked child inherits this variable and our handler. */
static struct signal_action programs;
static uintptr_t ours; /* our handler; 0: not installed */

CPU_HANDLER void go_back(void)
{
	CPU_SIGNAL_RETURN();
}

static bool is_a_function(uintptr_t handler)
{
	return handler != (uintptr_t)SIG_DFL && handler != (uintptr_t)SIG_IGN;
}

static void tell_kernel(const struct signal_action *action)
{
	sys4(SYS_rt_sigaction, SIGNAL_NUMBER, action, 0, MASK_BYTES);
}

/*
 * Tells the kernel to call our handler, in the way the program asked for. If the program has no
 * handler for this signal, our handler blocks the others (sys_maskable_signals), so that none of the program's
 * handlers runs inside ours. If the program's handler is to run once (SA_RESETHAND),
 * signal_programs() resets it, since the kernel cannot tell which signal was the program's.
 */
static void stand_before(const struct signal_action *action)
{
	struct signal_action a = {.mask = sys_maskable_signals, .flags = SA_RESTART | SA_ONSTACK};

	if (is_a_function(action->handler))
		a = *action;
	a.handler = ours;
	a.flags = (a.flags & ~(unsigned long)SA_RESETHAND) | SA_SIGINFO | CPU_SIGNAL_RETURN_FLAG;
	a.restorer = CPU_SIGNAL_RETURN_OF(go_back);
	tell_kernel(&a);
}

void signal_take(uintptr_t handler)
{
	if (__atomic_exchange_n(&ours, handler, __ATOMIC_ACQ_REL))
		return;
	sys4(SYS_rt_sigaction, SIGNAL_NUMBER, 0, &programs, MASK_BYTES);
	stand_before(&programs);
}

void signal_give_back(void)
{
	if (__atomic_exchange_n(&ours, 0, __ATOMIC_ACQ_REL))
		tell_kernel(&programs);
}

bool signal_is_taken(void)
{
	return ours != 0;
}

bool signal_is_blocked(void)
{
	uint64_t mask = 0;

	sys4(SYS_rt_sigprocmask, 0, 0, &mask, MASK_BYTES);
	return mask >> (SIGNAL_NUMBER - 1) & 1;
}

uintptr_t signal_programs(void)
{
	uintptr_t handler = programs.handler;

	if (!is_a_function(handler))
		return 0;
	if (programs.flags & SA_RESETHAND)
		programs.handler = (uintptr_t)SIG_DFL;
	return handler;
}

bool signal_is_borrowed(void)
{
	const struct process *p = process_now;

	return p && *p->here && (uint32_t)sys0(SYS_getpid) != p->header->pid;
}

void signal_change(const struct signal_action *wanted, struct signal_action *before)
{
	struct signal_action had = programs;

	if (wanted && signal_is_borrowed()) {
		tell_kernel(wanted);
	} else if (wanted) {
		programs = *wanted;
		stand_before(&programs);
	}
	if (before)
		*before = had;
}
