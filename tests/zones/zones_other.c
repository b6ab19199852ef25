/* SPDX-License-Identifier: MIT */
/* zones_other.c - the other file of zones_all.c, always C: its public zones are the same. */
#include "preload/zprof.h"

ZPROF_DECLARE(shared);
ZPROF_DEFINE(elsewhere);

int other(int n);

int other(int n)
{
	ZPROF_SCOPE(shared);
	{
		ZPROF_SCOPE(elsewhere);
		n++;
	}
	return n;
}
