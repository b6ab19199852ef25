/* SPDX-License-Identifier: MIT */
/*
 * without_openat2: runs a program as on a system that does not know openat2, by a filter of system
 * calls.
 *
 *   without_openat2 ENOSYS|EPERM PROGRAM [ARGUMENT...]
 *
 * says what the call gives there. Exit status 125: filters are not permitted here.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int gives = argc > 2 && strcmp(argv[1], "EPERM") == 0 ? EPERM : ENOSYS;
	struct sock_filter steps[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | gives),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof steps / sizeof *steps, .filter = steps};

	if (argc < 3) {
		fprintf(stderr, "usage: without_openat2 ENOSYS|EPERM PROGRAM [ARGUMENT...]\n");
		return 125;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) ||
	    syscall(SYS_openat2, -1, NULL, NULL, 0) != -1 || errno != gives) {
		perror("without_openat2: no filter");
		return 125;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 125;
}
