/* SPDX-License-Identifier: MIT */
/*
 * interpose.c - the functions of libc that the library stands in front of. Each function still
 * does what libc's does.
 *
 *   makecontext  tells where a stack lies that will be switched to (stack.h).
 *   prctl, syscall  may forbid system calls from then on (seccomp): memory and file space are
 *                   reserved first, and the library makes no system call afterwards.
 *   chroot, setuid, seteuid, setreuid, setresuid
 *                   may put the profile's file out of reach: room in it is mapped first (file.h).
 *   syscall         may also change the disposition of the signal that our timers use: then the
 *                   timers are stopped. (signals.c has libc's functions for dispositions.)
 *   pthread_setname_np
 *                   names a thread after its first event: the record gets the name, too.
 *   dlclose         may unmap code whose addresses are in the trees: nodes with these addresses are
 *                   retired first, since another library may be loaded at the same place.
 *
 * (adapters.c stands in front of dlopen.)
 */
#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/profile/timebase.h"
#include "preload/code/module.h"
#include "preload/sites/sites.h"
#include "preload/sample/signal.h"
#include "preload/stacks/stack.h"
#include "preload/threads/threads.h"
#include "preload/counts/counts.h"

#include <dlfcn.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden"), used))

EXPORT int dlclose(void *handle);
EXPORT int pthread_setname_np(pthread_t thread, const char *name);
int setresuid(uid_t real, uid_t effective, uid_t saved);

static int (*real_dlclose)(void *);
static int (*real_setname)(pthread_t, const char *);
void (*interpose_makecontext)(void) HIDDEN;
void (*interpose_real_prctl)(void) HIDDEN;
void (*interpose_real_syscall)(void) HIDDEN;
void (*interpose_real_chroot)(void) HIDDEN;
void (*interpose_real_setuid)(void) HIDDEN;
void (*interpose_real_seteuid)(void) HIDDEN;
void (*interpose_real_setreuid)(void) HIDDEN;
void (*interpose_real_setresuid)(void) HIDDEN;
void interpose_learn(const ucontext_t *context) HIDDEN;
void interpose_chroot(void) HIDDEN;
void interpose_setuid(void) HIDDEN;
void interpose_prctl(long option, long value, const void *filter) HIDDEN;
void interpose_syscall(long number, long operation, long flags, const void *filter) HIDDEN;

static __attribute__((constructor)) void find_real(void)
{
	real_dlclose = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	real_setname = (int (*)(pthread_t, const char *))dlsym(RTLD_NEXT, "pthread_setname_np");
	interpose_makecontext = (void (*)(void))dlsym(RTLD_NEXT, "makecontext");
	interpose_real_prctl = (void (*)(void))dlsym(RTLD_NEXT, "prctl");
	interpose_real_syscall = (void (*)(void))dlsym(RTLD_NEXT, "syscall");
	interpose_real_chroot = (void (*)(void))dlsym(RTLD_NEXT, "chroot");
	interpose_real_setuid = (void (*)(void))dlsym(RTLD_NEXT, "setuid");
	interpose_real_seteuid = (void (*)(void))dlsym(RTLD_NEXT, "seteuid");
	interpose_real_setreuid = (void (*)(void))dlsym(RTLD_NEXT, "setreuid");
	interpose_real_setresuid = (void (*)(void))dlsym(RTLD_NEXT, "setresuid");
}

void interpose_learn(const ucontext_t *context)
{
	struct process *p = process_now;

	if (!interpose_makecontext)
		find_real();
	if (p && *p->here)
		stack_learn(p, (uintptr_t)context->uc_stack.ss_sp, context->uc_stack.ss_size);
}

/*
 * Prepares for prctl(PR_SET_SECCOMP, ...) or seccomp(SECCOMP_SET_MODE_STRICT or _FILTER, ...),
 * which libc only offers as syscall(). If recording has not begun yet, it never will. (The callers
 * pass by a NULL filter, which sets no filter: programs use it to ask whether the kernel has
 * filters.)
 */
static void expect_restrictions(bool strict)
{
	struct process *p = process_now;

	if (!p || !*p->here)
		sys_forbidden = true;
	if (sys_forbidden)
		return;
	threads_reserve();
	sites_wake(p); /* hooks cannot be switched on later */
	threads_outlast(p);
	threads_stop_timers(p);
	timebase_refresh(p);
	identity_note(p,
		      "the program restricted its system calls (seccomp); from then on only what "
		      "was reserved could be used. Process ",
		      p->header->pid);
	/*
	 * Strict mode takes the time stamp counter away too (the kernel's seccomp_assign_mode); the
	 * system's clock is a system call.
	 */
	if (strict || p->clock == ZPROF_CLOCK_MONOTONIC)
		tick_stop();
	sys_forbidden = true;
}

static void expect_no_counter(void)
{
	struct process *p = process_now;

	if (!p)
		tick_distrust(TICK_NANOSECONDS_HZ, 0);
	else if (*p->here)
		timebase_distrust(p, tick_now());
	else if (tick_distrust(p->hz, tick_now()))
		p->clock = ZPROF_CLOCK_MONOTONIC; /* the clock of the child, when it begins */
}

void interpose_prctl(long option, long value, const void *filter)
{
	if (!interpose_real_prctl)
		find_real();
	if (option == PR_SET_SECCOMP && (value == SECCOMP_MODE_STRICT || filter))
		expect_restrictions(value == SECCOMP_MODE_STRICT);
	if (option == PR_SET_TSC && value == PR_TSC_SIGSEGV)
		expect_no_counter();
}

static void expect_to_be_shut_out(void)
{
	struct process *p = process_now;

	if (p && *p->here)
		file_set_aside(p);
}

void interpose_chroot(void)
{
	if (!interpose_real_chroot)
		find_real();
	expect_to_be_shut_out();
}

/*
 * Only for root can setuid() put the file out of reach. Other users can only return to a user that
 * they were before.
 */
static bool is_root(void)
{
	return !sys_forbidden && sys0(SYS_geteuid) == 0;
}

void interpose_setuid(void)
{
	if (!interpose_real_setuid)
		find_real();
	if (is_root())
		expect_to_be_shut_out();
}

void interpose_syscall(long number, long operation, long flags, const void *filter)
{
	(void)flags;
	if (!interpose_real_syscall)
		find_real();
	if (number == SYS_rt_sigaction && operation == SIGNAL_NUMBER && process_now)
		threads_stop_timers(process_now);
	if (number == SYS_chroot || number == SYS_pivot_root)
		expect_to_be_shut_out();
	if ((number == SYS_setuid || number == SYS_setreuid || number == SYS_setresuid) &&
	    is_root())
		expect_to_be_shut_out();
	if (number == SYS_seccomp && (operation == SECCOMP_SET_MODE_STRICT ||
				      (operation == SECCOMP_SET_MODE_FILTER && filter)))
		expect_restrictions(operation == SECCOMP_SET_MODE_STRICT);
}

/* ---- the functions that the program calls */

/* The parameters are for readers and tools: the body leaves them where they are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

CPU_ENTRY void makecontext(ucontext_t *context, void (*function)(void), int arguments, ...)
{
	CPU_LOOK_FIRST(interpose_learn, interpose_makecontext);
}

CPU_ENTRY int prctl(int option, ...)
{
	CPU_LOOK_FIRST(interpose_prctl, interpose_real_prctl);
}

CPU_ENTRY long syscall(long number, ...)
{
	CPU_LOOK_FIRST(interpose_syscall, interpose_real_syscall);
}

CPU_ENTRY int chroot(const char *path)
{
	CPU_LOOK_FIRST(interpose_chroot, interpose_real_chroot);
}

CPU_ENTRY int setuid(uid_t user)
{
	CPU_LOOK_FIRST(interpose_setuid, interpose_real_setuid);
}

CPU_ENTRY int seteuid(uid_t effective)
{
	CPU_LOOK_FIRST(interpose_setuid, interpose_real_seteuid);
}

CPU_ENTRY int setreuid(uid_t real, uid_t effective)
{
	CPU_LOOK_FIRST(interpose_setuid, interpose_real_setreuid);
}

CPU_ENTRY int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	CPU_LOOK_FIRST(interpose_setuid, interpose_real_setresuid);
}

/* ---- pthread_setname_np */

/* A thread that is named by another gets its name at the process's end (succession.h). */
int pthread_setname_np(pthread_t thread, const char *name)
{
	int result;

	if (!real_setname)
		find_real();
	result = real_setname(thread, name);
	if (!result && thread == pthread_self())
		threads_renamed();
	return result;
}

/* ---- dlclose */

int dlclose(void *handle)
{
	struct process *p = process_now;
	int result;

	if (!real_dlclose)
		find_real();
	if (!p || !*p->here)
		return real_dlclose(handle);
	if (module_doubt(p)) {
		threads_retire(p);
		counts_retire(p);
	}
	sites_wait(p);
	result = real_dlclose(handle);
	if (module_settle(p)) {
		threads_retire(p);
		counts_retire(p);
	}
	return result;
}
