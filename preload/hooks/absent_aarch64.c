/* SPDX-License-Identifier: MIT */
/*
 * absent_aarch64.c - stands in for fentry.c and displaced.c, the front ends that arm64 does not have,
 * and for entry_price.c, which measures them.
 * gcc has no -mfentry there, and plans (displace/) are of x86-64 code.
 */
#include "preload/hooks/entry_price.h"
#include "preload/hooks/hooks.h"

/* Hidden, so that no program finds them. They have addresses, which fronts.c asks for. */
void __fentry__(void);
void __return__(void);

uintptr_t fentry_enter_now, fentry_exit_now;

void __fentry__(void)
{
}

void __return__(void)
{
}

void fentry_choose(const struct front_choice *choice)
{
	(void)choice;
}

void fentry_off(void)
{
}

void fentry_awake(void)
{
}

void displaced_choose(const struct front_choice *choice)
{
	(void)choice;
}

void displaced_off(void)
{
}

void entry_price_measure(struct process *p)
{
	(void)p;
}
