/* SPDX-License-Identifier: MIT */
/* tick_distrusted.c - in place of tick_trust.c: says that the time stamp counter cannot be trusted. */
#include "preload/clock/tick_trust.h"

bool tick_trusted(void)
{
	return false;
}
