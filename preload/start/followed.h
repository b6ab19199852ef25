/* SPDX-License-Identifier: MIT */
/*
 * followed.h - a program that exec has begun in a run of `zprof record --any`. The plans that the run began
 * with are those of its first program. Zprof is asked for the others before anything is recorded
 * (displace/ask.h).
 *
 *     zprof record --any sh -c 'exec perl x.pl'
 *         sh      its plans were made before it began
 *         perl    as the library begins in it, perl and its libraries are not in the folder of the run: asked
 *
 * The program begins later by that: some milliseconds if the plans are kept, else what it takes to make them.
 * A process that no library of ours is loaded into is not seen: a static program, a setuid one, one whose
 * environment was emptied.
 */
#ifndef ZPROF_FOLLOWED_H
#define ZPROF_FOLLOWED_H

/* Asks for plans of the files that the process has begun with and that the folder of the run does not know. */
void followed_ask(const char *folder);

#endif
