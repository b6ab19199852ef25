/* SPDX-License-Identifier: MIT */
/* collect.c - see collect.h. */
#define _GNU_SOURCE
#include "report/core/read/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/format.h"
#include "report/core/base/clock.h"
#include "report/core/base/memory.h"
#include "report/core/base/replace.h"
#include "report/core/read/collect_parts.h"
#include "report/core/read/source.h"

#define PATIENCE_NS 4000000u
#define WALKS       4 /* attempts: sections may appear while the file is read */

static uint64_t load_word(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

uint64_t (*collect_load)(const uint64_t *word) = load_word;

uint64_t collect_now_ns(void)
{
	return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

bool collect_open(struct collect *c, const char *path, bool anyone, struct str *err)
{
	struct source from;
	if (!source_open(&from, path, anyone, err))
		return false;
	*c = (struct collect){
	    .path = memory_text(path, strlen(path)), .fd = from.fd, .patience_ns = PATIENCE_NS};
	return true;
}

void collect_close(struct collect *c)
{
	if (c->words)
		munmap((void *)c->words, c->mapped);
	if (c->fd >= 0)
		close(c->fd);
	free(c->path);
	free(c->copy);
	free(c->sections);
	free(c->spans);
	free(c->hot);
	free(c->is_hot);
	*c = (struct collect){.fd = -1};
}

/* Maps what the file has grown by. */
static bool map_file(struct collect *c, struct str *err)
{
	struct stat st;
	if (fstat(c->fd, &st))
		return str_fail(err, "cannot read '%s': %s", c->path, strerror(errno));
	size_t size = (size_t)st.st_size & ~(WORD - 1);
	if (size < ZPROF_GRANULE)
		return str_fail(err, "'%s' is not a profile: it has only %zu bytes", c->path, size);
	if (size == c->mapped)
		return true;
	if (c->words)
		munmap((void *)c->words, c->mapped);
	c->words = NULL;
	void *at = mmap(NULL, size, PROT_READ, MAP_SHARED, c->fd, 0);
	if (at == MAP_FAILED)
		return str_fail(err, "cannot map '%s': %s", c->path, strerror(errno));
	c->words = at;
	c->mapped = size;
	return true;
}

static void make_room(struct collect *c)
{
	if (c->mapped <= c->room)
		return;
	c->copy = memory_resize(c->copy, c->mapped, 1);
	c->is_hot = memory_resize(c->is_hot, c->mapped / WORD, 1);
	memset((char *)c->copy + c->room, 0, c->mapped - c->room);
	memset(c->is_hot + c->room / WORD, 0, (c->mapped - c->room) / WORD);
	c->room = c->mapped;
}

void collect_words(struct collect *c, uint64_t offset, uint64_t bytes)
{
	for (uint64_t i = offset / WORD; i < (offset + bytes + WORD - 1) / WORD; i++)
		c->copy[i] = collect_load(&c->words[i]);
}

static uint64_t mapped_bytes(const struct collect *c)
{
	struct zprof_header h;
	memcpy(&h, c->copy, sizeof h);
	uint64_t bytes = h.mapped_bytes & ~(WORD - 1);
	return bytes && bytes < c->mapped ? bytes : c->mapped;
}

static struct zprof_section head_at(const struct collect *c, uint64_t at)
{
	struct zprof_section head;
	uint64_t words[sizeof head / WORD];
	for (size_t i = 0; i < sizeof head / WORD; i++)
		words[i] = collect_load(&c->words[at / WORD + i]);
	memcpy(&head, words, sizeof head);
	return head;
}

/* The collector whose sections are of that type; NULL: there is none. */
static const struct collector *collector_of(uint32_t type)
{
	const struct collector *collector;
	size_t i = 0;
	while ((collector = collector_at(i)) && !collector->owns(type))
		i++;
	return collector;
}

/* Notes section number COUNT, where BEFORE are known; true if it is new, or longer. */
static bool note_section(struct collect *c, size_t count, size_t before, uint64_t at,
			 const struct zprof_section *head)
{
	uint64_t used = head->used < c->bytes - at ? head->used : c->bytes - at;
	uint64_t words = (used + WORD - 1) / WORD;
	struct collect_section s = {at, words * WORD, head->type, head->thread};
	c->sections = memory_room(c->sections, count, &c->section_room, sizeof *c->sections);
	struct collect_section *known = &c->sections[count];
	const struct collector *collector = collector_of(head->type);
	if (count < before && known->offset == at && known->type == head->type && collector &&
	    collector->goes_round(head->type))
		return false;
	bool changed = count >= before || memcmp(known, &s, sizeof s);
	memcpy(c->copy + at / WORD, head, sizeof *head);
	*known = s;
	return changed;
}

/*
 * Copies header and sections. Nonsense ends the walk; profile_parse() will report it. True if there
 * are more sections than in the walk before, or longer ones.
 */
static bool walk(struct collect *c)
{
	size_t before = c->section_count, count = 0;
	bool changed = false;
	collect_words(c, 0, ZPROF_GRANULE);
	c->bytes = mapped_bytes(c);
	for (uint64_t at = ZPROF_GRANULE; at + sizeof(struct zprof_section) <= c->bytes;) {
		struct zprof_section head = head_at(c, at);
		if (head.type == ZPROF_SECTION_NONE) {
			at += ZPROF_GRANULE;
			continue;
		}
		if (!head.bytes || head.bytes % ZPROF_GRANULE || head.bytes > UINT64_MAX - at ||
		    head.used < sizeof head || head.used > head.bytes)
			break;
		changed |= note_section(c, count++, before, at, &head);
		at += head.bytes;
	}
	c->section_count = count;
	return changed || count != before;
}

static void take_threads(struct collect *c, const struct collect_section *s, uint64_t until_ns)
{
	for (uint64_t at = sizeof(struct zprof_section);
	     at + sizeof(struct zprof_thread) <= s->used; at += sizeof(struct zprof_thread))
		collect_thread(c, s->offset + at, until_ns);
}

/*
 * Sections may appear and grow while the sets are taken; then it starts over. Names of zones,
 * modules and texts are copied last: they are written before what refers to them.
 */
static void take_all(struct collect *c)
{
	const struct collector *collector;
	uint64_t until = collect_now_ns() + c->patience_ns;
	bool more = true;
	walk(c);
	for (int i = 0; i < WALKS && more; i++) {
		c->threads = c->restless = 0;
		c->moved = 0;
		for (size_t k = 0; k < c->section_count; k++)
			if (collect_is_counting(c->sections[k].type))
				collect_words(c, c->sections[k].offset, c->sections[k].used);
		for (size_t k = 0; k < c->section_count; k++)
			if (c->sections[k].type == ZPROF_SECTION_THREADS)
				take_threads(c, &c->sections[k], until);
		for (size_t k = 0; (collector = collector_at(k)); k++)
			collector->take(c, until + c->patience_ns);
		more = walk(c);
	}
	for (size_t k = 0; k < c->section_count; k++)
		if (!collect_is_counting(c->sections[k].type) &&
		    !collector_of(c->sections[k].type) &&
		    c->sections[k].type != ZPROF_SECTION_THREADS)
			collect_words(c, c->sections[k].offset, c->sections[k].used);
}

static sigjmp_buf cut_short;

static void on_cut(int signal)
{
	(void)signal;
	siglongjmp(cut_short, 1);
}

/* A file that is cut short while it is read raises SIGBUS. */
bool collect_take(struct collect *c, struct str *err)
{
	struct sigaction act = {.sa_handler = on_cut}, old;
	if (!map_file(c, err))
		return false;
	make_room(c);
	sigaction(SIGBUS, &act, &old);
	bool cut = sigsetjmp(cut_short, 1);
	if (!cut)
		take_all(c);
	sigaction(SIGBUS, &old, NULL);
	return !cut || str_fail(err, "'%s' was cut short while it was read", c->path);
}

/* What no section uses stays a hole. */
static bool write_copy(const struct collect *c, FILE *to)
{
	struct zprof_header h;
	memcpy(&h, c->copy, sizeof h);
	h.flags |= ZPROF_SNAPSHOT;
	h.mapped_bytes = c->bytes;
	bool ok = !ftruncate(fileno(to), (off_t)c->bytes) && fwrite(&h, sizeof h, 1, to) == 1;
	for (size_t i = 0; ok && i < c->section_count; i++) {
		const struct collect_section *s = &c->sections[i];
		ok = !fseek(to, (long)s->offset, SEEK_SET) &&
		     fwrite(c->copy + s->offset / WORD, s->used, 1, to) == 1;
	}
	return ok;
}

bool collect_save(const struct collect *c, const char *path, struct str *err)
{
	struct replacement r;
	if (!replace_begin(&r, path, 0600, err))
		return false;
	if (replace_is_stream(&r))
		str_fail(err, "cannot write '%s': a profile needs a regular file", path);
	else if (write_copy(c, r.to))
		return replace_end(&r, err);
	else
		str_fail(err, "cannot write '%s': %s", path, strerror(errno));
	replace_cancel(&r);
	return false;
}
