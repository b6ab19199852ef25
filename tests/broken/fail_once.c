/* SPDX-License-Identifier: MIT */
/*
 * fail_once.c - runs a program in which one system call fails, as when memory, descriptors or the
 * disk run out at that moment.
 *
 *     fail_once N FILE [--first] [--in LIBRARY | --not-in LIBRARY] COMMAND [ARGUMENT...]
 *
 * The call number N, counted from 1 over all threads and child processes, is not made, and returns
 * the error that is usual for it (the table below). Only calls of that table count; with --first, only those of the command's first
 * thread, not those of what it starts; with --in, only those that are made by code of a file whose path ends with LIBRARY, and with
 * --not-in, only others. N = 0: none fails. Writes the
 * calls to FILE, up to the one that fails: `NUMBER NAME PLACE`, where PLACE is the address of the
 * call in LIBRARY, or in memory. Ends as the command does: with its exit status, or 128 and
 * its signal; with 99 if the command cannot be traced.
 *
 * A filter (seccomp(2)) stops the command at the calls of the table, and the tracer skips one of
 * them, by setting its number to -1 (ptrace(2), PTRACE_EVENT_SECCOMP).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct call {
	const char *name;
	int number, error;
} calls[] = {
    {"open", SYS_open, EMFILE},
    {"openat", SYS_openat, EMFILE},
    {"read", SYS_read, EIO},
    {"pread64", SYS_pread64, EIO},
    {"write", SYS_write, ENOSPC},
    {"writev", SYS_writev, ENOSPC},
    {"pwrite64", SYS_pwrite64, ENOSPC},
    {"ftruncate", SYS_ftruncate, ENOSPC},
    {"fallocate", SYS_fallocate, ENOSPC},
    {"linkat", SYS_linkat, ENOSPC},
    {"rename", SYS_rename, EACCES},
    {"fstat", SYS_fstat, EIO},
    {"readlink", SYS_readlink, EACCES},
    {"readlinkat", SYS_readlinkat, EACCES},
    {"mmap", SYS_mmap, ENOMEM},
    {"mremap", SYS_mremap, ENOMEM},
    {"mprotect", SYS_mprotect, ENOMEM},
    {"madvise", SYS_madvise, EINVAL},
    {"memfd_create", SYS_memfd_create, EMFILE},
    {"perf_event_open", SYS_perf_event_open, EACCES},
    {"ioctl", SYS_ioctl, ENOTTY},
    {"timer_create", SYS_timer_create, EAGAIN},
    {"timer_settime", SYS_timer_settime, EINVAL},
    {"membarrier", SYS_membarrier, ENOSYS},
    {"process_vm_readv", SYS_process_vm_readv, EPERM},
    {"getrandom", SYS_getrandom, ENOSYS},
    {"sigaltstack", SYS_sigaltstack, EPERM},
};

enum { CALLS = sizeof(calls) / sizeof(calls[0]), RANGES = 4096 };

/* Code of the library, in all processes. (No process has other code there.) */
static struct range {
	uintptr_t start, end, offset;
} ranges[RANGES];
static int range_count;
static const char *library;
static bool outside; /* calls from elsewhere count */
static bool alone;   /* calls of the first thread count */

static void die(const char *what)
{
	fprintf(stderr, "fail_once: %s: %s\n", what, strerror(errno));
	exit(99);
}

static void filter_calls(void)
{
	struct sock_filter code[CALLS + 3];
	struct sock_fprog program = {CALLS + 3, code};
	int i, n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						 offsetof(struct seccomp_data, nr));
	for (i = 0; i < CALLS; i++)
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							 (unsigned)calls[i].number, CALLS - i, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &program))
		die("seccomp");
}

static void read_ranges(pid_t pid)
{
	char path[64], line[4096], may[8];
	uintptr_t start, end, offset;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%lx %7s %lx", &start, &end, may, &offset) == 4 &&
		    may[2] == 'x' && strlen(line) >= strlen(library) &&
		    !strcmp(line + strlen(line) - strlen(library), library) && range_count < RANGES)
			ranges[range_count++] = (struct range){start, end, offset};
	}
	if (f)
		fclose(f);
}

/* The address in the library's file; 0: `pc` is not in the library. */
static uintptr_t place_of(pid_t pid, uintptr_t pc)
{
	int i, round;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < range_count; i++)
			if (pc - ranges[i].start < ranges[i].end - ranges[i].start)
				return pc - ranges[i].start + ranges[i].offset;
		if (!round)
			read_ranges(pid);
	}
	return 0;
}

static const char *name_of(long number)
{
	int i;

	for (i = 0; i < CALLS; i++)
		if (calls[i].number == number)
			return calls[i].name;
	return "?";
}

static long error_of(long number)
{
	int i;

	for (i = 0; i < CALLS; i++)
		if (calls[i].number == number)
			return calls[i].error;
	return EIO;
}

/* Makes the call that the thread is stopped at fail. */
static void skip(pid_t pid, struct user_regs_struct *regs)
{
	regs->rax = (unsigned long long)-error_of((long)regs->orig_rax);
	regs->orig_rax = (unsigned long long)-1;
	if (ptrace(PTRACE_SETREGS, pid, NULL, regs))
		die("PTRACE_SETREGS");
}

int main(int argc, char **argv)
{
	long fails = argc > 3 ? strtol(argv[1], NULL, 10) : 0, count = 0;
	char **command = argv + 3;
	int status, first_status = 0;
	FILE *out;
	pid_t first, pid;

	if (argc > 4 && !strcmp(command[0], "--first")) {
		alone = true;
		command++;
	}
	outside = argc > 5 && !strcmp(command[0], "--not-in");
	if (outside || (argc > 5 && !strcmp(command[0], "--in"))) {
		library = command[1];
		command += 2;
	}
	if (argc < 4 || !*command) {
		fprintf(stderr,
			"usage: fail_once N FILE [--first] [--in LIBRARY | --not-in LIBRARY] "
			"COMMAND [ARGUMENT...]\n");
		return 99;
	}
	out = fopen(argv[2], "we");
	if (!out)
		die(argv[2]);
	first = fork();
	if (first == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			die("PTRACE_TRACEME");
		raise(SIGSTOP);
		filter_calls();
		execvp(command[0], command);
		die(command[0]);
	}
	if (first < 0 || waitpid(first, &status, 0) != first || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, first, NULL,
		   PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
		       PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) ||
	    ptrace(PTRACE_CONT, first, NULL, NULL))
		die("ptrace");
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		struct user_regs_struct regs;
		uintptr_t place;
		long signal = 0;

		if (!WIFSTOPPED(status)) {
			if (pid == first)
				first_status = status;
			continue;
		}
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
			if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
				continue; /* killed meanwhile */
			place = library ? place_of(pid, regs.rip) : regs.rip;
			if (outside)
				place = place ? 0 : regs.rip;
			if (alone && pid != first)
				place = 0;
			if (place && (++count <= fails || !fails))
				fprintf(out, "%ld %s %lx\n", count, name_of((long)regs.orig_rax),
					place);
			if (place && count == fails)
				skip(pid, &regs);
		} else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP) {
			signal = WSTOPSIG(status); /* the program's own */
		}
		ptrace(PTRACE_CONT, pid, NULL, signal);
	}
	if (fclose(out))
		die(argv[2]);
	return WIFSIGNALED(first_status) ? 128 + WTERMSIG(first_status) : WEXITSTATUS(first_status);
}
