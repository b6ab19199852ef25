/* SPDX-License-Identifier: MIT */
/*
 * wake.c - calls of hooks that come before the library can work.
 *
 * At the start of a program the dynamic linker relocates the libraries and the program, one after
 * the other, then fills the first thread's storage with its initial values, then runs the
 * constructors. While it relocates it calls the resolvers of IFUNCs (gcc(1),
 * __attribute__((ifunc))), and these resolvers may be instrumented. At that time
 *
 *   - the library may not be relocated: pointers in its data are not valid yet;
 *   - the thread's storage is there, but it is all zeros, and values stored in it are overwritten.
 *
 * So such a call cannot be recorded, but is counted. Once the thread's storage has its values,
 * hooks work, even before the library's own constructors and libc's.
 *
 * At such a time this file may use only code, and data without pointers.
 */
#include "preload/track/track.h"
#include "preload/process/request.h"
#include "preload/process/upward.h"
#include "preload/hooks/hooks.h"

uint64_t hooks_missed;

UPWARD_PLACE(awake, void, (void));

static bool is_relocated(void)
{
	static uint64_t *const volatile pointer = &hooks_missed;

	/*
	 * The compare must not be optimized away: one address is loaded, the other is computed from
	 * the instruction.
	 */
	return pointer == cpu_unknown(&hooks_missed);
}

/* The offset of the storage from the thread pointer is a relocation too, of a later kind. */
static bool has_thread_storage(void)
{
	return (uintptr_t)&track_self != (uintptr_t)__builtin_thread_pointer() && track_self.busy;
}

bool hooks_wake(bool entered)
{
	if (!is_relocated() || !has_thread_storage()) {
		__atomic_fetch_add(&hooks_missed, entered, __ATOMIC_RELAXED);
		return false;
	}
	if (request_begins())
		process_off = false;
	upward_awake();
	return true;
}
