/* SPDX-License-Identifier: MIT */
/*
 * spent.c - runs a command, and writes down what CPU time the kernel has counted of it.
 *
 *   spent FILE COMMAND...
 *
 * FILE then says `spent NS`: of the process, from its fork to its end, and of those that it has
 * waited for. So no part of the command can have had more. Ends as the command does.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel leaves out parts of a microsecond. */
static long long ns_of(const struct timeval *t)
{
	return (t->tv_sec * 1000000ll + t->tv_usec + 1) * 1000;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	FILE *file;
	int status;
	pid_t pid;

	if (argc < 3 || (pid = fork()) < 0)
		return 125;
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid || !(file = fopen(argv[1], "w")))
		return 125;
	fprintf(file, "spent %lld\n", ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime));
	fclose(file);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
