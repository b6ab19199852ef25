/* SPDX-License-Identifier: MIT */
/*
 * record_kinds.h - the kinds of records in a profile's sections: one row per kind says what it takes
 * to read the records, to check what they refer to, to free them, to take an earlier copy's numbers
 * off them, to copy them while they are written, and to write them.
 *
 * A kind is either of records of one length, which are kept as they are in the file, or of records
 * that begin with their length (`fixed`). Of these, a fixed part is followed by *pieces*, texts
 * mostly, whose lengths stand in the fixed part; struct profile has the fixed part, and a copy of
 * each piece:
 *
 *     struct zprof_zone       bytes id kind line name_bytes group_bytes file_bytes | name group file
 *     struct profile_zone     fixed: the same, up to here                          | *name *group *file
 *
 * What a row does not say is not done. A kind with a rule of its own names its function: it replaces
 * what is done for other kinds.
 */
#ifndef REPORT_RECORD_KINDS_H
#define REPORT_RECORD_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "report/core/read/profile_read.h"
#include "report/core/read/source.h"

#define RECORD_PIECES 4
#define RECORD_KEYS   2
#define RECORD_SUMS   3

struct links;
struct record_kind;

/* A section of a file. Of what it uses, `usable` bytes are there: the file may end inside it. */
struct record_section {
	const struct record_kind *kind;
	uint64_t offset, usable;
};

struct record_piece {
	size_t unit;   /* bytes; 1: of a text; 0: there is no piece */
	size_t length; /* where the fixed part has the number of units, in 32 bits */
	size_t copy;   /* where struct profile's record has the pointer */
};

/* Numbers of a record, COUNT of them, one behind the other. */
struct record_members {
	size_t first, bytes_each, count;
	bool is_signed; /* else no difference is less than 0 */
};

typedef bool record_read(struct profile *p, const struct source *from,
			 const struct record_section *s, struct str *err);
typedef bool record_link(struct links *l, const struct record_kind *k, struct str *err);
typedef void record_since(struct profile *p, const struct profile *base,
			  const struct record_kind *k, const uint32_t *to);

struct record_kind {
	/* Where struct profile has the records, and how many there are; 0: it has none. */
	size_t list, count;
	size_t bytes;  /* of one, there */
	bool in_texts; /* read even if only texts are */

	/* Reading: of records of variable length, what stands before the pieces. */
	size_t fixed;
	struct record_piece pieces[RECORD_PIECES];
	const char *too_long; /* says that pieces go beyond the end of their record */
	/* Makes any bytes of a record safe to use, or says what is wrong with them. */
	const char *(*check)(void *record);
	void (*take)(struct profile *p, const void *record); /* a record of variable length */
	record_read *read;                                   /* a section */

	/* References: a node's becomes its index, and records are sorted by ids of their own. */
	const char *of_node; /* what the records are, in messages */
	size_t node;         /* where the reference is */
	const char *with_id; /* what the records are that begin with their length and an id */
	record_link *link;

	/* Numbers: what an earlier copy's record of the same node and keys has is subtracted. */
	struct record_members keys[RECORD_KEYS], sums[RECORD_SUMS];
	bool adds_up; /* several records may be of one node and key */
	record_since *since;
	bool is_counted; /* of one recording, or one frame, there are fewer, or none */
	bool in_set;     /* they change with each event of a thread: see collect.h */
};

/* By enum zprof_section_type; rows without `bytes` and `read` are of no kind. */
extern const struct record_kind record_kinds[];
extern const uint32_t record_kind_count;

/* NULL: the section's records are of a later version, or are read elsewhere. */
const struct record_kind *record_kind_find(uint32_t section);

/* The records of P, and how many there are. */
void *record_kind_list(const struct profile *p, const struct record_kind *k);
size_t record_kind_records(const struct profile *p, const struct record_kind *k);
void record_kind_set(struct profile *p, const struct record_kind *k, size_t count);

/* Makes room for MORE records behind the list, and gives the first of them. */
void *record_kind_room(struct profile *p, const struct record_kind *k, size_t more);

/* Frees what one record owns, or all records. */
void record_kind_free_one(const struct record_kind *k, void *record);
void record_kinds_free(struct profile *p);

/* Rules of single kinds. Each is in the file that its name begins with. */
record_read profile_read_nodes, profile_read_counts, profile_read_packed;
record_link profile_links_nodes, profile_links_threads;
record_since profile_since_nodes, profile_since_none;
void profile_records_take_text(struct profile *p, const void *record);

#endif
