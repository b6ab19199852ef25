/* SPDX-License-Identifier: MIT */
/* process.c - see process.h. */
#include "preload/process/process.h"

struct process *process_now;
bool process_off;
