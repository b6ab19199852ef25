/* SPDX-License-Identifier: MIT */
/*
 * visible.h - makes text from profiles safe to show.
 *
 * Names of functions, threads and files, command lines and notes come from the author of the
 * profile. Characters that move a terminal's cursor, change the direction of writing or are
 * invisible are shown by number: a byte as `\x1b`, a character as `\u202e`. All text printed for
 * people goes through here: table cells in table.c, messages in say.c, the rest by visible_print().
 */
#ifndef REPORT_VISIBLE_H
#define REPORT_VISIBLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/core/base/str.h"

/* The length in bytes of the UTF-8 character at TEXT, and its number; 0 if it is not UTF-8. */
size_t visible_character(const char *text, uint32_t *number);

/* Whether a character is a control character or invisible. */
bool visible_is_hidden(uint32_t number);

/* Adds TEXT to TO, made safe. */
void visible_add(struct str *to, const char *text);

/* Prints TEXT, made safe. */
void visible_print(FILE *to, const char *text);

#endif
