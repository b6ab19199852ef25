/* SPDX-License-Identifier: MIT */
/*
 * bare.h - has an adapter (preload/adapters/) call the interpreter's functions without their hooks.
 *
 * An adapter asks the interpreter at each event: which thread, which frame, which code. Where the
 * interpreter's own functions are recorded by displaced entries (displace/displace.h), such calls would be
 * counted as the program's, and each would take the slow way, since their caller is no function of the
 * program. So the addresses that the dynamic linker has stored for the adapter's calls are replaced:
 *
 *     the adapter's slot of f:    f: jmp trampoline     trampoline: the hook
 *               |                                                   f's moved instructions; jmp back
 *               +---------------------------------------------------^
 *
 * What f itself calls is recorded as ever. An adapter that needs the address of a function itself, to
 * tell it from others, asks dlsym().
 */
#ifndef ZPROF_BARE_H
#define ZPROF_BARE_H

/*
 * Names an adapter, by its handle of dlopen(), and replaces its slots that lead to functions which are
 * displaced now. Where nothing can be stored, the slots stay as they are.
 */
void bare_of(void *handle);

/* Does the same once more for all adapters that were named: entries have been displaced since. */
void bare_calls(void);

#endif
