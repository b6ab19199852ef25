/* SPDX-License-Identifier: MIT */
/*
 * urgent.c - a program that uses SIGURG itself, in every way, and prints what it sees of it. It
 * must see the same while threads are sampled by a timer that sends this signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline, noclone))

static volatile int plain, told, value, inner;
static sigjmp_buf back;

UNSEEN static long long cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

APART static void leaf(void)
{
	__asm__ volatile("");
}

/* Long enough for some ticks of any kernel. */
APART static void burn(void)
{
	long long end = cpu_ns() + 50000000;
	while (cpu_ns() < end)
		leaf();
}

static void on_plain(int number)
{
	plain += number == SIGURG;
}

static void on_told(int number, siginfo_t *info, void *context)
{
	told += number == SIGURG && context;
	value = info->si_value.sival_int;
}

static void on_jump(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

/* Stays in the handler while timers go off, if its signal's mask lets them. */
static void on_long(int number)
{
	(void)number;
	inner++;
	burn();
}

UNSEEN static void send(void)
{
	raise(SIGURG);
	kill(getpid(), SIGURG);
}

UNSEEN static const char *name_of(const struct sigaction *a)
{
	if (a->sa_flags & SA_SIGINFO)
		return a->sa_sigaction == on_told ? "told" : "another";
	return a->sa_handler == SIG_DFL    ? "default"
	       : a->sa_handler == SIG_IGN  ? "ignored"
	       : a->sa_handler == on_plain ? "plain"
	       : a->sa_handler == on_jump  ? "jump"
	       : a->sa_handler == on_long  ? "long"
					   : "another";
}

UNSEEN static void tell(const char *when)
{
	struct sigaction a;
	sigaction(SIGURG, NULL, &a);
	printf("%s: %s flags %x mask %d%d, handlers ran %d %d %d, value %d\n", when, name_of(&a),
	       (unsigned)a.sa_flags & 0xf8000007u, sigismember(&a.sa_mask, SIGUSR1),
	       sigismember(&a.sa_mask, SIGURG), plain, told, inner, value);
}

UNSEEN static void set(void (*handler)(int), int flags)
{
	struct sigaction a = {.sa_handler = handler, .sa_flags = flags}, before;
	if (flags & SA_SIGINFO)
		a.sa_sigaction = on_told;
	sigaddset(&a.sa_mask, SIGUSR1);
	printf("set: %d, it was", sigaction(SIGURG, &a, &before));
	printf(" %s\n", name_of(&before));
}

UNSEEN static void dispositions(void)
{
	set(NULL, SA_SIGINFO | SA_RESTART);
	sigqueue(getpid(), SIGURG, (union sigval){.sival_int = 7});
	burn();
	tell("told");
	set(on_plain, SA_RESETHAND);
	send();
	burn();
	tell("once");
	set(on_plain, 0);
	signal(SIGURG, SIG_IGN);
	send();
	burn();
	tell("ignored");
	printf("signal: %d\n", signal(SIGURG, on_plain) == SIG_IGN);
	printf("signal: %d\n", signal(SIGURG, SIG_ERR) == SIG_ERR && errno == EINVAL);
	send();
	burn();
	tell("signal");
	set(on_long, SA_NODEFER);
	send();
	tell("long");
	set(on_jump, 0);
	if (!sigsetjmp(back, 1))
		send();
	burn();
	tell("jump");
	set(on_plain, SA_ONSTACK);
}

UNSEEN static void children(void)
{
	pid_t child;
	fflush(stdout);
	child = vfork();
	if (!child) {
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	tell("after vfork");
	child = fork();
	if (!child) {
		tell("in a child");
		signal(SIGURG, SIG_DFL);
		burn();
		tell("in a child");
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	send();
	burn();
	tell("after fork");
}

UNSEEN static void tell_wait(const char *how, int result)
{
	printf("%s: %d %s\n", how, result, result < 0 ? strerror(errno) : "");
}

/* (One sent to the thread itself would be lost if a timer's was pending already.) */
UNSEEN static void waiting(void)
{
	struct timespec shortly = {0, 30000000}, none = {0, 0};
	siginfo_t info;
	sigset_t all, before;
	int number = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	burn();
	raise(SIGUSR2);
	sigwait(&all, &number);
	tell_wait("sigwait", number);
	burn();
	tell_wait("sigtimedwait", sigtimedwait(&all, &info, &shortly));
	burn();
	tell_wait("sigtimedwait", sigtimedwait(&all, NULL, &none));
	burn();
	sigqueue(getpid(), SIGURG, (union sigval){.sival_int = 9});
	tell_wait("sigwaitinfo", sigwaitinfo(&all, &info));
	tell_wait("its value", info.si_value.sival_int);
	burn();
	kill(getpid(), SIGURG);
	sigwait(&all, &number);
	tell_wait("sigwait", number);
	burn();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	tell("waited");
}

static void *in_thread(void *unused)
{
	burn();
	return unused;
}

/* In ways that leave the signal to the program alone. */
UNSEEN static void alone(const char *way)
{
	struct signalfd_siginfo info;
	sigset_t urgent;
	pthread_t thread;
	int fd = -1;
	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	if (!strcmp(way, "signalfd")) {
		pthread_sigmask(SIG_BLOCK, &urgent, NULL);
		fd = signalfd(-1, &urgent, SFD_NONBLOCK | SFD_CLOEXEC);
	} else if (!strcmp(way, "syscall")) {
		struct {
			void (*handler)(int);
			unsigned long flags;
			void (*restorer)(void);
			unsigned long mask;
		} a = {SIG_IGN, 0, 0, 0}, seen;
		syscall(SYS_rt_sigaction, SIGURG, 0, &seen, 8);
		printf("syscall: %d", seen.handler == on_plain);
		printf(" %ld\n", syscall(SYS_rt_sigaction, SIGURG, &a, 0, 8));
	} else {
		printf("siginterrupt: %d\n", siginterrupt(SIGURG, 1));
	}
	pthread_create(&thread, NULL, in_thread, NULL);
	burn();
	pthread_join(thread, NULL);
	if (fd >= 0) {
		printf("signalfd: %zd", read(fd, &info, sizeof info));
		kill(getpid(), SIGURG);
		printf(" %zd", read(fd, &info, sizeof info));
		printf(" %zd\n", read(fd, &info, sizeof info));
	}
	send();
	tell(way);
}

int main(int argc, char **argv)
{
	set(on_plain, SA_RESTART);
	burn();
	tell("begun");
	dispositions();
	children();
	waiting();
	if (argc > 1)
		alone(argv[1]);
	return 0;
}
