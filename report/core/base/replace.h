/* SPDX-License-Identifier: MIT */
/*
 * replace.h - writes a file so that its name stands for the old content or for the new content,
 * whole, at any moment: whatever ends this process, and even if the machine stops.
 *
 *     replace_begin()   a new file without a name, in the target's folder   old content, or no file
 *     (write to it)                                                         old content, or no file
 *     replace_end()     owner, mode and attributes of the old file          old content, or no file
 *                       sync; then one rename or link                       new content
 *
 * The new file has no name until it is complete (O_TMPFILE). For the rename it needs a name for a
 * moment, `.NAME.zprof-PID`. On file systems without O_TMPFILE it has this name from the beginning.
 * No command takes such a file for a profile (replace_is_hidden()).
 *
 * A symbolic link stays, and the file that it leads to is replaced. If a file has several hard
 * links, only this name is replaced. A device, a FIFO and stdout are written to directly.
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
	mode_t mode;      /* of a file that does not exist yet */
	bool exists;      /* the file to replace exists */
};

/* Begins to replace the file NAME, which must stay valid; NULL: stdout. A file that does not exist
 * yet gets MODE, less the umask. False with a message; then replace_end() must not be called. */
bool replace_begin(struct replacement *r, const char *name, mode_t mode, struct str *err);

/* From here on, the name stands for the new content; false with a message: for the old. */
bool replace_end(struct replacement *r, struct str *err);

/* Forgets the new content. */
void replace_cancel(struct replacement *r);

/* Whether NAME (without folder) is the hidden name of an incomplete file. */
bool replace_is_hidden(const char *name);

/* Whether the output is a device, a FIFO or stdout, where bytes that were written cannot be
 * replaced. */
static inline bool replace_is_stream(const struct replacement *r)
{
	return !r->path;
}

#endif
