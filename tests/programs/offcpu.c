/* SPDX-License-Identifier: MIT */
/*
 * offcpu.c - waits for things that have names. Each mode prints the addresses of its locks without
 * names, one per line.
 *
 *     locks   one thread holds a lock, another waits in fetch(): a variable, a member of one, one on the
 *             heap that make_lock() makes, and one that inherits priority
 *     calls   one wait in each of some system calls, each in a function of its own
 *     mixed   read() and poll(), thousands of times in one call of pump(), more than there is room for
 *     fork    a child waits as its parent did
 *     single  calls are made in one place, as by the C library since 2.41 if they can be cancelled
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define BARE  __attribute__((no_instrument_function))

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
struct store {
	char name[24];
	pthread_mutex_t inside;
};
struct store store = {"store", PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both;
static sem_t semaphore;

BARE static void pass(long us)
{
	nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

/* ---- locks */

APART static pthread_mutex_t *make_lock(const pthread_mutexattr_t *attributes)
{
	pthread_mutex_t *lock = malloc(sizeof *lock);
	if (!lock || pthread_mutex_init(lock, attributes))
		_exit(2);
	printf("%p\n", (void *)lock);
	return lock;
}

BARE static void *holder(void *lock)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(lock);
		pthread_barrier_wait(&both);
		pass(30000);
		pthread_mutex_unlock(lock);
		pthread_barrier_wait(&both);
	}
	return NULL;
}

APART static void fetch(pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
}

static void contend(pthread_mutex_t *lock)
{
	pthread_t thread;
	pthread_create(&thread, NULL, holder, lock);
	for (int i = 0; i < 3; i++) {
		pthread_barrier_wait(&both);
		fetch(lock);
		pthread_barrier_wait(&both);
	}
	pthread_join(thread, NULL);
}

static void locks(void)
{
	pthread_mutexattr_t inherit;
	pthread_mutexattr_init(&inherit);
	pthread_mutexattr_setprotocol(&inherit, PTHREAD_PRIO_INHERIT);
	pthread_barrier_init(&both, NULL, 2);
	contend(&plain);
	contend(&store.inside);
	contend(make_lock(NULL));
	contend(make_lock(&inherit));
}

/* ---- calls */

static int ends[2];

BARE static void *later(void *unused)
{
	pass(20000);
	if (write(ends[1], "x", 1) != 1)
		_exit(2);
	return unused;
}

APART static void in_read(void)
{
	pthread_t thread;
	char c;
	pthread_create(&thread, NULL, later, NULL);
	if (read(ends[0], &c, 1) != 1)
		_exit(2);
	pthread_join(thread, NULL);
}

APART static void in_poll(void)
{
	poll(NULL, 0, 20);
}

APART static void in_select(void)
{
	select(0, NULL, NULL, NULL, &(struct timeval){0, 20000});
}

APART static void in_epoll(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0);
	epoll_wait(fd, &event, 1, 20);
	close(fd);
}

APART static void in_wait(void)
{
	pid_t child = fork();
	if (!child) {
		pass(20000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

APART static void in_semaphore(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 20000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	sem_timedwait(&semaphore, &until);
}

/* The call's number is in a register, and cannot be known from the code. */
APART static void in_syscall(void)
{
	syscall(SYS_nanosleep, &(struct timespec){0, 20000000}, NULL);
}

static void calls(void)
{
	sem_init(&semaphore, 0, 0);
	if (pipe(ends))
		_exit(2);
	in_read();
	in_poll();
	in_select();
	in_epoll();
	in_wait();
	in_semaphore();
	in_syscall();
}

/* ---- mixed */

#define PUMPED 3000

BARE static void *source(void *unused)
{
	for (int i = 0; i < PUMPED; i++) {
		pass(50);
		if (write(ends[1], "x", 1) != 1)
			_exit(2);
	}
	close(ends[1]);
	return unused;
}

APART static void pump(void)
{
	struct pollfd ready = {.fd = ends[0], .events = POLLIN};
	char c;
	for (int i = 0; i < PUMPED / 2; i++)
		if (read(ends[0], &c, 1) != 1 || poll(&ready, 1, -1) != 1 ||
		    read(ends[0], &c, 1) != 1)
			_exit(2);
}

static void mixed(void)
{
	pthread_t thread;
	if (pipe(ends))
		_exit(2);
	pthread_create(&thread, NULL, source, NULL);
	pump();
	pthread_join(thread, NULL);
}

/* ---- single: the number is an argument, on the stack */

long at_once(long, long, long, long, long, long, long number);
long in_one_place(long, long, long, long, long, long, long number);

#ifdef __x86_64__
__asm__("	.text\n"
	"at_once:\n"
	"	mov %rcx, %r10\n"
	"	mov 8(%rsp), %rax\n"
	"	syscall\n"
	"	ret\n"
	"one_place:\n"
	"	mov %rsi, %rax\n"
	"	mov %rdx, %rdi\n"
	"	mov %rcx, %rsi\n"
	"	mov %r8, %rdx\n"
	"	mov %r9, %r10\n"
	"	syscall\n"
	"	ret\n"
	"in_one_place:\n"
	"	push %rbx\n"
	"	mov %rcx, %r9\n"
	"	mov %rsi, %rcx\n"
	"	mov 16(%rsp), %rsi\n"
	"	mov %rdx, %r8\n"
	"	mov %rdi, %rdx\n"
	"	call one_place\n"
	"	pop %rbx\n"
	"	ret\n");
#else
__asm__("	.text\n"
	"at_once:\n"
	"	mov x8, x6\n"
	"	svc #0\n"
	"	ret\n"
	"one_place:\n"
	"	mov x8, x1\n"
	"	mov x0, x2\n"
	"	mov x1, x3\n"
	"	mov x2, x4\n"
	"	mov x3, x5\n"
	"	svc #0\n"
	"	ret\n"
	"in_one_place:\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x5, x3\n"
	"	mov x4, x2\n"
	"	mov x3, x1\n"
	"	mov x2, x0\n"
	"	mov x1, x6\n"
	"	bl one_place\n"
	"	ldp x29, x30, [sp], #16\n"
	"	ret\n");
#endif

APART static void in_single(void)
{
	struct timespec while_ = {0, 20000000}, left = while_; /* ppoll() stores what is left */
	at_once((long)&while_, 0, 0, 0, 0, 0, SYS_nanosleep);
	in_one_place(0, 0, (long)&left, 0, 0, 0, SYS_ppoll);
	in_one_place(CLOCK_MONOTONIC, 0, (long)&while_, 0, 0, 0, SYS_clock_nanosleep);
}

/* ---- fork */

static void in_child(void)
{
	in_poll();
	pid_t child = fork();
	if (!child) {
		in_poll();
		exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {{"locks", locks},
		     {"calls", calls},
		     {"mixed", mixed},
		     {"fork", in_child},
		     {"single", in_single}};
	for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run();
			return 0;
		}
	return 1;
}
