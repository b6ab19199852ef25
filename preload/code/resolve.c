/* SPDX-License-Identifier: MIT */
/* resolve.c - see resolve.h. */
#include "preload/code/resolve.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/code/module.h"
#include "preload/code/spawn.h"

#include <linux/memfd.h>

#define LINE_BYTES (4352 + 160)

static long memory_file(void)
{
	return sys2(SYS_memfd_create, "zprof", MFD_CLOEXEC);
}

/* "id start end bias build-id path", one line a module from `first` on: what `zprof resolve` reads.
 */
static void list_modules(struct process *p, int fd, uint32_t first, uint32_t end)
{
	char *line = sys_memory(LINE_BYTES);
	uint32_t i, j;

	if (!line)
		return;
	for (i = first; i < end; i++) {
		const struct module *m = &p->modules->table[i];
		struct text t;

		if (!m->record || m->unloaded)
			continue;
		text_init(&t, line, LINE_BYTES);
		text_number(&t, m->id);
		text_char(&t, ' ');
		text_hex(&t, m->start);
		text_char(&t, ' ');
		text_hex(&t, m->end);
		text_char(&t, ' ');
		text_hex(&t, m->bias);
		text_char(&t, ' ');
		for (j = 0; j < m->record->build_id_bytes; j++) {
			text_char(&t, "0123456789abcdef"[m->record->build_id[j] >> 4]);
			text_char(&t, "0123456789abcdef"[m->record->build_id[j] & 15]);
		}
		if (!m->record->build_id_bytes)
			text_char(&t, '-');
		text_char(&t, ' ');
		text_bytes(&t, m->record->path, m->record->path_bytes);
		text_char(&t, '\n');
		sys3(SYS_write, fd, line, t.used);
	}
	sys_memory_free(line, LINE_BYTES);
	sys3(SYS_lseek, fd, 0, 0);
}

/* ---- the answer: "id start end" in hexadecimal, sorted */

static uint64_t hex(const char **s)
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

static uint32_t count_lines(const char *s)
{
	uint32_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

/* Inserts in order: answers come sorted, so this rarely moves anything. */
static void insert(struct range *all, uint32_t *count, struct range r)
{
	uint32_t i = (*count)++;

	for (; i > 0 && all[i - 1].start > r.start; i--)
		all[i] = all[i - 1];
	all[i] = r;
}

static bool take_answer(struct ranges *to, const char *s)
{
	uint32_t count = 0, i;
	struct range *ranges = sys_memory((to->count + count_lines(s) + 1) * sizeof(*ranges));

	if (!ranges)
		return false;
	for (i = 0; i < to->count; i++)
		insert(ranges, &count, to->all[i]);
	while (*s) {
		struct range r;

		while (*s && *s != ' ')
			s++;
		if (*s)
			s++;
		r.start = hex(&s);
		if (*s == ' ')
			s++;
		r.end = hex(&s);
		if (r.end > r.start)
			insert(ranges, &count, r);
		while (*s && *s != '\n')
			s++;
		if (*s)
			s++;
	}
	/* Readers take count, then all: the longer table is there before its count is. */
	__atomic_store_n(&to->all, ranges, __ATOMIC_RELEASE);
	__atomic_store_n(&to->count, count, __ATOMIC_RELEASE);
	return true;
}

static bool read_answer(struct ranges *to, int fd)
{
	long bytes = sys3(SYS_lseek, fd, 0, 2), got = 0;
	char *text;
	bool good;

	if (bytes < 0 || !(text = sys_memory((size_t)bytes + 1)))
		return false;
	while (got < bytes) {
		long n = sys4(SYS_pread64, fd, text + got, bytes - got, got);

		if (n <= 0)
			break;
		got += n;
	}
	good = got == bytes && take_answer(to, text);
	sys_memory_free(text, (size_t)bytes + 1);
	return good;
}

/* ---- asking */

/* Patterns are separated by spaces; they are cut apart in a copy. */
static int arguments(struct process *p, const char *patterns, const char **argv, char *copy,
		     size_t room)
{
	struct text t;
	char *s = copy;
	int n = 0;

	argv[n++] = "resolve";
	if (p->options->groups) {
		argv[n++] = "--groups";
		argv[n++] = p->options->groups;
	}
	text_init(&t, copy, room);
	text_add(&t, patterns);
	while (*s && n < SPAWN_ARGUMENTS - 1) {
		while (*s == ' ')
			*s++ = 0;
		if (*s)
			argv[n++] = s;
		while (*s && *s != ' ')
			s++;
	}
	argv[n] = NULL;
	return n;
}

bool resolve_functions(struct process *p, const char *patterns, uint32_t first, uint32_t end,
		       struct ranges *to)
{
	const char *argv[SPAWN_ARGUMENTS];
	char *copy = sys_memory(OPTIONS_BYTES);
	long in = memory_file(), out = memory_file();
	bool good = false;

	if (copy && !SYS_FAILED(in) && !SYS_FAILED(out)) {
		list_modules(p, (int)in, first, end);
		arguments(p, patterns, argv, copy, OPTIONS_BYTES);
		good = spawn_zprof(p, argv, (int)in, (int)out) && read_answer(to, (int)out);
	}
	if (!SYS_FAILED(in))
		sys1(SYS_close, in);
	if (!SYS_FAILED(out))
		sys1(SYS_close, out);
	sys_memory_free(copy, OPTIONS_BYTES);
	return good;
}

bool ranges_hold(const struct ranges *r, uint64_t zone)
{
	uint32_t low = 0, high = __atomic_load_n(&r->count, __ATOMIC_ACQUIRE);
	const struct range *all = __atomic_load_n(&r->all, __ATOMIC_ACQUIRE);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (all[middle].start <= zone)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && zone < all[low - 1].end;
}
