/* SPDX-License-Identifier: MIT */
/*
 * record_kinds.h - what record_kinds.def says of each kind of record: how records are read, checked,
 * freed, subtracted, copied while they are written, and written.
 *
 * All records of a kind have one length, and memory has them as they are in the file; or they differ
 * in length, and each begins with its length. A record of the second sort is a *fixed* part and
 * *pieces* behind it, mostly texts, whose lengths stand in the fixed part. For it, struct profile
 * has a struct with the fixed part and a copy of each piece:
 *
 *     struct zprof_zone       bytes id kind line name_bytes group_bytes file_bytes | name group file
 *     struct profile_zone     fixed: the same, up to here                          | *name *group *file
 *
 * To add a kind, add its section to preload/format.h, and a row to record_kinds.def. A kind with a
 * rule of its own has it in the file that follows the rule: nodes, counters and packed sections are
 * read in profile_read.c, nodes and threads are linked in profile_links.c, and nodes are subtracted
 * in profile_since.c.
 */
#ifndef REPORT_RECORD_KINDS_H
#define REPORT_RECORD_KINDS_H

#include "report/core/read/profile_read.h"

#define RECORD_PIECES 4
#define RECORD_SUMS   3

struct record_piece {
	size_t unit;   /* bytes; 0: there is no piece */
	size_t length; /* where the fixed part has the number of units, in 32 bits */
	size_t copy;   /* where struct profile's record has the pointer */
	bool is_text;
};

/* Members of a record, one behind the other. */
struct record_members {
	size_t first, bytes_each, count;
	bool is_signed; /* else no difference is less than 0 */
};

struct record_kind {
	uint32_t section;   /* enum zprof_section_type */
	size_t list, count; /* where struct profile has the records, and how many there are */
	size_t bytes;       /* of one, there */

	/* Reading: of records of variable length, what stands before the pieces. */
	size_t fixed;
	struct record_piece pieces[RECORD_PIECES];
	const char *too_long;               /* says that pieces go beyond the end of their record */
	struct record_members reals;        /* floating point; what is not finite becomes 0 */
	const char *(*check)(void *record); /* makes any bytes safe to use, or says what is wrong */
	bool in_texts;                      /* read even if only texts are */

	/* References: a node's becomes its index, and records are sorted by ids of their own. */
	const char *of_node; /* what the records are, in messages */
	size_t node;         /* where the reference is */
	const char *with_id; /* the same, for records that begin with their length and an id */

	/* Subtracting an earlier copy of the profile: its record of the same node and key is taken off. */
	struct record_members key, sums[RECORD_SUMS];
	bool adds_up;    /* several records may be of one node and key */
	bool whole_only; /* the kind is left out */

	bool is_counted; /* a profile of one recording or frame alone has fewer of them, or none */
	bool in_set;     /* the records change with each event of a thread: see collect.h */
};

extern const struct record_kind record_kinds[];
extern const size_t record_kind_count;

/* The kind of a section's records. NULL: a later version has it, or another file reads it. */
const struct record_kind *record_kind_find(uint32_t section);

/* The records of P, and how many there are. */
void *record_kind_list(const struct profile *p, const struct record_kind *k);
size_t record_kind_records(const struct profile *p, const struct record_kind *k);
void record_kind_set(struct profile *p, const struct record_kind *k, size_t count);

/* Makes room for MORE records behind the list, and gives the first of them. */
void *record_kind_room(struct profile *p, const struct record_kind *k, size_t more);

/* Leaves the records for which KEEP gives true, in their order, and frees the others. */
typedef bool record_keep(void *context, const struct record_kind *k, void *record);
void record_kind_filter(struct profile *p, const struct record_kind *k, record_keep *keep,
			void *context);

/* The index of a record's node, or its reference; 0 if it names none. */
uint32_t record_node(const struct record_kind *k, const void *record);

/* Makes any bytes of a record safe to use; else returns what is wrong with it. */
const char *record_check(const struct record_kind *k, void *record);

/* Bytes of a piece, whose length stands in FIXED. */
uint64_t record_piece_bytes(const struct record_piece *piece, const void *fixed);

/* Adds records that differ in length: the N bytes at ALL, which stand at OFFSET of the file. */
bool record_kind_add(struct profile *p, const struct record_kind *k, const char *all, size_t n,
		     uint64_t offset, struct str *err);

/* Frees all records. */
void record_kinds_free(struct profile *p);

#endif
