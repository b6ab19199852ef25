/* SPDX-License-Identifier: MIT */
/* early.h - what early.c and its library share. */
#ifndef EARLY_H
#define EARLY_H

#include "tests/programs/truth.h"

#include <stdlib.h>

/* Calls of functions that the dynamic linker may call, in the library. */
unsigned long early_calls_there(void);

int theirs(int x);
extern int (*const theirs_by_pointer)(int x);

#endif
