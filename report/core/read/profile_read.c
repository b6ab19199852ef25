/* SPDX-License-Identifier: MIT */
/*
 * profile_read.c - walks the sections of a profile, checks every offset, and copies the records.
 *
 * Of a file that is cut short, what is left is read, and `damage` says so. A file that contradicts
 * itself is refused.
 */
#include "report/core/read/profile_read.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/read/pack.h"
#include "report/core/read/profile_links.h"
#include "report/core/read/record_kinds.h"
#include "report/core/read/recordings.h"
#include "report/core/read/source.h"

static bool check_header(const struct zprof_header *h, const char *name, struct str *err)
{
	if (!memcmp(h->magic, ELFMAG, SELFMAG))
		return str_fail(
		    err, "'%s' is a program, not a profile; 'zprof record %s' makes one of it",
		    name, name);
	if (memcmp(h->magic, ZPROF_MAGIC, sizeof h->magic))
		return str_fail(
		    err, "'%s' is not a profile: its first 8 bytes are not the mark of one", name);
	if (h->byte_order == __builtin_bswap32(ZPROF_BYTE_ORDER))
		return str_fail(
		    err,
		    "cannot read '%s': it was written in the other byte order (offset %zu); "
		    "read it on a machine like the one that wrote it",
		    name, offsetof(struct zprof_header, byte_order));
	if (h->byte_order != ZPROF_BYTE_ORDER)
		return str_fail(err, "'%s' is damaged: byte order 0x%08x at offset %zu", name,
				h->byte_order, offsetof(struct zprof_header, byte_order));
	if (h->version != ZPROF_VERSION)
		return str_fail(
		    err,
		    "cannot read '%s': it is a profile of version %u, this zprof reads "
		    "version %d; use the zprof that belongs to the libzprof.so that wrote it",
		    name, h->version, ZPROF_VERSION);
	if (h->header_bytes != ZPROF_GRANULE || h->node_bytes != ZPROF_NODE_BYTES)
		return str_fail(
		    err, "'%s' is damaged: a header of %u bytes and nodes of %u at offset %zu",
		    name, h->header_bytes, h->node_bytes,
		    offsetof(struct zprof_header, header_bytes));
	if (h->mode != ZPROF_MODE_EXACT && h->mode != ZPROF_MODE_COUNT)
		return str_fail(err,
				"cannot read '%s': its calls were timed in a way that this zprof "
				"does not know (mode %u); use the zprof that belongs to the "
				"libzprof.so that wrote it",
				name, h->mode);
	return true;
}

static bool read_header(struct zprof_header *h, const struct source *from, const char *name,
			struct str *err)
{
	if (from->size < sizeof h->magic)
		return str_fail(err, "'%s' is not a profile: it has only %llu byte%s", name,
				(unsigned long long)from->size, from->size == 1 ? "" : "s");
	memset(h, 0, sizeof *h);
	size_t n = from->size < sizeof *h ? (size_t)from->size : sizeof *h;
	if (!source_read(from, 0, h, n))
		return str_fail(err, "cannot read '%s': %s", name,
				errno ? strerror(errno) : "it is shrinking");
	if (memcmp(h->magic, ZPROF_MAGIC, sizeof h->magic) || n == sizeof *h)
		return check_header(h, name, err);
	return str_fail(err,
			"'%s' is damaged: it ends at offset %llu, inside the header of %zu bytes",
			name, (unsigned long long)from->size, sizeof *h);
}

/* A section of a file. Of what it uses, `usable` bytes are there: the file may end inside it. */
struct section {
	const struct record_kind *kind; /* NULL: the section is packed */
	uint64_t offset, usable;
};

/* Appends records of one length. */
static bool read_array(struct profile *p, const struct source *from, const struct section *s,
		       struct str *err)
{
	const struct record_kind *k = s->kind;
	uint64_t at = s->offset + sizeof(struct zprof_section);
	size_t n = (s->usable - sizeof(struct zprof_section)) / k->bytes;
	char *new = record_kind_room(p, k, n);
	if (n && !source_read(from, at, new, n * k->bytes))
		return profile_bad(p, err, at, "its records cannot be read");
	record_kind_set(p, k, record_kind_records(p, k) + n);
	for (size_t i = 0; i < n; i++)
		record_check(k, new + i * k->bytes);
	return true;
}

static bool read_nodes(struct profile *p, const struct source *from, const struct section *s,
		       struct str *err)
{
	uint64_t first = (s->offset + sizeof(struct zprof_section)) / ZPROF_NODE_BYTES;
	uint64_t count = (s->usable - sizeof(struct zprof_section)) / ZPROF_NODE_BYTES;
	if (first + count > UINT32_MAX)
		return profile_bad(p, err, s->offset,
				   "nodes lie beyond what a reference can reach");
	if (!count)
		return true;
	*memory_next(p->ranges, p->range_count, p->range_room) =
	    (struct profile_range){(uint32_t)first, (uint32_t)count, p->node_count};
	return read_array(p, from, s, err);
}

static bool read_records(struct profile *p, const struct source *from, const struct section *s,
			 struct str *err)
{
	size_t n = s->usable - sizeof(struct zprof_section);
	uint64_t base = s->offset + sizeof(struct zprof_section);
	char *all = memory_resize(NULL, n, 1);
	bool ok = source_read(from, base, all, n)
		      ? record_kind_add(p, s->kind, all, n, base, err)
		      : profile_bad(p, err, s->offset, "its records cannot be read");
	free(all);
	return ok;
}

static bool read_packed(struct profile *p, const struct source *from, const struct section *s,
			struct str *err)
{
	struct zprof_packed head;
	uint64_t at = s->offset + sizeof(struct zprof_section);
	uint64_t room = s->usable - sizeof(struct zprof_section);
	if (room < sizeof head || !source_read(from, at, &head, sizeof head) ||
	    head.packed_bytes > room - sizeof head)
		return p->damage.used || profile_bad(p, err, at, "a packed section is incomplete");
	const struct record_kind *k = record_kind_find(head.type);
	if (!k || !k->fixed)
		return true; /* from a later version */
	char *packed = memory_resize(NULL, head.packed_bytes, 1);
	char *records = source_read(from, at + sizeof head, packed, head.packed_bytes)
			    ? pack_open(packed, head.packed_bytes, head.records_bytes)
			    : NULL;
	bool ok = records ? record_kind_add(p, k, records, head.records_bytes, at, err)
			  : profile_bad(p, err, at, "a packed section cannot be unpacked");
	free(packed);
	free(records);
	return ok;
}

/* The counters of a module, of which most are 0. */
static bool read_counts(struct profile *p, const struct source *from, const struct section *s,
			struct str *err)
{
	struct zprof_counts c;
	uint64_t at = s->offset + sizeof(struct zprof_section), some[512];
	uint64_t left = s->usable - sizeof(struct zprof_section);
	if (left < sizeof c)
		return true;
	if (!source_read(from, at, &c, sizeof c))
		return profile_bad(p, err, at, "its counters cannot be read");
	at += sizeof c;
	left = (left - sizeof c) / sizeof *some;
	left = c.count < left ? c.count : left;
	for (uint64_t i = 0; i < left; i++) {
		size_t k = i % 512, n = left - i < 512 ? (size_t)(left - i) : 512;
		if (!k && !source_read(from, at + i * sizeof *some, some, n * sizeof *some))
			return profile_bad(p, err, at, "its counters cannot be read");
		if (!some[k])
			continue;
		struct profile_count *to = record_kind_room(p, s->kind, 1);
		*to = (struct profile_count){c.module, c.start + i * ZPROF_COUNTS_STEP, some[k]};
		p->count_count++;
	}
	return true;
}

static bool read_section(struct profile *p, const struct source *from, const struct section *s,
			 struct str *err)
{
	if (!s->kind)
		return read_packed(p, from, s, err);
	if (s->kind->section == ZPROF_SECTION_NODES)
		return read_nodes(p, from, s, err);
	if (s->kind->section == ZPROF_SECTION_COUNTS)
		return read_counts(p, from, s, err);
	return s->kind->fixed ? read_records(p, from, s, err) : read_array(p, from, s, err);
}

static void cut_short(struct profile *p, uint64_t end)
{
	if (!p->damage.used)
		str_add(&p->damage,
			"'%s' is cut short at offset %llu: the numbers are those of what is left",
			p->path, (unsigned long long)end);
}

static bool read_sections(struct profile *p, const struct source *from, struct str *err)
{
	uint64_t end = from->size;
	if (p->header.mapped_bytes && p->header.mapped_bytes < end)
		end = p->header.mapped_bytes;
	if (p->header.mapped_bytes > end)
		cut_short(p, end);
	for (uint64_t at = ZPROF_GRANULE; at < end;) {
		struct zprof_section head;
		if (end - at < sizeof head) {
			cut_short(p, end);
			break;
		}
		if (!source_read(from, at, &head, sizeof head))
			return profile_bad(p, err, at, "it cannot be read");
		if (head.type == ZPROF_SECTION_NONE) {
			at += ZPROF_GRANULE;
			continue;
		}
		if (!head.bytes || head.bytes % ZPROF_GRANULE || head.bytes > UINT64_MAX - at)
			return profile_bad(p, err, at, "a section's size makes no sense");
		if (head.used < sizeof head || head.used > head.bytes)
			return profile_bad(p, err, at, "a section uses more than it has");
		if (head.bytes > end - at)
			cut_short(p, end);
		struct section s = {record_kind_find(head.type), at,
				    head.used < end - at ? head.used : end - at};
		bool wanted = p->texts_only ? s.kind && s.kind->in_texts
					    : s.kind || head.type == ZPROF_SECTION_PACKED;
		if (wanted && !read_section(p, from, &s, err))
			return false;
		at += head.bytes;
	}
	return true;
}

static void find_command(struct profile *p, const struct profile_text *t)
{
	char *text = t->text, *end = text + t->fixed.text_bytes;
	for (; text < end; text += strlen(text) + 1)
		*memory_next(p->command, p->command_count, p->command_room) = text;
}

static bool plain(const char *word)
{
	const char *safe =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
	return *word && word[strspn(word, safe)] == 0;
}

char *profile_command(const struct profile *p, bool quoted)
{
	struct str s = {0};
	size_t count = p->command_count;
	while (count && !p->command[count - 1][strspn(p->command[count - 1], " ")])
		count--;
	for (size_t i = 0; i < count; i++) {
		const char *word = p->command[i];
		const char *quote = quoted && count > 1 && !plain(word) ? "'" : "";
		size_t bytes = strlen(word);
		while (i + 1 == count && word[bytes - 1] == ' ')
			bytes--;
		str_add(&s, "%s%s%.*s%s", i ? " " : "", quote, (int)bytes, word, quote);
	}
	return s.text ? s.text : memory_text("", 0);
}

/* Finds what the texts are. Of a kind that there is one of, the last counts; but the first command. */
static void find_texts(struct profile *p)
{
	char **const single[] = {[ZPROF_TEXT_EXE] = &p->exe,
				 [ZPROF_TEXT_HOST] = &p->host,
				 [ZPROF_TEXT_RANK] = &p->rank,
				 [ZPROF_TEXT_OPTIONS] = &p->options};
	for (size_t i = 0; i < p->text_count; i++) {
		const struct profile_text *t = &p->texts[i];
		uint32_t kind = t->fixed.kind;
		if (kind < sizeof single / sizeof *single && single[kind])
			*single[kind] = t->text;
		else if (kind == ZPROF_TEXT_COMMAND && !p->command_count)
			find_command(p, t);
		else if (kind == ZPROF_TEXT_COUNTER && p->counter_count < ZPROF_EXTRA_COUNTERS)
			p->counters[p->counter_count++] = t->text;
		else if (kind == ZPROF_TEXT_NOTE)
			profile_note(p, memory_text(t->text, strlen(t->text)));
	}
}

static bool read_all(struct profile *p, const struct source *from, const char *name,
		     bool texts_only, struct str *err)
{
	*p = (struct profile){.path = memory_text(name, strlen(name)),
			      .file_bytes = from->size,
			      .texts_only = texts_only};
	if (read_header(&p->header, from, name, err) && read_sections(p, from, err) &&
	    profile_links_check(p, err)) {
		find_texts(p);
		recordings_check(p);
		return true;
	}
	profile_free(p);
	return false;
}

bool profile_parse(struct profile *p, const char *name, const void *bytes, size_t n,
		   struct str *err)
{
	struct source from = {-1, bytes, n};
	errno = 0;
	return read_all(p, &from, name, false, err);
}

static bool load_file(struct profile *p, const char *path, bool anyone, bool texts_only,
		      struct str *err)
{
	struct source from;
	if (!source_open(&from, path, anyone, err))
		return false;
	bool ok = read_all(p, &from, path, texts_only, err);
	source_close(&from);
	return ok;
}

bool profile_load(struct profile *p, const char *path, bool anyone, struct str *err)
{
	return load_file(p, path, anyone, false, err);
}

bool profile_load_texts(struct profile *p, const char *path, bool anyone, struct str *err)
{
	return load_file(p, path, anyone, true, err);
}

bool profile_peek(struct zprof_header *header, const char *path, struct str *err)
{
	struct source from;
	if (!source_open(&from, path, true, err))
		return false;
	bool ok = read_header(header, &from, path, err);
	source_close(&from);
	return ok;
}

void profile_note(struct profile *p, char *text)
{
	*memory_next(p->notes, p->note_count, p->note_room) = text;
}

void profile_free(struct profile *p)
{
	record_kinds_free(p);
	for (size_t i = 0; i < p->note_count; i++)
		free(p->notes[i]);
	free(p->path);
	free(p->frame);
	free(p->command);
	free(p->notes);
	free(p->ranges);
	str_free(&p->damage);
	*p = (struct profile){0};
}

double profile_ns_per_tick(const struct zprof_header *h)
{
	uint64_t ticks = h->now_ticks - h->start_ticks, ns = h->now_ns - h->start_ns;
	bool forward = h->now_ticks > h->start_ticks && h->now_ns > h->start_ns;
	if (h->clock != ZPROF_CLOCK_FAKE && forward && ns >= 100000000)
		return (double)ns / (double)ticks;
	return h->ticks_hz ? 1e9 / (double)h->ticks_hz : 1.0;
}

double profile_elapsed_ns(const struct profile *p)
{
	const struct zprof_header *h = &p->header;
	double ns = h->now_ns > h->start_ns ? (double)(h->now_ns - h->start_ns) : 0;
	/* A clock that went backwards may have begun at another time than it went on with. */
	bool by_ticks = h->mode == ZPROF_MODE_EXACT && !h->counters[ZPROF_LOSS_CLOCK_BACK];
	for (size_t i = 0; i < p->thread_count && by_ticks; i++) {
		const struct zprof_thread *t = &p->threads[i];
		double last = (double)(int64_t)(t->last_ticks - h->start_ticks);
		if (h->start_ticks && last * profile_ns_per_tick(h) > ns)
			ns = last * profile_ns_per_tick(h);
	}
	return ns;
}
