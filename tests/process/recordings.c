/* SPDX-License-Identifier: MIT */
/*
 * recordings.c - makes so many calls as it is told to, where it is told to; for tests of what is
 * recorded between an attach and a detach. It reads commands, and writes a line after each:
 *
 *     main N       leaf() N times, by the thread that reads commands
 *     down, up     the commands between the two are read in a call of level() more
 *     thread I N   leaf() N times, by thread I, within work(); it is begun when it is named first
 *     end I        thread I ends
 *     co I N       leaf() N times in coroutine I, which has been in body() since it was first named
 *     handler N    leaf() N times in the handler of a signal
 *     lent N       leaf() N times in a zone that is lent, which stays open from one to the next
 *     fork N       leaf() N times in a forked child, which ends then
 *     frame N      leaf() N times, and the end of a frame of the name `turn`
 *     pause, resume
 *     quit
 *
 * Between commands it calls knock(), so that what is asked of the library is answered.
 */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <zprof.h>

#define QUIET __attribute__((no_instrument_function))
#define CALL  __attribute__((noinline))
#define MANY  8

CALL void leaf(void)
{
	__asm__ volatile("");
}
CALL void knock(void)
{
	__asm__ volatile("");
}

QUIET static void leaves(long n)
{
	for (long i = 0; i < n; i++)
		leaf();
}

/* ---- threads */

struct thread {
	pthread_t thread;
	sem_t go, done;
	long n; /* -1: it ends */
	int begun;
};

static struct thread threads[MANY];

CALL void work(struct thread *t)
{
	for (;;) {
		sem_wait(&t->go);
		if (t->n < 0)
			break;
		leaves(t->n);
		sem_post(&t->done);
	}
}

QUIET static void *run(void *t)
{
	work(t);
	return NULL;
}

QUIET static void tell(struct thread *t, long n)
{
	if (!t->begun) {
		sem_init(&t->go, 0, 0);
		sem_init(&t->done, 0, 0);
		pthread_create(&t->thread, NULL, run, t);
		t->begun = 1;
	}
	t->n = n;
	sem_post(&t->go);
	if (n >= 0) {
		sem_wait(&t->done);
	} else {
		pthread_join(t->thread, NULL);
		t->begun = 0;
	}
}

/* ---- coroutines */

struct coroutine {
	ucontext_t here, caller;
	long n;
	char *stack;
};

static struct coroutine coroutines[MANY];

CALL void body(struct coroutine *c)
{
	for (;;) {
		leaves(c->n);
		swapcontext(&c->here, &c->caller);
	}
}

QUIET static void enter(int i)
{
	body(&coroutines[i]);
}

QUIET static void switch_to(int i, long n)
{
	struct coroutine *c = &coroutines[i];
	size_t bytes = 256 * 1024;
	if (!c->stack) {
		c->stack = malloc(bytes);
		getcontext(&c->here);
		c->here.uc_stack.ss_sp = c->stack;
		c->here.uc_stack.ss_size = bytes;
		makecontext(&c->here, (void (*)(void))enter, 1, i);
	}
	c->n = n;
	swapcontext(&c->caller, &c->here);
}

/* ---- signals, zones of an interpreter, children */

static volatile long in_handler;

CALL void handler(int number)
{
	(void)number;
	leaves(in_handler);
}

static uint32_t words;

QUIET static void lend(long n)
{
	if (!words) {
		words = zprof_lent("word", "words", "words.txt", 1);
		zprof_lent_enter(words);
	}
	leaves(n);
}

CALL void child(long n)
{
	leaves(n);
}

QUIET static void fork_child(long n)
{
	pid_t pid = fork();
	if (!pid) {
		child(n);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* ---- commands */

QUIET static int next(char *line, int room)
{
	struct pollfd in = {0, POLLIN, 0};
	int n = 0;
	while (poll(&in, 1, 1) == 0)
		knock();
	while (n < room - 1 && read(0, line + n, 1) == 1 && line[n] != '\n')
		n++;
	line[n] = 0;
	return n;
}

void level(void);

QUIET static void commands(void)
{
	char line[100], word[20];
	while (next(line, sizeof line)) {
		long a = 0, b = 0;
		sscanf(line, "%19s %ld %ld", word, &a, &b);
		if (!strcmp(word, "quit"))
			exit(0);
		if (!strcmp(word, "up")) {
			puts("done");
			return;
		}
		if (!strcmp(word, "main"))
			leaves(a);
		else if (!strcmp(word, "thread"))
			tell(&threads[a], b);
		else if (!strcmp(word, "end"))
			tell(&threads[a], -1);
		else if (!strcmp(word, "co"))
			switch_to((int)a, b);
		else if (!strcmp(word, "lent"))
			lend(a);
		else if (!strcmp(word, "fork"))
			fork_child(a);
		else if (!strcmp(word, "frame")) {
			leaves(a);
			zprof_frame("turn");
		} else if (!strcmp(word, "pause"))
			zprof_pause();
		else if (!strcmp(word, "resume"))
			zprof_resume();
		else if (!strcmp(word, "handler")) {
			in_handler = a;
			raise(SIGUSR1);
		}
		puts("done");
		if (!strcmp(word, "down"))
			level();
	}
}

CALL void level(void)
{
	commands();
	__asm__ volatile("");
}

QUIET int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGUSR1, handler);
	puts("begun");
	commands();
	return 0;
}
