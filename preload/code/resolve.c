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

/*
 * Writes the input of `zprof resolve`: a line "id start end bias build-id path" for each module
 * from `first` on.
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

static uint32_t count_lines(const char *s)
{
	uint32_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static struct ranges *new_ranges(uint32_t room)
{
	struct ranges *r = sys_memory(sizeof(*r) + room * sizeof(*r->all));

	if (r)
		r->room = room;
	return r;
}

void resolve_free(struct ranges *r)
{
	if (r)
		sys_memory_free(r, sizeof(*r) + r->room * sizeof(*r->all));
}

/* Inserts in order: answers come sorted, so an insertion rarely moves anything. */
static void insert(struct ranges *to, struct range r)
{
	uint32_t i = to->count++;

	for (; i > 0 && to->all[i - 1].start > r.start; i--)
		to->all[i] = to->all[i - 1];
	to->all[i] = r;
}

/* Whether a range that begins at `start` lies in one of the modules number [first, end). */
static bool is_asked_about(const struct process *p, uint32_t first, uint32_t end, uint64_t start)
{
	for (; first < end; first++) {
		const struct module *m = &p->modules->table[first];

		if (start - m->start < m->end - m->start)
			return true;
	}
	return false;
}

/* Takes off the number with which an answer to rules begins. Returns the rest. */
static char *take_matched(char *s, uint32_t *matched)
{
	for (*matched = 0; *s >= '0' && *s <= '9'; s++)
		*matched = 10 * *matched + (uint32_t)(*s - '0');
	return *s ? s + 1 : s;
}

static void take_answer(struct ranges *to, char *s)
{
	while (*s) {
		struct range r;

		while (*s && *s != ' ')
			s++;
		if (*s)
			s++;
		r.start = text_take_hex(&s);
		if (*s == ' ')
			s++;
		r.end = text_take_hex(&s);
		if (r.end > r.start)
			insert(to, r);
		while (*s && *s != '\n')
			s++;
		if (*s)
			s++;
	}
}

/* ---- asking */

/* Makes the arguments of `zprof resolve`. The patterns are cut apart at their spaces, in a copy. */
static int arguments(struct process *p, const char *patterns, const char **argv, char *copy,
		     size_t room)
{
	struct text t;
	char *s = copy;
	int n = 0;

	argv[n++] = "resolve";
	if (p->options->plans)
		argv[n++] = "--any";
	if (p->options->groups) {
		argv[n++] = "--groups";
		argv[n++] = p->options->groups;
	}
	text_init(&t, copy, room);
	text_add(&t, patterns ? patterns : "");
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

static void write_all(int fd, const char *text)
{
	size_t left = text ? strlen(text) : 0;

	while (left) {
		long n = sys3(SYS_write, fd, text, left);

		if (n <= 0)
			return;
		text += n;
		left -= (size_t)n;
	}
}

/* The answer's text; NULL: there is none. */
static char *ask(struct process *p, const struct resolve *asked, uint32_t first, uint32_t end,
		 size_t *mapped)
{
	const char *argv[SPAWN_ARGUMENTS];
	char *copy = sys_memory(OPTIONS_BYTES), *text = NULL;
	long in = memory_file(), out = memory_file();

	if (copy && !SYS_FAILED(in) && !SYS_FAILED(out)) {
		write_all((int)in, asked->rules);
		list_modules(p, (int)in, first, end);
		arguments(p, asked->patterns, argv, copy, OPTIONS_BYTES);
		if (spawn_zprof(p, argv, (int)in, (int)out))
			text = spawn_answer((int)out, mapped);
	}
	if (!SYS_FAILED(in))
		sys1(SYS_close, in);
	if (!SYS_FAILED(out))
		sys1(SYS_close, out);
	sys_memory_free(copy, OPTIONS_BYTES);
	return text;
}

struct ranges *resolve_functions(struct process *p, const struct resolve *asked, uint32_t first,
				 uint32_t end, const struct ranges *old, uint32_t *matched)
{
	size_t mapped;
	char *text = ask(p, asked, first, end, &mapped);
	char *s = text;
	struct ranges *to = NULL;
	uint32_t i;

	if (text)
		to = new_ranges(count_lines(text) + (old ? old->count : 0));
	if (to) {
		for (i = 0; old && i < old->count; i++)
			if (!is_asked_about(p, first, end, old->all[i].start))
				insert(to, old->all[i]);
		if (asked->rules)
			s = take_matched(s, matched);
		take_answer(to, s);
	}
	if (text)
		sys_memory_free(text, mapped);
	return to;
}

bool resolve_holds(const struct ranges *r, uint64_t zone)
{
	uint32_t low = 0, high = r ? r->count : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->all[middle].start <= zone)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && zone < r->all[low - 1].end;
}
