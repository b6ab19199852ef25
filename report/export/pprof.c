/* SPDX-License-Identifier: MIT */
/*
 * pprof.c - profiles for `go tool pprof`: messages as defined in pprof.proto, compressed by zlib.
 *
 * A sample is a context: its calls, its time, and the counters of interpreters, with the thread,
 * the process, the rank and the group as labels. Each zone is a function with one location. Each
 * module is a mapping. Each mapping gets a start address of our own choice, which keeps the
 * addresses of modules apart. For a store (pprof.h), samples have no labels, and other names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "pprof.pb-c.h"
#include "report/core/base/memory.h"
#include "report/export/export.h"
#include "report/export/pprof.h"
#include "report/export/walk.h"

#define MODULE_STRIDE (UINT64_C(1) << 40) /* above any address within a module */

struct pprof {
	const struct export *e;
	Pprof__Profile *profile;
	bool for_store;        /* pprof.h */
	struct lookup by_text; /* of the profile's strings */
	uint32_t thread;       /* the thread being written */
	struct str thread_name;
	bool *used; /* by zone */
};

/* Each message is malloc()ed separately, so that protobuf-c can free the whole profile. */
#define NEW(type, init)                                                                            \
	type *new = memory_zeroed(1, sizeof *new);                                                 \
	init(new)

/* Appends ITEM to a LIST of COUNT pointers, which grows where COUNT is a power of two. */
static void *append(void *list, size_t *count, void *item)
{
	if (!(*count & (*count - 1)))
		list = memory_resize(list, *count ? *count * 2 : 1, sizeof item);
	memcpy((char *)list + (*count)++ * sizeof item, &item, sizeof item);
	return list;
}

static bool same_text(const void *context, uint32_t item, const void *key)
{
	const Pprof__Profile *p = context;
	return !strcmp(p->string_table[item], key);
}

/* The number of a text in the profile's table of strings, which must be UTF-8. */
static int64_t text(struct pprof *p, const char *any)
{
	json_t *valid = view_json_text(any);
	const char *utf8 = json_string_value(valid);
	uint64_t hash = lookup_hash_text(utf8, 0);
	uint32_t number = lookup_find(&p->by_text, hash, same_text, p->profile, utf8);
	if (number == LOOKUP_NONE) {
		number = (uint32_t)p->profile->n_string_table;
		p->profile->string_table =
		    append(p->profile->string_table, &p->profile->n_string_table,
			   memory_text(utf8, strlen(utf8)));
		lookup_add(&p->by_text, hash, number);
	}
	json_decref(valid);
	return number;
}

static Pprof__ValueType *value_type(struct pprof *p, const char *type, const char *unit)
{
	NEW(Pprof__ValueType, pprof__value_type__init);
	new->type = text(p, type);
	new->unit = text(p, unit);
	return new;
}

static void add_type(struct pprof *p, const char *type, const char *unit)
{
	p->profile->sample_type =
	    append(p->profile->sample_type, &p->profile->n_sample_type, value_type(p, type, unit));
}

/* Where a process was sampled from outside, there is no type for calls: readers would add its zeros
 * to the counts of others. */
static void add_calls(struct pprof *p)
{
	if (!p->e->view->sampled)
		add_type(p, "calls", "count");
}

/* The types of a store; only those that the profile knows. */
static void add_store_types(struct pprof *p)
{
	const struct view *v = p->e->view;
	const char *time = load_unknown_measure(&v->load, TIME_CPU) ? "time" : "cpu";
	add_calls(p);
	if (!v->counts_only)
		add_type(p, time, "nanoseconds");
	for (size_t i = 0; i < export_further_count(p->e); i++)
		add_type(p, export_further_is_time(p->e, i) ? "wait" : export_further_name(p->e, i),
			 export_further_is_time(p->e, i) ? "nanoseconds" : "count");
	p->profile->default_sample_type = text(p, v->counts_only ? "calls" : time);
	p->profile->period_type = value_type(p, time, "nanoseconds");
	p->profile->period = 1;
}

static void add_types(struct pprof *p)
{
	const struct view *v = p->e->view;
	if (p->for_store) {
		add_store_types(p);
		return;
	}
	add_calls(p);
	if (!v->counts_only)
		add_type(p, "time", "nanoseconds");
	for (size_t i = 0; i < export_further_count(p->e); i++)
		add_type(p, export_further_name(p->e, i),
			 export_further_is_time(p->e, i) ? "nanoseconds" : "count");
	p->profile->default_sample_type = text(p, v->counts_only ? "calls" : "time");
}

static void add_module(struct pprof *p, size_t module)
{
	const struct zone_module *m = &p->e->zones->modules[module];
	struct str id = {0};
	NEW(Pprof__Mapping, pprof__mapping__init);
	for (uint32_t i = 0; i < m->build_id_bytes; i++)
		str_add(&id, "%02x", m->build_id[i]);
	new->id = module + 1;
	new->memory_start = new->id *MODULE_STRIDE;
	new->memory_limit = new->memory_start + MODULE_STRIDE;
	new->filename = text(p, m->path);
	new->build_id = text(p, str_text(&id));
	new->has_functions = new->has_filenames = new->has_line_numbers = true;
	p->profile->mapping = append(p->profile->mapping, &p->profile->n_mapping, new);
	str_free(&id);
}

static Pprof__Line *line_of(uint32_t zone, uint32_t number)
{
	NEW(Pprof__Line, pprof__line__init);
	new->function_id = zone + 1;
	new->line = number;
	return new;
}

static void add_location(struct pprof *p, uint32_t zone)
{
	const struct zone *z = &p->e->zones->list[zone];
	NEW(Pprof__Location, pprof__location__init);
	new->id = zone + 1;
	if (z->module != ZONE_NO_MODULE) {
		new->mapping_id = z->module + 1;
		new->address = new->mapping_id *MODULE_STRIDE + z->address % MODULE_STRIDE;
	}
	new->line = append(new->line, &new->n_line, line_of(zone, z->line));
	p->profile->location = append(p->profile->location, &p->profile->n_location, new);
}

static void add_function(struct pprof *p, uint32_t zone)
{
	const struct zone *z = &p->e->zones->list[zone];
	const char *name = export_zone_name(p->e, zone);
	NEW(Pprof__Function, pprof__function__init);
	new->id = zone + 1;
	new->name = text(p, name);
	new->system_name = text(p, *z->linkage ? z->linkage : name);
	new->filename = text(p, z->file);
	new->start_line = z->line;
	p->profile->function = append(p->profile->function, &p->profile->n_function, new);
}

static void add_label(struct pprof *p, Pprof__Sample *s, const char *key, const char *value,
		      int64_t number)
{
	NEW(Pprof__Label, pprof__label__init);
	new->key = text(p, key);
	new->str = text(p, value);
	new->num = number;
	s->label = append(s->label, &s->n_label, new);
}

static void add_labels(struct pprof *p, Pprof__Sample *s, uint32_t zone)
{
	const struct load *l = &p->e->view->load;
	const struct tree_thread *t = &p->e->tree->threads[p->thread];
	const char *group = zone ? view_group_name(p->e->view, zone) : "";
	add_label(p, s, "thread", p->thread_name.text, 0);
	add_label(p, s, "tid", "", t->tid);
	add_label(p, s, "pid", "", t->pid);
	if (*group)
		add_label(p, s, "group", group, 0);
	for (size_t i = 0; i < l->process_count; i++)
		if (l->processes[i].header.pid == t->pid && *l->processes[i].rank) {
			add_label(p, s, "rank", l->processes[i].rank, 0);
			break;
		}
}

static void add_context(void *context, uint32_t node, const struct path *path)
{
	struct pprof *p = context;
	const struct node *n = &p->e->tree->nodes[node];
	size_t further = export_further_count(p->e);
	NEW(Pprof__Sample, pprof__sample__init);
	new->n_location_id = path->count;
	new->location_id = memory_resize(NULL, path->count, sizeof *new->location_id);
	for (size_t i = 0; i < path->count; i++) {
		new->location_id[path->count - 1 - i] = path->zones[i] + 1;
		p->used[path->zones[i]] = true;
	}
	new->value = memory_resize(NULL, 2 + further, sizeof *new->value);
	if (!p->e->view->sampled)
		new->value[new->n_value++] = (int64_t)n->calls;
	if (!p->e->view->counts_only)
		new->value[new->n_value++] = export_ns(&n->self);
	for (size_t i = 0; i < further; i++)
		new->value[new->n_value++] = export_further(p->e, &n->self, i);
	if (!p->for_store)
		add_labels(p, new, n->zone);
	p->profile->sample = append(p->profile->sample, &p->profile->n_sample, new);
}

static void add_threads(struct pprof *p)
{
	struct tree_children c = tree_children(p->e->tree);
	size_t shortened = 0;
	for (p->thread = 0; p->thread < p->e->tree->thread_count; p->thread++) {
		export_thread_name(p->e, p->thread, &p->thread_name);
		shortened +=
		    walk_paths(p->e->tree, &c, p->thread, p->e->zones->count, add_context, p);
	}
	export_say_shortened(shortened);
	tree_children_free(&c);
}

static void fill(struct pprof *p)
{
	const struct zprof_header *h = &p->e->view->load.processes[0].header;
	text(p, "");
	add_types(p);
	add_threads(p);
	for (size_t i = 0; i < p->e->zones->module_count; i++)
		add_module(p, i);
	for (uint32_t i = 0; i < p->e->zones->count; i++)
		if (p->used[i]) {
			add_location(p, i);
			add_function(p, i);
		}
	p->profile->comment = memory_zeroed(2, sizeof *p->profile->comment);
	p->profile->comment[p->profile->n_comment++] = text(p, export_title(p->e));
	if (p->e->view->options->below)
		p->profile->comment[p->profile->n_comment++] =
		    text(p, "calls of functions '(sampled)' are not counted");
	p->profile->time_nanos = (int64_t)h->start_realtime_ns;
	double elapsed = load_elapsed_ns(&p->e->view->load);
	p->profile->duration_nanos =
	    elapsed > 0 ? (int64_t)elapsed : export_ns(&p->e->derived->whole);
}

/* Writes bytes compressed, as a gzip file. */
static bool put_compressed(FILE *to, const uint8_t *bytes, size_t count, struct str *err)
{
	uint8_t block[1 << 16];
	z_stream z = {.next_in = (uint8_t *)bytes};
	int status = deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	if (status != Z_OK)
		return str_fail(err, "zlib cannot compress: %s", zError(status));
	while (status != Z_STREAM_END) {
		size_t left = count - (size_t)(z.next_in - bytes);
		z.avail_in = left > 1 << 30 ? 1 << 30 : (uInt)left;
		z.next_out = block;
		z.avail_out = sizeof block;
		status = deflate(&z, left == z.avail_in ? Z_FINISH : Z_NO_FLUSH);
		fwrite(block, 1, sizeof block - z.avail_out, to);
	}
	deflateEnd(&z);
	return true;
}

/* Whether a file is a gzip file with a Profile, whose first member is a sample_type. */
static bool is_profile(const char *head, size_t bytes)
{
	uint8_t start[3] = {0};
	z_stream z = {.next_in = (uint8_t *)head,
		      .avail_in = (uInt)bytes,
		      .next_out = start,
		      .avail_out = sizeof start};
	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return false;
	inflate(&z, Z_SYNC_FLUSH);
	inflateEnd(&z);
	return !z.avail_out && start[0] == 0x0a && start[2] == 0x08;
}

static bool write_one(const struct export *e, bool for_store, struct str *err)
{
	struct pprof p = {
	    .e = e, .for_store = for_store, .used = memory_zeroed(e->zones->count, 1)};
	p.profile = memory_zeroed(1, sizeof *p.profile);
	pprof__profile__init(p.profile);
	fill(&p);
	size_t bytes = pprof__profile__get_packed_size(p.profile);
	uint8_t *packed = memory_resize(NULL, bytes, 1);
	pprof__profile__pack(p.profile, packed);
	bool ok = put_compressed(e->to, packed, bytes, err);
	pprof__profile__free_unpacked(p.profile, NULL);
	lookup_free(&p.by_text);
	str_free(&p.thread_name);
	free(packed);
	free(p.used);
	return ok;
}

static bool write_profile(const struct export *e, struct str *err)
{
	return write_one(e, false, err);
}

static bool write_for_store(const struct export *e, struct str *err)
{
	return write_one(e, true, err);
}

const struct export_format pprof_store_format = {
    .name = "pprof",
    .binary = true,
    .adds_up = true,
    .repeats = true,
    .write = write_for_store,
};

const struct export_format pprof_format = {
    .name = "pprof",
    .is_one = is_profile,
    .summary = "go tool pprof, Pyroscope, Grafana",
    .binary = true,
    .adds_up = true,
    .write = write_profile,
};
