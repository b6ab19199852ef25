/* SPDX-License-Identifier: MIT */
/*
 * forth-profile: shows where a Forth program's cycles go, by a zone for each word, a zone for each
 * bucket, or counts of each cell. It watches NEXT (forth-next.h) at no cost to the guest, which
 * takes the same cycles with and without it. It must never change what the guest does.
 *
 * Words. A word is entered when DOCOL or DODOES begins, and left at the first NEXT at which S is
 * above its value after the return address was pushed. Nothing else is assumed of the return stack,
 * so whatever takes the address away leaves the word: EXIT, R> DROP, THROW, QUIT. A word that
 * EXECUTE or a deferred word runs is entered in the same way. A primitive is not a zone, unless
 * asked for. DOCOL's cycles belong to the callee; the NEXT that fetched the callee's token, to the
 * caller.
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
 * Buckets. The current class of forth-buckets.h is a zone too, on top of the words. It is replaced
 * whenever the class or the word changes. So the sum over all callers of a bucket's zone is the
 * bucket's row in the table, and its callers show which words spent the cycles.
 *
 * NEXT. The inner interpreter's own cycles are a part of each zone's: FORTH_NEXT_CYCLES for each
 * NEXT, and watch.over. They are shown as a zone of their own, called by all others.
 *
 * Another Forth is watched by forth-any.c. When its multitasker switches to another return stack,
 * all open words are left without having returned; when it switches back, they are entered anew.
 *
 * Each zone has cycles and NEXTs, and with zprof preloaded host ticks. Cycles and NEXTs do not
 * depend on the host, nor on what runs natively.
 *
 * Rejected: a zone for each (word, bucket), since a word would be left and entered again, and
 * counted, whenever the class changes in its callees. Rejected: to see by EXIT that a word has
 * returned, because a THROW would leave words open for ever.
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

/* To be called at the end of the run, by the function that carries the zones (lend.h). */
void forth_profile_finish(struct forth_profile *p);

/* To be called after forth_profile_finish, if cells were counted: writes a listing of the cells, each
 * a word of threaded code with the number of times that NEXT ran it, which zprof prints (places.h).
 * False, with a message in err. */
bool forth_profile_list(struct forth_profile *p, const char *path, char *err, size_t size);

/* The buckets with their counts, for printing; they live as long as p. */
const struct forth_buckets *forth_profile_buckets(const struct forth_profile *p);

#endif
