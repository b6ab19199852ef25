/* SPDX-License-Identifier: MIT */
/*
 * profile_records.h - sections of variable-length records: modules, zones, texts, and callers
 * without hooks between nodes.
 */
#ifndef REPORT_PROFILE_RECORDS_H
#define REPORT_PROFILE_RECORDS_H

#include "report/core/read/profile_read.h"

/*
 * Adds the records of a section of TYPE (modules, zones, text or via) to P: the N bytes at RECORDS,
 * which stand at OFFSET of the file.
 */
bool profile_records_read(struct profile *p, uint32_t type, const void *records, size_t n,
			  uint64_t offset, struct str *err);

#endif
