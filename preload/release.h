/* SPDX-License-Identifier: MIT */
/*
 * release.h - the version of the library and the command, which belong together; format.h has the
 * version of the profile.
 */
#ifndef ZPROF_RELEASE_H
#define ZPROF_RELEASE_H

#define ZPROF_RELEASE      "0.1"
#define ZPROF_RELEASE_DATE "2026-11-22" /* in manual pages */

#endif
