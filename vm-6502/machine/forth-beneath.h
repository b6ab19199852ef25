/* SPDX-License-Identifier: MIT */
/*
 * forth-beneath: opens a file by a name that must not lead out of a folder, neither by `..` nor by
 * a symbolic link nor in a race.
 *
 * The kernel does that (openat2, since Linux 5.6). Where the call is not available, under valgrind
 * or in a sandbox, the name is walked here, part by part.
 */
#ifndef VM_6502_FORTH_BENEATH_H
#define VM_6502_FORTH_BENEATH_H

/* folder: a descriptor; flags: as open(2) has them. A descriptor, or -1 and errno, which is EXDEV
 * for a name that leads out. */
int beneath_open(int folder, const char *name, int flags);

/* Opens the folder that a name's last part is in; `last` becomes that part, and is a name of
 * something in that folder. A descriptor for unlinkat(2) and the like, or -1 and errno. */
int beneath_parent(int folder, const char *name, const char **last);

#endif
