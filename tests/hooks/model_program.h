/* SPDX-License-Identifier: MIT */
/*
 * model_program.h - what the made-up program may do next: calls, inlined calls, returns, jumps, and
 * signal handlers; and seldom a switch of stack, the end of a thread, or a fork.
 */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include "tests/hooks/model_hook.h"

/*
 * One step of what runs on that level. Result: the level that a handler in it jumped to, or
 * WORLD_NEVER.
 */
int program_step(int level, struct line *line);

/* The handler that interrupts a hook of the level below; it may jump out. */
int program_handler(int level, uintptr_t sp, bool alternate);

/* One that comes as a hook has read the clock, and done nothing else. */
void program_early_handler(const struct action *a, const struct event *e);

/* At level 0. */
void program_change_stack(void);
void program_use_anew(void); /* makecontext on a stack that nobody runs on */
void program_end_thread(void);
void program_fork(void);

/* A recording ends, and another begins; nothing is called in between. */
void program_next_recording(void);

/* Profiles of this batch: the current one is complete; all are removed. */
void program_forget_file(void);
void program_remove_files(void);

#endif
