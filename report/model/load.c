/* SPDX-License-Identifier: MIT */
/*
 * load.c - see load.h.
 *
 * Here the second layer of numbers is made too: `ns`, with the hooks' own cost taken off. A pair of
 * hooks costs the callee's context `hook_callee` thousandths of a tick, and the caller's context
 * `hook_caller`. So in ticks, times their length:
 *
 *     ns(node) = self - calls(node) * callee - (sum of calls of its children) * caller
 *
 * This is linear in the nodes, so the cost can be taken off node by node before duplicates are
 * added up. It is never clamped: a node may end below zero, and its sum with others is still right.
 */
#include "report/model/load.h"

#include <stdlib.h>
#include <string.h>

#include "report/profile/find_files.h"
#include "report/base/memory.h"
#include "report/profile/owner.h"
#include "report/base/progress.h"
#include "report/base/visible.h"

void load_init(struct load *l, bool raw)
{
	*l = (struct load){.raw = raw};
	zones_init(&l->zones);
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
				.ns_per_tick = profile_ns_per_tick(&p->header),
				.file_bytes = p->file_bytes,
				.node_count = p->node_count,
				.thread_count = p->thread_count,
				.module_count = p->module_count,
				.zone_count = p->zone_count};
	for (size_t i = 0; i < p->turns_count; i++)
		if (p->turns[i].count)
			add_turns(out, &p->turns[i]);
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++)
		l->counters[i] += p->header.counters[i];
	if (p->damage.used)
		warn(l, "%s", str_text(&p->damage));
	return out;
}

/* One profile on its way into the tree. */
struct loading {
	struct load *l;
	const struct profile *p;
	struct zones_of_profile zones;
	uint32_t *map;  /* profile's node -> tree's node, TREE_NONE: not there (yet) */
	uint32_t *path; /* nodes on the way to a mapped one */
	size_t path_room;
	double ns_per_tick, callee_ns, caller_ns, error_ns; /* the last three per pair of hooks */
};

static void map_root(struct loading *g, uint32_t root, const struct zprof_thread *t)
{
	struct tree_thread thread = {.pid = g->p->header.pid, .count = 1};
	if (t) {
		memcpy(thread.name, t->name, sizeof t->name);
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

static void charge(struct loading *g, uint32_t at, const struct zprof_node *n)
{
	struct node *to = &g->l->tree.nodes[at];
	double calls = (double)n->calls, ticks = (double)(int64_t)n->self_ticks;
	to->calls += n->calls;
	to->self.ticks = cost_ticks(to->self.ticks, (int64_t)n->self_ticks);
	to->self.ns += ticks * g->ns_per_tick - calls * g->callee_ns;
	to->self.error_ns += calls * g->error_ns;
	to->self.all_error_ns += calls * g->error_ns;
	struct node *caller = &g->l->tree.nodes[to->parent];
	caller->self.ns -= calls * g->caller_ns;
	caller->self.error_ns += calls * g->error_ns;
}

/*
 * Adds what the hooks of all calls cost, and those of each zone. The calibrated cost is the middle
 * between two measurements: hooks around functions that do nothing, and hooks around functions
 * whose work overlaps with the hooks' (the error bar reaches beyond both). Functions worth leaving
 * out are closer to the first.
 */
static void add_hooks(struct loading *g, struct process *process)
{
	struct load *l = g->l;
	const struct zprof_header *h = &g->p->header;
	double unit = g->ns_per_tick / 1000;
	double pair = ((double)h->hook_callee_milliticks + h->hook_caller_milliticks) * unit;
	double dearer = h->hook_error_milliticks * unit / 5;
	for (size_t i = 0; i < g->p->node_count; i++) {
		const struct zprof_node *n = &g->p->nodes[i];
		if (g->map[i] == TREE_NONE || n->parent == PROFILE_NO_NODE)
			continue;
		uint32_t zone = l->tree.nodes[g->map[i]].zone;
		while (zone >= l->zone_hook_room)
			l->zone_hook_ns = memory_room(l->zone_hook_ns, l->zone_hook_room,
						      &l->zone_hook_room, sizeof *l->zone_hook_ns);
		process->hook_ns += (double)n->calls * pair;
		l->zone_hook_ns[zone] += (double)n->calls * (pair + dearer);
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

static void add_extra(struct loading *g, const struct zprof_extra *e, const size_t *columns)
{
	struct node *to = &g->l->tree.nodes[map_node(g, e->node)];
	uint64_t calls = g->p->nodes[e->node].calls;
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
	for (size_t i = 0; i < g->p->extra_count; i++)
		add_extra(g, &g->p->extras[i], columns);
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
	struct process *process = add_process(l, p);
	struct loading g = {.l = l, .p = p, .ns_per_tick = process->ns_per_tick};
	if (!l->raw) {
		double unit = g.ns_per_tick / 1000;
		g.callee_ns = p->header.hook_callee_milliticks * unit;
		g.caller_ns = p->header.hook_caller_milliticks * unit;
		g.error_ns = p->header.hook_error_milliticks * unit;
	}
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
		process->calls += n->calls;
		charge(&g, map_node(&g, (uint32_t)i), n);
	}
	for (size_t i = 0; i < p->thread_count; i++)
		for (int level = 0; level < ZPROF_LEVELS; level++)
			if (p->threads[i].current[level] != PROFILE_NO_NODE)
				map_node(&g, p->threads[i].current[level]);
	limits_add(l, p, g.map);
	add_hooks(&g, process);
	add_extras(&g);
	add_vias(&g);
	mark_open(&g);
	tree_seal(&l->tree); /* the next profile has other threads */
	zones_of_profile_free(&g.zones);
	free(g.map);
	free(g.path);
}

static bool load_files(struct load *l, const struct find_files *files, bool anyone, struct str *err)
{
	for (size_t i = 0; i < files->count; i++) {
		struct profile p;
		if (!profile_load(&p, files->paths[i], anyone, err))
			return false;
		load_profile(l, &p);
		profile_free(&p);
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
	return p->header.mode != ZPROF_MODE_COUNT;
}

/*
 * Calls with times and calls without cannot be added up: a function's time per call would come out
 * too small by any factor.
 */
static bool check_mixture(const struct load *l, struct str *err)
{
	const struct process *first = &l->processes[0];
	for (size_t i = 1; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		const struct process *timed = is_timed(first) ? first : p;
		const struct process *counted = timed == first ? p : first;
		if (is_timed(first) != is_timed(p))
			return str_fail(
			    err,
			    "cannot add up '%s', which has times, and '%s', which has only calls "
			    "(clock=count): times would not match calls; name files of one kind, "
			    "'zprof info' says which is which",
			    timed->path, counted->path);
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

bool load_paths(struct load *l, char *const *paths, size_t count, unsigned how, struct str *err)
{
	struct find_files files = {0};
	bool anyone = how & LOAD_ANYONE;
	if (!(count ? find_files_in(&files, paths, count, err)
		    : find_files_newest(&files, ".", anyone, err)))
		return false;
	if (how & LOAD_WHOLE_RUN)
		find_files_whole_runs(&files);
	load_init(l, how & LOAD_RAW);
	bool ok = load_files(l, &files, anyone, err) && (how & LOAD_APART || check_mixture(l, err));
	warn_of_others(l, files.passed_over);
	find_files_free(&files);
	if (ok) {
		warn_of_mixture(l);
		load_notice(l);
	} else {
		load_free(l);
	}
	progress_end();
	return ok;
}

void load_notice(struct load *l)
{
	for (size_t i = 0; i < l->zones.module_count; i++) {
		const struct zone_module *m = &l->zones.modules[i];
		const char *notice = m->entered ? symbolize_notice(m->symbols) : NULL;
		if (notice)
			warn(l, "%s", notice);
		else if (m->nameless)
			warn(l,
			     "'%s' has no symbols for %s of its functions: it is stripped; put its "
			     "debug file beside it or under /usr/lib/debug",
			     m->path, m->nameless < m->entered ? "some" : "any");
	}
}

static void free_texts(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

void load_free(struct load *l)
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
	for (size_t i = 0; i < l->column_count; i++)
		free(l->columns[i]);
	free(l->processes);
	tree_free(&l->tree);
	vias_free(&l->vias);
	sites_free(&l->sites);
	free(l->zone_hook_ns);
	limits_free(&l->limits);
	zones_free(&l->zones);
	str_free(&l->warnings);
	*l = (struct load){0};
}

double load_ns_per_tick(const struct load *l)
{
	return l->process_count ? l->processes[0].ns_per_tick : 1.0;
}

bool load_is_fake(const struct load *l)
{
	return l->process_count && l->processes[0].header.clock == ZPROF_CLOCK_FAKE;
}

bool load_counts_only(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++)
		if (is_timed(&l->processes[i]))
			return false;
	return l->process_count > 0;
}

uint64_t load_calls(const struct load *l)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < l->process_count; i++)
		calls += l->processes[i].calls;
	return calls;
}

double load_zone_hook_ns(const struct load *l, uint32_t zone)
{
	return zone < l->zone_hook_room ? l->zone_hook_ns[zone] : 0;
}

double load_hook_ns(const struct load *l)
{
	double ns = 0;
	for (size_t i = 0; i < l->process_count; i++)
		ns += l->processes[i].hook_ns;
	return ns;
}
