/* SPDX-License-Identifier: MIT */
/*
 * stopped_aarch64.c - see stopped_call.h. On arm64 the kernel decides whether a call is made again
 * before it stops the thread, and its first argument has then given way to the result. So a call
 * that returns EINTR cannot be made again from outside. No thread is stopped there yet: programs
 * whose hooks sleep are for x86-64 alone.
 */
#include "report/process/stopped_call.h"

void stopped_mend_call(pid_t id)
{
	(void)id;
}
