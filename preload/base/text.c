/* SPDX-License-Identifier: MIT */
/* text.c - see text.h. */
#include "preload/base/text.h"

#include "preload/base/sys.h"

#include <signal.h>
#include <sys/uio.h>
#include <time.h>

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

/* ---- messages on stderr */

/*
 * A message may bring the program a signal that the program would not have had without it: stderr
 * is a pipe without a reader, a file at the limit of its size, or a terminal that another job has
 * now. So these three signals are blocked during the write, and a signal that the write raised is
 * removed.
 */
#define BIT(signal) ((uint64_t)1 << ((signal)-1))
#define OF_WRITING  (BIT(SIGPIPE) | BIT(SIGXFSZ) | BIT(SIGTTOU))

static void write_quietly(const struct iovec *parts, int n)
{
	static const struct timespec at_once;
	uint64_t blocked = OF_WRITING, before = 0, pending = 0, ours;

	sys4(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, &before, 8);
	sys2(SYS_rt_sigpending, &pending, 8);
	ours = OF_WRITING & ~pending;
	if (SYS_FAILED(sys3(SYS_writev, 2, parts, n)))
		while (!SYS_FAILED(sys4(SYS_rt_sigtimedwait, &ours, NULL, &at_once, 8)))
			;
	sys4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, 8);
}

#define PARTS 12

struct line {
	struct iovec parts[PARTS];
	int n;
};

static void add_part(struct line *line, const char *s)
{
	line->parts[line->n].iov_base = (char *)s;
	line->parts[line->n++].iov_len = strlen(s);
}

/* The message is written in parts, without copying, because it may say that there is no memory. */
void text_complain(const char *what, const char *subject, int error, const char *remedy)
{
	struct line line = {.n = 0};
	char number[32];
	struct text t;

	add_part(&line, "zprof: ");
	add_part(&line, what);
	if (subject) {
		add_part(&line, " '");
		add_part(&line, subject);
		add_part(&line, "'");
	}
	if (error) {
		const char *reason = sys_error_text(error);

		text_init(&t, number, sizeof(number));
		text_add(&t, "error ");
		text_number(&t, (uint64_t)error);
		add_part(&line, ": ");
		add_part(&line, reason ? reason : number);
	}
	if (remedy) {
		add_part(&line, "; ");
		add_part(&line, remedy);
	}
	add_part(&line, "\n");
	if (!sys_forbidden)
		write_quietly(line.parts, line.n);
}

bool text_holds(const char *s, const char *part)
{
	size_t i;

	for (; s && *s; s++) {
		for (i = 0; part[i] && s[i] == part[i]; i++)
			;
		if (!part[i])
			return true;
	}
	return false;
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

uint64_t text_take_hex(char **s)
{
	uint64_t n = 0;

	for (;; (*s)++) {
		char c = **s;

		if (c >= '0' && c <= '9')
			n = n << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			n = n << 4 | (uint64_t)(c - 'a' + 10);
		else
			return n;
	}
}
