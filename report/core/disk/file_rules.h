/* SPDX-License-Identifier: MIT */
/*
 * file_rules.h - the one rule for all commands that write a file:
 *
 *     the output is                                   the command
 *     ---------------------------------------------   ----------------------------------
 *     absent                                          writes
 *     a stream (a device, a FIFO, stdout)             writes, unless it is a profile (replace.h)
 *     a folder                                        refuses
 *     one of the files that it reads                  refuses, even with --force
 *     a profile in which a process still counts       refuses, even with --force
 *     of the kind that the command writes             replaces it (core/base/replace.h)
 *     anything else                                   refuses; with --force it replaces it
 *
 * So a merged profile replaces a merged profile, a page a page, and nothing replaces a recorded
 * profile by mistake.
 */
#ifndef REPORT_FILE_RULES_H
#define REPORT_FILE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/core/base/str.h"
#include "report/core/disk/file_kind.h"

/* What kind of file a command writes. */
struct file_output {
	const char *what;    /* for messages: "a page" */
	enum file_kind kind; /* FILE_FOREIGN: IS_ONE decides */
	/* Whether a file is of that kind, by its first BYTES bytes. There are fewer than FILE_HEAD
	 * only if the file is shorter. */
	bool (*is_one)(const char *head, size_t bytes, const void *context);
	const void *context;
};

#define FILE_HEAD 4096

extern const struct file_output file_output_merged, file_output_copy, file_output_snapshot,
    file_output_recorded;

/* Whether a command may write PATH. INPUTS: the COUNT files that it reads. False with a message. */
bool file_may_write(const struct file_output *output, const char *path, char *const *inputs,
		    size_t count, bool force, struct str *err);

#endif
