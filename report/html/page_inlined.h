/* SPDX-License-Identifier: MIT */
/*
 * page_inlined.h - functions that were inlined into the functions of the page, and so have no hooks
 * and no rows of their own.
 *
 * Their names come from the debug information. Samples are charged to contexts, so how long an
 * inlined function took is known only where the profile also says at which instruction a sample was
 * taken (callsites=1). All other inlined functions have a name and no number.
 */
#ifndef REPORT_PAGE_INLINED_H
#define REPORT_PAGE_INLINED_H

#include "report/html/page_times.h"

/* Writes `,"inlined":[HOST,NAME,PLACES,SELF,BAR,TOTAL,BAR,...],"inlined_more":[HOST,COUNT,...]`: those
 * of the functions that need a source. PLACES is 0 where unknown; the times are -1 where unknown. */
void page_inlined(const struct page *p);

#endif
