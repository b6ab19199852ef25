/* SPDX-License-Identifier: MIT */
/*
 * forth-profiler: operations by which the Forth's bucket profiler (forth/profiler.fth) lets the
 * host count for it. Their numbers are among those that forth-machine.h leaves to a profiler.
 * Without a profiler they give ior -21, and the guest hooks its own NEXT. The Makefile gives these
 * constants to the Forth too.
 *
 *	FORTH_PROFILE_START   ADDR = the guest's tables. Each NEXT is counted from now on: the first
 *	                      with no cycles, the others with the cycles since the NEXT before.
 *	FORTH_PROFILE_STOP    no NEXT is counted any more
 *	FORTH_PROFILE_STAMP   the counters and the next stamp are brought into the tables
 *
 * The guest's tables, by offset. Of nine slots 0 is "(etc)"; a slot not used has start and end
 * ffff. Counters and addresses are split by byte: nine lowest bytes, nine second ones, and so on.
 *
 *	0    byte   the current bucket
 *	1    byte   how many stamps have been taken
 *	2    4 x 9  NEXT counts
 *	38   4 x 9  ticks
 *	74   4 x 4  time stamps, 32 bits each
 *	90   4 x 4  count stamps
 *	106  2 x 9  starts; that of slot 0 is the end of the core
 *	124  2 x 9  ends
 *	142  9 x 2  headers of the buckets, or 0
 *	160  2      the metric, or 0; its header is in its second cell
 */
#ifndef VM_6502_FORTH_PROFILER_H
#define VM_6502_FORTH_PROFILER_H

#define FORTH_PROFILE_START 0x80
#define FORTH_PROFILE_STOP  0x81
#define FORTH_PROFILE_STAMP 0x82

#endif
