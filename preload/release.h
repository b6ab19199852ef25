/* SPDX-License-Identifier: MIT */
/* release.h - of the library and the command, which belong together; that of the profile is in format.h. */
#ifndef ZPROF_RELEASE_H
#define ZPROF_RELEASE_H

#define ZPROF_RELEASE      "0.1"
#define ZPROF_RELEASE_DATE "2026-11-22" /* in manual pages */

#endif
