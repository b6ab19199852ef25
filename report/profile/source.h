/* SPDX-License-Identifier: MIT */
/*
 * source.h - where a profile's bytes come from: a file, or memory in tests and under the fuzzer.
 *
 * Bytes are read into memory of the reader's own, never mapped: a file that shrinks under a mapping
 * is a SIGBUS.
 */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/str.h"

/* A descriptor, or memory when `bytes` is set. */
struct source {
	int fd;
	const uint8_t *bytes;
	uint64_t size;
};

/* The regular file at PATH, ANYONE's or the user's and root's alone; on error there is nothing to
 * close. */
bool source_open(struct source *from, const char *path, bool anyone, struct str *err);
void source_close(struct source *from);

/* N bytes at OFFSET; false when not all of them are there. */
bool source_read(const struct source *from, uint64_t offset, void *to, size_t n);

#endif
