/* SPDX-License-Identifier: MIT */
/* version.h - of the command; the profile file's is in preload/format.h. */
#ifndef REPORT_VERSION_H
#define REPORT_VERSION_H

#define ZPROF_RELEASE      "0.1"
#define ZPROF_RELEASE_DATE "2026-11-22" /* in manual pages */

#endif
