/* SPDX-License-Identifier: MIT */
/*
 * nested.h - hook events that find their thread's track busy: the first of a thread, those of signal handlers that interrupted a hook,
 * and the first after a hook that a jump out of a handler has abandoned.
 */
#ifndef ZPROF_NESTED_H
#define ZPROF_NESTED_H

#include "preload/frame.h"

void nested_enter(const struct event *e);
void nested_exit(const struct event *e);

#endif
