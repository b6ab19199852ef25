/* SPDX-License-Identifier: MIT */
/*
 * cfi_known.h - the latest answers of cfi_find() (cfi.h), so that a walk from frame to frame (unwind/unwind.h) need not run
 * call frame instructions again at places it has been at. Programs whose functions end without a hook are walked
 * through at each call that comes from elsewhere: from a library, or an interpreter's adapter.
 *
 * The place of an answer in the table is given by the address. An answer is of the process, so a forked child
 * begins anew, and of a module's id, which no other module gets. All threads share the table: a thread
 * that writes an answer makes its `turn` odd meanwhile, and readers do without answers that are being
 * written. If a jump out of a signal handler leaves such a thread half-way, that place stays unused.
 */
#ifndef ZPROF_CFI_KNOWN_H
#define ZPROF_CFI_KNOWN_H

#include "preload/code/cfi.h"

struct module;
struct process;

struct cfi_answer {
	uint32_t turn;   /* odd: being written; changes with each answer */
	uint32_t module; /* 0: there is none yet */
	uintptr_t pc;
	struct cfi cfi;
};

#define CFI_ANSWERS 4096u

/* As cfi_find(), in a module that is known; also for its finalizer (finalizer.h). */
bool cfi_known(struct process *p, const struct module *m, uintptr_t pc, struct cfi *cfi);

#endif
