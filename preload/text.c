/* SPDX-License-Identifier: MIT */
/* text.c - see text.h. */
#include "preload/text.h"

void text_init(struct text *t, char *buffer, size_t bytes)
{
	t->at = buffer;
	t->room = bytes;
	t->used = 0;
	t->cut = false;
	buffer[0] = 0;
}

void text_bytes(struct text *t, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (t->used + 1 >= t->room) {
			t->cut = true;
			return;
		}
		t->at[t->used++] = s[i];
		t->at[t->used] = 0;
	}
}

void text_char(struct text *t, char c)
{
	text_bytes(t, &c, 1);
}

void text_add(struct text *t, const char *s)
{
	text_bytes(t, s, strlen(s));
}

static void digits(struct text *t, uint64_t n, unsigned base)
{
	char buffer[24];
	int i = sizeof(buffer);

	do {
		buffer[--i] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	text_bytes(t, buffer + i, sizeof(buffer) - i);
}

void text_number(struct text *t, uint64_t n)
{
	digits(t, n, 10);
}

void text_hex(struct text *t, uint64_t n)
{
	digits(t, n, 16);
}

#define COMPLAINT_BYTES 8192 /* not on the stack, which may be a signal's */

void text_complain(const char *what, const char *subject, int error, const char *remedy)
{
	char *buffer = sys_memory(COMPLAINT_BYTES);
	struct text line;

	if (!buffer)
		return;
	text_init(&line, buffer, COMPLAINT_BYTES - 1);
	text_add(&line, "zprof: ");
	text_add(&line, what);
	if (subject) {
		text_add(&line, " '");
		text_add(&line, subject);
		text_char(&line, '\'');
	}
	if (error) {
		const char *reason = sys_error_text(error);

		text_add(&line, ": ");
		if (reason) {
			text_add(&line, reason);
		} else {
			text_add(&line, "error ");
			text_number(&line, (uint64_t)error);
		}
	}
	if (remedy) {
		text_add(&line, "; ");
		text_add(&line, remedy);
	}
	buffer[line.used++] = '\n';
	sys3(SYS_write, 2, buffer, line.used);
	sys_memory_free(buffer, COMPLAINT_BYTES);
}

bool text_same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

bool text_to_number(const char *s, uint64_t max, uint64_t *number)
{
	uint64_t n = 0, unit = 1;
	const char *start = s;

	for (; *s >= '0' && *s <= '9'; s++) {
		if (n > (UINT64_MAX - 9) / 10)
			return false;
		n = n * 10 + (uint64_t)(*s - '0');
	}
	if (s == start)
		return false;
	if (*s == 'k' || *s == 'K')
		unit = 1u << 10, s++;
	else if (*s == 'm' || *s == 'M')
		unit = 1u << 20, s++;
	else if (*s == 'g' || *s == 'G')
		unit = 1u << 30, s++;
	if (*s || n > max / unit)
		return false;
	*number = n * unit;
	return true;
}
