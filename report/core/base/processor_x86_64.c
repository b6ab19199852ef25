/* SPDX-License-Identifier: MIT */
/* processor_x86_64.c - see processor.h: x86-64, for which everything is there. */
#include "report/core/base/processor.h"

#include <elf.h>
#include <stddef.h>

const int processor_machine = EM_X86_64;
const char processor_libraries[] = "/usr/lib/x86_64-linux-gnu";

const char *processor_lacks(enum processor_means means)
{
	(void)means;
	return NULL;
}
