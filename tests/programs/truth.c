/* SPDX-License-Identifier: MIT */
/*
 * truth.c - keeps the counters of a test program and writes them out, as truth.h describes.
 *
 * Always compiled without instrumentation.
 */
#include "tests/programs/truth.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NOTES = 50000 };

/* From truth_add() and truth_may(). callee NULL: not yet filled in. */
struct note {
	const char *caller, *callee;
	unsigned long min, max;
	int may;
};

static struct truth_arc *arcs;
static struct note notes[NOTES];
static int notes_used;
static pid_t printed;

static char text[2 << 20];
static size_t text_used;

void truth_list(struct truth_arc *arc)
{
	int expected = 0;
	if (!__atomic_compare_exchange_n(&arc->listed, &expected, 1, 0, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return;
	arc->next = __atomic_load_n(&arcs, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&arcs, &arc->next, arc, 0, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

static void note(struct note n)
{
	int i = __atomic_fetch_add(&notes_used, 1, __ATOMIC_RELAXED);
	if (i >= NOTES)
		abort();
	notes[i] = n;
}

void truth_add(const char *caller, const char *callee, unsigned long min, unsigned long max)
{
	note((struct note){caller, callee, min, max, 0});
}

void truth_may(const char *caller, const char *callee)
{
	note((struct note){caller, callee, 0, 0, 1});
}

void truth_reset(void)
{
	for (struct truth_arc *a = arcs; a; a = a->next)
		a->calls = 0;
	notes_used = 0;
}

static void flush(int fd)
{
	size_t done = 0;
	while (done < text_used) {
		ssize_t n = write(fd, text + done, text_used - done);
		if (n < 0 && errno != EINTR)
			abort();
		done += n > 0 ? (size_t)n : 0;
	}
	text_used = 0;
}

static void put(int fd, const char *s)
{
	size_t n = strlen(s);
	if (text_used + n > sizeof text)
		flush(fd);
	memcpy(text + text_used, s, n);
	text_used += n;
}

static void put_number(int fd, unsigned long n)
{
	char digits[24], *p = digits + sizeof digits - 1;
	*p = 0;
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	put(fd, "\t");
	put(fd, p);
}

static void put_line(int fd, const struct note *n)
{
	put(fd, n->may ? "may\t" : n->caller ? "calls\t" : "total\t");
	if (n->caller) {
		put(fd, n->caller);
		put(fd, "\t");
	}
	put(fd, n->callee);
	if (!n->may)
		put_number(fd, n->min);
	if (n->max != n->min)
		put_number(fd, n->max);
	put(fd, "\n");
}

static int open_truth(pid_t pid)
{
	const char *folder = getenv("TRUTH");
	if (!folder)
		return STDOUT_FILENO;
	for (int generation = 1;; generation++) {
		char path[PATH_MAX], suffix[16] = "";
		if (generation > 1)
			snprintf(suffix, sizeof suffix, ".%d", generation);
		snprintf(path, sizeof path, "%s/truth.%d%s", folder, (int)pid, suffix);
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			abort();
	}
}

void truth_print_as(pid_t pid)
{
	int fd = open_truth(pid);
	for (struct truth_arc *a = __atomic_load_n(&arcs, __ATOMIC_ACQUIRE); a; a = a->next) {
		struct note n = {a->caller, a->callee, a->calls, a->calls, 0};
		if (a->calls)
			put_line(fd, &n);
	}
	for (int i = 0; i < notes_used; i++)
		put_line(fd, &notes[i]);
	flush(fd);
	if (fd != STDOUT_FILENO)
		close(fd);
}

void truth_print(void)
{
	if (printed == getpid())
		return;
	printed = getpid();
	truth_print_as(printed);
}

/* After the program's own destructors, which may be instrumented. */
__attribute__((destructor(101))) static void print_at_exit(void)
{
	truth_print();
}
