/* SPDX-License-Identifier: MIT */
/*
 * replace.h - writes a file so that its name stands for the old content or for the new one, whole,
 * at any moment: whatever ends this process, and even if the machine stops.
 *
 *     replace_begin()   a new file without a name, in the target's folder   old content, or no file
 *     (write to it)                                                         old content, or no file
 *     replace_end()     owner, mode and attributes of the old file          old content, or no file
 *                       sync; then one rename or link                       new content
 *
 * The new file has no name until it is complete (O_TMPFILE). For the rename it is called
 * `.NAME.zprof-PID` for a moment, and, where the file system knows no files without names, from the
 * beginning. No command takes such a file for a profile (replace_is_hidden()).
 *
 * A symbolic link stays, and what it leads to is replaced. A file with several hard links is
 * replaced under this name alone. A device, a FIFO and stdout are written to as they are.
 *
 * A file that was not there at replace_begin() is never replaced: if another process makes one in
 * the meantime, replace_end() fails.
 */
#ifndef REPORT_REPLACE_H
#define REPORT_REPLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "report/core/base/str.h"

struct replacement {
	FILE *to;         /* what to write to */
	const char *name; /* as the user gave it, for messages */
	char *path;       /* of the file to replace, links followed; NULL: a stream */
	char *hidden;     /* the new file's name until it is complete; NULL: it has none */
	struct stat old;  /* of the file to replace */
	mode_t mode;      /* of a file that is not there yet */
	bool exists;      /* there is one */
};

/*
 * NAME: the file, which must stay valid; NULL: stdout. MODE: of a file that is not there yet, less
 * the umask. False with a message, and there is nothing to end.
 */
bool replace_begin(struct replacement *r, const char *name, mode_t mode, struct str *err);

/* The name stands for the new content from here on. False with a message: for the old content. */
bool replace_end(struct replacement *r, struct str *err);

/* Forgets the new content. */
void replace_cancel(struct replacement *r);

/* Whether a file of this name (without folder) is one that is being written, or was left so. */
bool replace_is_hidden(const char *name);

/* Whether it is a device, a FIFO or stdout, where nothing can be written twice. */
static inline bool replace_is_stream(const struct replacement *r)
{
	return !r->path;
}

#endif
