/* SPDX-License-Identifier: MIT */
/*
 * binary.h - a program's or a library's file, laid out as the dynamic linker would, and the calls
 * of hooks in it. The search is the library's own (preload/sites/scan.h).
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

/* It starts as zeros except for its path. False with a message; binary_close() is due even then. */
bool binary_open(struct binary *b, struct str *err);
void binary_close(struct binary *b);

/* False: no hook of a shared library is called. */
bool binary_find_sites(struct binary *b, struct scan_hooks *hooks);

/* The byte of the file that is at an address of the image; NULL: none is. */
unsigned char *binary_byte(const struct binary *b, uint64_t address);

#endif
