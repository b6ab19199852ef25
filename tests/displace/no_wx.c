/* SPDX-License-Identifier: MIT */
/*
 * no_wx.c - no_wx PROGRAM [ARGUMENT...]: runs a program that may have no memory that is both writable
 * and executable, and may not make other memory executable, as under systemd's
 * MemoryDenyWriteExecute. Exit status 77: this kernel cannot forbid that.
 */
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE              65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

int main(int argc, char **argv)
{
	if (argc < 2 || prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0))
		return 77;
	execv(argv[1], argv + 1);
	return 1;
}
