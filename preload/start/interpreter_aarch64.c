/* SPDX-License-Identifier: MIT */
/* interpreter_aarch64.c - stands in for interpreter.c: plans (displace/) are of x86-64 code. */
#include "preload/start/interpreter.h"

bool interpreter_is_ready(void)
{
	return false;
}

bool interpreter_take(void **functions, void *const *ours, size_t count)
{
	(void)functions;
	(void)ours;
	(void)count;
	return false;
}
