/* SPDX-License-Identifier: MIT */
/*
 * maps.h - the lines of /proc/self/maps, which name every mapping of this process, see proc(5):
 *
 *     7f5a1c000000-7f5a1c021000 r-xp 00001000 08:01 1234    /usr/lib/libc.so.6
 *     start        end          |||  offset                 path, or [stack], or nothing
 *
 * The lines come in order of addresses. They tell module.h which modules are loaded, and
 * preload/stacks/bounds.h which mapping a stack lies in. The text that sys_read_file() has read is
 * cut into lines in place, so nothing is allocated for a path.
 */
#ifndef ZPROF_MAPS_H
#define ZPROF_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct mapping {
	uintptr_t start, end; /* [start, end) */
	uintptr_t offset;     /* in the file */
	bool readable, executable;
	const char *path; /* in the text; "" for none */
};

/*
 * Reads the line at *text, ends it with a zero byte and moves *text past it. False at the end of
 * the text, or on a line that is not of this form.
 */
bool maps_next(char **text, struct mapping *m);

#endif
