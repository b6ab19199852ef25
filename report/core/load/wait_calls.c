/* SPDX-License-Identifier: MIT */
/* wait_calls.c - the system calls in which a thread may wait, by number. See waits.h. */
#include "report/core/load/waits.h"

#include <sys/syscall.h>

#define CALL(name)          [SYS_##name] = #name,
#define NEWER(number, name) [number] = #name,

static const char *const names[] = {
#include "report/core/load/wait_calls.def"
};

const char *wait_calls_name(int32_t number)
{
	return number >= 0 && (size_t)number < sizeof names / sizeof *names ? names[number] : NULL;
}
