/* SPDX-License-Identifier: MIT */
/* gcov_read.c - see gcov_read.h. */
#include "report/profile/gcov_read.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "report/base/lookup.h"
#include "report/base/memory.h"

#define MODULE        1u
#define FUNCTION_BITS 24 /* of addresses in a function: ZPROF_COUNTS_STEP for each line */
#define TEXT_MOST     ((size_t)1 << 30) /* bytes, unpacked */

struct reading {
	struct profile *p;
	const char *folder; /* where the compiler ran */
	size_t first_name;  /* of the current object */
	struct lookup by_name, by_lines;
	uint64_t hash[2];    /* of the program's functions and lines */
	char data_file[256]; /* of the first object */
};

static const char *text_of(json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static uint64_t number_of(json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);
	double real = json_number_value(value);
	if (json_is_integer(value))
		return json_integer_value(value) > 0 ? (uint64_t)json_integer_value(value) : 0;
	return real > 0 && real < 1e18 ? (uint64_t)real : 0; /* gcc writes large ones as reals */
}

static void mix(struct reading *r, const char *text, uint64_t number)
{
	for (int i = 0; i < 2; i++)
		r->hash[i] = lookup_hash_text(text, lookup_hash(r->hash[i] + (uint64_t)i, number));
}

/* ---- functions */

static bool same_name(const void *context, uint32_t item, const void *key)
{
	const struct reading *r = context;
	return item >= r->first_name && !strcmp(r->p->names[item].linkage, key);
}

static char *copy(const char *text)
{
	return memory_text(text, strlen(text));
}

static char *path_of(const struct reading *r, const char *file)
{
	struct str path = {0};
	str_add(&path, "%s%s%s", *file == '/' ? "" : r->folder,
		*file == '/' || !*r->folder ? "" : "/", file);
	return path.text;
}

static struct profile_name *add_name(struct reading *r, const char *linkage)
{
	struct profile *p = r->p;
	uint64_t hash = lookup_hash_text(linkage, r->first_name);
	p->names = memory_room(p->names, p->name_count, &p->name_room, sizeof *p->names);
	lookup_add(&r->by_name, hash, (uint32_t)p->name_count);
	struct profile_name *n = &p->names[p->name_count++];
	*n = (struct profile_name){.module = MODULE,
				   .start = (uint64_t)p->name_count << FUNCTION_BITS,
				   .size = (uint64_t)1 << FUNCTION_BITS,
				   .linkage = copy(linkage),
				   .compiler = copy("")};
	return n;
}

static uint32_t find_name(const struct reading *r, const char *linkage)
{
	uint64_t hash = lookup_hash_text(linkage, r->first_name);
	return lookup_find(&r->by_name, hash, same_name, r, linkage);
}

static void add_functions(struct reading *r, json_t *file)
{
	size_t i;
	json_t *f;
	json_array_foreach(json_object_get(file, "functions"), i, f)
	{
		const char *linkage = text_of(f, "name"), *name = text_of(f, "demangled_name");
		if (find_name(r, linkage) != LOOKUP_NONE)
			continue;
		struct profile_name *n = add_name(r, linkage);
		n->name = copy(*name ? name : linkage);
		n->file = path_of(r, text_of(file, "file"));
		n->line = (uint32_t)number_of(f, "start_line");
		n->last_line = (uint32_t)number_of(f, "end_line");
		mix(r, linkage, n->line);
	}
}

/* ---- lines */

struct lines_key {
	uint64_t start;
	const char *file;
};

static bool same_lines(const void *context, uint32_t item, const void *key)
{
	const struct reading *r = context;
	const struct lines_key *k = key;
	return r->p->statements[item].start == k->start &&
	       !strcmp(r->p->statements[item].file, k->file);
}

/* The lines of the function with index NAME that are in FILE. */
static struct profile_statements *lines_of(struct reading *r, uint32_t name, const char *file)
{
	struct profile *p = r->p;
	struct lines_key key = {p->names[name].start, file};
	uint64_t hash = lookup_hash_text(file, key.start);
	uint32_t item = lookup_find(&r->by_lines, hash, same_lines, r, &key);
	if (item != LOOKUP_NONE)
		return &p->statements[item];
	p->statements = memory_room(p->statements, p->statements_count, &p->statements_room,
				    sizeof *p->statements);
	lookup_add(&r->by_lines, hash, (uint32_t)p->statements_count);
	struct profile_statements *s = &p->statements[p->statements_count++];
	*s = (struct profile_statements){.module = MODULE, .start = key.start, .file = copy(file)};
	return s;
}

static int by_start(const void *left, const void *right)
{
	const struct profile_statements *a = left, *b = right;
	return (a->start > b->start) - (a->start < b->start);
}

static void add_count(struct profile *p, uint64_t address, uint64_t count)
{
	if (!count)
		return;
	p->counts = memory_room(p->counts, p->count_count, &p->count_room, sizeof *p->counts);
	p->counts[p->count_count++] = (struct profile_count){MODULE, address, count};
}

static void add_line(struct reading *r, json_t *line, const char *file, uint32_t *used)
{
	struct profile *p = r->p;
	const char *function = text_of(line, "function_name");
	uint32_t number = (uint32_t)number_of(line, "line_number");
	uint32_t name = find_name(r, function);
	if (!number || name == LOOKUP_NONE || used[name] >= 1u << (FUNCTION_BITS - 2))
		return;
	struct profile_statements *s = lines_of(r, name, file);
	uint32_t block = used[name]++ * ZPROF_COUNTS_STEP;
	s->list = memory_resize(s->list, s->count + 1, sizeof *s->list);
	s->list[s->count++] = (struct zprof_statement){.line = number, .block = block};
	add_count(p, s->start + block, number_of(line, "count"));
	mix(r, function, number);
}

static void add_lines(struct reading *r, json_t *file, uint32_t *used)
{
	char *path = path_of(r, text_of(file, "file"));
	size_t i;
	json_t *line;
	json_array_foreach(json_object_get(file, "lines"), i, line)
	{
		add_line(r, line, path, used);
	}
	free(path);
}

static void add_object(struct reading *r, json_t *object)
{
	size_t i;
	json_t *file, *files = json_object_get(object, "files");
	r->folder = text_of(object, "current_working_directory");
	if (!r->first_name)
		snprintf(r->data_file, sizeof r->data_file, "%s", text_of(object, "data_file"));
	r->first_name = r->p->name_count;
	json_array_foreach(files, i, file)
	{
		add_functions(r, file);
	}
	uint32_t *used = memory_zeroed(r->p->name_count, sizeof *used);
	json_array_foreach(files, i, file)
	{
		add_lines(r, file, used);
	}
	free(used);
}

/* ---- the file */

static bool read_head(const struct source *from, uint8_t head[2])
{
	return from->size > 2 && source_read(from, 0, head, 2);
}

bool gcov_is(const struct source *from)
{
	uint8_t head[2];
	return read_head(from, head) && (head[0] == '{' || (head[0] == 0x1f && head[1] == 0x8b));
}

/* What gzip packed; NULL if it is damaged, or too much. */
static char *gunzip(const uint8_t *bytes, size_t n, size_t *got)
{
	z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)n};
	size_t room = 0;
	char *text = NULL;
	int status = inflateInit2(&z, 15 + 16) == Z_OK ? Z_OK : Z_DATA_ERROR;
	while (status == Z_OK && room < TEXT_MOST) {
		size_t used = room;
		room = room ? room * 2 : n * 8 + 4096;
		text = memory_resize(text, room, 1);
		z.next_out = (Bytef *)text + used;
		z.avail_out = (uInt)(room - used);
		status = inflate(&z, Z_NO_FLUSH);
	}
	*got = z.total_out;
	inflateEnd(&z);
	if (status == Z_STREAM_END)
		return text;
	free(text);
	return NULL;
}

static char *read_text(const struct source *from, size_t *n)
{
	uint8_t *bytes = from->size < TEXT_MOST ? memory_resize(NULL, from->size, 1) : NULL;
	*n = from->size;
	if (!bytes || !source_read(from, 0, bytes, *n)) {
		free(bytes);
		return NULL;
	}
	if (*bytes == '{')
		return (char *)bytes;
	char *text = gunzip(bytes, *n, n);
	free(bytes);
	return text;
}

static bool read_objects(struct reading *r, const char *text, size_t n, struct str *err)
{
	json_error_t error;
	while (n) {
		size_t space = 0;
		while (space < n && strchr(" \t\r\n", text[space]))
			space++;
		text += space;
		n -= space;
		if (!n)
			break;
		json_t *object = json_loadb(text, n, JSON_DISABLE_EOF_CHECK, &error);
		if (!object || !json_is_array(json_object_get(object, "files"))) {
			json_decref(object);
			return str_fail(err, "'%s' is neither a profile nor gcov's JSON: %s",
					r->p->path, object ? "it has no files" : error.text);
		}
		add_object(r, object);
		json_decref(object);
		text += error.position;
		n -= (size_t)error.position;
	}
	return true;
}

static void finish(struct reading *r)
{
	struct profile *p = r->p;
	struct profile_module module = {.id = MODULE,
					.end = UINT64_MAX,
					.path = copy("gcov"),
					.build_id_bytes = sizeof r->hash};
	memcpy(module.build_id, r->hash, sizeof r->hash);
	if (p->statements_count)
		qsort(p->statements, p->statements_count, sizeof *p->statements, by_start);
	p->modules = memory_room(NULL, 0, &p->module_room, sizeof *p->modules);
	p->modules[p->module_count++] = module;
	p->command = memory_room(NULL, 0, &p->command_room, sizeof *p->command);
	p->command[p->command_count++] = copy("gcov");
	p->command[p->command_count++] = copy(r->data_file);
	p->header = (struct zprof_header){.version = ZPROF_VERSION,
					  .byte_order = ZPROF_BYTE_ORDER,
					  .header_bytes = ZPROF_GRANULE,
					  .node_bytes = ZPROF_NODE_BYTES,
					  .clock = ZPROF_CLOCK_MONOTONIC,
					  .mode = ZPROF_MODE_COUNT,
					  .flags = ZPROF_FINISHED,
					  .ticks_hz = 1000000000};
	memcpy(p->header.magic, ZPROF_MAGIC, sizeof p->header.magic);
}

bool gcov_read(struct profile *p, const struct source *from, const char *path, struct str *err)
{
	struct reading r = {.p = p};
	size_t n;
	char *text = read_text(from, &n);
	*p = (struct profile){.path = copy(path), .file_bytes = from->size};
	bool ok = text ? read_objects(&r, text, n, err)
		       : str_fail(err, "'%s' is damaged: gzip cannot unpack it", path);
	if (ok)
		finish(&r);
	else
		profile_free(p);
	lookup_free(&r.by_name);
	lookup_free(&r.by_lines);
	free(text);
	return ok;
}
