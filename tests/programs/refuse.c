/* SPDX-License-Identifier: MIT */
/*
 * refuse.c - runs a program with some system calls refused (seccomp), as containers do.
 *
 *   refuse ERRNO NUMBER[,NUMBER...] PROGRAM [ARGUMENT...]
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define CALLS_MAX 16

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * CALLS_MAX + 2];
	struct sock_fprog program = {.filter = filter};
	char *numbers = argc > 3 ? argv[2] : "";
	unsigned n = 0, error = argc > 3 ? (unsigned)atoi(argv[1]) : 0;

	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   offsetof(struct seccomp_data, nr));
	while (*numbers && n < 2 * CALLS_MAX) {
		unsigned number = (unsigned)strtoul(numbers, &numbers, 10);
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
		filter[n++] =
		    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
		numbers += *numbers == ',';
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
