/* SPDX-License-Identifier: MIT */
/* load.c - see load.h. */
#include "report/model/load.h"

#include <stdlib.h>
#include <string.h>

#include "report/profile/find_files.h"
#include "report/base/memory.h"
#include "report/model/estimate.h"
#include "report/profile/owner.h"
#include "report/base/progress.h"
#include "report/base/visible.h"

void load_init(struct load *l, bool raw)
{
	*l = (struct load){.raw = raw};
	zones_init(&l->zones);
	places_init(&l->places);
}

/* Adds a line for stderr, printed when everything is loaded. */
static void warn(struct load *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void warn(struct load *l, const char *format, ...)
{
	struct str message = {0};
	va_list list;
	va_start(list, format);
	str_add_list(&message, format, list);
	va_end(list);
	str_add(&l->warnings, "zprof: ");
	visible_add(&l->warnings, str_text(&message));
	str_add(&l->warnings, "\n");
	str_free(&message);
}

static char *text(const char *t)
{
	return memory_text(t ? t : "", t ? strlen(t) : 0);
}

static bool plain(const char *word)
{
	const char *safe =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
	return *word && word[strspn(word, safe)] == 0;
}

static char *quoted_command(const struct profile *p)
{
	struct str s = {0};
	for (size_t i = 0; i < p->command_count; i++) {
		const char *word = p->command[i];
		str_add(&s, "%s%s%s%s", i ? " " : "", plain(word) ? "" : "'", word,
			plain(word) ? "" : "'");
	}
	return s.text ? s.text : text("");
}

static char **texts(char *const *from, size_t count)
{
	char **copy = memory_resize(NULL, count, sizeof *copy);
	for (size_t i = 0; i < count; i++)
		copy[i] = text(from[i]);
	return copy;
}

static void free_texts(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

/* Two threads that begin the same name at the same moment make two records of it. */
static void add_turns(struct process *to, const struct zprof_turns *t)
{
	size_t i = 0;
	while (i < to->turns_count && strcmp(to->turns[i].name, t->name))
		i++;
	if (i == to->turns_count) {
		to->turns = memory_room(to->turns, i, &to->turns_room, sizeof *to->turns);
		to->turns[to->turns_count++].name = text(t->name);
	}
	to->turns[i].count += t->count;
}

/* A process that was killed last read its clock at its last event, if it has one. */
static double elapsed_ns(const struct profile *p)
{
	const struct zprof_header *h = &p->header;
	double ns = h->now_ns > h->start_ns ? (double)(h->now_ns - h->start_ns) : 0;
	for (size_t i = 0; i < p->thread_count && h->mode == ZPROF_MODE_EXACT; i++) {
		const struct zprof_thread *t = &p->threads[i];
		double last = (double)(int64_t)(t->last_ticks - h->start_ticks);
		if (h->start_ticks && last * profile_ns_per_tick(h) > ns)
			ns = last * profile_ns_per_tick(h);
	}
	return ns;
}

static struct process *add_process(struct load *l, const struct profile *p)
{
	l->processes =
	    memory_room(l->processes, l->process_count, &l->process_room, sizeof *l->processes);
	struct process *out = &l->processes[l->process_count++];
	*out = (struct process){.path = text(p->path),
				.command = quoted_command(p),
				.arguments = texts(p->command, p->command_count),
				.argument_count = p->command_count,
				.exe = text(p->exe),
				.host = text(p->host),
				.rank = text(p->rank),
				.options = text(p->options),
				.notes = texts(p->notes, p->note_count),
				.note_count = p->note_count,
				.header = p->header,
				.processes = 1,
				.runs = 1,
				.elapsed_ns = elapsed_ns(p),
				.ns_per_tick = profile_ns_per_tick(&p->header),
				.file_bytes = p->file_bytes,
				.node_count = p->node_count,
				.thread_count = p->thread_count,
				.module_count = p->module_count,
				.zone_count = p->zone_count,
				.name_count = p->name_count,
				.source_count = p->source_count};
	return out;
}

static void set_text(char **slot, const char *new)
{
	free(*slot);
	*slot = text(new);
}

/* A part of a merged profile counts as a process. */
static void describe_part(struct process *to, const struct profile_part *part)
{
	const struct zprof_part *f = &part->fixed;
	set_text(&to->rank, part->rank);
	set_text(&to->host, part->host);
	set_text(&to->command, part->command);
	to->header.pid = f->pid;
	to->header.parent_pid = f->parent_pid;
	memcpy(to->header.run_id, f->run_id, sizeof f->run_id);
	to->header.start_realtime_ns = f->start_realtime_ns;
	to->processes = f->processes;
	to->runs = f->runs ? f->runs : 1;
	to->elapsed_ns = (double)f->elapsed_ns;
	to->calls = f->calls;
	to->samples = f->samples;
	to->hook_ns = f->hook_ns;
}

/* Adds P's process, or the processes that it was merged of; gives the number of the first. */
static size_t add_processes(struct load *l, const struct profile *p)
{
	size_t first = l->process_count;
	struct process *process = add_process(l, p);
	for (size_t i = 0; i < p->turns_count; i++)
		if (p->turns[i].count)
			add_turns(process, &p->turns[i]);
	for (size_t i = 0; i < p->part_count; i++) {
		describe_part(&l->processes[l->process_count - 1], &p->parts[i]);
		if (i + 1 == p->part_count)
			break;
		process = add_process(l, p);
		free_texts(process->notes, process->note_count); /* the first has them */
		process->notes = NULL;
		process->note_count = 0;
	}
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++)
		l->counters[i] += p->header.counters[i];
	if (p->damage.used)
		warn(l, "%s", str_text(&p->damage));
	return first;
}

/* One profile on its way into the tree. */
struct loading {
	struct load *l;
	const struct profile *p;
	struct zones_of_profile zones;
	uint32_t *map;  /* profile's node -> tree's node, TREE_NONE: not there (yet) */
	uint32_t *path; /* nodes on the way to a mapped one */
	size_t path_room;
	size_t first_process;
	struct estimate estimate;
};

static size_t process_of(const struct loading *g, const struct zprof_thread *t)
{
	const struct profile_part *part = profile_find_part(g->p, t ? t->part : 0);
	return g->first_process + (part ? (size_t)(part - g->p->parts) : 0);
}

static void map_root(struct loading *g, uint32_t root, const struct zprof_thread *t)
{
	size_t process = process_of(g, t);
	struct tree_thread thread = {
	    .pid = g->l->processes[process].header.pid, .count = 1, .process = (uint32_t)process};
	if (t) {
		memcpy(thread.name, t->name, sizeof t->name);
		thread.id = t->id;
		thread.tid = t->tid;
		thread.count = t->count ? t->count : 1;
	} else {
		strcpy(thread.name, "(unknown)");
	}
	uint32_t index = tree_add_thread(&g->l->tree, &thread);
	g->map[root] = g->l->tree.threads[index].root;
}

/* The tree's node for a node of the profile; adds parents first, in any order of the file. */
static uint32_t map_node(struct loading *g, uint32_t node)
{
	size_t used = 0;
	uint32_t at = node;
	while (g->map[at] == TREE_NONE && g->p->nodes[at].parent != PROFILE_NO_NODE) {
		g->path = memory_room(g->path, used, &g->path_room, sizeof *g->path);
		g->path[used++] = at;
		at = g->p->nodes[at].parent;
	}
	if (g->map[at] == TREE_NONE)
		map_root(g, at, NULL);
	while (used) {
		uint32_t below = g->path[--used];
		const struct zprof_node *n = &g->p->nodes[below];
		uint32_t zone = n->zone ? zones_number(&g->zones, n) : ZONE_OUTSIDE;
		g->map[below] = tree_child(&g->l->tree, g->map[at], zone);
		at = below;
	}
	return g->map[node];
}

/* Duplicates of one context add up. */
static void charge(struct loading *g, size_t node)
{
	struct node *to = &g->l->tree.nodes[g->map[node]];
	struct cost cost = estimate_node(&g->estimate, node, to->zone);
	to->calls += g->p->nodes[node].calls;
	cost_add(&to->self, &cost);
}

/* What a thread spent in the kernel without having been seen there is no zone's. */
static void charge_unseen(struct loading *g, const struct zprof_thread *t)
{
	struct zprof_node kernel = {.zone = ZPROF_ZONE_OF_ID(ZPROF_ID_KERNEL)};
	struct cost cost = estimate_unseen(&g->estimate, t);
	if (cost.ns <= 0 || t->root == PROFILE_NO_NODE || g->map[t->root] == TREE_NONE)
		return;
	uint32_t zone = zones_number(&g->zones, &kernel);
	uint32_t at = tree_child(&g->l->tree, g->map[t->root], zone);
	cost_add(&g->l->tree.nodes[at].self, &cost);
}

/* Costs were worked out when the profile was merged; the ticks, too, are those of its nodes. */
static void charge_merged(struct loading *g)
{
	const struct profile *p = g->p;
	bool has_clock = p->header.mode != ZPROF_MODE_COUNT;
	for (size_t i = 0; i < p->node_count; i++) {
		if (g->map[i] == TREE_NONE)
			continue;
		struct cost cost = {.ticks = (int64_t)p->nodes[i].self_ticks};
		struct node *to = &g->l->tree.nodes[g->map[i]];
		if (g->l->raw)
			cost.ns = cost.cpu_ns =
			    (double)cost.ticks *
			    (has_clock ? g->l->processes[g->first_process].ns_per_tick : 1);
		to->calls += p->nodes[i].calls;
		cost_add(&to->self, &cost);
	}
	for (size_t i = 0; i < p->cost_count && !g->l->raw; i++) {
		const struct zprof_cost *c = &p->costs[i];
		struct cost cost = {.ns = c->ns,
				    .error_ns = c->error_ns,
				    .all_error_ns = c->all_error_ns,
				    .variance = c->variance,
				    .cpu_ns = c->cpu_ns,
				    .wait_ns = c->wait_ns,
				    .preempted_ns = c->preempted_ns,
				    .waits = c->waits,
				    .preemptions = c->preemptions};
		if (g->map[c->node] != TREE_NONE)
			cost_add(&g->l->tree.nodes[g->map[c->node]].self, &cost);
	}
}

static void charge_all(struct loading *g)
{
	const struct profile *p = g->p;
	if (p->part_count) {
		charge_merged(g);
		return;
	}
	uint32_t *zones = memory_resize(NULL, p->node_count, sizeof *zones);
	for (size_t i = 0; i < p->node_count; i++)
		zones[i] = g->map[i] == TREE_NONE ? UINT32_MAX : g->l->tree.nodes[g->map[i]].zone;
	estimate_init(&g->estimate, p, zones, g->l->zones.count, g->l->raw);
	for (size_t i = 0; i < p->node_count; i++)
		if (g->map[i] != TREE_NONE)
			charge(g, i);
	for (size_t i = 0; i < p->thread_count; i++)
		charge_unseen(g, &p->threads[i]);
	free(zones);
}

/* What a pair of hooks cost on average in the processes that P was merged of. */
static double merged_pair_ns(const struct profile *p)
{
	double hook_ns = 0, calls = 0;
	for (size_t i = 0; i < p->part_count; i++) {
		hook_ns += p->parts[i].fixed.hook_ns;
		calls += (double)p->parts[i].fixed.calls;
	}
	return calls > 0 ? hook_ns / calls : 0;
}

/* Adds what the hooks of all calls cost, and those of each zone: the worse, the less it does. */
static void add_hooks(struct loading *g)
{
	struct load *l = g->l;
	struct process *process = &l->processes[g->first_process];
	bool merged = g->p->part_count;
	double pair = merged ? merged_pair_ns(g->p) : g->estimate.pair_ns;
	double tiny = merged ? pair : g->estimate.tiny_pair_ns;
	if (!merged) {
		process->samples = g->estimate.samples;
		process->hook_ns = g->estimate.hook_ns;
	}
	for (size_t i = 0; i < g->p->node_count; i++) {
		const struct zprof_node *n = &g->p->nodes[i];
		if (g->map[i] == TREE_NONE || n->parent == PROFILE_NO_NODE)
			continue;
		uint32_t zone = l->tree.nodes[g->map[i]].zone;
		while (zone >= l->hooks_room)
			l->hooks =
			    memory_room(l->hooks, l->hooks_room, &l->hooks_room, sizeof *l->hooks);
		if (!merged) {
			process->calls += n->calls;
			if (!g->estimate.seen_in)
				process->hook_ns += (double)n->calls * g->estimate.pair_ns;
		}
		l->hooks[zone].ns += (double)n->calls * tiny;
		l->hooks[zone].calls += n->calls;
	}
}

/* The column of a counter: a name has the same column in all processes. */
static size_t column(struct load *l, const char *name)
{
	size_t i = 0;
	while (i < l->column_count && strcmp(l->columns[i], name))
		i++;
	if (i == l->column_count && i < COST_COUNTERS)
		l->columns[l->column_count++] = text(name);
	return i;
}

static void add_extra(struct loading *g, const struct zprof_extra *e, const size_t *columns,
		      bool *seen)
{
	struct node *to = &g->l->tree.nodes[map_node(g, e->node)];
	uint64_t calls = seen[e->node] ? 0 : g->p->nodes[e->node].calls;
	seen[e->node] = true;
	if (to->zone)
		sites_add(&g->l->sites, g->l->tree.nodes[to->parent].zone, to->zone, e->site);
	struct visits v = {calls, e->reentered, e->returned, e->abandoned};
	visits_add(&to->visits, &v);
	for (size_t i = 0; i < g->p->counter_count; i++) {
		int64_t *sum = &to->self.counter[columns[i]];
		if (columns[i] < COST_COUNTERS)
			*sum = cost_ticks(*sum, (int64_t)e->counter[i]);
	}
}

/* Adds what interpreters recorded of nodes beyond time and calls. */
static void add_extras(struct loading *g)
{
	_Static_assert(COST_COUNTERS == ZPROF_EXTRA_COUNTERS, "a column for each");
	size_t columns[ZPROF_EXTRA_COUNTERS];
	for (size_t i = 0; i < g->p->counter_count; i++) {
		columns[i] = column(g->l, g->p->counters[i]);
		if (columns[i] == COST_COUNTERS)
			warn(g->l, "the counter '%s' of '%s' is left out: there are more than %d",
			     g->p->counters[i], g->p->path, COST_COUNTERS);
	}
	bool *seen = memory_zeroed(g->p->node_count, sizeof *seen);
	for (size_t i = 0; i < g->p->extra_count; i++)
		add_extra(g, &g->p->extras[i], columns, seen);
	free(seen);
}

static void add_blocks(struct loading *g)
{
	struct block_counts *b = &g->l->blocks;
	const struct profile_module *module = NULL;
	for (size_t i = 0; i < g->p->count_count; i++) {
		const struct profile_count *c = &g->p->counts[i];
		if (!module || module->id != c->module)
			module = profile_find_module(g->p, c->module);
		if (!module)
			continue;
		b->list = memory_room(b->list, b->count, &b->room, sizeof *b->list);
		b->list[b->count++] = (struct block_count){zones_module_number(&g->zones, module),
							   c->address - module->bias, c->count};
	}
	block_counts_sort(b);
}

/* ---- calls by place */

/* The file that a lent zone's caller is in: that of the innermost lent zone below. */
static uint32_t caller_file(struct loading *g, uint32_t node)
{
	struct load *l = g->l;
	const struct node *nodes = l->tree.nodes;
	uint32_t at = nodes[node].parent;
	while (nodes[at].parent != at && l->zones.list[nodes[at].zone].kind != ZPROF_ZONE_LENT)
		at = nodes[at].parent;
	return places_file(&l->places, l->zones.list[nodes[at].zone].file);
}

static uint32_t place_of(struct loading *g, const struct zprof_call *c, uint32_t node)
{
	struct places *places = &g->l->places;
	const struct profile_module *module = profile_find_module(g->p, ZPROF_CALL_MODULE(c));
	if (ZPROF_CALL_FLAGS(c) & ZPROF_CALL_LENT)
		return places_lent(places, caller_file(g, node), (uint32_t)c->site);
	if (!module)
		return PLACE_UNKNOWN;
	return places_at(places, zones_module_number(&g->zones, module), c->site - module->bias,
			 ZPROF_CALL_FLAGS(c) & ZPROF_CALL_INLINED);
}

/* A merged profile knows where its places are. */
static void tell_place(struct loading *g, const struct profile_place *told)
{
	struct places *places = &g->l->places;
	const struct profile_module *module = profile_find_module(g->p, told->module);
	if (!module)
		return;
	uint32_t place = places_at(places, zones_module_number(&g->zones, module), told->address,
				   told->flags & ZPROF_CALL_INLINED);
	places_tell(places, place, places_file(places, told->file), told->line, told->column);
}

/* The thread that a node of the profile is of; NULL: unknown. */
static const struct zprof_thread *thread_of(const struct profile *p, uint32_t node)
{
	while (p->nodes[node].parent != PROFILE_NO_NODE)
		node = p->nodes[node].parent;
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].root == node)
			return &p->threads[i];
	return NULL;
}

/* A weight: a call during which the program was killed, at the wrong instruction, may have any. */
static double weight(const struct loading *g, double ns)
{
	double most = g->l->processes[g->first_process].elapsed_ns * 2 + 1e9;
	return ns > 0 && (ns < most || g->p->part_count) ? ns : 0;
}

/*
 * Samples are few: that of two places none, or one, was seen to take time says little. So calls count
 * as well, all of a context as much as one sample.
 */
static double expected(const struct loading *g, const struct zprof_call *c)
{
	uint64_t calls = g->p->nodes[c->node].calls;
	if (g->p->header.mode == ZPROF_MODE_EXACT || g->p->part_count || !calls)
		return 0;
	return g->p->header.sample_period_ns * ((double)c->calls / (double)calls);
}

/* A place is that of the byte before its address. */
static void add_sampled(struct loading *g, const struct zprof_call *c)
{
	const struct profile_module *module = profile_find_module(g->p, ZPROF_CALL_MODULE(c));
	struct tree_call call = {.self_ns = weight(g, (double)c->self_ns), .sampled = true};
	if (!module)
		return;
	call.place = places_at(&g->l->places, zones_module_number(&g->zones, module),
			       c->site - module->bias + 1, false);
	tree_add_call(&g->l->tree, map_node(g, c->node), &call);
}

static void add_call(struct loading *g, const struct zprof_call *c)
{
	const struct zprof_header *h = &g->p->header;
	bool exact = h->mode == ZPROF_MODE_EXACT && !g->p->part_count;
	double scale = exact ? g->l->processes[g->first_process].ns_per_tick : 1;
	int64_t total = exact ? c->total_ticks : c->total_ns;
	const struct zprof_thread *t = c->open ? thread_of(g->p, c->node) : NULL;
	uint32_t node = map_node(g, c->node);
	if (t)
		total = cost_ticks(total, exact ? (int64_t)(t->last_ticks - h->start_ticks)
						: (int64_t)t->program_ns);
	struct tree_call call = {
	    .place = place_of(g, c, node),
	    .calls = c->calls,
	    .total_ns = weight(g, (double)total * scale) + expected(g, c),
	    .self_ns =
		weight(g, (double)(exact ? c->self_ticks : c->self_ns) * scale) + expected(g, c)};
	tree_add_call(&g->l->tree, node, &call);
}

/* Of an interpreter's contexts without such a record, all calls are taken for those of the place
 * that the first one came from. */
static void add_first_site(struct loading *g, const struct zprof_extra *e)
{
	uint32_t node = map_node(g, e->node);
	struct tree_call call = {.calls = g->p->nodes[e->node].calls};
	if (!e->site || g->l->tree.nodes[node].first_call)
		return;
	call.place = places_lent(&g->l->places, caller_file(g, node), e->site);
	tree_add_call(&g->l->tree, node, &call);
}

static void add_calls(struct loading *g)
{
	const struct profile *p = g->p;
	g->l->calls_by_place |= p->call_count > 0;
	for (size_t i = 0; i < p->place_count; i++)
		tell_place(g, &p->places[i]);
	for (size_t i = 0; i < p->call_count; i++)
		if (ZPROF_CALL_FLAGS(&p->calls[i]) & ZPROF_CALL_SAMPLED)
			add_sampled(g, &p->calls[i]);
		else
			add_call(g, &p->calls[i]);
	for (size_t i = 0; i < p->extra_count; i++)
		add_first_site(g, &p->extras[i]);
}

/* Skips contexts without a node in the tree: they were never entered. */
static void add_vias(struct loading *g)
{
	const struct node *nodes = g->l->tree.nodes;
	for (size_t i = 0; i < g->p->via_count; i++) {
		uint32_t at = g->map[g->p->vias[i].node];
		if (at != TREE_NONE && nodes[at].zone)
			vias_add(&g->l->vias, &g->zones, &g->p->vias[i],
				 nodes[nodes[at].parent].zone, nodes[at].zone);
	}
}

/* Marks the nodes from each current node to the root: entered, and not returned. */
static void mark_open(struct loading *g)
{
	for (size_t i = 0; i < g->p->thread_count; i++)
		for (int level = 0; level < ZPROF_LEVELS; level++) {
			uint32_t at = g->p->threads[i].current[level];
			if (at == PROFILE_NO_NODE || g->map[at] == TREE_NONE)
				continue;
			struct node *nodes = g->l->tree.nodes;
			for (at = g->map[at]; nodes[at].parent != at && !nodes[at].open;
			     at = nodes[at].parent)
				nodes[at].open = 1;
		}
}

void load_profile(struct load *l, const struct profile *p)
{
	struct loading g = {.l = l, .p = p, .first_process = add_processes(l, p)};
	zones_of_profile_init(&g.zones, &l->zones, p);
	g.map = memory_resize(NULL, p->node_count, sizeof *g.map);
	memset(g.map, 0xff, p->node_count * sizeof *g.map);
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].root != PROFILE_NO_NODE &&
		    p->nodes[p->threads[i].root].parent == PROFILE_NO_NODE &&
		    g.map[p->threads[i].root] == TREE_NONE)
			map_root(&g, p->threads[i].root, &p->threads[i]);
	for (size_t i = 0; i < p->node_count; i++) {
		const struct zprof_node *n = &p->nodes[i];
		if (!n->calls && !n->self_ticks)
			continue;
		map_node(&g, (uint32_t)i);
	}
	for (size_t i = 0; i < p->sample_count; i++)
		map_node(&g, p->samples[i].node);
	for (size_t i = 0; i < p->cost_count; i++)
		map_node(&g, p->costs[i].node);
	for (size_t i = 0; i < p->thread_count; i++)
		for (int level = 0; level < ZPROF_LEVELS; level++)
			if (p->threads[i].current[level] != PROFILE_NO_NODE)
				map_node(&g, p->threads[i].current[level]);
	charge_all(&g);
	limits_add(l, p, g.map);
	add_hooks(&g);
	add_extras(&g);
	add_calls(&g);
	add_blocks(&g);
	add_vias(&g);
	mark_open(&g);
	tree_seal(&l->tree); /* the next profile has other threads */
	estimate_free(&g.estimate);
	zones_of_profile_free(&g.zones);
	free(g.map);
	free(g.path);
}

static void note_threads(struct load *l)
{
	const struct tree *t = &l->tree;
	int64_t *ticks = tree_thread_ticks(t);
	for (size_t i = 0; i < t->thread_count; i++) {
		l->threads =
		    memory_room(l->threads, l->thread_count, &l->thread_room, sizeof *l->threads);
		l->threads[l->thread_count++] = (struct load_thread){
		    t->threads[i], ticks[i], t->nodes[t->threads[i].root].self.ticks};
	}
	free(ticks);
}

/*
 * Adds the tree, of the processes since the last fold, to the fold. BY_RUN: the processes of a run are the part
 * that has the number of its first one in the set, which begins with FIRST; those from number FROM on are
 * of that set.
 */
static void fold_tree(struct load *l, size_t first, size_t from, bool by_run)
{
	uint32_t *part_of = memory_zeroed(l->process_count, sizeof *part_of);
	for (size_t i = 0; by_run && i < l->process_count; i++) {
		size_t like = i < from ? i : first;
		while (like < i && !load_same_run(&l->processes[like], &l->processes[i]))
			like++;
		part_of[i] = (uint32_t)like;
	}
	note_threads(l);
	fold_add(&l->fold, &l->tree, part_of);
	tree_free(&l->tree);
	free(part_of);
}

/* The tree is the fold, if anything was folded. */
static void end_fold(struct load *l, bool by_run)
{
	if (!l->fold.tree.count)
		return;
	if (l->tree.count)
		fold_tree(l, 0, l->process_count, by_run);
	l->tree = l->fold.tree;
	l->fold.tree = (struct tree){0};
	fold_free(&l->fold);
	tree_seal(&l->tree);
}

static bool load_files(struct load *l, const struct find_files *files,
		       const struct frame_pick *pick, unsigned how, struct str *err)
{
	size_t first = l->process_count;
	for (size_t i = 0; i < files->count; i++) {
		struct profile p;
		size_t from = l->process_count;
		if (!profile_load(&p, files->paths[i], how & LOAD_ANYONE, err))
			return false;
		bool ok = !pick || frames_restrict(&p, pick, how & LOAD_ANYONE, err);
		if (ok)
			load_profile(l, &p);
		profile_free(&p);
		if (!ok)
			return false;
		if (how & (LOAD_FOLD | LOAD_FOLD_RUNS) && files->count > 1)
			fold_tree(l, first, from, how & LOAD_FOLD_RUNS);
		progress_step("reading profiles", i + 1, files->count);
	}
	return true;
}

/* Times of different clocks can be added up, ticks cannot. */
static void warn_of_mixture(struct load *l)
{
	const struct process *first = &l->processes[0];
	for (size_t i = 1; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		double ratio = p->ns_per_tick / first->ns_per_tick;
		if (p->header.clock == first->header.clock && ratio > 0.99 && ratio < 1.01)
			continue;
		warn(l,
		     "'%s' and '%s' were measured by different clocks: their times add up, their "
		     "ticks do not",
		     first->path, p->path);
		return;
	}
}

static bool is_timed(const struct process *p)
{
	return estimate_is_timed(&p->header);
}

/*
 * Calls with times and calls without cannot be added up: a function's time per call would come out
 * too small by any factor.
 */
bool load_same_kind(const struct zprof_header *a, const char *a_path, const struct zprof_header *b,
		    const char *b_path, struct str *err)
{
	bool timed = estimate_is_timed(a);
	if (timed == estimate_is_timed(b))
		return true;
	return str_fail(err,
			"cannot add up '%s', which has times, and '%s', which has only calls "
			"(clock=count,sample=0): times would not match calls; name files of one "
			"kind, 'zprof info' says which is which",
			timed ? a_path : b_path, timed ? b_path : a_path);
}

static bool check_mixture(const struct load *l, struct str *err)
{
	const struct process *first = &l->processes[0];
	for (size_t i = 1; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		if (!load_same_kind(&first->header, first->path, &p->header, p->path, err))
			return false;
	}
	return true;
}

/* Names a newer file that was skipped: the user may have meant it. */
static void warn_of_others(struct load *l, const char *path)
{
	struct stat st;
	struct str owner = {0};
	if (!path || stat(path, &st))
		return;
	owner_name(&st, &owner);
	warn(l, "'%s' is newer, but belongs to %s and is skipped; --force reads it", path,
	     owner.text);
	str_free(&owner);
}

static bool load_set(struct load *l, struct load_set *set, unsigned how, struct str *err)
{
	struct find_files files = {0};
	bool anyone = how & LOAD_ANYONE;
	if (!(set->count ? find_files_in(&files, set->paths, set->count, err)
			 : find_files_newest(&files, ".", anyone, err)))
		return false;
	if (how & LOAD_WHOLE_RUN)
		find_files_whole_runs(&files);
	set->first = l->process_count;
	bool ok = set->pick && files.count > 1
		      ? str_fail(err, "a frame is of one profile, and there are %zu: name one",
				 files.count)
		      : load_files(l, &files, set->pick, how, err);
	set->end = l->process_count;
	warn_of_others(l, files.passed_over);
	find_files_free(&files);
	return ok;
}

bool load_sets(struct load *l, struct load_set *sets, size_t count, unsigned how, struct str *err)
{
	bool ok = true;
	load_init(l, how & LOAD_RAW);
	for (size_t i = 0; ok && i < count; i++)
		ok = load_set(l, &sets[i], how, err);
	end_fold(l, how & LOAD_FOLD_RUNS);
	ok = ok && (how & LOAD_APART || check_mixture(l, err));
	if (ok) {
		warn_of_mixture(l);
		load_notice(l);
	} else {
		load_free(l);
	}
	progress_end();
	return ok;
}

struct source_place load_source(const struct load *l, uint32_t file, const char *const *search,
				size_t search_count)
{
	return (struct source_place){l->places.files[file], l->places.folders[file], &l->zones.told,
				     search, search_count};
}

void load_notice(struct load *l)
{
	for (size_t i = 0; i < l->zones.module_count; i++) {
		const struct zone_module *m = &l->zones.modules[i];
		const char *notice = m->asked ? symbolize_notice(m->symbols) : NULL;
		if (notice)
			warn(l, "%s", notice);
		else if (m->nameless)
			warn(l,
			     "'%s' has no symbols for %s of its functions: it is stripped; put its "
			     "debug file beside it or under /usr/lib/debug",
			     m->path, m->nameless < m->asked ? "some" : "any");
	}
}

void load_forget_tree(struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++) {
		struct process *p = &l->processes[i];
		free(p->path);
		free(p->command);
		free(p->exe);
		free(p->host);
		free(p->rank);
		free(p->options);
		free_texts(p->arguments, p->argument_count);
		free_texts(p->notes, p->note_count);
		for (size_t k = 0; k < p->turns_count; k++)
			free(p->turns[k].name);
		free(p->turns);
	}
	l->process_count = 0;
	tree_free(&l->tree);
}

void load_begin_again(struct load *l)
{
	load_forget_tree(l);
	limits_free(&l->limits);
	l->limits = (struct limits){0};
	memset(l->counters, 0, sizeof l->counters);
	if (l->hooks_room)
		memset(l->hooks, 0, l->hooks_room * sizeof *l->hooks);
	l->blocks.count = 0;
	l->calls_by_place = false;
	str_clear(&l->warnings);
}

void load_free(struct load *l)
{
	load_forget_tree(l);
	fold_free(&l->fold);
	free(l->threads);
	for (size_t i = 0; i < l->column_count; i++)
		free(l->columns[i]);
	free(l->processes);
	vias_free(&l->vias);
	sites_free(&l->sites);
	places_free(&l->places);
	free(l->blocks.list);
	free(l->hooks);
	limits_free(&l->limits);
	zones_free(&l->zones);
	str_free(&l->warnings);
	*l = (struct load){0};
}

bool load_same_run(const struct process *a, const struct process *b)
{
	static const uint8_t none[sizeof a->header.run_id];
	if (a->header.flags & b->header.flags & ZPROF_MERGED && !strcmp(a->path, b->path))
		return true;
	return memcmp(a->header.run_id, none, sizeof none) != 0 &&
	       !memcmp(a->header.run_id, b->header.run_id, sizeof none);
}

size_t load_processes(const struct load *l)
{
	size_t count = 0;
	for (size_t i = 0; i < l->process_count; i++)
		count += l->processes[i].processes;
	return count;
}

static int by_run_and_start(const void *left, const void *right)
{
	const struct process *const *a = left, *const *b = right;
	int order = memcmp((*a)->header.run_id, (*b)->header.run_id, sizeof(*a)->header.run_id);
	if (order)
		return order;
	uint64_t x = (*a)->header.start_realtime_ns, y = (*b)->header.start_realtime_ns;
	return (x > y) - (x < y);
}

double load_elapsed_ns(const struct load *l)
{
	static const uint8_t none[16];
	const struct process **sorted = memory_resize(NULL, l->process_count, sizeof *sorted);
	double sum = 0, until = 0;
	const uint8_t *run = none;
	for (size_t i = 0; i < l->process_count; i++)
		sorted[i] = &l->processes[i];
	if (l->process_count)
		qsort(sorted, l->process_count, sizeof *sorted, by_run_and_start);
	for (size_t i = 0; i < l->process_count; i++) {
		double start = (double)sorted[i]->header.start_realtime_ns;
		double end = start + sorted[i]->elapsed_ns;
		bool same = i && memcmp(run, none, sizeof none) &&
			    !memcmp(run, sorted[i]->header.run_id, sizeof none);
		if (same)
			sum += end > until ? end - until : 0;
		else
			sum += end - start;
		until = same && until > end ? until : end;
		run = sorted[i]->header.run_id;
	}
	free(sorted);
	return sum;
}

double load_ns_per_tick(const struct load *l)
{
	return l->process_count ? l->processes[0].ns_per_tick : 1.0;
}

bool load_is_fake(const struct load *l)
{
	return l->process_count && l->processes[0].header.clock == ZPROF_CLOCK_FAKE;
}

bool load_knows_waits(const struct process *p)
{
	return p->header.sampler == ZPROF_SAMPLER_KERNEL || p->header.sampler == ZPROF_SAMPLER_USER;
}

bool load_all_know_waits(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++)
		if (!load_knows_waits(&l->processes[i]))
			return false;
	return l->process_count > 0;
}

bool load_counts_only(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++)
		if (is_timed(&l->processes[i]))
			return false;
	return l->process_count > 0;
}

uint64_t load_samples(const struct load *l)
{
	uint64_t samples = 0;
	for (size_t i = 0; i < l->process_count; i++)
		samples += l->processes[i].samples;
	return samples;
}

uint64_t load_calls(const struct load *l)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < l->process_count; i++)
		calls += l->processes[i].calls;
	return calls;
}

double load_zone_hook_ns(const struct load *l, uint32_t zone, uint64_t calls)
{
	if (zone >= l->hooks_room || !l->hooks[zone].calls)
		return 0;
	return l->hooks[zone].ns * ((double)calls / (double)l->hooks[zone].calls);
}

double load_process_hook_ns(const struct process *p, uint64_t calls)
{
	return p->calls ? p->hook_ns * ((double)calls / (double)p->calls) : 0;
}

double load_hook_ns(const struct load *l)
{
	double ns = 0;
	for (size_t i = 0; i < l->process_count; i++)
		ns += l->processes[i].hook_ns;
	return ns;
}
