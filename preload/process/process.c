/* SPDX-License-Identifier: MIT */
/* process.c - see process.h. */
#include "preload/process/process.h"

#include "preload/process/upward.h"

struct process *process_now;
bool process_off;

UPWARD_PLACE(begin, struct process *, (struct process *));
UPWARD_PLACE(answer, void, (struct process *));
UPWARD_PLACE(calibrate, void, (struct process *));

struct process *process_begin(struct process *from)
{
	return upward_begin(from);
}

void process_answer(struct process *p)
{
	upward_answer(p);
}

void process_calibrate_again(struct process *p)
{
	upward_calibrate(p);
}
