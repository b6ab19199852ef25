/* SPDX-License-Identifier: MIT */
/* options-inside: what the files that read the command line share: options.c goes through it,
 * options-take.c has a case for each option, options-other.c checks those that describe another
 * Forth. */
#ifndef VM_6502_OPTIONS_INSIDE_H
#define VM_6502_OPTIONS_INSIDE_H

#include <getopt.h>

#include "vm-6502/command/options.h"

/* Options that describe another Forth. */
enum options_other {
	OTHER_NEXT,
	OTHER_IP,
	OTHER_W,
	OTHER_RP,
	OTHER_DOCOL,
	OTHER_DODOES,
	OTHER_EXIT,
	OTHER_CORE_END,
	OTHER_PATCHED,
	OTHER_STAMP,
	OTHERS
};

/* Values that are collected while the command line is read, and checked at its end. */
struct options_reading {
	struct options *o;
	const char *load, *start, *putc, *getc, *stop;
	const char *other[OTHERS]; /* values that describe another Forth; NULL: not given */
	const char *cpu, *machine;
	const char *debug; /* the last file of symbols that has lines; if none has, the first */
	const char **include;
	int includes;
	struct machine_arg *arg;
	int args;
	char err[512];
};

extern const struct option options_table[];

/* Keeps a message with `text` in it, and returns false. */
bool options_wrong(struct options_reading *r, const char *format, const char *text);

/* Handles one option. False: it is wrong; or, without a message, the command has nothing more to do
 * (--help). */
bool options_take(struct options_reading *r, int option, const char *value);

/* A file, text or word for the guest. */
void options_add_arg(struct options_reading *r, int kind, const char *text);

/* An address or a symbol; NULL gives -1. */
bool options_address(struct options_reading *r, const char *text, long *address);

/* Called when all options are read: checks and sets another Forth, if options describe one. */
bool options_other(struct options_reading *r);

/* Debug information begins with its version; a list of labels doesn't. */
bool options_is_debug(const char *path);

#endif
