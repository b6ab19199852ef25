/* SPDX-License-Identifier: MIT */
/*
 * forth-next: the Forth's inner interpreter on the host. A hook at NEXT runs NEXT, and the
 * primitives it knows, natively. Memory, stacks, registers and cycles come out exactly as from
 * their machine code. NEXTs can be watched (struct forth_watch), which costs the guest nothing.
 *
 *	struct forth_next *n = forth_next_new(m, false);
 *	forth_next_watch(n, &watch);            // NULL: not watched
 *	m6502_run(m, …);
 *	forth_next_free(n);
 *
 * The loop
 *
 *	NEXT      look[ip] == 0?  w = (ip), ip += 2, 34 cycles
 *	          kind[(w)]       -> handler of a primitive -> NEXT
 *	                          -> none: back to the processor, which runs the guest's own code
 *
 * IP, W, X, S and the cycles are local variables in the loop. A, Y and the flags need not be kept:
 * NEXT overwrites them with values that follow from IP, so they are computed when the loop is left.
 * The loop is left after NEXT, in front of a primitive's first instruction. A handler that cannot
 * do its work (a device's address, a stack about to leave its bounds) leaves at the same place,
 * before it has changed anything. So running natively changes the speed and never the outcome.
 *
 * When a handler is right
 *
 * Each native primitive is written beside the machine code that it stands for (forth-native.def).
 * It is used at an address if exactly that code is there when the address is first run. All bytes
 * of that code, and of NEXT, have hooks that notice writes: after a write, all code is compared
 * again when it is next run. A guest that patches NEXT, as the guest's own profiler does, runs its
 * own code from then on; NEXT is native again once the bytes are restored. Nothing else is assumed
 * of an image, but that NEXT, IP and W (forth-image.h) are at the addresses below.
 *
 * The processor's core runs all code, and nothing is native, with a 65C02, D set, an observer
 * (trace, subroutines), a foreign hook in pages 0 and 1 or on the code, or a read hook outside the
 * devices' page; and in the last FORTH_NEXT_MARGIN cycles before the budget ends or an interrupt
 * may come. So runs end at the same instruction, and interrupts are taken at the same cycle,
 * natively or not.
 *
 * Rejected: keeping the top of the stack in a register. Memory must be right wherever the loop is
 * left, and it is left at every word that isn't native. Rejected: finding the primitives by their
 * names; a handler for another version of the code would be wrong unnoticed.
 *
 * Watching
 *
 * An array of bytes, indexed by IP, steers the loop: a byte that is not 0 leads out of the straight
 * path. The loop uses some bits itself (IP crosses a page; the cell at IP is a device's), and the
 * watcher has one bit. So it costs nothing to watch a few places. NEXTs are counted in the same
 * addition that counts the cycles.
 *
 * If the loop is not used (`pure`, or the guest has patched NEXT), the watch gets the same calls,
 * in the same order, with the same cycles.
 */
#ifndef VM_6502_FORTH_NEXT_H
#define VM_6502_FORTH_NEXT_H

#include "vm-6502/cpu/m6502.h"

/* Zero page as layout.inc has it. A guest with other bytes there runs as it is. */
enum {
	FORTH_NEXT = 0xc8,
	FORTH_IP = 0xcf,
	FORTH_W = 0xdd,
	FORTH_NEXT_GO = 0xdc, /* NEXT's last instruction, JMP (W) */
	FORTH_NEXT_SIZE = 0x1c,
	FORTH_SP0 = 0xb0,
	FORTH_STACK_LOW = 0x10,
	FORTH_RETURN_LOW = 0x18,
	FORTH_XSAVE = 0xe4,
	FORTH_LP = 0xe5,
	FORTH_N = 0xe8,
};

/* More cycles than NEXT and any native primitive take together. */
enum { FORTH_NEXT_MARGIN = 2048 };

struct forth_next;
struct zprof_asking;

/* Bits of a map. */
enum {
	FORTH_ASK = 0x01, /* for the watcher: call next() at this IP */
	FORTH_OWN = 0xfe, /* for the loop's own use */
};

/*
 * Functions may change everything here, set another watch or none, set hooks, and stop the
 * processor, which then ends behind this NEXT at the latest; they must leave registers and memory
 * alone. They may read pc, cycles, s, x, and all of memory; A, Y and the flags are not up to date.
 * They must leave rise >= s.
 */
struct forth_watch {
	uint8_t *ask; /* [0x10000], begun by forth_next_map(); next() is called at a NEXT where
			 ask[ip] & FORTH_ASK … */
	int rise;     /* … and at a NEXT where s > rise; 0xff: never */
	bool calls;   /* call() is to be called */
	struct forth_words *words; /* a context tree of words. The loop enters and leaves words in
				      it by itself, as far as it can, and sets `rise`; in a tree
				      of sums, it counts cells instead. NULL: the loop only calls
				      the functions below */
	uint64_t nexts; /* NEXTs begun so far, the present one included: right in calls, and when
			   the run has returned */
	uint64_t over;  /* cycles of NEXTs beyond 34 each; in next() without the present NEXT's */

	/* A NEXT begins, at m->cycles; IP is not yet incremented; pc is NEXT's address. */
	void (*next)(struct m6502 *m, struct forth_watch *w, uint16_t ip);

	/* Called before the loop enters or leaves a word, if zprof asks for the open words; and
	 * before a function of the host's runs on behalf of the word. May be NULL. pc is undefined
	 * in this call only. */
	void (*place)(struct m6502 *m, struct forth_watch *w);

	/* DOCOL or DODOES begins, however the guest got there. pc is its address, S and cycles are
	 * as before its first instruction, xt is what W holds. */
	void (*call)(struct m6502 *m, struct forth_watch *w, uint16_t xt);
};

/* Sets the hooks. pure: nothing runs natively, but a watch is served. NULL: out of memory. An image
 * without our Forth is left alone. */
struct forth_next *forth_next_new(struct m6502 *m, bool pure);

/* Removes the hooks, except those with other hooks on top. So it must be called after the owners of
 * such hooks have removed them. */
void forth_next_free(struct forth_next *n);

/* The watch is borrowed until another is set. NULL: none. */
void forth_next_watch(struct forth_next *n, struct forth_watch *watch);
struct forth_watch *forth_next_watcher(const struct forth_next *n);

/* For a watch with `place`: the struct through which zprof asks for the open words. */
struct zprof_asking *forth_next_asking(struct forth_next *n);

/* Calls the watch's `place`, if there is one: before a function of the host's is called. */
void forth_next_tell_place(struct forth_next *n);

/* Begins a map: sets the loop's bits and clears FORTH_ASK. */
void forth_next_map(uint8_t map[0x10000]);

/* Whether NEXT runs natively at the moment; the name that a primitive has in forth-native.def, by
 * the address of its code, NULL where it isn't native or was never run; the name of native
 * primitive number i, NULL past the last. For the tests. */
bool forth_next_armed(const struct forth_next *n);
const char *forth_next_native_at(const struct forth_next *n, uint16_t code);
const char *forth_next_native(int i);

#endif
