/* SPDX-License-Identifier: MIT */
/* processor_aarch64.c - see processor.h: arm64. */
#include "report/core/base/processor.h"

#include <elf.h>

const int processor_machine = EM_AARCH64;
const char processor_libraries[] = "/usr/lib/aarch64-linux-gnu";

static const char *const lacks[] = {
    [PROCESSOR_FENTRY] =
	"compilers have no -mfentry for arm64; 'zprof cflags' has hooks that they do have there",
    [PROCESSOR_SWITCHES] =
	"on arm64 hooks cannot be switched off and on in a program's code: record a program from its "
	"start, and use zprof_pause() and zprof_resume() in it for parts of its run",
    [PROCESSOR_PLANS] =
	"on arm64 functions are recorded by hooks alone: build the program with the "
	"flags of 'zprof cflags', and record it without --any",
};

const char *processor_lacks(enum processor_means means)
{
	return lacks[means];
}
