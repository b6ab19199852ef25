/* SPDX-License-Identifier: MIT */
/*
 * str.h - text that grows: what functions hand their error messages back in, and what lines are put
 * together in.
 *
 * Starts as `struct str s = {0};`, where s.text is NULL; str_text() gives "" for it.
 */
#ifndef REPORT_STR_H
#define REPORT_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
	char *text; /* zero-terminated once anything was added */
	size_t used;
	size_t room;
};

void str_add(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_add_list(struct str *s, const char *format, va_list list);
void str_add_bytes(struct str *s, const char *bytes, size_t n);
void str_clear(struct str *s); /* keeps the memory */
void str_free(struct str *s);
const char *str_text(const struct str *s);

/* Replaces what is in ERR by the message and gives false, so that a function can end with it. */
bool str_fail(struct str *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
