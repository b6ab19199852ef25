/* SPDX-License-Identifier: MIT */
/*
 * zones.c - see zones.h. A name is looked up once for each address in a module, and only if the
 * zone was entered.
 */
#include "report/core/names/zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/progress.h"
#include "report/core/names/facts.h"

/* A zone as a profile writes it, and its number. */
struct zone_seen {
	uint64_t value;
	uint32_t module;
	uint32_t number;
};

const char *zones_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

uint32_t zones_unspread(const struct zones *z, uint32_t zone)
{
	return z->list[zone].spread_of ? z->list[zone].spread_of : zone;
}

static char *text(const char *t)
{
	return memory_text(t ? t : "", t ? strlen(t) : 0);
}

void zones_init(struct zones *z)
{
	*z = (struct zones){.symbolizer = symbolize_new()};
	if (!z->symbolizer)
		memory_exhausted(0);
	z->list = memory_room(NULL, 0, &z->room, sizeof *z->list);
	z->list[z->count++] = (struct zone){.name = text("(outside)"),
					    .linkage = text(""),
					    .file = text(""),
					    .group = text(""),
					    .module = ZONE_NO_MODULE};
}

void zones_free(struct zones *z)
{
	for (size_t i = 0; i < z->count; i++) {
		free(z->list[i].name);
		free(z->list[i].linkage);
		free(z->list[i].file);
		free(z->list[i].group);
	}
	for (size_t i = 0; i < z->module_count; i++)
		free(z->modules[i].path);
	free(z->list);
	free(z->modules);
	lookup_free(&z->by_key);
	told_free(&z->told);
	if (!z->borrowed)
		symbolize_free(z->symbolizer);
	*z = (struct zones){0};
}

void zones_borrow(struct zones *z, struct symbolizer *symbolizer)
{
	symbolize_free(z->symbolizer);
	z->symbolizer = symbolizer;
	z->borrowed = true;
}

static uint32_t module_number(struct zones *z, const struct profile_module *m)
{
	for (size_t i = 0; i < z->module_count; i++) {
		const struct zone_module *known = &z->modules[i];
		if (!strcmp(known->path, m->path) &&
		    known->build_id_bytes == m->fixed.build_id_bytes &&
		    !memcmp(known->build_id, m->fixed.build_id, m->fixed.build_id_bytes))
			return (uint32_t)i;
	}
	z->modules = memory_room(z->modules, z->module_count, &z->module_room, sizeof *z->modules);
	struct zone_module *new = &z->modules[z->module_count];
	*new =
	    (struct zone_module){.path = text(m->path), .build_id_bytes = m->fixed.build_id_bytes};
	memcpy(new->build_id, m->fixed.build_id, sizeof new->build_id);
	new->is_kernel = !strcmp(m->path, ZPROF_KERNEL_PATH);
	enum symbolize_kind kind = new->is_kernel               ? SYMBOLIZE_KERNEL
				   : !strcmp(m->path, "[vdso]") ? SYMBOLIZE_VDSO
								: SYMBOLIZE_FILE;
	new->symbols =
	    symbolize_add(z->symbolizer, m->path, m->fixed.build_id, m->fixed.build_id_bytes, kind);
	return (uint32_t)z->module_count++;
}

static bool same_look(const void *context, uint32_t item, const void *key)
{
	const struct profile *p = context;
	const struct profile_zone *k = key, *o = &p->zones[item];
	return k->fixed.kind == o->fixed.kind && k->fixed.line == o->fixed.line &&
	       !strcmp(k->name, o->name) && !strcmp(k->group, o->group) &&
	       !strcmp(k->file, o->file);
}

/* For each named zone, the number of zones with smaller ids that have the same name and place. */
static uint32_t *zone_ordinals(const struct profile *p)
{
	struct lookup first = {0};
	uint32_t *ordinals = memory_zeroed(p->zone_count, sizeof *ordinals);
	uint32_t *alike = memory_zeroed(p->zone_count, sizeof *alike);
	for (size_t i = 0; i < p->zone_count; i++) {
		const struct profile_zone *z = &p->zones[i];
		uint64_t hash = lookup_hash_text(z->name, lookup_hash_text(z->file, z->fixed.line));
		uint32_t item = lookup_find(&first, hash, same_look, p, z);
		if (item == LOOKUP_NONE)
			lookup_add(&first, hash, (uint32_t)i);
		else
			ordinals[i] = ++alike[item];
	}
	lookup_free(&first);
	free(alike);
	return ordinals;
}

/* *NUMBER becomes the number of the module with a profile's ID; false: there is none. */
static bool told_module(struct zones_of_profile *m, uint32_t id, uint32_t *number)
{
	const struct profile_module *module = profile_find_module(m->profile, id);
	if (module)
		*number = zones_module_number(m, module);
	return module;
}

static void take_refused(struct zones_of_profile *m)
{
	const struct profile *p = m->profile;
	for (size_t i = 0; i < p->refused_count; i++) {
		const struct zprof_refused *r = &p->refused[i];
		const struct profile_module *in = profile_find_module(p, ZPROF_REFUSED_MODULE(r));
		if (!in || !r->bytes)
			continue;
		struct told_refused told = {.module = zones_module_number(m, in),
					    .start = r->address - in->fixed.bias,
					    .bytes = r->bytes,
					    .part = ZPROF_REFUSED_FLAGS(r) & ZPROF_REFUSED_PART};
		told_add_refused(&m->zones->told, &told);
	}
}

/* Copies the facts that the profile holds of its programs (told.h). */
static void take_told(struct zones_of_profile *m)
{
	const struct profile *p = m->profile;
	struct told *told = &m->zones->told;
	uint32_t module;
	for (size_t i = 0; i < p->name_count; i++)
		if (told_module(m, p->names[i].fixed.module, &module))
			told_add_name(told, module, &p->names[i]);
	for (size_t i = 0; i < p->statements_count; i++)
		if (told_module(m, p->statements[i].fixed.module, &module))
			told_add_statements(told, module, &p->statements[i]);
	for (size_t i = 0; i < p->source_count; i++)
		told_add_source(told, &p->sources[i]);
	take_refused(m);
	told_seal(told);
}

void zones_of_profile_init(struct zones_of_profile *m, struct zones *zones, const struct profile *p)
{
	*m = (struct zones_of_profile){.zones = zones, .profile = p};
	m->module_numbers = memory_resize(NULL, p->module_count, sizeof *m->module_numbers);
	for (size_t i = 0; i < p->module_count; i++)
		m->module_numbers[i] = UINT32_MAX; /* set when one of the module's zones is used */
	m->ordinals = zone_ordinals(p);
	take_told(m);
}

void zones_of_profile_free(struct zones_of_profile *m)
{
	free(m->seen);
	free(m->module_numbers);
	free(m->ordinals);
	lookup_free(&m->by_value);
}

static bool same_seen(const void *context, uint32_t item, const void *key)
{
	const struct zones_of_profile *m = context;
	const struct zone_seen *k = key, *s = &m->seen[item];
	return s->value == k->value && s->module == k->module;
}

static bool same_zone(const void *context, uint32_t item, const void *key)
{
	const struct zones *z = context;
	const struct zone *k = key, *o = &z->list[item];
	if (k->kind != o->kind || k->module != o->module || k->address != o->address ||
	    k->ordinal != o->ordinal)
		return false;
	return !k->kind || (k->line == o->line && !strcmp(k->name, o->name) &&
			    !strcmp(k->group, o->group) && !strcmp(k->file, o->file));
}

static uint64_t zone_hash(const struct zone *k)
{
	if (!k->kind)
		return lookup_hash(k->address, k->module);
	return lookup_hash_text(k->name, lookup_hash_text(k->file, k->line) + k->ordinal);
}

static void free_texts(struct zone *z)
{
	free(z->name);
	free(z->linkage);
	free(z->file);
	free(z->group);
}

void zones_forget_levels(struct zones *z, size_t count)
{
	while (z->count > count)
		free_texts(&z->list[--z->count]);
}

/* The number of the zone KEY, whose texts are taken over. A zone known without a name may get a
 * name here: a merged profile may have one that the module's file lacks. */
static uint32_t zone_number(struct zones *z, struct zone *key)
{
	uint64_t hash = zone_hash(key);
	uint32_t number = lookup_find(&z->by_key, hash, same_zone, z, key);
	if (number != LOOKUP_NONE && z->list[number].nameless && !key->nameless) {
		free_texts(&z->list[number]);
		z->list[number] = *key;
		return number;
	}
	if (number != LOOKUP_NONE) {
		free_texts(key);
		return number;
	}
	z->list = memory_room(z->list, z->count, &z->room, sizeof *z->list);
	z->list[z->count] = *key;
	lookup_add(&z->by_key, hash, (uint32_t)z->count);
	return (uint32_t)z->count++;
}

static uint32_t native_at(const struct zones *z, uint32_t module, uint64_t address)
{
	struct zone key = {.module = module, .address = address};
	return lookup_find(&z->by_key, zone_hash(&key), same_zone, z, &key);
}

/* The number of the native zone that begins at ADDRESS, if it is known with its name. */
static uint32_t known_zone(const struct zones *z, uint32_t module, uint64_t address)
{
	uint32_t number = native_at(z, module, address);
	return number != LOOKUP_NONE && z->list[number].nameless ? LOOKUP_NONE : number;
}

/* Adds missing zones with the same name and place and lower ordinals. So the order of zones'
 * numbers, in which `zprof merge` writes them, is the order of their ordinals. */
static void add_lower_ordinals(struct zones *z, const struct zone *of)
{
	struct zone key = *of;
	while (key.ordinal) {
		key.ordinal--;
		if (lookup_find(&z->by_key, zone_hash(&key), same_zone, z, &key) != LOOKUP_NONE) {
			key.ordinal++;
			break;
		}
	}
	for (uint32_t ordinal = key.ordinal; ordinal < of->ordinal; ordinal++) {
		key = *of;
		key.ordinal = ordinal;
		key.name = text(of->name);
		key.linkage = text(of->linkage);
		key.file = text(of->file);
		key.group = text(of->group);
		zone_number(z, &key);
	}
}

uint32_t zones_module_number(struct zones_of_profile *m, const struct profile_module *module)
{
	uint32_t *number = &m->module_numbers[module - m->profile->modules];
	if (*number == UINT32_MAX)
		*number = module_number(m->zones, module);
	return *number;
}

static uint32_t native_zone(struct zones_of_profile *m, uint64_t value, uint32_t module_id)
{
	const struct profile_module *module = profile_find_module(m->profile, module_id);
	struct zone z = {.module = ZONE_NO_MODULE, .address = value, .group = text("")};
	char absolute[32];
	if (!module) {
		snprintf(absolute, sizeof absolute, "0x%llx", (unsigned long long)value);
		z.name = text(absolute);
		z.linkage = text(absolute);
		z.file = text("");
		z.nameless = true;
		return zone_number(m->zones, &z);
	}
	z.module = zones_module_number(m, module);
	uint32_t known = known_zone(m->zones, z.module, value - module->fixed.bias);
	if (known != LOOKUP_NONE) {
		free(z.group);
		return known;
	}
	uint64_t address = value - module->fixed.bias;
	const struct told_name *told = told_name_at(&m->zones->told, z.module, address);
	struct fact_name found = facts_name(m->zones, z.module, address);
	z.address = found.start;
	z.bytes = found.size;
	z.code = told ? told->code : 0;
	z.name = text(found.name);
	z.linkage = text(found.linkage);
	z.file = text(found.file);
	z.line = found.line;
	z.nameless = !found.known;
	z.after = z.nameless ? facts_after(m->zones, z.module, z.address) : NULL;
	struct zone_module *in = &m->zones->modules[z.module];
	in->entered++;
	in->asked += !told;
	in->nameless += z.nameless;
	progress_step("looking up names", m->zones->count, 0);
	return zone_number(m->zones, &z);
}

static uint32_t named_zone(struct zones_of_profile *m, uint32_t id)
{
	const struct profile_zone *found = profile_find_zone(m->profile, id);
	struct zone z = {.module = ZONE_NO_MODULE, .kind = ZPROF_ZONE_LENT};
	if (found) {
		z.kind = found->fixed.kind ? found->fixed.kind : ZPROF_ZONE_LENT;
		z.name = text(found->name);
		z.group = text(found->group);
		z.file = text(found->file);
		z.line = found->fixed.line;
		z.ordinal = m->ordinals[found - m->profile->zones];
	} else {
		char unknown[32];
		snprintf(unknown, sizeof unknown, "zone-%u", id);
		z.name = text(id == ZPROF_ID_SELF     ? "[zprof]"
			      : id == ZPROF_ID_KERNEL ? "[kernel]"
						      : unknown);
		if (id == ZPROF_ID_SELF || id == ZPROF_ID_KERNEL)
			z.kind = ZPROF_ZONE_OWN;
		z.group = text("");
		z.file = text("");
	}
	z.linkage = text(z.name);
	add_lower_ordinals(m->zones, &z);
	return zone_number(m->zones, &z);
}

uint32_t zones_wait(struct zones *z, const char *name, const char *file, uint32_t line)
{
	struct zone key = {.module = ZONE_NO_MODULE,
			   .kind = ZPROF_ZONE_WAIT,
			   .name = text(name),
			   .linkage = text(name),
			   .group = text("waits"),
			   .file = text(file),
			   .line = line};
	return zone_number(z, &key);
}

uint32_t zones_sampled(struct zones *z, const struct zone_sampled *of)
{
	struct zone key = {.module = of->module,
			   .address = of->address,
			   .kind = ZPROF_ZONE_SAMPLED,
			   .name = text(of->name),
			   .linkage = text(of->name),
			   .group = text("sampled"),
			   .file = text(of->file),
			   .line = of->line,
			   .nameless = of->nameless,
			   .after = of->after};
	return zone_number(z, &key);
}

uint32_t zones_native(const struct zones *z, uint32_t module, uint64_t address)
{
	uint32_t number = native_at(z, module, address);
	return number == LOOKUP_NONE ? ZONE_OUTSIDE : number;
}

uint32_t zones_number(struct zones_of_profile *m, const struct zprof_node *node)
{
	struct zone_seen key = {.value = node->zone, .module = ZPROF_NODE_MODULE(node)};
	uint64_t hash = lookup_hash(key.value, key.module);
	uint32_t item = lookup_find(&m->by_value, hash, same_seen, m, &key);
	if (item != LOOKUP_NONE)
		return m->seen[item].number;
	if (ZPROF_ZONE_KIND(node->zone) == ZPROF_ZONE_NAMED)
		key.number = named_zone(m, ZPROF_ZONE_ID(node->zone));
	else
		key.number = native_zone(m, key.value, key.module);
	m->seen = memory_room(m->seen, m->seen_count, &m->seen_room, sizeof *m->seen);
	m->seen[m->seen_count] = key;
	lookup_add(&m->by_value, hash, (uint32_t)m->seen_count++);
	return key.number;
}
