/* SPDX-License-Identifier: MIT */
/* trampoline_none.c - trampoline.h for programs that must not open files: finds none. */
#include "report/core/names/trampoline.h"

bool trampoline_at(const char *path, uint64_t address)
{
	(void)path;
	(void)address;
	return false;
}
