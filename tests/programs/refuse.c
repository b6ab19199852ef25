/* SPDX-License-Identifier: MIT */
/*
 * refuse.c - runs a program with some system calls refused (seccomp), as containers do.
 *
 *   refuse ERRNO CALL[,CALL...] PROGRAM [ARGUMENT...]
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS_MAX 16

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
    {"io_setup", SYS_io_setup},
    {"io_uring_setup", SYS_io_uring_setup},
    {"perf_event_open", SYS_perf_event_open},
    {"ptrace", SYS_ptrace},
    {"pwrite64", SYS_pwrite64},
    {"timer_create", SYS_timer_create},
};

static unsigned number_of(const char *name)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].number;
	fprintf(stderr, "refuse: what is the system call '%s'?\n", name);
	exit(125);
}

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * CALLS_MAX + 2];
	struct sock_fprog program = {.filter = filter};
	char *name = argc > 3 ? strtok(argv[2], ",") : NULL;
	unsigned n = 0, error = argc > 3 ? (unsigned)atoi(argv[1]) : 0;

	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   offsetof(struct seccomp_data, nr));
	for (; name && n < 2 * CALLS_MAX; name = strtok(NULL, ",")) {
		unsigned number = number_of(name);
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
		filter[n++] =
		    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	}
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = (unsigned short)n;
	if (n == 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("refuse");
		return 125;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 126;
}
