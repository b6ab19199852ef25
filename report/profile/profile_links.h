/* SPDX-License-Identifier: MIT */
/*
 * profile_links.h - the second half of reading: references between records become indices, and are
 * known to be right.
 */
#ifndef REPORT_PROFILE_LINKS_H
#define REPORT_PROFILE_LINKS_H

#include "report/profile/profile_read.h"

/*
 * Rewrites nodes' parents and threads' nodes as struct profile says, sorts modules and zones by id,
 * and refuses what contradicts itself: a parent that is no node, parents in a circle, an id given
 * twice. What was only just being written, or was cut off, is left out and added to p->damage.
 */
bool profile_links_check(struct profile *p, struct str *err);

#endif
