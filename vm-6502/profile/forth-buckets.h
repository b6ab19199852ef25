/* SPDX-License-Identifier: MIT */
/*
 * forth-buckets: buckets, which are address ranges that NEXTs are charged to, and their counts.
 * Buckets come from the guest (its list of PROFILER-BUCKET words) and from a file of the user's
 * (forth-buckets-file.c), as many as you like; they may nest and overlap.
 *
 * A guest's own profiler charges one metric at a time, a list of ranges in order. The host charges
 * all metrics at once: it cuts the address space wherever a bucket begins or ends. The set of
 * buckets that an address is in is the address's *class*. Class 0 is the empty set, "(etc)".
 *
 *	bucket a     [===============)
 *	bucket b            [================)
 *	class      0 |   1  |   2    |   3   | 0        1 = {a}, 2 = {a, b}, 3 = {b}
 *
 * The current class is a latch, as the guest's current bucket is: while words of the core run,
 * which lie below the end of the core, the latch does not change. A metric's current bucket follows
 * from the class: it is the bucket of the metric that is in the class, or (etc). So one counter for
 * each class gives every metric's table, exact to the NEXT.
 *
 * Buckets and classes are only ever added, so their numbers stay valid. When the guest's lists
 * change, the map from addresses to classes is made anew.
 *
 * Rejected: a counter for each bucket and a test of each range at each NEXT, which costs as much as
 * the guest's own hook; a set of bits for each class, which limits the number of buckets.
 */
#ifndef VM_6502_FORTH_BUCKETS_H
#define VM_6502_FORTH_BUCKETS_H

#include "vm-6502/guest/forth-names.h"

enum { CLASS_ETC = 0, CLASS_KEEP = 0xffff, STAMPS_MOST = 4 };

struct forth_bucket {
	char name[64];
	uint32_t start, end; /* [start, end) */
	uint16_t guest;      /* the guest's record; 0: from the file */
};

/* A bucket that the user's file gives by words or by a source file. The bucket begins with the
 * first of these definitions, and ends before the next definition that is not one of them. */
struct forth_rule {
	uint32_t bucket;
	char file[64];            /* "": it is named by words */
	char first[32], last[32]; /* "": it is named by a file */
	bool open, closing;       /* closing: the next definition is outside */
};

/* Counts of a bucket or class. as_run: cycles charged to the class of the token that ran; as_next:
 * cycles charged to the class of the token after it. */
struct forth_charge {
	uint64_t nexts, as_run, as_next;
};

struct forth_class {
	uint32_t *bucket; /* ascending */
	uint32_t buckets;
	uint32_t inner;             /* the smallest bucket */
	struct forth_charge charge; /* of the whole run */
	struct forth_charge before; /* the part of `charge` that metrics already have */
	uint8_t *ask; /* [0x10000], a map of forth-next.h that asks where the class ends; or NULL */
	uint32_t zone; /* its zone in the profile; 0: none yet */
	char *name;    /* of the zone; NULL: not made yet */
};

/* A metric's slot 0 is (etc), slot i its bucket i - 1. */
struct forth_metric {
	char name[64];
	uint32_t *bucket;
	uint32_t buckets;
	uint16_t guest; /* the guest's record; 0: from the file */
	bool started;   /* the guest has started it: charge and stamps are of its windows only */
	struct forth_charge *charge; /* of slots */
	uint32_t stamps;
	struct forth_charge stamp[STAMPS_MOST];
};

struct forth_buckets {
	struct m6502 *m;
	struct forth_image image;
	const struct forth_names *names;
	struct forth_bucket *bucket;
	uint32_t buckets, bucket_room;
	struct forth_metric *metric;
	uint32_t metrics, metric_room;
	struct forth_rule *rule;
	uint32_t rules, rule_room;
	struct forth_class *class;
	uint32_t classes, class_room;
	uint32_t core_end;
	uint16_t class_at[0x10000]; /* CLASS_KEEP below core_end */
	uint32_t now;               /* the latch: the current class */
	struct forth_charge since;  /* NEXTs and cycles are charged up to here */
};

/* m and names are borrowed. NULL: out of memory. */
struct forth_buckets *forth_buckets_new(struct m6502 *m, const struct forth_image *image,
					const struct forth_names *names);
void forth_buckets_free(struct forth_buckets *b);

/* Reads a file of the user's. False, with a message in err. */
bool forth_buckets_load(struct forth_buckets *b, const char *path, char *err, size_t size);

/* Adds a bucket or metric of the host's, for the user's file and for tests; returns its number. A
 * bucket that has no end yet has end 0. UINT32_MAX: out of memory. */
uint32_t forth_buckets_add(struct forth_buckets *b, const char *name, uint32_t start, uint32_t end);
uint32_t forth_buckets_add_metric(struct forth_buckets *b, const char *name, const uint32_t *bucket,
				  uint32_t buckets);

bool forth_buckets_add_rule(struct forth_buckets *b, struct forth_rule rule);

/* The newest bucket of that name; UINT32_MAX: there is none. */
uint32_t forth_buckets_find(const struct forth_buckets *b, const char *name);

/* To be called when all buckets and rules are there: applies the rules to the words so far, and
 * makes the map. False: out of memory. */
bool forth_buckets_begin(struct forth_buckets *b);

/* Reads the guest's lists, and makes the map anew if they have changed. */
void forth_buckets_update(struct forth_buckets *b);

/* Applies the rules to a word that has been defined. */
void forth_buckets_defined(struct forth_buckets *b, uint16_t xt);

/* Charges the current class with NEXTs and cycles since the last charge, and makes another current.
 * `nexts` and `cycles` are of the whole run, up to here. */
void forth_buckets_move(struct forth_buckets *b, uint32_t class, uint64_t nexts, uint64_t cycles);

/* The map for the loop of NEXT that asks at each IP where `class` is left; NULL: out of memory. */
uint8_t *forth_buckets_ask(struct forth_buckets *b, uint32_t class);

/* The slot of a metric that a class counts for. */
uint32_t forth_buckets_slot(const struct forth_buckets *b, const struct forth_metric *metric,
			    uint32_t class);

/* The newest metric of that name; the metric with the guest's record. NULL: there is none. */
struct forth_metric *forth_buckets_metric(const struct forth_buckets *b, const char *name);
struct forth_metric *forth_buckets_guest_metric(const struct forth_buckets *b, uint16_t guest);

/* The counts of a slot: in the guest's windows if there were any, else in the whole run. */
struct forth_charge forth_buckets_charge(const struct forth_buckets *b,
					 const struct forth_metric *metric, uint32_t slot);

/* A name for a class that no other class has: its innermost bucket's, or all its buckets' names. */
const char *forth_class_name(struct forth_buckets *b, uint32_t class);
bool forth_class_has(const struct forth_class *class, uint32_t bucket);

/* The group that zprof shows a bucket's time in: the bucket's name, without brackets around it. */
void forth_bucket_group(const struct forth_bucket *bucket, char group[64]);

void forth_charge_add(struct forth_charge *sum, const struct forth_charge *more);

/* For forth-buckets.c and forth-classes.c only. False: out of memory, and nothing has changed. */
bool forth_classes_map(struct forth_buckets *b);
bool forth_buckets_add_class(struct forth_buckets *b, struct forth_class class);

#endif
