/* SPDX-License-Identifier: MIT */
/*
 * path.h - a profile's name, and how its file is created.
 *
 * The option output= is a pattern: `%p` is the process, `%e` the program, `%h` the host, `%r` the
 * rank in a parallel job, `%%` a percent sign. The path is made absolute once, so that it stays
 * right when the program changes its folder. If a file of that name is there, `.2`, `.3` ... is
 * appended: no file is ever overwritten, and no symlink is followed.
 *
 * At first the file lies in its folder without a name (O_TMPFILE). The file gets its name by a link
 * when there is a profile in it, so a process that is killed before leaves nothing behind:
 *
 *     path_make()    "/home/me/zprof.out.1234"
 *     path_create()  a file without a name, or with one if the file system needs it
 *     path_link()    the name, or the next that is free
 */
#ifndef ZPROF_PATH_H
#define ZPROF_PATH_H

#include "preload/profile/file.h"

/*
 * Makes the path of the pattern. A pattern without a folder means the folder of `parents`, the file
 * of the process that this one was forked from; NULL: the folder that the program is in now. So a
 * child that has gone elsewhere (a daemon, in /) leaves its profile beside its parent's. False
 * after a message on stderr.
 */
bool path_make(struct file *file, const char *pattern, const struct file *parents);

/*
 * Creates the file, and returns its descriptor or -errno. If the file has no name yet, notes the
 * descriptor.
 */
long path_create(struct file *file);

/* Gives the file its name, if it has none yet, and closes its descriptor. Returns 0 or -errno. */
long path_link(struct file *file);

#endif
