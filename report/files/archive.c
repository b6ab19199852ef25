/* SPDX-License-Identifier: MIT */
/* archive.c - see archive.h. */
#include "report/files/archive.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/disk/file_kind.h"

void archive_init(struct archive *a)
{
	*a = (struct archive){.symbolizer = symbolize_new()};
	if (!a->symbolizer)
		memory_exhausted(0);
}

void archive_free(struct archive *a)
{
	symbolize_free(a->symbolizer);
	str_free(&a->warnings);
}

/* By number of a module: its id in the profile. */
static uint32_t *find_ids(struct load *l, const struct profile *p)
{
	struct zones_of_profile m;
	zones_of_profile_init(&m, &l->zones, p);
	for (size_t i = 0; i < p->module_count; i++)
		zones_module_number(&m, &p->modules[i]);
	uint32_t *ids = memory_zeroed(l->zones.module_count, sizeof *ids);
	for (size_t i = p->module_count; i-- > 0;)
		ids[zones_module_number(&m, &p->modules[i])] = p->modules[i].fixed.id;
	zones_of_profile_free(&m);
	return ids;
}

/* Where the profile itself ends. */
static uint64_t end_of(const struct profile *p)
{
	uint64_t end = p->header.archive_at ? p->header.archive_at : p->header.mapped_bytes;
	return (end + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
}

static bool write_archive(const struct profile *p, const struct keep *k, const char *to,
			  struct str *err)
{
	struct profile_writer w;
	struct zprof_header header = p->header;
	uint64_t end = end_of(p);
	if (!profile_write_add_to(&w, to ? to : p->path, p->path, end, err))
		return false;
	if (to && file_kind_of(&header) == FILE_RECORDED)
		header.flags |= ZPROF_COPY;
	header.archive_at = end;
	keep_write(k, &w);
	return profile_write_end(&w, &header, err);
}

/* Leaves out what would be too large. */
static void fit(const struct archive *a, struct keep *k, struct archive_result *result)
{
	uint64_t all = keep_bytes(k);
	if (!a->no_sources && (!a->most || all <= a->most))
		return;
	keep_forget_sources(k);
	result->sources = a->no_sources ? 0 : all - keep_bytes(k);
}

static bool archive_profile(struct archive *a, struct profile *p, const char *to,
			    struct archive_result *result, struct str *err)
{
	struct load l;
	struct keep keep;
	bool ok = true;
	load_init(&l, false);
	zones_borrow(&l.zones, a->symbolizer);
	load_profile(&l, p);
	load_notice(&l);
	str_add(&a->warnings, "%s", str_text(&l.warnings));
	uint32_t *ids = find_ids(&l, p);
	keep_find(&keep, &l, ids, a->no_sources ? KEEP_TOLD_SOURCES : KEEP_ALL_SOURCES, a->search,
		  a->search_count);
	fit(a, &keep, result);
	result->names = keep.name_count;
	result->source_count = keep.source_count;
	uint64_t bytes = keep_bytes(&keep);
	if ((bytes || to) && (!a->most || bytes <= a->most)) {
		result->bytes = bytes;
		ok = write_archive(p, &keep, to, err);
	}
	keep_free(&keep);
	free(ids);
	load_free(&l);
	return ok;
}

bool archive_file(struct archive *a, const char *path, const char *to,
		  struct archive_result *result, struct str *err)
{
	struct profile p;
	bool ok = true;
	*result = (struct archive_result){0};
	if (!profile_load(&p, path, a->anyone, err))
		return false;
	result->recording = file_is_live(path, &p.header);
	if (result->recording && to)
		ok =
		    str_fail(err, "'%s' is still being recorded: 'zprof snapshot' copies it", path);
	else if (!result->recording && p.file_bytes < p.header.mapped_bytes)
		ok = str_fail(err, "'%s' is cut short: it is not archived", path);
	else if (!result->recording)
		ok = archive_profile(a, &p, to, result, err);
	profile_free(&p);
	return ok;
}
