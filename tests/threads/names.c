/* SPDX-License-Identifier: MIT */
/*
 * names.c - threads that get their names after their first event: of themselves, from another
 * thread, from zprof.h, and in a forked child, whose names are none of its parent's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/zprof.h"

static pthread_barrier_t all, named;

static void *own(void *unused)
{
	pthread_setname_np(pthread_self(), "first-name");
	pthread_setname_np(pthread_self(), "own-name");
	return unused;
}

static void *given(void *unused)
{
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&named);
	for (;;)
		pause();
	return unused;
}

static void *by_hand(void *unused)
{
	zprof_thread_name("by-hand");
	pthread_setname_np(pthread_self(), "not-this");
	return unused;
}

static void *by_call(void *unused)
{
	prctl(PR_SET_NAME, "by-prctl");
	pthread_barrier_wait(&named);
	for (;;)
		pause();
	return unused;
}

static __attribute__((no_instrument_function)) void renamed_in_child(void)
{
	pid_t child = fork();
	if (!child) {
		pthread_setname_np(pthread_self(), "child");
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&all, NULL, 2);
	pthread_barrier_init(&named, NULL, 3);
	pthread_create(&thread, NULL, own, NULL);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, by_hand, NULL);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, by_call, NULL);
	pthread_create(&thread, NULL, given, NULL);
	pthread_barrier_wait(&all);
	pthread_setname_np(thread, "given-name");
	pthread_barrier_wait(&named);
	renamed_in_child();
	return 0;
}
