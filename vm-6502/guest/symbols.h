/* SPDX-License-Identifier: MIT */
/*
 * symbols: names of addresses, from files that ld65 writes: VICE label files (-Ln) and debug
 * information (--dbgfile). Labels are taken, constants are not. Of several names of an address the
 * first is kept; cheap locals (@name) are kept only if there is no other name. Functions and
 * variables of C have their names in C.
 */
#ifndef VM_6502_SYMBOLS_H
#define VM_6502_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols {
	char *name[0x10000];    /* ours; NULL: none */
	bool function[0x10000]; /* a function of C begins here */
};

struct symbols *symbols_new(void);
void symbols_free(struct symbols *s);

/* Adds a file's names; the file itself shows which of the two formats it has. False with a message
 * in err. */
bool symbols_load(struct symbols *s, const char *path, char *err, size_t size);

/* The name at an address, or NULL. `s` may be NULL. */
const char *symbols_at(const struct symbols *s, uint16_t at);

/* An address from text: a symbol, or hexadecimal with or without $ or 0x. -1: neither. */
long symbols_address(const struct symbols *s, const char *text);

/* `name`, `name+3` (where a symbol lies less than 256 bytes before), or the four digits. */
const char *symbols_show(const struct symbols *s, uint16_t at, char text[64]);

#endif
