/* SPDX-License-Identifier: MIT */
/*
 * forth-profile: where a Forth program's cycles go: a zone for each word, a zone for each bucket,
 * counts of each cell. It watches NEXT (forth-next.h), at no cost to the guest, which runs the same
 * cycles with and without it. It must never change what the guest does.
 *
 * Words. A word is entered when DOCOL or DODOES begins, and left at the first NEXT at which S has
 * risen past what it was when the return address had been pushed. That is all that is assumed of
 * the return stack, so whatever takes the address away leaves the word: EXIT, R> DROP, THROW,
 * QUIT. EXECUTE and deferred words call through; a primitive is not a zone, unless asked for. DOCOL
 * belongs to the callee, the NEXT that fetched its token to the caller.
 *
 *	: b  1 + ;                      S
 *	: a  2 b drop ;                 f9   NEXT  a      in a's caller
 *	                                f9   DOCOL        enter a, left when S > f7
 *	                                f7   NEXT  2
 *	                                f7   NEXT  b
 *	                                f7   DOCOL        enter b, left when S > f5
 *	                                f5   NEXT  1 + exit
 *	                                f7   NEXT  drop   leave b; this NEXT is a's
 *
 * Buckets. The current class of forth-buckets.h is a zone too, on top of the words, replaced
 * whenever the latch or the word changes. So the sum over all callers of a bucket's zone is the
 * bucket table, and the words below it say who took it there.
 *
 * NEXT. What the inner interpreter itself takes is a part of each zone's cycles:
 * FORTH_NEXT_CYCLES per NEXT, and watch.over. It is shown as a zone of its own, called by all
 * others.
 *
 * Another Forth is watched by forth-any.c. Where its multitasker goes to another return stack, all
 * words are left and none has returned; when the stack comes back, they are entered anew.
 *
 * Each zone has cycles and NEXTs, and with zprof preloaded host ticks. Cycles and NEXTs do not
 * depend on the host, nor on what runs natively.
 *
 * Rejected: a zone per (word, bucket) pair, since a word would be left and entered again, and
 * counted, whenever the latch changes below it. Rejected: finding out by EXIT that a word has
 * returned; a THROW would leave words open for ever.
 */
#ifndef VM_6502_FORTH_PROFILE_H
#define VM_6502_FORTH_PROFILE_H

#include "vm-6502/profile/forth-buckets.h"
#include "vm-6502/profile/forth-cells.h"
#include "vm-6502/machine/machine.h"
#include "vm-6502/profile/contexts.h"

enum { FORTH_NEXT_CYCLES = 34 };

struct forth_profile_options {
	bool words, buckets; /* which of them are zones */
	bool primitives;     /* primitives are zones too */
	bool started;        /* buckets are zones only while the guest has started a metric */
	bool as_next;        /* ticks as a guest measures them */
	bool guest;          /* the guest also counts for itself */
	bool cells;          /* count each cell; then nothing else is a zone */
	const char *trace;   /* file for a line per NEXT, "-" is stderr; NULL: none */
	const char *const *buckets_file; /* the user's buckets */
	int buckets_files;
	const struct forth_image *other; /* another Forth than ours; NULL: ours */
};

struct forth_profile;

/*
 * Watches the machine, which must be of the forth kind and hold a Forth of ours, unless
 * options->other says what it holds. symbols may be NULL; all three are borrowed. NULL, with a
 * message in err.
 */
struct forth_profile *forth_profile_new(struct machine *machine, const struct symbols *symbols,
					const struct forth_profile_options *options, char *err,
					size_t size);
void forth_profile_free(struct forth_profile *p);

/* The run is over; to be called by the function that carries the zones (lend.h). */
void forth_profile_finish(struct forth_profile *p);

/* After that, if cells were counted: writes them into a listing for zprof (places.h). False, with a
 * message in err. */
bool forth_profile_list(struct forth_profile *p, const char *path, char *err, size_t size);

/* What was found, for printing; it lives as long as p. */
const struct forth_buckets *forth_profile_buckets(const struct forth_profile *p);

#endif
