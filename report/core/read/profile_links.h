/* SPDX-License-Identifier: MIT */
/*
 * profile_links.h - the second half of reading: checks the references between records and turns
 * them into indices.
 */
#ifndef REPORT_PROFILE_LINKS_H
#define REPORT_PROFILE_LINKS_H

#include "report/core/read/profile_read.h"

/*
 * Rewrites nodes' parents and threads' nodes as struct profile says, and sorts modules and zones by
 * id. Refuses contradictions: a parent that is not a node, a cycle of parents, an id used twice.
 * Leaves out records that are half written or cut off, and mentions them in p->damage.
 */
bool profile_links_check(struct profile *p, struct str *err);

#endif
