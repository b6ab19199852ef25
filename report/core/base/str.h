/* SPDX-License-Identifier: MIT */
/*
 * str.h - text that grows. Functions return error messages in it, and lines are built in it.
 *
 * It starts as `struct str s = {0};`. s.text is NULL then, and str_text() gives "".
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

/* Replaces ERR by the message and returns false, so that a function can end with this call. */
bool str_fail(struct str *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
