/* SPDX-License-Identifier: MIT */
/*
 * stopped_call.h - a system call that was interrupted because its thread had to stand still. The
 * build chooses the file of the processor: stopped_x86_64.c, stopped_aarch64.c.
 */
#ifndef REPORT_STOPPED_CALL_H
#define REPORT_STOPPED_CALL_H

#include <sys/types.h>

/* Has the interrupted call of a stopped thread made again, unless a handler runs. */
void stopped_mend_call(pid_t id);

#endif
