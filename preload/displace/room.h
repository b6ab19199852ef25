/* SPDX-License-Identifier: MIT */
/*
 * room.h - free addresses near a module, for its area of trampolines.
 *
 * Jumps between the two, and operands of moved instructions, reach 2 GB. So the whole area must be
 * within 2 GB of the whole module. The addresses just below the module are the best: the kernel and
 * the program's heap take others. Free addresses below the stack, and behind the end of the heap,
 * may be wanted later, and are left to them: those below the stack always, those behind the heap
 * unless there are no others, and then the last of them that are near enough.
 */
#ifndef ZPROF_ROOM_H
#define ZPROF_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address for `bytes` bytes (a multiple of the page size) near [start, end); 0: there is none. */
uintptr_t room_near(uintptr_t start, uintptr_t end, size_t bytes);

#endif
