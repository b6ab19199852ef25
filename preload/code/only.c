/* SPDX-License-Identifier: MIT */
/* only.c - see only.h. */
#include "preload/code/only.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/code/module.h"
#include "preload/code/spawn.h"

#include <linux/memfd.h>

#define LINE_BYTES (4352 + 160)

uint64_t *only_out;

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

static bool take_answer(struct only *only, const char *s)
{
	uint32_t count = 0, i;
	struct range *ranges = sys_memory((only->count + count_lines(s) + 1) * sizeof(*ranges));

	if (!ranges)
		return false;
	for (i = 0; i < only->count; i++)
		insert(ranges, &count, only->ranges[i]);
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
	/* Readers take count, then ranges: the longer table is there before its count is. */
	__atomic_store_n(&only->ranges, ranges, __ATOMIC_RELEASE);
	__atomic_store_n(&only->count, count, __ATOMIC_RELEASE);
	return true;
}

static bool read_answer(struct only *only, int fd)
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
	good = got == bytes && take_answer(only, text);
	sys_memory_free(text, (size_t)bytes + 1);
	return good;
}

/* ---- asking */

/* `only` holds patterns separated by spaces; they are cut apart in a copy. */
static int arguments(struct process *p, const char **argv, char *copy, size_t room)
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
	text_add(&t, p->options->only);
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

static bool ask(struct process *p, uint32_t first, uint32_t end)
{
	const char *argv[SPAWN_ARGUMENTS];
	char *copy = sys_memory(OPTIONS_BYTES);
	long in = memory_file(), out = memory_file();
	bool good = false;

	if (copy && !SYS_FAILED(in) && !SYS_FAILED(out)) {
		list_modules(p, (int)in, first, end);
		arguments(p, argv, copy, OPTIONS_BYTES);
		good = spawn_zprof(p, argv, (int)in, (int)out) && read_answer(p->only, (int)out);
	}
	if (!SYS_FAILED(in))
		sys1(SYS_close, in);
	if (!SYS_FAILED(out))
		sys1(SYS_close, out);
	sys_memory_free(copy, OPTIONS_BYTES);
	return good;
}

bool only_init(struct process *p, const struct process *from)
{
	if (!p->options->only)
		return true;
	if (from) {
		*p->only = *from->only;
		p->only->resolved = p->modules->count;
		p->header->flags |= ZPROF_FILTERED;
		return true;
	}
	p->only->cache = sys_memory(ONLY_CACHE * sizeof(*p->only->cache));
	if (!p->only->cache || !ask(p, 0, p->modules->count)) {
		text_complain("cannot resolve only=", p->options->only, 0,
			      "is the command zprof beside libzprof.so, and are the patterns "
			      "right? running unprofiled");
		return false;
	}
	p->only->resolved = p->modules->count;
	p->only->active = true;
	only_out = p->only->cache;
	p->header->flags |= ZPROF_FILTERED;
	return true;
}

/* Of the modules, as many as are described from the first on. */
static uint32_t described(const struct process *p)
{
	uint32_t n = p->only->resolved,
		 count = __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE);

	while (n < count && __atomic_load_n(&p->modules->table[n].ready, __ATOMIC_ACQUIRE))
		n++;
	return n;
}

static void resolve(struct process *p, uint32_t first, uint32_t end)
{
	if (first >= end || ask(p, first, end))
		return;
	for (; first < end; first++) {
		struct module *m = &p->modules->table[first];

		m->unfiltered = true;
		identity_note(
		    p, "not filtered by only=, its functions could not be resolved: module number ",
		    m->id);
	}
}

void only_update(struct process *p)
{
	uint32_t end;

	if (!p->only->active || __atomic_exchange_n(&p->only->asking, 1, __ATOMIC_ACQUIRE))
		return;
	end = described(p);
	resolve(p, p->only->resolved, end);
	__atomic_store_n(&p->only->resolved, end, __ATOMIC_RELEASE);
	__atomic_store_n(&p->only->asking, 0, __ATOMIC_RELEASE);
}

static bool in_ranges(const struct only *only, uint64_t zone)
{
	uint32_t low = 0, high = __atomic_load_n(&only->count, __ATOMIC_ACQUIRE);
	const struct range *ranges = __atomic_load_n(&only->ranges, __ATOMIC_ACQUIRE);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ranges[middle].start <= zone)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && zone < ranges[low - 1].end;
}

bool only_wants(struct process *p, uint64_t zone)
{
	uint64_t *known = only_place(p->only->cache, zone);
	const struct module *m;

	if (*known == zone)
		return false;
	if (ZPROF_ZONE_KIND(zone) != ZPROF_ZONE_NATIVE || in_ranges(p->only, zone))
		return true;
	m = module_discover(p, zone);
	if (m && m->id > p->only->resolved)
		only_update(p);
	if (!m || m->unfiltered || m->id > __atomic_load_n(&p->only->resolved, __ATOMIC_ACQUIRE) ||
	    in_ranges(p->only, zone))
		return true;
	*known = zone;
	return false;
}

bool only_leaves_out(const struct process *p, const struct module *m, uintptr_t function)
{
	return p->only->active && !m->unfiltered &&
	       m->id <= __atomic_load_n(&p->only->resolved, __ATOMIC_ACQUIRE) &&
	       !in_ranges(p->only, function);
}

void only_forget(struct process *p)
{
	uint32_t i;

	for (i = 0; p->only->active && i < ONLY_CACHE; i++)
		p->only->cache[i] = 0;
}
