/* SPDX-License-Identifier: MIT */
/* by_label.c - see by_label.h. */
#define _GNU_SOURCE
#include "report/compare/by_label.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/compare/compare.h"
#include "report/core/base/memory.h"
#include "report/core/base/progress.h"
#include "report/core/disk/count_once.h"
#include "report/files/merge.h"

#define VALUE_SHOWN 12 /* characters of a build-id */

/* ---- the label of a file */

/* Adds the build-id of the profile's program. */
static void add_version(const struct profile *p, struct str *value)
{
	for (size_t i = 0; p->exe && i < p->module_count; i++) {
		const struct profile_module *m = &p->modules[i];
		if (strcmp(m->path, p->exe))
			continue;
		for (uint32_t k = 0; k < m->fixed.build_id_bytes; k++)
			str_add(value, "%02x", m->fixed.build_id[k]);
		return;
	}
}

static void add_host(const struct profile *p, struct str *value)
{
	const char *host = p->part_count ? p->parts[0].host : p->host;
	for (size_t i = 1; i < p->part_count; i++)
		if (strcmp(host, p->parts[i].host))
			return;
	str_add(value, "%s", host ? host : "");
}

static struct by_side *side_of(struct by_label *b, const char *value)
{
	for (size_t i = 0; i < b->count; i++)
		if (!strcmp(b->sides[i].value, value))
			return &b->sides[i];
	struct by_side *new = memory_next(b->sides, b->count, b->room);
	struct str name = {0};
	str_add(&name, "%s %.*s", b->label, strcmp(b->label, "version") ? 64 : VALUE_SHOWN, value);
	new->value = memory_text(value, strlen(value));
	new->name = memory_text(name.text, name.used);
	new->first_ns = UINT64_MAX;
	str_free(&name);
	return new;
}

static bool add_file(struct by_label *b, const char *path, bool anyone, struct str *err)
{
	struct profile p;
	struct str value = {0};
	if (!profile_load_texts(&p, path, anyone, err))
		return false;
	if (!strcmp(b->label, "version"))
		add_version(&p, &value);
	else
		add_host(&p, &value);
	struct by_side *side = value.used ? side_of(b, value.text) : NULL;
	if (side) {
		find_files_add(&side->files, path);
		if (p.header.start_realtime_ns < side->first_ns)
			side->first_ns = p.header.start_realtime_ns;
	}
	profile_free(&p);
	str_free(&value);
	return side || str_fail(err, "'%s' does not tell its %s", path, b->label);
}

static int by_beginning(const void *left, const void *right)
{
	const struct by_side *a = left, *b = right;
	return memory_order(a->first_ns, b->first_ns) ?: strcmp(a->value, b->value);
}

/* ---- which values */

static void free_side(struct by_side *s)
{
	free(s->value);
	free(s->name);
	if (s->path)
		unlink(s->path);
	free(s->path);
	find_files_free(&s->files);
}

/* The side whose value begins with WORD; NULL with a message if there are none or several. */
static struct by_side *find_side(const struct by_label *b, const char *word, struct str *err)
{
	struct by_side *found = NULL;
	for (size_t i = 0; i < b->count; i++) {
		if (strncmp(b->sides[i].value, word, strlen(word)))
			continue;
		if (found) {
			str_fail(err, "--by: the profiles have several %ss that begin with '%s'",
				 b->label, word);
			return NULL;
		}
		found = &b->sides[i];
	}
	if (!found)
		str_fail(err, "--by: no profile has a %s that begins with '%s'", b->label, word);
	return found;
}

/* Keeps the sides that VALUES names, in that order. */
static bool keep_named(struct by_label *b, const char *values, struct str *err)
{
	struct by_label kept = {.label = b->label};
	char *list = memory_text(values, strlen(values)), *rest = list;
	bool ok = true;
	for (char *word; ok && (word = strsep(&rest, ",")) != NULL;) {
		for (size_t i = 0; ok && i < kept.count; i++)
			ok = strncmp(kept.sides[i].value, word, strlen(word)) ||
			     str_fail(err, "--by: '%s' is named twice", word);
		struct by_side *side = ok ? find_side(b, word, err) : NULL;
		ok = side != NULL;
		if (!ok)
			break;
		*memory_next(kept.sides, kept.count, kept.room) = *side;
		*side = (struct by_side){.value = memory_text("", 0)};
	}
	free(list);
	for (size_t i = 0; i < b->count; i++)
		free_side(&b->sides[i]);
	free(b->sides);
	*b = kept;
	return ok;
}

static bool check_count(const struct by_label *b, struct str *err)
{
	if (b->count >= 2 && b->count <= COMPARE_SIDES)
		return true;
	if (b->count == 1)
		return str_fail(err, "all profiles have one %s, '%s': there is nothing to compare",
				b->label, b->sides[0].value);
	return str_fail(err,
			"the profiles have %zu %ss, and at most %d can be compared; the latest two "
			"are '--by %s=%.*s,%.*s'",
			b->count, b->label, COMPARE_SIDES, b->label, VALUE_SHOWN,
			b->sides[b->count - 2].value, VALUE_SHOWN, b->sides[b->count - 1].value);
}

/* ---- sides */

static bool make_folder(struct by_label *b, struct str *err)
{
	const char *tmp = getenv("TMPDIR");
	struct str path = {0};
	str_add(&path, "%s/zprof-diff.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	b->folder = mkdtemp(path.text) ? memory_text(path.text, path.used) : NULL;
	bool ok =
	    b->folder || str_fail(err, "cannot make a folder '%s': %s", path.text, strerror(errno));
	str_free(&path);
	return ok;
}

static bool merge_side(struct by_label *b, size_t number, bool anyone, struct str *err)
{
	struct by_side *s = &b->sides[number];
	struct str path = {0};
	struct merge m;
	str_add(&path, "%s/%zu.zp", b->folder, number);
	s->path = memory_text(path.text, path.used);
	str_free(&path);
	if (!merge_begin(&m, s->path, false, err))
		return false;
	bool ok = true;
	for (size_t i = 0; ok && i < s->files.count; i++) {
		ok = merge_add(&m, s->files.paths[i], anyone, err);
		progress_step(s->name, i + 1, s->files.count);
	}
	ok = ok && merge_end(&m, err);
	merge_free(&m);
	return ok;
}

static bool look_at_files(struct by_label *b, const struct options *o, struct str *err)
{
	struct find_files files = {0};
	bool ok = find_files_asked(&files, o->paths, o->path_count, o->force, o->run, err) &&
		  count_once(&files, o->force, err);
	for (size_t i = 0; ok && i < files.count; i++) {
		ok = add_file(b, files.paths[i], o->force, err);
		progress_step("looking at profiles", i + 1, files.count);
	}
	find_files_free(&files);
	memory_sort(b->sides, b->count, by_beginning);
	return ok;
}

bool by_label_make(struct by_label *b, struct options *o, const char *by, struct str *err)
{
	size_t n = strcspn(by, "=");
	char *label = memory_text(by, n);
	int known = options_word("by", BY_LABELS, label, err);
	free(label);
	*b = (struct by_label){.label = known ? "host" : "version"};
	if (known < 0)
		return false;
	bool ok = look_at_files(b, o, err) && (!by[n] || keep_named(b, by + n + 1, err)) &&
		  check_count(b, err) && make_folder(b, err);
	o->sets = memory_zeroed(b->count, sizeof *o->sets);
	o->set_count = 0;
	for (size_t i = 0; ok && i < b->count; i++) {
		ok = merge_side(b, i, o->force, err);
		o->sets[o->set_count++] = (struct load_set){
		    .paths = &b->sides[i].path, .count = 1, .name = b->sides[i].name};
	}
	progress_end();
	return ok;
}

void by_label_free(struct by_label *b)
{
	for (size_t i = 0; i < b->count; i++)
		free_side(&b->sides[i]);
	free(b->sides);
	if (b->folder)
		rmdir(b->folder);
	free(b->folder);
}
