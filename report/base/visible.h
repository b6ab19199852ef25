/* SPDX-License-Identifier: MIT */
/*
 * visible.h - text that zprof did not make, as it may be shown.
 *
 * Names of functions, threads and files, command lines, notes: whoever wrote the profile chose
 * them. What moves a terminal's cursor, turns the direction of writing or cannot be seen at all is
 * shown as what it is: `\x1b` a byte, `\u202e` a character. Whatever is printed for people goes
 * through here: cells of tables in table.c, messages in say.c, all else by visible_print().
 */
#ifndef REPORT_VISIBLE_H
#define REPORT_VISIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/base/str.h"

/* The bytes of the character of UTF-8 that TEXT begins with, and its number; 0 where it is none. */
size_t visible_character(const char *text, uint32_t *number);

/* Whether a character is a control, or one that cannot be seen. */
bool visible_is_hidden(uint32_t number);

/* Adds TEXT, shown so, to TO. */
void visible_add(struct str *to, const char *text);

/* The same, printed on stdout. */
void visible_print(const char *text);

#endif
