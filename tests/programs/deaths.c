/* SPDX-License-Identifier: MIT */
/*
 * deaths.c - the ways in which a process ends, from deep inside: the first argument is exit,
 * quick_exit, _exit, abort, segv or kill. `kill N` has N children killed from outside, each at a
 * random moment.
 */
#define _GNU_SOURCE
#include "tests/programs/truth.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void leaf(void)
{
}

static void at_exit(void)
{
	CALL(leaf);
}

static void at_quick_exit_(void)
{
	CALL(leaf);
	truth_print();
}

__attribute__((destructor)) static void at_the_end(void)
{
	CALL(leaf);
}

static void die(const char *how)
{
	if (strcmp(how, "exit") == 0) {
		truth_add("die", "at_exit", 1, 1);
		truth_add("die", "at_the_end", 1, 1);
		exit(3);
	}
	if (strcmp(how, "quick_exit") == 0) {
		truth_add("die", "at_quick_exit_", 1, 1);
		quick_exit(3);
	}
	truth_print();
	if (strcmp(how, "_exit") == 0)
		_exit(3);
	if (strcmp(how, "abort") == 0)
		abort();
	raise(strcmp(how, "segv") == 0 ? SIGSEGV : SIGTERM);
}

static void descend(const char *how, int n)
{
	CALL(leaf);
	if (n == 0)
		CALL(die, how);
	CALL(descend, how, n - 1);
}

/* What a child that will be killed counts, in memory that its parent sees. It counts before each
 * call, so the profile may lack one. */
struct counts {
	volatile unsigned long outer, inner;
};

static void inner(void)
{
}

static void outer(struct counts *counts)
{
	for (int i = 0; i < 3; i++) {
		counts->inner = counts->inner + 1;
		inner();
	}
}

UNSEEN static void kill_one(struct counts *counts, int early)
{
	counts->outer = counts->inner = 0;
	pid_t pid = fork();
	if (pid == 0) {
		for (;;) {
			counts->outer = counts->outer + 1;
			outer(counts);
		}
	}
	while (!early && counts->outer < 2) /* at the second call, the profile exists */
		;
	usleep((useconds_t)(rand() % (early ? 3000 : 2000)));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (early)
		return;
	truth_reset();
	truth_add("-", "outer", counts->outer - 1, counts->outer);
	truth_add("outer", "inner", counts->inner - 1, counts->inner);
	truth_print_as(pid);
}

UNSEEN int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "exit";
	if (strncmp(how, "kill", 4) == 0) {
		struct counts *counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		for (long i = argc > 2 ? strtol(argv[2], NULL, 10) : 200; i > 0; i--)
			kill_one(counts, how[4] != 0);
		_exit(0);
	}
	atexit(at_exit);
	at_quick_exit(at_quick_exit_);
	TRUTH_COUNT("-", "descend");
	descend(how, 10);
	return 0;
}
