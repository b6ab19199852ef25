/* SPDX-License-Identifier: MIT */
/*
 * source.h - where a profile's bytes come from: a file, or memory in tests and under the fuzzer.
 *
 * Bytes are copied into the reader's own memory, never mapped: a mapped file that shrinks raises
 * SIGBUS.
 */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

/* A descriptor, or memory when `bytes` is set. */
struct source {
	int fd;
	const uint8_t *bytes;
	uint64_t size;
};

/*
 * Opens the regular file at PATH, or all of stdin for `-`: only the user's own or root's, unless
 * ANYONE is set. On error there is nothing to close.
 */
bool source_open(struct source *from, const char *path, bool anyone, struct str *err);
void source_close(struct source *from);

/* Reads N bytes at OFFSET; false if the file has fewer. */
bool source_read(const struct source *from, uint64_t offset, void *to, size_t n);

#endif
