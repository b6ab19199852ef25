/* SPDX-License-Identifier: MIT */
/* noted.h - where a walk begins that follows the stack of a note (sample/notes.h). */
#ifndef ZPROF_NOTED_H
#define ZPROF_NOTED_H

#include "preload/sample/notes.h"
#include "preload/unwind/unwind.h"

/* Where the note found the code, and its stack, which is described in *copy. */
static inline struct place noted_place(const struct ring_note *note, struct stack_copy *copy)
{
	*copy = (struct stack_copy){note->sp, note->stack_bytes, note->stack};
	return (struct place){.pc = note->ip + 1,
			      .sp = note->sp,
			      .bp = note->bp,
			      .resumed = true,
			      .link = note->link,
			      .copy = copy};
}

#endif
