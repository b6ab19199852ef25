/* SPDX-License-Identifier: MIT */
/* places.c - see places.h. */
#include "report/core/source/places.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/progress.h"
#include "report/core/names/facts.h"

void places_init(struct places *p)
{
	*p = (struct places){0};
	p->list = memory_room(NULL, 0, &p->room, sizeof *p->list);
	p->list[0] = (struct code_place){.module = ZONE_NO_MODULE, .found = true};
	p->count = 1;
	p->files = memory_room(NULL, 0, &p->file_room, sizeof *p->files);
	p->files[0] = memory_text("", 0);
	p->folders = memory_room(NULL, 0, &p->folder_room, sizeof *p->folders);
	p->file_count = 1;
}

void places_free(struct places *p)
{
	for (size_t i = 0; i < p->file_count; i++)
		free(p->files[i]);
	free(p->files);
	free(p->folders);
	free(p->list);
	lookup_free(&p->by_key);
	lookup_free(&p->by_path);
	*p = (struct places){0};
}

/* ---- files */

/* Removes the last folder from TO; false if there is no folder but `..`. */
static bool go_up(char *to, size_t *used, size_t least)
{
	size_t at = *used;
	while (at > least && to[at - 1] != '/')
		at--;
	if (at == *used || (*used - at == 2 && !strncmp(to + at, "..", 2)))
		return false;
	*used = at > least ? at - 1 : at;
	return true;
}

char *places_plain_path(const char *path)
{
	char *to = memory_zeroed(strlen(path) + 2, 1);
	size_t least = *path == '/', used = 0;
	if (least)
		to[used++] = '/';
	while (*path) {
		path += strspn(path, "/");
		size_t n = strcspn(path, "/");
		bool up = n == 2 && !strncmp(path, "..", 2);
		if (n && !(n == 1 && *path == '.') && !(up && go_up(to, &used, least))) {
			if (used > least)
				to[used++] = '/';
			memcpy(to + used, path, n);
			used += n;
		}
		path += n;
	}
	to[used] = 0;
	return to;
}

static bool same_path(const void *context, uint32_t item, const void *key)
{
	const struct places *p = context;
	return !strcmp(p->files[item], key);
}

uint32_t places_file(struct places *p, const char *path)
{
	if (!path || !*path)
		return 0;
	char *plain = places_plain_path(path);
	uint64_t hash = lookup_hash_text(plain, 0);
	uint32_t item = lookup_find(&p->by_path, hash, same_path, p, plain);
	if (item != LOOKUP_NONE) {
		free(plain);
		return item;
	}
	p->files = memory_room(p->files, p->file_count, &p->file_room, sizeof *p->files);
	p->files[p->file_count] = plain;
	p->folders = memory_room(p->folders, p->file_count, &p->folder_room, sizeof *p->folders);
	lookup_add(&p->by_path, hash, (uint32_t)p->file_count);
	return (uint32_t)p->file_count++;
}

void places_compiled(struct places *p, uint32_t file, const struct zones *zones, uint32_t module,
		     uint64_t address)
{
	if (file && *p->files[file] != '/' && !p->folders[file])
		p->folders[file] = facts_folder(zones, module, address);
}

/* ---- places */

static bool same_place(const void *context, uint32_t item, const void *key)
{
	const struct places *p = context;
	const struct code_place *a = &p->list[item], *b = key;
	return a->address == b->address && a->module == b->module && a->inlined == b->inlined &&
	       (a->module != ZONE_NO_MODULE || a->file == b->file);
}

static uint32_t number(struct places *p, const struct code_place *key)
{
	uint64_t hash = lookup_hash(key->address, (uint64_t)key->module << 1 | key->inlined);
	uint32_t item = lookup_find(&p->by_key, hash, same_place, p, key);
	if (item != LOOKUP_NONE)
		return item;
	lookup_add(&p->by_key, hash, (uint32_t)p->count);
	*memory_next(p->list, p->count, p->room) = *key;
	return (uint32_t)p->count - 1;
}

uint32_t places_at(struct places *p, uint32_t module, uint64_t address, bool inlined)
{
	struct code_place key = {.module = module, .address = address, .inlined = inlined};
	return module == ZONE_NO_MODULE ? PLACE_UNKNOWN : number(p, &key);
}

uint32_t places_lent(struct places *p, uint32_t file, uint32_t packed)
{
	struct code_place key = {.module = ZONE_NO_MODULE,
				 .address = packed,
				 .found = true,
				 .file = file,
				 .line = packed >> 12,
				 .column = packed & 0xfff};
	return file && key.line ? number(p, &key) : PLACE_UNKNOWN;
}

void places_tell(struct places *p, uint32_t place, uint32_t file, uint32_t line, uint32_t column)
{
	struct code_place *to = &p->list[place];
	if (to->found)
		return;
	to->found = true;
	to->file = line ? file : 0;
	to->line = line;
	to->column = column;
}

static void find(struct places *p, uint32_t i, struct symbolize_module *symbols)
{
	struct symbolize_result r;
	const struct code_place *place = &p->list[i];
	symbolize_lookup(symbols, place->address - 1, &r);
	const struct symbolize_frame *inner = &r.frames[r.frame_count - 1];
	if (!place->inlined)
		places_tell(p, i, places_file(p, r.at_file), r.at_line, r.at_column);
	else if (r.frame_count > 1)
		places_tell(p, i, places_file(p, inner->call_file), inner->call_line,
			    inner->call_column);
	else
		places_tell(p, i, 0, 0, 0);
}

void places_find_one(struct places *p, uint32_t place, const struct zones *zones)
{
	const struct code_place *at = &p->list[place];
	if (at->found)
		return;
	find(p, place, zones->modules[at->module].symbols);
	places_compiled(p, at->file, zones, at->module, at->address - 1);
}

void places_find(struct places *p, const struct zones *zones)
{
	for (uint32_t i = 1; i < p->count; i++) {
		if (p->list[i].found)
			continue;
		places_find_one(p, i, zones);
		progress_step("looking up lines", i, p->count);
	}
	progress_end();
}
