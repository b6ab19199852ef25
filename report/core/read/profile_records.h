/* SPDX-License-Identifier: MIT */
/*
 * profile_records.h - sections of records of variable length: modules, zones, texts, and others
 * that record_kinds.h describes.
 */
#ifndef REPORT_PROFILE_RECORDS_H
#define REPORT_PROFILE_RECORDS_H

#include "report/core/read/record_kinds.h"

/* Adds records of a kind to P: the N bytes at RECORDS, which stand at OFFSET of the file. */
bool profile_records_read(struct profile *p, const struct record_kind *k, const void *records,
			  size_t n, uint64_t offset, struct str *err);

#endif
