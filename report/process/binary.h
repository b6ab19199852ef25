/* SPDX-License-Identifier: MIT */
/*
 * binary.h - the file of a program or library, laid out in memory as the dynamic linker would, and
 * the calls of hooks in it. The library's own search finds them (preload/sites/scan.h).
 */
#ifndef REPORT_BINARY_H
#define REPORT_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "preload/sites/scan.h"
#include "report/core/base/str.h"

struct binary {
	const char *path;
	struct stat st;
	unsigned char *bytes; /* of the file */
	size_t length;
	/* The file, laid out as in a process. */
	unsigned char *memory;
	size_t span;
	uint64_t lowest;
	struct scan_image image;
	/* Calls of hooks that were found. */
	struct zprof_site *sites;
	size_t count, room, off;
};

/* B starts as zeros except for its path. False with a message; call binary_close() even then. */
bool binary_open(struct binary *b, struct str *err);
void binary_close(struct binary *b);

/* False: the file calls no hook of a shared library. */
bool binary_find_sites(struct binary *b, struct scan_hooks *hooks);

/* The byte of the file that is loaded at ADDRESS of the image; NULL: there is none. */
unsigned char *binary_byte(const struct binary *b, uint64_t address);

#endif
