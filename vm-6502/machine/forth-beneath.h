/* SPDX-License-Identifier: MIT */
/*
 * forth-beneath: opens a file by a name that must not lead out of a folder: not by `..`, not by a
 * symbolic link, and not if another process renames folders meanwhile.
 *
 * The kernel can do that (openat2, since Linux 5.6). If the call is not available, under valgrind
 * or in a sandbox, the name is followed here, part by part.
 */
#ifndef VM_6502_FORTH_BENEATH_H
#define VM_6502_FORTH_BENEATH_H

/* folder: a descriptor; flags: as for open(2). Returns a descriptor, or -1 and errno, which is
 * EXDEV for a name that leads out. */
int beneath_open(int folder, const char *name, int flags);

/* Opens the folder that a name's last part is in. *last becomes that part, a name in this folder.
 * Returns a descriptor for unlinkat(2) and the like, or -1 and errno. */
int beneath_parent(int folder, const char *name, const char **last);

#endif
