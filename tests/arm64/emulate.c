/* SPDX-License-Identifier: MIT */
/*
 * emulate.c - runs a program of arm64 that a test calls by name: the file NAME.arm64 beside this
 * program's own file NAME, by the emulator EMULATOR, with the libraries below SYSTEM.
 *
 * Tests preload libzprof.so of arm64. So this program is linked statically, as the emulator is:
 * then only the emulated program loads that library.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char program[PATH_MAX + 8];
	char **arguments = calloc((size_t)argc + 6, sizeof(*arguments));
	ssize_t n = readlink("/proc/self/exe", program, PATH_MAX);

	if (!arguments || n < 0)
		return 127;
	memcpy(program + n, ".arm64", sizeof(".arm64"));
	arguments[0] = EMULATOR;
	arguments[1] = "-L";
	arguments[2] = SYSTEM;
	arguments[3] = "-0";
	arguments[4] = argv[0];
	arguments[5] = program;
	memcpy(arguments + 6, argv + 1, ((size_t)argc - 1) * sizeof(*arguments));
	execv(EMULATOR, arguments);
	perror(EMULATOR);
	return 127;
}
