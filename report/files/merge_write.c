/* SPDX-License-Identifier: MIT */
/*
 * merge_write.c - see merge.h: writes the sections of a merged profile.
 *
 * Each module gets addresses of its own, above those that a process can have: module N begins at
 * (256 + N) << 40. So the size of a module need not be known before the first context is written.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/times/cost_record.h"
#include "report/core/load/ended.h"
#include "report/files/keep.h"
#include "report/files/merge.h"
#include "report/statements/block_counts.h"

#define MODULE_BITS   40
#define MODULE_FIRST  256u
#define MODULES_MOST  0xff00u
#define FIRST_ZONE_ID 2u /* 1 is the library's own zone */

static uint64_t module_bias(uint32_t module)
{
	return (uint64_t)(MODULE_FIRST + module) << MODULE_BITS;
}

static uint64_t address_in(uint32_t module, uint64_t address)
{
	return module_bias(module) + (address & ((1ull << MODULE_BITS) - 1));
}

static bool is_overflow(const struct tree *t, const struct node *n)
{
	return !n->zone && t->nodes[n->parent].parent == n->parent && &t->nodes[n->parent] != n;
}

static struct zprof_node make_node(const struct merge *m, size_t i, uint64_t base)
{
	const struct tree *t = &m->fold.tree;
	const struct node *n = &t->nodes[i];
	const struct zone *z = &m->load.zones.list[n->zone];
	struct zprof_node out = {.calls = n->calls, .self_ticks = (uint64_t)n->self.ticks};
	uint32_t flags =
	    (n->low ? ZPROF_NODE_SPILLED : 0) | (is_overflow(t, n) ? ZPROF_NODE_OVERFLOW : 0);
	if (n->parent != i)
		out.parent = (uint32_t)(base + n->parent);
	if (!n->zone)
		out.zone = 0;
	else if (z->kind)
		out.zone = ZPROF_ZONE_OF_ID(FIRST_ZONE_ID + n->zone);
	else if (z->module == ZONE_NO_MODULE)
		out.zone = z->address;
	else
		out.zone = address_in(z->module, z->address);
	if (n->zone && !z->kind && z->module != ZONE_NO_MODULE)
		out.module = z->module + 1;
	out.module |= flags << 24;
	return out;
}

/* ---- a rank's contexts */

static void write_nodes(struct merge *m, uint64_t base)
{
	struct zprof_node *nodes = memory_resize(NULL, m->fold.tree.count, sizeof *nodes);
	for (size_t i = 0; i < m->fold.tree.count; i++)
		nodes[i] = make_node(m, i, base);
	profile_write_section(&m->to, ZPROF_SECTION_NODES, nodes,
			      m->fold.tree.count * sizeof *nodes);
	free(nodes);
}

static bool costs_nothing(const struct cost *c)
{
	const double times[] = {c->ns,     c->error_ns, c->all_error_ns, c->variance,
				c->cpu_ns, c->wait_ns,  c->preempted_ns};
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (fpclassify(times[i]) != FP_ZERO)
			return false;
	return !c->waits && !c->preemptions && !c->samples;
}

static void put_cost(struct profile_records *records, const struct cost *c, uint32_t node)
{
	struct zprof_cost record = cost_to_record(c, node);
	if (!costs_nothing(c))
		profile_records_put(records, &record, sizeof record);
}

static void write_costs(struct merge *m, uint64_t base)
{
	struct profile_records records = {0};
	for (size_t i = 0; i < m->fold.tree.count; i++) {
		struct cost rest = m->fold.tree.nodes[i].self, waits = cost_waits(&rest);
		cost_subtract(&rest, &waits);
		put_cost(&records, &rest, (uint32_t)(base + i));
		put_cost(&records, &waits, (uint32_t)(base + i));
	}
	profile_write_section(&m->to, ZPROF_SECTION_COSTS, records.bytes, records.used);
	profile_records_free(&records);
}

static struct zprof_call make_call(const struct merge *m, const struct tree_call *from,
				   uint32_t node)
{
	const struct code_place *place = &m->load.places.list[from->place];
	uint32_t flags = place->inlined ? ZPROF_CALL_INLINED : 0, module = 0;
	uint64_t site = place->address;
	if (place->module != ZONE_NO_MODULE) {
		module = place->module + 1;
		site = address_in(place->module, place->address);
	} else if (from->place != PLACE_UNKNOWN) {
		flags = ZPROF_CALL_LENT;
	}
	if (from->sampled) {
		flags = ZPROF_CALL_SAMPLED | (from->kernel ? ZPROF_CALL_KERNEL : 0);
		site -= from->place != PLACE_UNKNOWN;
	}
	return (struct zprof_call){.node = node,
				   .module = module | flags << 24,
				   .site = site,
				   .calls = from->calls,
				   .total_ns = llround(from->total_ns),
				   .self_ns = llround(from->self_ns)};
}

static void write_calls(struct merge *m, uint64_t base)
{
	struct profile_records records = {0};
	const struct tree *t = &m->fold.tree;
	for (size_t i = 0; i < t->count; i++)
		for (uint32_t at = t->nodes[i].first_call; at; at = t->calls[at].next) {
			struct zprof_call call = make_call(m, &t->calls[at], (uint32_t)(base + i));
			profile_records_put(&records, &call, sizeof call);
		}
	profile_write_section(&m->to, ZPROF_SECTION_CALLS, records.bytes, records.used);
	profile_records_free(&records);
}

/* Writes samples by their places in the kernel. */
static void write_kernels(struct merge *m, uint64_t base)
{
	struct profile_records records = {0};
	const struct tree *t = &m->fold.tree;
	for (size_t i = 0; i < t->count; i++)
		for (uint32_t at = t->nodes[i].first_kernel; at; at = t->calls[at].next) {
			struct zprof_call call = make_call(m, &t->calls[at], (uint32_t)(base + i));
			struct zprof_inside in = {.node = call.node,
						  .module = ZPROF_CALL_MODULE(&call),
						  .address = call.site,
						  .samples = call.calls,
						  .ns = (uint64_t)call.self_ns};
			profile_records_put(&records, &in, sizeof in);
		}
	profile_write_section(&m->to, ZPROF_SECTION_KERNEL, records.bytes, records.used);
	profile_records_free(&records);
}

static void put_step(const struct merge *m, struct zprof_chain *out, uint32_t place, uint32_t flags)
{
	const struct code_place *at = &m->load.places.list[place];
	bool known = at->module != ZONE_NO_MODULE;
	out->module[out->count] = (known ? at->module + 1 : 0) | flags << 24;
	out->address[out->count++] = known ? address_in(at->module, at->address - 1) : 0;
}

/* Writes samples by their chains of functions. */
static void write_chains(struct merge *m, uint64_t base)
{
	struct profile_records records = {0};
	const struct tree *t = &m->fold.tree;
	for (size_t i = 0; i < t->count; i++)
		for (uint32_t at = t->nodes[i].first_chain; at; at = t->calls[at].next) {
			const struct tree_call *from = &t->calls[at];
			struct zprof_chain out = {.node = (uint32_t)(base + i),
						  .samples = from->calls,
						  .ns = (uint64_t)llround(from->self_ns)};
			put_step(m, &out, from->place, from->kernel ? ZPROF_INSIDE_KERNEL : 0);
			for (uint32_t link = from->chain; link;
			     link = m->load.chains.links[link].outer)
				put_step(m, &out, m->load.chains.links[link].place, 0);
			profile_records_put(&records, &out, sizeof out);
		}
	profile_write_section(&m->to, ZPROF_SECTION_CHAINS, records.bytes, records.used);
	profile_records_free(&records);
}

static bool has_extra(const struct node *n)
{
	const struct visits *v = &n->visits;
	for (int i = 0; i < COST_COUNTERS; i++)
		if (n->self.counter[i])
			return true;
	return v->entered || v->reentered || v->returned || v->abandoned;
}

/* Adds a context's call places, which are known only for its pair of zones. */
static void add_sites(struct merge *m, const struct node *n, uint32_t reference,
		      struct profile_records *to)
{
	struct sites *s = &m->load.sites;
	uint32_t at =
	    n->zone ? sites_find(s, m->fold.tree.nodes[n->parent].zone, n->zone) : SITES_NONE;
	for (; at != SITES_NONE; at = s->list[at].next) {
		struct zprof_extra e = {.node = reference,
					.site = s->list[at].line << 12 | s->list[at].column};
		profile_records_put(to, &e, sizeof e);
	}
}

static void write_extras(struct merge *m, uint64_t base)
{
	struct profile_records records = {0};
	for (size_t i = 0; i < m->fold.tree.count; i++) {
		const struct node *n = &m->fold.tree.nodes[i];
		struct zprof_extra e = {.node = (uint32_t)(base + i),
					.returned = n->visits.returned,
					.abandoned = n->visits.abandoned,
					.reentered = n->visits.reentered};
		if (!has_extra(n))
			continue;
		for (int k = 0; k < COST_COUNTERS; k++)
			e.counter[k] = (uint64_t)n->self.counter[k];
		profile_records_put(&records, &e, sizeof e);
		add_sites(m, n, e.node, &records);
	}
	profile_write_section(&m->to, ZPROF_SECTION_EXTRAS, records.bytes, records.used);
	profile_records_free(&records);
}

/* Makes the record of each thread. It has the innermost open contexts, as many as the record has
 * room for. */
static void add_threads(struct merge *m, uint64_t base)
{
	const struct tree *t = &m->fold.tree;
	struct zprof_thread *threads = memory_zeroed(t->thread_count, sizeof *threads);
	uint8_t *levels = memory_zeroed(t->thread_count, 1);
	bool *outer = memory_zeroed(t->count, sizeof *outer); /* a callee of it is open */
	for (size_t i = t->count; i-- > 0;) {
		const struct node *n = &t->nodes[i];
		struct zprof_thread *to = &threads[n->thread];
		to->active_ticks += (uint64_t)n->self.ticks;
		if (n->open && !outer[i] && levels[n->thread] < ZPROF_LEVELS)
			to->current[levels[n->thread]++] = (uint32_t)(base + i);
		if (n->open)
			outer[n->parent] = true;
	}
	for (size_t i = 0; i < t->thread_count; i++) {
		const struct tree_thread *from = &t->threads[i];
		threads[i].id = (uint32_t)(m->threads.used / sizeof *threads + 1);
		threads[i].root = (uint32_t)(base + from->root);
		threads[i].tid = from->tid;
		threads[i].count = from->count;
		threads[i].part = from->process + 1;
		memcpy(threads[i].name, from->name, sizeof threads[i].name);
		profile_records_put(&m->threads, &threads[i], sizeof threads[i]);
	}
	free(outer);
	free(levels);
	free(threads);
}

/* Remembers a context for each pair of zones that has ways. The ways are written at the end. */
static void note_ways(struct merge *m, uint64_t base)
{
	const struct vias *v = &m->load.vias;
	while (m->way_room < v->count)
		m->way_node =
		    memory_room(m->way_node, m->way_room, &m->way_room, sizeof *m->way_node);
	for (size_t i = 0; v->count && i < m->fold.tree.count; i++) {
		const struct node *n = &m->fold.tree.nodes[i];
		uint32_t way = via_find(v, m->fold.tree.nodes[n->parent].zone, n->zone);
		if (n->parent != i && way != VIA_NONE && !m->way_node[way])
			m->way_node[way] = (uint32_t)(base + i);
	}
}

bool merge_flush(struct merge *m, struct str *err)
{
	uint64_t base = profile_write_reference(&m->to);
	if (base + m->fold.tree.count > UINT32_MAX || m->load.zones.module_count > MODULES_MOST)
		return str_fail(err,
				"cannot write '%s': the contexts of all ranks together are more "
				"than a file can hold; merge fewer, or give --sum-ranks",
				m->to.file.name);
	if (!m->fold.tree.count)
		return true;
	write_nodes(m, base);
	write_costs(m, base);
	write_extras(m, base);
	write_calls(m, base);
	write_kernels(m, base);
	write_chains(m, base);
	add_threads(m, base);
	note_ways(m, base);
	m->contexts += m->fold.tree.count - m->fold.tree.thread_count;
	fold_free(&m->fold);
	return true;
}

/* ---- what all ranks share */

static void write_records(struct merge *m, uint32_t type, struct profile_records *r)
{
	profile_write_section(&m->to, type, r->bytes, r->used);
	profile_records_free(r);
}

static void write_modules(struct merge *m)
{
	struct profile_records records = {0};
	for (uint32_t i = 0; i < m->load.zones.module_count; i++) {
		const struct zone_module *from = &m->load.zones.modules[i];
		struct zprof_module out = {.id = i + 1,
					   .start = module_bias(i),
					   .end = module_bias(i + 1),
					   .bias = module_bias(i),
					   .build_id_bytes = from->build_id_bytes};
		memcpy(out.build_id, from->build_id, sizeof out.build_id);
		profile_records_add(&records, ZPROF_SECTION_MODULES, &out,
				    (const void *const[]){from->path});
	}
	write_records(m, ZPROF_SECTION_MODULES, &records);
}

static void write_refused(struct merge *m)
{
	const struct told *told = &m->load.zones.told;
	struct profile_records records = {0};
	for (size_t i = 0; i < told->refused_count; i++) {
		const struct told_refused *from = &told->refused[i];
		uint32_t flags = from->part ? ZPROF_REFUSED_PART : 0;
		struct zprof_refused out = {.address = address_in(from->module, from->start),
					    .bytes = (uint32_t)from->bytes,
					    .module = (from->module + 1) | flags << 24};
		profile_records_put(&records, &out, sizeof out);
	}
	write_records(m, ZPROF_SECTION_REFUSED, &records);
}

static void write_zones(struct merge *m)
{
	struct profile_records records = {0};
	for (uint32_t i = 1; i < m->load.zones.count; i++) {
		const struct zone *z = &m->load.zones.list[i];
		const void *texts[] = {z->name, z->group, z->file};
		struct zprof_zone out = {.id = FIRST_ZONE_ID + i, .kind = z->kind, .line = z->line};
		if (z->kind)
			profile_records_add(&records, ZPROF_SECTION_ZONES, &out, texts);
	}
	write_records(m, ZPROF_SECTION_ZONES, &records);
}

/* Writes a module's counters, from the first that is not 0 to the last. */
static void write_counts(struct merge *m)
{
	const struct block_counts *b = block_counts_of(&m->load);
	for (size_t i = 0, end; i < b->count; i = end) {
		const struct block_count *first = &b->list[i];
		for (end = i + 1; end < b->count && b->list[end].module == first->module; end++)
			continue;
		uint64_t count =
		    (b->list[end - 1].address - first->address) / ZPROF_COUNTS_STEP + 1;
		size_t bytes = sizeof(struct zprof_counts) + count * sizeof(uint64_t);
		struct zprof_counts *out = memory_zeroed(1, bytes);
		out->module = first->module + 1;
		out->start = address_in(first->module, first->address);
		out->count = count;
		for (size_t k = i; k < end; k++)
			out->counters[(b->list[k].address - first->address) / ZPROF_COUNTS_STEP] =
			    b->list[k].count;
		profile_write_section(&m->to, ZPROF_SECTION_COUNTS, out, bytes);
		free(out);
	}
}

/* Writes the names and places of the programs, and the sources that the profiles held. */
static void write_kept(struct merge *m)
{
	struct keep keep;
	uint32_t *ids = memory_zeroed(m->load.zones.module_count, sizeof *ids);
	for (uint32_t i = 0; i < m->load.zones.module_count; i++)
		ids[i] = i + 1;
	keep_find(&keep, &m->load, ids, KEEP_TOLD_SOURCES, NULL, 0);
	keep_write(&keep, &m->to);
	keep_free(&keep);
	free(ids);
}

static void write_ways(struct merge *m)
{
	const struct vias *v = &m->load.vias;
	struct profile_records records = {0}, addresses = {0};
	for (uint32_t first = 0; first < m->way_room; first++) {
		if (!m->way_node[first])
			continue;
		for (uint32_t i = first; i != VIA_NONE; i = v->ways[i].next) {
			const struct via_way *way = &v->ways[i];
			struct zprof_via out = {
			    .node = m->way_node[first], .count = way->count, .whole = way->whole};
			addresses.used = 0;
			for (uint32_t k = 0; k < way->count; k++) {
				const struct via_step *s = &v->steps[way->first + k];
				uint64_t address = s->module == ZONE_NO_MODULE
						       ? s->address
						       : address_in(s->module, s->address);
				profile_records_put(&addresses, &address, sizeof address);
			}
			profile_records_add(&records, ZPROF_SECTION_VIA, &out,
					    (const void *const[]){addresses.bytes});
		}
	}
	profile_records_free(&addresses);
	write_records(m, ZPROF_SECTION_VIA, &records);
}

static void add_text(struct profile_records *to, uint32_t kind, const char *text, size_t bytes)
{
	struct zprof_text out = {.kind = kind, .text_bytes = (uint32_t)bytes};
	profile_records_add(to, ZPROF_SECTION_TEXT, &out, (const void *const[]){text});
}

static void add_ends(struct merge *m, struct profile_records *to)
{
	size_t processes = 0;
	for (size_t i = 0; i < m->part_count; i++)
		processes += m->parts[i].fixed.processes;
	if (m->early && processes > 1) {
		str_clear(&m->ended);
		ended_add_count(&m->ended, m->early, processes);
	}
	if (m->early)
		add_text(to, ZPROF_TEXT_NOTE, m->ended.text, m->ended.used);
}

static void write_texts(struct merge *m)
{
	struct profile_records records = {0};
	struct str text = {0};
	for (size_t i = 0; i < m->argument_count; i++)
		str_add_bytes(&text, m->arguments[i], strlen(m->arguments[i]) + 1);
	add_text(&records, ZPROF_TEXT_COMMAND, str_text(&text), text.used);
	add_text(&records, ZPROF_TEXT_EXE, m->exe, strlen(m->exe));
	add_text(&records, ZPROF_TEXT_OPTIONS, m->options, strlen(m->options));
	for (size_t i = 0; i < m->load.column_count; i++)
		add_text(&records, ZPROF_TEXT_COUNTER, m->load.columns[i],
			 strlen(m->load.columns[i]));
	for (size_t i = 0; i < m->note_count; i++)
		add_text(&records, ZPROF_TEXT_NOTE, m->notes[i], strlen(m->notes[i]));
	add_ends(m, &records);
	limits_folded_text(&m->load.limits, &text);
	if (text.used)
		add_text(&records, ZPROF_TEXT_NOTE, text.text, text.used);
	str_free(&text);
	write_records(m, ZPROF_SECTION_TEXT, &records);
}

static void write_parts(struct merge *m)
{
	struct profile_records records = {0};
	for (size_t i = 0; i < m->run_count; i++) {
		struct zprof_part *f = &m->parts[m->runs[i].part].fixed;
		f->runs++;
		f->elapsed_ns += m->runs[i].last_ns - m->runs[i].first_ns;
	}
	for (uint32_t i = 0; i < m->part_count; i++) {
		struct merge_part *p = &m->parts[i];
		const void *texts[] = {p->rank, p->host, p->command};
		p->fixed.id = i + 1;
		profile_records_add(&records, ZPROF_SECTION_PARTS, &p->fixed, texts);
	}
	write_records(m, ZPROF_SECTION_PARTS, &records);
}

/* Completes the header. Of the first profile's header, it keeps only values that are equal in all
 * processes, or can be added up. */
static void finish_header(struct merge *m)
{
	struct zprof_header *h = &m->header;
	h->flags = ZPROF_MERGED | ZPROF_FINISHED | (h->flags & (ZPROF_FILTERED | ZPROF_SAMPLED));
	memset(h->run_id, 0, sizeof h->run_id);
	h->pid = h->parent_pid = 0;
	memcpy(h->counters, m->load.counters, sizeof h->counters);
	for (size_t i = 0; i < m->part_count; i++)
		if (m->parts[i].fixed.start_realtime_ns < h->start_realtime_ns)
			h->start_realtime_ns = m->parts[i].fixed.start_realtime_ns;
}

bool merge_end(struct merge *m, struct str *err)
{
	if (!merge_flush(m, err))
		return false;
	write_records(m, ZPROF_SECTION_THREADS, &m->threads);
	write_modules(m);
	write_refused(m);
	write_zones(m);
	write_counts(m);
	write_ways(m);
	write_texts(m);
	write_parts(m);
	profile_write_section(&m->to, ZPROF_SECTION_TURNS, m->turns,
			      m->turns_count * sizeof *m->turns);
	profile_write_section(&m->to, ZPROF_SECTION_MEMBERS, m->members,
			      m->member_count * sizeof *m->members);
	finish_header(m);
	m->header.archive_at = m->to.at;
	write_kept(m);
	load_notice(&m->load);
	return profile_write_end(&m->to, &m->header, err);
}
