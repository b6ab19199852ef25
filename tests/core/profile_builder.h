/* SPDX-License-Identifier: MIT */
/*
 * profile_builder.h - profile files out of a few lines of text, for tests: any shape of tree, any
 *damage to come.
 *
 *	clock fake                     or: clock tsc 2000000000; clock monotonic 1000000000
 *	mode count                     exact when not given
 *	hooks 20000 10000 500 3000     what a call costs, in milliticks: callee, caller, error; and
 *	                               under `mode count`
 *	entry 9000 4500                what an entry alone costs, and the part that calls the hook; 0 when not given
 *	sampler 1 9000 0               enum zprof_sampler; ns that a sample costs; why the kernel took none (errno). No sampler when not given
 *	pid 17 1                       process and its parent
 *	run 00112233445566778899aabbccddeeff
 *	flags finished forked filtered fentry entries
 *	started 1700000000             seconds, for "the newest run"
 *	began 1                        nanoseconds since the machine was started; a moment of its own
 *	                               when not given
 *	command ./prog -x
 *	exe /bin/prog                  also: host, rank, options, note
 *	counter 3 7                    kind (enum zprof_counter) and number
 *	module 1 /lib/libx.so 0x10000 0x20000 0x10000
 *	zone scan group=words file=x.fs line=12 kind=4
 *	section 10                     at most this many nodes in a section
 *	thread 17 main 1               number, name, how many
 *	  outside 5
 *	  main 1 10                    zone, calls, self ticks; two spaces deeper than its caller
 *	    scan 3 20 open             a current node: it and its callers have not returned
 *	    @1+0x234 1 5 folded        a native zone: module and offset in it; a flag of the node:
 *	                               folded, spilled, or overflow
 *	  (table) 0 0 overflow         zone 0: the thread's overflow table
 *	counts steps                   an interpreter's counter, the first, the second ...
 *	turns frame 5                  turns of a loop of that name
 *	extra 12:5 1 0 0 7 8           of the last node: line and column it was called from, returned,
 *	                               abandoned, re-entered, and by how much the counters rose
 *	away 900 3 50 1                of the last node: ns that it waited and how often, ns that it
 *	                               was preempted and how often
 *	for 202 0x100 1 600 2          of the last node's waits: the system call's number, the address
 *	                               of a lock or 0, flags (1: a lock), ns and how many
 *	seen 10 2 5 1000000            of the last node: samples in the program, in the kernel for
 *	                               it, in hooks, and the ns that each stands for
 *	at @1+0x80 3 3000000 kernel    of these: at an address, so many, and ns; in the kernel, or
 *	                               not
 *	refused @1+0x80 0x20 part      a function that was refused, or a part of one: where, and bytes
 *	kernel @2+0x80 2 2000000       of those in the kernel: at an address of the kernel's own
 *	chain kernel 2 2000000 @3+0x80 @2+0x40
 *	                               of these: so many, and ns, with a chain of functions, the
 *	                               innermost first; in the kernel, or not. @0+0: unknown
 *	unsure 2 2000000               of these: samples, and ns, that may be a caller's
 *	unsure 0 0 2000000             the node may have so many ns of its callees
 *	via @1+0x80 0x7000             return addresses between the last node and its caller, the
 *	                               innermost first; "via cut ...": not up to the caller
 *
 * A line that begins with # is a comment. An undeclared zone is lent, without group or file. Two
 *declarations of one name make two zones; the second is called NAME#2 in the tree.
 */
#ifndef TESTS_PROFILE_BUILDER_H
#define TESTS_PROFILE_BUILDER_H

#include <stddef.h>

/* The file's bytes, free() them; NULL with a line on stderr when the text is wrong. */
void *profile_build(const char *text, size_t *bytes);

#endif
