/* SPDX-License-Identifier: MIT */
/*
 * record_kinds.h - the kinds of records that a section holds as an array of equal structs, each of
 * which is kept as it is: what it takes to read them, to find their nodes, and to free them.
 *
 * To add a kind, add its section to preload/format.h, its list to struct profile, and a line here.
 */
#ifndef REPORT_RECORD_KINDS_H
#define REPORT_RECORD_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "report/core/read/profile_read.h"

struct record_kind {
	uint32_t section;        /* enum zprof_section_type */
	size_t list, count;      /* where struct profile has the records, and how many there are */
	size_t bytes;            /* of one */
	const char *what;        /* the records, in messages; NULL: they name no node */
	size_t node;             /* where a record has the reference that becomes an index */
	void (*mend)(void *one); /* makes any bytes safe to use; NULL: all bytes are */
	bool is_text;            /* read even if only texts are */
};

extern const struct record_kind record_kinds[];
extern const size_t record_kind_count;

/* NULL: records of another form. */
const struct record_kind *record_kind_find(uint32_t section);

/* The list of P, for the records of a kind. */
void *record_kind_list(const struct profile *p, const struct record_kind *k);
void record_kind_set(struct profile *p, const struct record_kind *k, void *list, size_t count);
size_t record_kind_records(const struct profile *p, const struct record_kind *k);

#endif
