/* SPDX-License-Identifier: MIT */
/*
 * release.h - the version of the library and of the command, which is the same. The version of the
 * profile's format is in format.h.
 */
#ifndef ZPROF_RELEASE_H
#define ZPROF_RELEASE_H

#define ZPROF_RELEASE      "0.1"
#define ZPROF_RELEASE_DATE "2026-11-22" /* in manual pages */

#endif
