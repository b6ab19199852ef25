/* SPDX-License-Identifier: MIT */
/* keep.c - see keep.h. */
#define _GNU_SOURCE
#include "report/files/keep.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/statements/block_counts.h"
#include "report/statements/block_lines.h"
#include "report/core/names/facts.h"
#include "report/core/source/source_text.h"
#include "report/core/read/pack.h"

#define SOURCE_MOST ((size_t)64 << 20) /* bytes of one file */

/* A function that K has already. */
struct keep_key {
	uint32_t module;
	uint64_t start;
};

static void want_file(struct keep *k, uint32_t file)
{
	while (file >= k->wanted_room)
		k->wanted =
		    memory_room(k->wanted, k->wanted_room, &k->wanted_room, sizeof *k->wanted);
	k->wanted[file] = true;
}

/* ---- names */

static bool same_key(const void *context, uint32_t item, const void *key)
{
	const struct keep *k = context;
	const struct keep_key *a = &k->keys[item], *b = key;
	return a->module == b->module && a->start == b->start;
}

/* Whether K does not have this function yet; then adds its key. */
static bool is_new(struct keep *k, uint32_t module, uint64_t start)
{
	struct keep_key key = {module, start};
	uint64_t hash = lookup_hash(start, module);
	if (lookup_find(&k->by_start, hash, same_key, k, &key) != LOOKUP_NONE)
		return false;
	lookup_add(&k->by_start, hash, (uint32_t)k->key_count);
	*memory_next(k->keys, k->key_count, k->key_room) = key;
	return true;
}

static void put_name(struct keep *k, const struct zone *z, uint32_t last_line, const char *compiler)
{
	const void *texts[] = {z->name, z->linkage, z->file ? z->file : "", compiler};
	struct zprof_name out = {.module = k->ids[z->module],
				 .start = z->address,
				 .size = z->bytes,
				 .code = z->code,
				 .line = z->line,
				 .last_line = last_line};
	if (!out.module || !is_new(k, z->module, z->address))
		return;
	profile_records_add(&k->names, ZPROF_SECTION_NAMES, &out, texts);
	k->name_count++;
}

static void put_zone(struct keep *k, const struct zone *z)
{
	const struct zones *zones = &k->load->zones;
	struct zone out = *z;
	uint32_t file = places_file(&k->load->places, z->file);
	want_file(k, file);
	places_compiled(&k->load->places, file, zones, z->module, z->address);
	if (z->kind || z->module == ZONE_NO_MODULE || z->nameless || z->spread_of)
		return;
	facts_code(zones, z, &out.code);
	put_name(k, &out, facts_last_line(zones, z), facts_compiler(zones, z));
}

/* Adds the name of a function without hooks, or the bounds of one without a name, too. */
static void put_fact(struct keep *k, uint32_t module, const struct fact_name *f)
{
	struct zone z = {.name = (char *)f->name,
			 .linkage = f->known ? (char *)f->linkage : (char *)"",
			 .file = (char *)f->file,
			 .line = f->line,
			 .module = module,
			 .address = f->start,
			 .bytes = f->size};
	if (f->known || f->size)
		put_name(k, &z, 0, "");
}

static bool is_in_kernel(const struct keep *k, const struct code_place *p)
{
	return p->module != ZONE_NO_MODULE && k->load->zones.modules[p->module].is_kernel;
}

/* Adds the functions of all places: of samples, of those on the way to one (inside=stack), of calls. */
static void put_names_of_places(struct keep *k)
{
	const struct load *l = k->load;
	for (size_t i = 1; i < l->places.count; i++) {
		const struct code_place *p = &l->places.list[i];
		if (p->module == ZONE_NO_MODULE)
			continue;
		struct fact_name name = facts_name(&l->zones, p->module, p->address - 1);
		put_fact(k, p->module, &name);
	}
}

static void put_names(struct keep *k)
{
	const struct load *l = k->load;
	for (uint32_t i = 1; i < l->zones.count; i++)
		put_zone(k, &l->zones.list[i]);
	for (size_t i = 0; i < l->vias.step_count; i++) {
		const struct via_step *s = &l->vias.steps[i];
		struct fact_name name;
		if (s->module == ZONE_NO_MODULE)
			continue;
		via_step_name(&l->zones, s, &name);
		put_fact(k, s->module, &name);
	}
	for (size_t i = 0; i < l->wait_facts.count; i++) {
		const struct wait_fact *w = &l->wait_facts.list[i];
		struct fact_name name = {.name = w->name,
					 .linkage = w->name,
					 .start = w->start,
					 .size = w->size,
					 .known = true};
		put_fact(k, w->module, &name);
	}
	/* At last: a function that was waited in keeps the wait's name. */
	put_names_of_places(k);
}

/* ---- places */

static void put_places(struct keep *k)
{
	struct places *p = &k->load->places;
	places_find(p, &k->load->zones);
	for (size_t i = 1; i < p->count; i++) {
		const struct code_place *from = &p->list[i];
		struct zprof_place out = {.address = from->address,
					  .flags = from->inlined ? ZPROF_CALL_INLINED : 0,
					  .line = from->line,
					  .column = from->column};
		if (from->module == ZONE_NO_MODULE || !k->ids[from->module] ||
		    is_in_kernel(k, from))
			continue;
		out.module = k->ids[from->module];
		want_file(k, from->file);
		profile_records_add(&k->places, ZPROF_SECTION_PLACES, &out,
				    (const void *const[]){p->files[from->file]});
	}
}

/* ---- statements */

static bool wants_all(void *context, const struct block_function *f)
{
	(void)context;
	(void)f;
	return true;
}

static int by_file(const void *left, const void *right)
{
	const struct block_line *a = left, *b = right;
	return strcmp(a->file, b->file)
		   ?: memory_order(a->block, b->block)
		   ?: memory_order(a->line, b->line)
		   ?: memory_order(a->column, b->column)
		   ?: a->jumps - b->jumps;
}

/* Adds LIST, the lines of a function's statements in one file. */
static void put_lines(struct keep *k, const struct block_function *f, const struct block_line *list,
		      size_t count)
{
	struct zprof_statements head = {.module = k->ids[f->module], .start = f->start};
	k->rows.used = 0;
	for (size_t i = 0; i < count; i++) {
		struct zprof_statement row = {list[i].line, list[i].column,
					      (uint32_t)(list[i].block - f->start)};
		row.block |= list[i].jumps ? ZPROF_STATEMENT_JUMPS : 0;
		if (i && !by_file(&list[i - 1], &list[i]))
			continue;
		profile_records_put(&k->rows, &row, sizeof row);
		head.count++;
	}
	profile_records_add(&k->statements, ZPROF_SECTION_STATEMENTS, &head,
			    (const void *const[]){k->rows.bytes, list->file});
}

static void put_function(void *context, const struct block_function *f)
{
	struct keep *k = context;
	struct places *p = &k->load->places;
	struct block_line *list = memory_resize(NULL, f->count, sizeof *list);
	memcpy(list, f->list, f->count * sizeof *list);
	put_fact(k, f->module, &f->name);
	memory_sort(list, f->count, by_file);
	for (size_t i = 0, end; i < f->count; i = end) {
		for (end = i + 1; end < f->count && !strcmp(list[end].file, list[i].file); end++)
			continue;
		uint32_t file = places_file(p, list[i].file);
		want_file(k, file);
		places_compiled(p, file, &k->load->zones, f->module, f->start);
		put_lines(k, f, &list[i], end - i);
	}
	free(list);
}

static void put_statements(struct keep *k)
{
	const struct load *l = k->load;
	const struct block_counts *b = block_counts_of(l);
	struct block_lines_to to = {wants_all, put_function, k};
	for (size_t i = 0; i < b->count; i++) {
		uint32_t module = b->list[i].module;
		if ((!i || b->list[i - 1].module != module) && k->ids[module])
			block_lines_each(&l->zones, module, &to);
	}
}

/* ---- sources */

static void put_source(struct keep *k, const char *path, const void *packed, size_t packed_bytes,
		       size_t text_bytes)
{
	struct zprof_source out = {.text_bytes = text_bytes,
				   .packed_bytes = (uint32_t)packed_bytes};
	profile_records_add(&k->sources, ZPROF_SECTION_SOURCES, &out,
			    (const void *const[]){path, packed});
	k->source_count++;
}

static void put_told_sources(struct keep *k)
{
	const struct told *told = &k->load->zones.told;
	for (size_t i = 0; i < told->source_count; i++)
		put_source(k, told->sources[i].path, told->sources[i].packed,
			   told->sources[i].fixed.packed_bytes, told->sources[i].fixed.text_bytes);
}

static void put_sources(struct keep *k, const char *const *search, size_t search_count)
{
	const struct places *p = &k->load->places;
	const struct told *told = &k->load->zones.told;
	for (uint32_t i = 1; i < k->wanted_room; i++) {
		const char *path = k->wanted[i] ? p->files[i] : "";
		if (!source_text_is_source(path) || told_source(told, path))
			continue;
		struct source_place place = load_source(k->load, i, search, search_count);
		char *text = source_text_search(&place);
		size_t packed_bytes, n = text ? strlen(text) : 0;
		void *packed = text ? pack(text, n, &packed_bytes) : NULL;
		if (text && n < SOURCE_MOST)
			put_source(k, path, packed, packed_bytes, n);
		free(packed);
		free(text);
	}
}

/* ---- all */

/* Packs the records of a section; the head says which type of section they were. */
static void pack_section(struct profile_records *r, uint32_t type)
{
	size_t packed_bytes;
	if (!r->used)
		return;
	struct zprof_packed head = {.type = type, .records_bytes = r->used};
	void *packed = pack(r->bytes, r->used, &packed_bytes);
	head.packed_bytes = packed_bytes;
	profile_records_free(r);
	profile_records_put(r, &head, sizeof head);
	profile_records_put(r, packed, packed_bytes);
	free(packed);
}

void keep_find(struct keep *k, struct load *l, const uint32_t *ids, enum keep_sources sources,
	       const char *const *search, size_t search_count)
{
	*k = (struct keep){.load = l, .ids = ids};
	put_names(k);
	put_places(k);
	put_statements(k);
	put_told_sources(k);
	if (sources == KEEP_ALL_SOURCES)
		put_sources(k, search, search_count);
	pack_section(&k->names, ZPROF_SECTION_NAMES);
	pack_section(&k->places, ZPROF_SECTION_PLACES);
	pack_section(&k->statements, ZPROF_SECTION_STATEMENTS);
}

void keep_forget_sources(struct keep *k)
{
	profile_records_free(&k->sources);
	k->source_count = 0;
}

static uint64_t section_bytes(const struct profile_records *r)
{
	uint64_t bytes = r->used ? r->used + sizeof(struct zprof_section) : 0;
	return (bytes + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
}

uint64_t keep_bytes(const struct keep *k)
{
	return section_bytes(&k->names) + section_bytes(&k->places) +
	       section_bytes(&k->statements) + section_bytes(&k->sources);
}

void keep_write(const struct keep *k, struct profile_writer *to)
{
	const struct profile_records *packed[] = {&k->names, &k->places, &k->statements};
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
		profile_write_section(to, ZPROF_SECTION_PACKED, packed[i]->bytes, packed[i]->used);
	profile_write_section(to, ZPROF_SECTION_SOURCES, k->sources.bytes, k->sources.used);
}

void keep_free(struct keep *k)
{
	profile_records_free(&k->names);
	profile_records_free(&k->places);
	profile_records_free(&k->statements);
	profile_records_free(&k->sources);
	profile_records_free(&k->rows);
	lookup_free(&k->by_start);
	free(k->keys);
	free(k->wanted);
	*k = (struct keep){0};
}
