/* SPDX-License-Identifier: MIT */
/*
 * via.c - see via.h.
 *
 * A return address is behind its call, and may already be the start of the next function. So the
 * byte before it is looked up. A signal's trampoline is different: no call leads to it, and the
 * handler's return address is its start.
 */
#include "report/core/names/via.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/cxx/short_name.h"
#include "report/core/names/trampoline.h"

#define VIA_SHOWN 3 /* names in a text */

static const char a_signal[] = "a signal";

struct pair {
	uint32_t caller, callee;
};

static bool same_pair(const void *context, uint32_t item, const void *key)
{
	const struct vias *v = context;
	const struct pair *k = key;
	return v->ways[item].caller == k->caller && v->ways[item].callee == k->callee;
}

uint32_t via_find(const struct vias *v, uint32_t caller, uint32_t callee)
{
	struct pair key = {caller, callee};
	return lookup_find(&v->by_pair, lookup_hash(caller, callee), same_pair, v, &key);
}

static bool same_way(const struct vias *v, const struct via_way *a, const struct via_way *b)
{
	if (a->count != b->count || a->whole != b->whole)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		const struct via_step *x = &v->steps[a->first + i], *y = &v->steps[b->first + i];
		if (x->module != y->module || x->address != y->address)
			return false;
	}
	return true;
}

static void add_step(struct vias *v, struct zones_of_profile *m, uint64_t address)
{
	struct via_step step = {ZONE_NO_MODULE, address};
	const struct profile_module *module = profile_module_at(m->profile, address);
	if (module) {
		step.module = zones_module_number(m, module);
		step.address -= module->fixed.bias;
	}
	v->steps = memory_room(v->steps, v->step_count, &v->step_room, sizeof *v->steps);
	v->steps[v->step_count++] = step;
}

void via_add(struct vias *v, struct zones_of_profile *m, const struct profile_via *via,
	     uint32_t caller, uint32_t callee)
{
	struct via_way new = {caller,           callee,   (uint32_t)v->step_count,
			      via->fixed.count, VIA_NONE, via->fixed.whole};
	for (uint32_t i = 0; i < via->fixed.count; i++)
		add_step(v, m, via->addresses[i]);
	uint32_t last = via_find(v, caller, callee), known = last;
	for (int ways = 1; last != LOOKUP_NONE; ways++, last = v->ways[last].next) {
		if (same_way(v, &v->ways[last], &new) || ways == VIA_WAYS) {
			v->step_count = new.first;
			return;
		}
		if (v->ways[last].next == VIA_NONE)
			break;
	}
	v->ways = memory_room(v->ways, v->count, &v->room, sizeof *v->ways);
	v->ways[v->count] = new;
	if (known == LOOKUP_NONE)
		lookup_add(&v->by_pair, lookup_hash(caller, callee), (uint32_t)v->count);
	else
		v->ways[last].next = (uint32_t)v->count;
	v->count++;
}

void via_free(struct vias *v)
{
	free(v->ways);
	free(v->steps);
	lookup_free(&v->by_pair);
	*v = (struct vias){0};
}

static char *copy(const char *text)
{
	return memory_text(text, strlen(text));
}

static void add_name(struct via_names *n, const char *text, const char *module, bool known)
{
	if (n->count && !strcmp(n->list[n->count - 1].text, text))
		return;
	n->list = memory_room(n->list, n->count, &n->room, sizeof *n->list);
	n->list[n->count++] = (struct via_name){copy(text), copy(module), known};
}

static bool is_trampoline(const struct zones *z, uint32_t module, uint64_t address)
{
	const struct zone_module *m = &z->modules[module];
	struct fact_name at = facts_bare_name(z, module, address);
	/* The kernel's image calls no function; on arm64 it is what handlers return to. */
	if (!strcmp(m->path, "[vdso]"))
		return true;
	if (!at.known)
		return !symbolize_notice(m->symbols) && trampoline_at(m->path, address);
	return at.start == address && !strcmp(at.linkage, VIA_TRAMPOLINE);
}

bool via_step_name(const struct zones *z, const struct via_step *step, struct fact_name *name)
{
	*name = facts_bare_name(z, step->module, step->address - 1);
	if (name->known || !is_trampoline(z, step->module, step->address))
		return false;
	name->linkage = VIA_TRAMPOLINE;
	name->name = a_signal;
	name->start = step->address;
	name->size = 1;
	return name->known = true;
}

static void name_step(struct via_names *n, const struct zones *z, const struct via_step *step)
{
	struct fact_name name;
	if (step->module == ZONE_NO_MODULE) {
		char text[32];
		snprintf(text, sizeof text, "0x%llx", (unsigned long long)step->address);
		add_name(n, text, "", false);
		return;
	}
	bool signal = via_step_name(z, step, &name);
	add_name(n, signal ? a_signal : name.name,
		 signal ? "" : zones_base_name(z->modules[step->module].path), name.known);
}

static void name_way(const struct vias *v, const struct zones *z, const struct via_way *way,
		     struct via_names *n)
{
	*n = (struct via_names){.whole = way->whole};
	for (uint32_t i = 0; i < way->count; i++)
		name_step(n, z, &v->steps[way->first + i]);
	for (size_t i = 0; i < n->count / 2; i++) {
		struct via_name name = n->list[i];
		n->list[i] = n->list[n->count - 1 - i];
		n->list[n->count - 1 - i] = name;
	}
}

static bool same_names(const struct via_names *a, const struct via_names *b)
{
	if (a->count != b->count || a->whole != b->whole)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->list[i].text, b->list[i].text))
			return false;
	return true;
}

bool via_names_of(const struct vias *v, const struct zones *z, uint32_t caller, uint32_t callee,
		  struct via_names *n)
{
	uint32_t way = via_find(v, zones_unspread(z, caller), zones_unspread(z, callee));
	if (way == LOOKUP_NONE)
		return false;
	name_way(v, z, &v->ways[way], n);
	while (!n->others && (way = v->ways[way].next) != VIA_NONE) {
		struct via_names other;
		name_way(v, z, &v->ways[way], &other);
		n->others = !same_names(n, &other);
		via_names_free(&other);
	}
	return true;
}

void via_names_free(struct via_names *n)
{
	for (size_t i = 0; i < n->count; i++) {
		free(n->list[i].text);
		free(n->list[i].module);
	}
	free(n->list);
	*n = (struct via_names){0};
}

/* Whether this is one of glibc's functions that start every process or every thread. */
static bool is_start(const char *name)
{
	static const char *const starts[] = {"_start",
					     "__libc_start_main",
					     "__libc_start_main_impl",
					     "__libc_start_call_main",
					     "clone",
					     "clone3",
					     "__clone",
					     "__clone3"};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (!strcmp(name, starts[i]))
			return true;
	return false;
}

/* Chooses the names worth showing. Addresses say nothing to people: if there are no names, modules
 * are shown. */
static size_t choose(const struct via_names *n, bool from_outside, const char **names)
{
	size_t count = 0, known = 0;
	for (size_t i = 0; i < n->count; i++)
		known += n->list[i].known;
	for (size_t i = 0; i < n->count; i++) {
		const struct via_name *name = &n->list[i];
		const char *text = name->known     ? name->text
				   : *name->module ? name->module
						   : "unknown code";
		if (known && !name->known)
			continue;
		if (from_outside && !count && known && is_start(text))
			continue;
		if (!count || strcmp(names[count - 1], text))
			names[count++] = text;
	}
	return count;
}

void via_text(struct str *text, const struct via_names *n, bool from_outside, bool full_names)
{
	const char **names = memory_resize(NULL, n->count, sizeof *names);
	size_t count = choose(n, from_outside, names);
	struct str name = {0};
	str_clear(text);
	for (size_t i = 0; i < count; i++) {
		if (i && i + VIA_SHOWN - 1 < count)
			continue;
		short_name(&name, names[i]);
		if (i)
			str_add(text, count > VIA_SHOWN && i + VIA_SHOWN - 1 == count ? " > ... > "
										      : " > ");
		else if (!n->whole)
			str_add(text, "... > ");
		str_add(text, "%s", full_names ? names[i] : name.text);
	}
	if (count && n->others)
		str_add(text, " ...");
	str_free(&name);
	free(names);
}

void via_append(struct str *text, const struct vias *vias, const struct zones *zones,
		uint32_t caller, uint32_t callee, bool full_names)
{
	struct via_names names;
	struct str way = {0};
	if (!via_names_of(vias, zones, caller, callee, &names))
		return;
	via_text(&way, &names, !caller, full_names);
	if (way.used)
		str_add(text, " via %s", way.text);
	str_free(&way);
	via_names_free(&names);
}
