/* SPDX-License-Identifier: MIT */
/*
 * signals.c - stands in front of libc's functions for signals, because the library's timers may use
 * a signal (sample/signal.h) that the program uses too. The program must see only its own signals.
 * Calls for other signals, and all calls in a process without such timers, go straight to libc.
 *
 *   sigaction, signal      set and return the program's disposition; the library's handler stays in
 *                          front of it
 *   sigwait, sigwaitinfo, sigtimedwait
 *                          may wait for the signal: signals of the timers are passed over
 *   signalfd, and rarely used functions that set dispositions
 *                          leave the signal to the program, so the timers are stopped
 */
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/sample/signal.h"
#include "preload/sample/timer.h"
#include "preload/threads/threads.h"

#include <dlfcn.h>
#include <errno.h>
#include <time.h>

#define EXPORT    __attribute__((visibility("default")))
#define HIDDEN    __attribute__((visibility("hidden"), used))
#define SECOND_NS 1000000000

static struct {
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	void (*(*signal)(int, void (*)(int)))(int);
	int (*sigwait)(const sigset_t *, int *);
	int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
} real;

void (*signals_real_signalfd)(void) HIDDEN;
void (*signals_real_bsd_signal)(void) HIDDEN;
void (*signals_real_ssignal)(void) HIDDEN;
void (*signals_real_sysv_signal)(void) HIDDEN;
void (*signals_real_sigset)(void) HIDDEN;
void (*signals_real_sigignore)(void) HIDDEN;
void (*signals_real_siginterrupt)(void) HIDDEN;
void signals_leave(int number) HIDDEN;
void signals_leave_set(int descriptor, const sigset_t *set) HIDDEN;

static void *libcs(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static __attribute__((constructor)) void find_real(void)
{
	*(void **)&real.sigaction = libcs("sigaction");
	*(void **)&real.signal = libcs("signal");
	*(void **)&real.sigwait = libcs("sigwait");
	*(void **)&real.sigtimedwait = libcs("sigtimedwait");
	*(void **)&signals_real_signalfd = libcs("signalfd");
	*(void **)&signals_real_bsd_signal = libcs("bsd_signal");
	*(void **)&signals_real_ssignal = libcs("ssignal");
	*(void **)&signals_real_sysv_signal = libcs("__sysv_signal");
	*(void **)&signals_real_sigset = libcs("sigset");
	*(void **)&signals_real_sigignore = libcs("sigignore");
	*(void **)&signals_real_siginterrupt = libcs("siginterrupt");
}

static void learn_real(void)
{
	if (!real.sigaction)
		find_real();
}

/* ---- dispositions */

/* The kernel's signal mask is the first word of libc's. */
static struct signal_action from_libc(const struct sigaction *a)
{
	return (struct signal_action){.handler = (uintptr_t)a->sa_handler,
				      .flags = (unsigned long)(unsigned)a->sa_flags,
				      .mask = a->sa_mask.__val[0]};
}

static void to_libc(const struct signal_action *a, struct sigaction *to)
{
	to->sa_handler = (void (*)(int))a->handler;
	to->sa_flags = (int)a->flags;
	to->sa_restorer = (void (*)(void))a->restorer;
	memset(&to->sa_mask, 0, sizeof(to->sa_mask));
	to->sa_mask.__val[0] = a->mask;
}

EXPORT int sigaction(int number, const struct sigaction *wanted, struct sigaction *before)
{
	struct signal_action to, from;

	learn_real();
	if (number != SIGNAL_NUMBER || !signal_is_taken())
		return real.sigaction(number, wanted, before);
	if (wanted)
		to = from_libc(wanted);
	signal_change(wanted ? &to : NULL, &from);
	if (before)
		to_libc(&from, before);
	return 0;
}

EXPORT void (*signal(int number, void (*handler)(int)))(int)
{
	struct signal_action to = {
	    .handler = (uintptr_t)handler, .flags = SA_RESTART, .mask = 1ul << (SIGNAL_NUMBER - 1)};
	struct signal_action from;

	learn_real();
	if (number != SIGNAL_NUMBER || handler == SIG_ERR || !signal_is_taken())
		return real.signal(number, handler);
	signal_change(&to, &from);
	return (void (*)(int))from.handler;
}

/* ---- waiting */

static bool is_awaited(const sigset_t *set)
{
	return signal_is_taken() && set->__val[0] >> (SIGNAL_NUMBER - 1) & 1;
}

static struct timespec until(uint64_t end_ns)
{
	uint64_t now = sys_clock_ns(CLOCK_MONOTONIC), left = end_ns > now ? end_ns - now : 0;

	return (struct timespec){(time_t)(left / SECOND_NS), (long)(left % SECOND_NS)};
}

static int wait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	struct timespec left;
	siginfo_t own;
	uint64_t end = 0;
	int number;

	learn_real();
	if (!is_awaited(set))
		return real.sigtimedwait(set, info, timeout);
	info = info ? info : &own;
	if (timeout)
		end = sys_clock_ns(CLOCK_MONOTONIC) + (uint64_t)timeout->tv_sec * SECOND_NS +
		      (uint64_t)timeout->tv_nsec;
	number = real.sigtimedwait(set, info, timeout);
	while (number == SIGNAL_NUMBER && timer_sent(info)) {
		left = until(end);
		number = real.sigtimedwait(set, info, timeout ? &left : NULL);
	}
	return number;
}

EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	return wait(set, info, timeout);
}

EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return wait(set, info, NULL);
}

/* Unlike the other two, sigwait() returns errors, and waits on after EINTR. */
EXPORT int sigwait(const sigset_t *set, int *number)
{
	int before = errno, got, error;

	learn_real();
	if (!is_awaited(set))
		return real.sigwait(set, number);
	do
		got = wait(set, NULL, NULL);
	while (got < 0 && errno == EINTR);
	error = errno;
	errno = before;
	if (got < 0)
		return error;
	*number = got;
	return 0;
}

/* ---- signals left to the program */

void signals_leave(int number)
{
	learn_real();
	if (number == SIGNAL_NUMBER && process_now)
		threads_stop_timers(process_now);
}

void signals_leave_set(int descriptor, const sigset_t *set)
{
	(void)descriptor;
	learn_real();
	if (is_awaited(set))
		signals_leave(SIGNAL_NUMBER);
}

/* The parameters are for readers and tools: the body leaves them where they are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

CPU_ENTRY int signalfd(int descriptor, const sigset_t *set, int flags)
{
	CPU_LOOK_FIRST(signals_leave_set, signals_real_signalfd);
}

CPU_ENTRY void (*bsd_signal(int number, void (*handler)(int)))(int)
{
	CPU_LOOK_FIRST(signals_leave, signals_real_bsd_signal);
}

CPU_ENTRY void (*ssignal(int number, void (*handler)(int)))(int)
{
	CPU_LOOK_FIRST(signals_leave, signals_real_ssignal);
}

CPU_ENTRY void (*sysv_signal(int number, void (*handler)(int)))(int)
{
	CPU_LOOK_FIRST(signals_leave, signals_real_sysv_signal);
}

CPU_ENTRY void (*__sysv_signal(int number, void (*handler)(int)))(int)
{
	CPU_LOOK_FIRST(signals_leave, signals_real_sysv_signal);
}

CPU_ENTRY void (*sigset(int number, void (*handler)(int)))(int)
{
	CPU_LOOK_FIRST(signals_leave, signals_real_sigset);
}

CPU_ENTRY int sigignore(int number)
{
	CPU_LOOK_FIRST(signals_leave, signals_real_sigignore);
}

CPU_ENTRY int siginterrupt(int number, int interrupt)
{
	CPU_LOOK_FIRST(signals_leave, signals_real_siginterrupt);
}
