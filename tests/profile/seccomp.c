/* SPDX-License-Identifier: MIT */
/*
 * seccomp.c - a program that gives up nearly all system calls, and then runs instrumented code: any
 * system call that the library still makes ends the program.
 *
 *   seccomp strict|prctl|syscall|ask few|many [thread|first]
 *
 * The filter, set by `prctl` or `syscall`, allows write, exit, exit_group and rt_sigreturn, as
 * strict mode does, and kills the process for anything else. Afterwards there are calls in new
 * contexts, by the thousand (few) or more than there can be room for (many), recursion 20,000 deep,
 * a signal handler, and, with `thread`, calls by a thread that was there before. Prints how many
 * calls it made, and ends with 5.
 */
#define _GNU_SOURCE
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline))

static unsigned long calls;
static int ready, go, done;

#define CALL(call) (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED), (call))

APART static int left(int depth);
APART static int right(int depth);

/* As many contexts as a binary tree has nodes. */
APART static int left(int depth)
{
	return depth ? CALL(left(depth - 1)) + CALL(right(depth - 1)) : 1;
}

APART static int right(int depth)
{
	return depth ? CALL(right(depth - 1)) - CALL(left(depth - 1)) : 1;
}

APART static int deep(int n)
{
	return n ? CALL(deep(n - 1)) + 1 : 0;
}

APART static void handled(void)
{
}

APART static void handler(int signal)
{
	(void)signal;
	CALL(handled());
}

UNSEEN static void on_trap(int signal)
{
	CALL(handler(signal));
}

APART static int in_thread(int depth)
{
	return CALL(left(depth));
}

UNSEEN static void *other(void *unused)
{
	CALL(in_thread(1));
	__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
		__builtin_ia32_pause();
	CALL(in_thread(9));
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	for (;;)
		__builtin_ia32_pause();
	return unused;
}

UNSEEN static int restrict_calls(const char *how)
{
#define LEAVE(n)                                                                                   \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    LEAVE(SYS_write),
	    LEAVE(SYS_exit),
	    LEAVE(SYS_exit_group),
	    LEAVE(SYS_rt_sigreturn),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	if (!strcmp(how, "ask"))
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) +
		       (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) + 2;
	if (!strcmp(how, "strict"))
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	if (!strcmp(how, "prctl"))
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
			    &program);
}

APART static void work(int many)
{
	int i;

	for (i = 0; i < 3; i++) {
		CALL(left(many ? 17 : 8));
		CALL(right(many ? 15 : 8));
		CALL(deep(20000));
		__asm__ volatile("int3");
	}
}

UNSEEN int main(int argc, char **argv)
{
	char text[64];
	pthread_t thread;
	int many = argc > 2 && !strcmp(argv[2], "many"),
	    threads = argc > 3 && !strcmp(argv[3], "thread");

	signal(SIGTRAP, on_trap);
	if (argc <= 3 || threads)
		CALL(left(2));
	if (threads)
		pthread_create(&thread, NULL, other, NULL);
	while (threads && !__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
		__builtin_ia32_pause();
	if (restrict_calls(argv[1])) {
		perror("seccomp");
		return 9;
	}
	__atomic_store_n(&go, 1, __ATOMIC_RELEASE);
	CALL(work(many));
	while (threads && !__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		__builtin_ia32_pause();
	if (write(1, text, (size_t)snprintf(text, sizeof text, "%lu\n", calls)) < 0)
		return 8;
	syscall(threads ? SYS_exit_group : SYS_exit, 5);
	return 7;
}
