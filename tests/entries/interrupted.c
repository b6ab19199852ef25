/* SPDX-License-Identifier: MIT */
/*
 * interrupted.c - a signal handler on a stack of its own interrupts interrupted(), which has called gone()
 * before. While outer() is open, the handler leaves it out, and calls after().
 */
#include "preload/zprof.h"

#include <signal.h>
#include <stdlib.h>

#define APART __attribute__((noipa))

APART void gone(void)
{
}

APART void after(void)
{
}

APART void handler(int signal)
{
	(void)signal;
	zprof_unwatch("outer");
	after();
}

APART void interrupted(void)
{
	gone();
	raise(SIGUSR1);
}

APART void outer(void)
{
	interrupted();
}

int main(void)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	if (!stack.ss_sp || sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
		return 1;
	outer();
	return 0;
}
