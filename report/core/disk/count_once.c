/* SPDX-License-Identifier: MIT */
/* count_once.c - see count_once.h. */
#include "report/core/disk/count_once.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"
#include "report/core/disk/file_kind.h"
#include "report/core/read/profile_read.h"

/* A process, and the first file that holds it. */
struct holder {
	struct file_process process;
	size_t file;
};

struct holders {
	struct holder *list;
	size_t count, room;
	struct lookup by_process;
};

static bool same(const void *context, uint32_t item, const void *key)
{
	const struct holder *list = context;
	return file_same_process(&list[item].process, key);
}

static struct holder *find(const struct holders *h, const struct file_process *p)
{
	uint32_t item = lookup_find(&h->by_process, file_process_hash(p), same, h->list, p);
	return item == LOOKUP_NONE ? NULL : &h->list[item];
}

static void add(struct holders *h, const struct file_process *p, size_t file)
{
	lookup_add(&h->by_process, file_process_hash(p), (uint32_t)h->count);
	*memory_next(h->list, h->count, h->room) = (struct holder){*p, file};
}

static void free_holders(struct holders *h)
{
	free(h->list);
	lookup_free(&h->by_process);
}

/* ---- which of two files of a process holds more */

struct content {
	bool readable, finished, native, archived, own;
	uint64_t calls, now_ns;
};

static struct content content_of(const char *path, bool anyone)
{
	struct profile p;
	struct str err = {0};
	struct content c = {0};
	if (profile_load(&p, path, anyone, &err)) {
		c = (struct content){.readable = true,
				     .finished = p.header.flags & ZPROF_FINISHED,
				     .native = p.header.native_samples,
				     .archived = p.header.archive_at,
				     .own = file_kind_of(&p.header) == FILE_RECORDED,
				     .now_ns = p.header.now_ns};
		for (size_t i = 0; i < p.node_count; i++)
			c.calls += p.nodes[i].calls;
		profile_free(&p);
	}
	str_free(&err);
	return c;
}

static bool holds_more(const struct content *a, const struct content *b)
{
	if (a->readable != b->readable)
		return a->readable;
	if (a->finished != b->finished)
		return a->finished;
	if (a->calls != b->calls)
		return a->calls > b->calls;
	if (a->now_ns != b->now_ns)
		return a->now_ns > b->now_ns;
	if (a->native != b->native)
		return a->native;
	if (a->archived != b->archived)
		return a->archived;
	return a->own && !b->own;
}

/* ---- keeping one file */

/* The better of file FIRST and file LATER of one process keeps its place; the other is dropped. */
static void keep_better(struct find_files *f, size_t first, size_t later, uint32_t pid, bool anyone)
{
	struct content a = content_of(f->paths[first], anyone),
		       b = content_of(f->paths[later], anyone);
	if (holds_more(&b, &a)) {
		char *path = f->paths[first];
		f->paths[first] = f->paths[later];
		f->paths[later] = path;
	}
	*memory_next(f->left_out, f->left_out_count, f->left_out_room) =
	    (struct left_out){memory_text(f->paths[later], strlen(f->paths[later])), NULL, pid};
	find_files_drop(f, later);
}

/* Notes, when all files are compared, which file is read instead of each dropped one. */
static void name_what_is_read(struct find_files *f, const struct holders *h)
{
	for (size_t i = 0; i < f->left_out_count; i++) {
		struct left_out *l = &f->left_out[i];
		struct zprof_header header;
		if (file_header(l->path, &header)) {
			struct file_process p = file_process_of(&header);
			const struct holder *holder = find(h, &p);
			const char *path = holder ? f->paths[holder->file] : "";
			l->read = memory_text(path, strlen(path));
		}
	}
}

/* ---- merged profiles */

static bool load_members(struct profile *p, const char *path, bool anyone)
{
	struct str err = {0};
	bool ok = profile_load_texts(p, path, anyone, &err);
	str_free(&err);
	return ok;
}

static struct file_process process_of_member(const struct zprof_member *m)
{
	struct file_process p = {
	    .start_realtime_ns = m->start_realtime_ns, .start_ns = m->start_ns, .pid = m->pid};
	memcpy(p.run_id, m->run_id, sizeof p.run_id);
	return p;
}

static bool overlaps(const struct find_files *f, const struct holder *other, size_t merged,
		     struct str *err)
{
	return str_fail(err,
			"'%s' was merged of profiles of which '%s' holds one, too, that of process "
			"%u: its calls would count twice; name one of the two files",
			f->paths[merged], f->paths[other->file], other->process.pid);
}

/* Adds the members of a merged profile. If it cannot be read, loading it says why. */
static bool add_members(struct holders *h, const struct find_files *f, size_t file, bool anyone,
			struct str *err)
{
	struct profile p;
	bool ok = true;
	if (!load_members(&p, f->paths[file], anyone))
		return true;
	for (size_t i = 0; ok && i < p.member_count; i++) {
		struct file_process process = process_of_member(&p.members[i]);
		const struct holder *other = find(h, &process);
		if (other && other->file != file)
			ok = overlaps(f, other, file, err);
		else if (!other)
			add(h, &process, file);
	}
	profile_free(&p);
	return ok;
}

/* First drops profiles of single processes; then checks merged profiles. */
bool count_once(struct find_files *f, bool anyone, struct str *err)
{
	struct holders h = {0};
	struct zprof_header header;
	bool ok = true;
	for (size_t i = 0; i < f->count;) {
		struct file_process p = {0};
		if (file_header(f->paths[i], &header) && !(header.flags & ZPROF_MERGED))
			p = file_process_of(&header);
		const struct holder *first = file_is_known(&p) ? find(&h, &p) : NULL;
		if (first) {
			keep_better(f, first->file, i, p.pid, anyone);
			continue;
		}
		if (file_is_known(&p))
			add(&h, &p, i);
		i++;
	}
	name_what_is_read(f, &h);
	for (size_t i = 0; ok && i < f->count; i++)
		if (file_header(f->paths[i], &header) && header.flags & ZPROF_MERGED)
			ok = add_members(&h, f, i, anyone, err);
	free_holders(&h);
	return ok;
}

/* Whether a file of F has the member's process, with at least as many calls as when it was
 * merged. */
static bool covers(const struct find_files *f, const struct zprof_member *m, bool anyone)
{
	struct file_process member = process_of_member(m);
	for (size_t i = 0; i < f->count; i++) {
		struct zprof_header header;
		struct file_process p = {0};
		if (file_header(f->paths[i], &header) && file_kind_of(&header) != FILE_SNAPSHOT &&
		    file_kind_of(&header) != FILE_MERGED)
			p = file_process_of(&header);
		if (file_is_known(&p) && file_same_process(&p, &member) &&
		    content_of(f->paths[i], anyone).calls >= m->calls)
			return true;
	}
	return false;
}

bool count_once_covers(const struct find_files *f, const char *path, bool anyone)
{
	struct profile p;
	if (!load_members(&p, path, anyone))
		return false;
	bool all = p.member_count;
	for (size_t i = 0; all && i < p.member_count; i++)
		all = covers(f, &p.members[i], anyone);
	profile_free(&p);
	return all;
}
