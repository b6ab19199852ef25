/* SPDX-License-Identifier: MIT */
/*
 * text.h - a line of text built in a fixed buffer, without stdio. Text that does not fit is cut,
 * never overrun, and `cut` is then true. The buffer always ends with a zero byte.
 */
#ifndef ZPROF_TEXT_H
#define ZPROF_TEXT_H

#include "preload/base/sys.h"

struct text {
	char *at;
	size_t room, used;
	bool cut;
};

void text_init(struct text *t, char *buffer, size_t bytes);
void text_char(struct text *t, char c);
void text_add(struct text *t, const char *s);
void text_bytes(struct text *t, const char *s, size_t n);
void text_number(struct text *t, uint64_t n);
void text_hex(struct text *t, uint64_t n);

/*
 * Writes "zprof: WHAT 'SUBJECT': TEXT OF ERROR; REMEDY\n" to stderr, in one write. A part whose
 * argument is NULL (error: 0) is left out.
 */
void text_complain(const char *what, const char *subject, int error, const char *remedy);

bool text_same(const char *a, const char *b);
/* Whether `part` stands in `s`, which may be NULL. */
bool text_holds(const char *s, const char *part);
/*
 * Reads an unsigned number, decimal or with a suffix k, m, g (1024s); false when s is anything else
 * or exceeds max.
 */
bool text_to_number(const char *s, uint64_t max, uint64_t *number);
/*
 * Reads a number in lower-case hexadecimal at *s, and moves *s behind the number; 0 if there is
 * none.
 */
uint64_t text_take_hex(char **s);

#endif
