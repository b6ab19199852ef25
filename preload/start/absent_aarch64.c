/* SPDX-License-Identifier: MIT */
/* absent_aarch64.c - stands in for displacing.c and bare.c: plans (displace/) are of x86-64 code. */
#include "preload/start/bare.h"
#include "preload/start/displacing.h"

uint32_t displacing_expect(void)
{
	return 0;
}

void displacing_loaded(uint32_t known)
{
	(void)known;
}

void displacing_finish(struct process *p)
{
	(void)p;
}

void bare_of(void *handle)
{
	(void)handle;
}
