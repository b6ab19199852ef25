/* SPDX-License-Identifier: MIT */
/*
 * upward.h - calls that lead from a low room to a high one.
 *
 * A hook event may have to begin a recording while it is in a low room, and to begin one takes all
 * rooms. So a low room has a place for a function, and the file that defines the function fills the
 * place:
 *
 *     low room     UPWARD_PLACE(begin, struct process *, (struct process *));
 *                  ... upward_begin(from) ...
 *     high room    UPWARD_FILL(begin, begin);
 *
 * A place is a weak pointer, so the linker takes the pointer that the high room defines instead.
 * The pointer is set as soon as the library is relocated, before any of its code has run. (The
 * pointer is not const: the compiler would then use the weak pointer's value, NULL.)
 *
 * Each place is listed with the files at its two ends in tests/house/layers.known.
 */
#ifndef ZPROF_UPWARD_H
#define ZPROF_UPWARD_H

#include <stddef.h>

#define UPWARD_HIDDEN __attribute__((visibility("hidden")))

#define UPWARD_PLACE(name, type, parameters)                                                       \
	extern type(*upward_##name) parameters UPWARD_HIDDEN;                                      \
	__attribute__((weak)) type(*upward_##name) parameters = NULL

#define UPWARD_FILL(name, function)                                                                \
	extern __typeof__(&(function)) upward_##name UPWARD_HIDDEN;                                \
	__typeof__(&(function)) upward_##name = (function)

#endif
