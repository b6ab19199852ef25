/* SPDX-License-Identifier: MIT */
/*
 * preset: a file that describes an image made by others: options of the command line without their
 * dashes, one per line, and the image's size and digest.
 *
 *	size = 13801
 *	sha256 = 6cd9d356…
 *	machine = c64
 *	next = 0009
 *	…
 */
#ifndef VM_6502_PRESET_H
#define VM_6502_PRESET_H

#include <stdbool.h>
#include <stddef.h>

struct preset {
	char name[64];
	unsigned long size; /* of the image; 0: not given */
	char sha256[65];    /* of the image; "": not given */
	char **text;        /* the texts that the options' values point into */
	int texts;
};

/* Reads a file, or a preset by its name, and passes each option to `take`. False, with a message in
 * err; if `take` returned false, the message is its own. */
bool preset_load(struct preset *p, const char *name,
		 bool (*take)(void *context, const char *option, const char *value), void *context,
		 char *err, size_t size);
void preset_free(struct preset *p);

/* Whether a file is the image. Also true if the preset has neither size nor digest, or the file
 * can't be read. */
bool preset_fits(const struct preset *p, const char *path);

/* Finds a file beside the executable, as built, or where `make install` puts it. */
void preset_beside(const char *name, char *path, size_t size);

#endif
