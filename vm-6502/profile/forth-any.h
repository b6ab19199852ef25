/* SPDX-License-Identifier: MIT */
/*
 * forth-any: watches NEXT in any Forth, indirect-threaded or direct-threaded, that the command line
 * describes (struct forth_image, `other`). Nothing runs natively: the guest's own NEXT runs, and is
 * counted. forth-next.c does more, for our kernel alone.
 *
 * There is a hook on the first byte of NEXT, and one on DOCOL and DODOES. A guest may copy its NEXT
 * to zero page while it runs, and may patch it in the middle, since a store leaves a hook in place.
 * EXECUTE is not a NEXT.
 *
 *	NEXT      nexts + 1, look[ip]
 *	JMP (W)   the last instruction of NEXT, if W is its operand: NEXT's own cycles end here
 *	DOCOL     a word is entered
 *
 * The return stack's pointer is S, or a word in zero page. A multitasker moves the pointer to
 * another return stack. This is noticed when the pointer goes down by more than any word pushes, or
 * above its highest value in this stack.
 */
#ifndef VM_6502_FORTH_ANY_H
#define VM_6502_FORTH_ANY_H

#include "vm-6502/guest/forth-image.h"
#include "vm-6502/native/forth-next.h"

struct forth_any;

/* Events besides those of struct forth_watch. */
struct forth_any_events {
	/* At a NEXT, before it is counted: the return stack has changed since the NEXT before,
	 * when the pointer was `from`. */
	void (*moved)(struct m6502 *m, struct forth_watch *w, int from);
	/* At a NEXT, before it is counted: the guest's own profiler has begun, or ended. */
	void (*patched)(struct m6502 *m, struct forth_watch *w, bool running);
	/* At a NEXT, after it is counted: the guest takes a stamp. */
	void (*stamp)(struct m6502 *m, struct forth_watch *w);
};

/* Image, watch and events are borrowed. Here watch->over counts all cycles of NEXTs, not only those
 * beyond 34 each. NULL: out of memory. */
struct forth_any *forth_any_new(struct m6502 *m, const struct forth_image *image,
				struct forth_watch *watch, const struct forth_any_events *events);
void forth_any_free(struct forth_any *a);

#endif
