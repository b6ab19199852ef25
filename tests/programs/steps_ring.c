/* SPDX-License-Identifier: MIT */
/*
 * steps_ring.c - `steps_ring THREADS`: a handler jumps out of a hook while its thread's rate of
 * samples changes.
 *
 * Threads that begin in a process's first tenth of a second are sampled often. The first hook that
 * finds notes after it replaces the ring (preload/sample/notes.h), and at each of its instructions
 * must leave a state that the next hook can go on with. The ring itself is replaced with signals
 * blocked. So handlers jump out after that, in each thread at another instruction, and in other
 * threads before it, while notes are read. A process has THREADS of them, as many as this machine can
 * begin in that tenth of a second.
 *
 * A filter of system calls tells when the library blocks signals and restores them. The handler
 * makes the call that was trapped, for the code it returns to.
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"
#include "tests/programs/truth.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* There are some thousands of instructions before that, and some 350 after it in the hook. */
enum { AFTER = 360, BEFORE = 120, BEFORE_STRIDE = 13 };

static __thread unsigned until_jump;
static __thread int waits; /* 1 until the ring has been replaced */
static __thread sigjmp_buf way_out;
static unsigned jumped;
static pthread_barrier_t meeting;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

UNSEEN static void work(long long ns)
{
	struct timespec t;
	long long end = 0;
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		if (!end)
			end = t.tv_sec * 1000000000ll + t.tv_nsec + ns;
	} while (t.tv_sec * 1000000000ll + t.tv_nsec < end);
}

UNSEEN static void on_system_call(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	const uint64_t *set = (const uint64_t *)CALL_SECOND(context);
	int what = (int)CALL_FIRST(context);
	uint64_t *old = (uint64_t *)CALL_THIRD(context), now;

	(void)signal;
	(void)info;
	memcpy(&now, &interrupted->uc_sigmask, sizeof now);
	if (old)
		*old = now;
	now = what == SIG_BLOCK ? now | *set : *set;
	memcpy(&interrupted->uc_sigmask, &now, sizeof now);
	CALL_RESULT(context) = 0;
	if (waits && what == SIG_SETMASK) {
		waits = 0;
		step_on(context);
	}
}

/* SIGSYS for rt_sigprocmask(2) from the library's code. */
UNSEEN static int filter_system_calls(void)
{
	struct sock_filter program[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 6),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     offsetof(struct seccomp_data, instruction_pointer) + 4),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(low >> 32), 0, 4),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
	    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)low, 0, 2),
	    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)high, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof program / sizeof *program, program};

	return low >> 32 != high >> 32 || raw_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, NULL) ||
	       raw_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	(void)signal;
	(void)info;
	if (!in_library(context) || sigismember(&interrupted->uc_sigmask, SIGUSR1))
		return;
	if (!until_jump || --until_jump)
		return;
	__atomic_fetch_add(&jumped, 1, __ATOMIC_RELAXED);
	siglongjmp(way_out, 1);
}

APART static void leaf(void)
{
}

static void *sampled(void *number)
{
	CALL(leaf);
	pthread_barrier_wait(&meeting);
	pthread_barrier_wait(&meeting);
	pthread_mutex_lock(&turn);
	work(1000000);
	waits = (uintptr_t)number < AFTER;
	until_jump = 1 + (unsigned)(uintptr_t)number;
	if (!waits)
		until_jump = (until_jump - AFTER) * BEFORE_STRIDE;
	if (!sigsetjmp(way_out, 1)) {
		if (!waits)
			step();
		leaf();
	}
	run();
	truth_add("sampled", "leaf", 0, 1);
	for (int i = 0; i < 3; i++) {
		work(1500000);
		CALL(leaf);
	}
	pthread_mutex_unlock(&turn);
	return NULL;
}

UNSEEN static void child(unsigned first, unsigned count)
{
	pthread_t threads[AFTER + BEFORE];
	uintptr_t i;

	pthread_barrier_init(&meeting, NULL, count + 1);
	truth_add("-", "sampled", count, count);
	for (i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, sampled, (void *)(first + i)))
			abort();
	pthread_barrier_wait(&meeting);
	for (i = 0; i < 120; i++) {
		work(1000000);
		TRUTH_COUNT("-", "leaf");
		leaf();
	}
	pthread_barrier_wait(&meeting);
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

UNSEEN int main(int argc, char **argv)
{
	struct sigaction at_trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
	struct sigaction at_call = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO};
	unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	int status, result = 0;

	if (!count || count > AFTER + BEFORE)
		return 2;
	dl_iterate_phdr(find_library, NULL);
	if (handle_steps(&at_trap) || sigaction(SIGSYS, &at_call, NULL) || filter_system_calls())
		return 1;
	TRUTH_COUNT("-", "leaf");
	leaf();
	for (unsigned first = 0; first < AFTER + BEFORE; first += count) {
		pid_t pid = fork();
		if (!pid) {
			truth_reset();
			child(first, count);
			return jumped < count * 9 / 10;
		}
		if (waitpid(pid, &status, 0) != pid || status)
			result = 1;
	}
	return result;
}
