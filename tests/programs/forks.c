/* SPDX-License-Identifier: MIT */
/*
 * forks.c - processes that make processes: the first argument is fork, _Fork, clone, thread, vfork,
 * spawn, exec, daemon or many.
 *
 * A forked child goes on with the zone stack it was forked with, in a profile of its own in which
 * nothing of its parent is counted again; so it forgets what its parent counted (truth_reset). One
 * that enters no zone leaves no profile.
 */
#define _GNU_SOURCE
#include "tests/programs/truth.h"

#include <libgen.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char chain[4096]; /* path of an instrumented program */

static void leaf(void)
{
}

static void parents(void)
{
}

static void childs(int depth)
{
	CALL(leaf);
	if (depth > 0)
		CALL(childs, depth - 1);
}

UNSEEN static pid_t raw_clone(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static pid_t (*fork_as)(void) = fork;

UNSEEN static void wait_for(pid_t pid)
{
	int status;
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		abort();
}

/* The child, like its parent, returns through all callers. */
static void forks(int depth)
{
	if (depth > 0) {
		CALL(forks, depth - 1);
		CALL(leaf);
		return;
	}
	CALL(leaf);
	pid_t pid = fork_as();
	if (pid == 0) {
		truth_reset();
		CALL(childs, 3);
		pid = fork_as(); /* and a grandchild */
		if (pid == 0) {
			truth_reset();
			CALL(childs, 1);
			return;
		}
	} else {
		CALL(parents);
	}
	wait_for(pid);
}

/* A thread that forks is the child's only thread, and ends there with pthread_exit. */
static void *thread(void *unused)
{
	truth_add("-", "thread", 1, 1);
	CALL(leaf);
	pid_t pid = fork();
	if (pid == 0) {
		truth_reset();
		CALL(childs, 2);
		exit(0);
	}
	wait_for(pid);
	CALL(parents);
	return unused;
}

static void in_a_thread(void)
{
	pthread_t t;
	if (pthread_create(&t, NULL, thread, NULL) != 0)
		abort();
	pthread_join(t, NULL);
}

static void vforks(const char *program)
{
	pid_t pid = vfork();
	if (pid == 0) {
		execl(program, program, (char *)NULL);
		_exit(1);
	}
	wait_for(pid);
	CALL(leaf);
}

static void spawns(const char *program)
{
	char *arguments[] = {(char *)(size_t)program, NULL};
	pid_t pid;
	if (posix_spawn(&pid, program, NULL, NULL, arguments, environ) != 0)
		abort();
	wait_for(pid);
	CALL(leaf);
	if (system("true") != 0)
		abort();
	FILE *f = popen("echo x", "r");
	if (!f || fgetc(f) != 'x' || pclose(f) != 0)
		abort();
	CALL(leaf);
}

static void becomes(void)
{
	CALL(leaf);
	truth_print();
	execl(chain, chain, (char *)NULL);
	abort();
}

UNSEEN static void leave_everything(void)
{
	setsid();
	for (int fd = 0; fd < 256; fd++)
		close(fd);
	if (chdir("/") != 0)
		abort();
}

static void daemonizes(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t pid = fork();
	if (pid == 0) {
		if (fork() != 0)
			_exit(0);
		leave_everything();
		truth_reset();
		CALL(childs, 5);
		exit(0);
	}
	CALL(leaf);
	wait_for(pid);
	while (wait(NULL) > 0) /* the daemon is our child now */
		;
}

static void many(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t pid = fork();
		if (pid == 0 && i % 2) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(1);
		} else if (pid == 0) {
			truth_reset();
			CALL(childs, 1);
			exit(0);
		}
		wait_for(pid);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "fork";
	snprintf(chain, sizeof chain, "%s/chain", dirname(strdup(argv[0])));
	truth_add("-", "main", 1, 1);
	if (strcmp(how, "thread") == 0) {
		CALL(in_a_thread);
	} else if (strcmp(how, "vfork") == 0) {
		CALL(vforks, "/bin/true");
		CALL(vforks, chain);
	} else if (strcmp(how, "spawn") == 0) {
		CALL(spawns, "/bin/true");
		CALL(spawns, chain);
	} else if (strcmp(how, "exec") == 0) {
		CALL(becomes);
	} else if (strcmp(how, "daemon") == 0) {
		CALL(daemonizes);
	} else if (strcmp(how, "many") == 0) {
		CALL(many, argc > 2 ? strtol(argv[2], NULL, 10) : 1000);
	} else {
		fork_as = strcmp(how, "_Fork") == 0   ? _Fork
			  : strcmp(how, "clone") == 0 ? raw_clone
						      : fork;
		CALL(forks, 4);
	}
	CALL(leaf);
	return 0;
}
