/* SPDX-License-Identifier: MIT */
/* contexts-print: the tables of a guest's profile, derived from the nodes of its context tree. */
#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/contexts.h"
#include "vm-6502/profile/listing.h"

/* Columns, with a space before each. */
enum { CYCLES = LISTING_CYCLES + 1, COUNT = LISTING_COUNT + 1 };

/* The calls of one zone by another, summed over all contexts. */
struct arc {
	uint32_t caller, callee;
	uint64_t calls;
	uint64_t above; /* cycles for the caller's line, above the callee's own line */
	uint64_t below; /* cycles for the callee's line, below the caller's own line */
};

struct sums {
	const struct contexts *z;
	uint64_t *subtree;                      /* of nodes: self and all below */
	uint64_t *self, *total, *calls, *count; /* of zones */
	uint64_t *least, *most;                 /* of zones: cycles of a call */
	uint32_t *seen;  /* of zones: the latest node on whose path it was seen */
	struct arc *arc; /* a hash table, then a list in the order of pairs */
	size_t arcs, room;
	uint64_t all;
};

/* The place of a pair in the table; callee 0: it isn't there yet. */
static struct arc *place_of(struct arc *table, size_t room, uint32_t caller, uint32_t callee)
{
	size_t at = (caller * 0x9e3779b1u ^ callee * 0x85ebca6bu) >> 4;

	for (;; at++) {
		struct arc *arc = &table[at & (room - 1)];
		if (!arc->callee || (arc->caller == caller && arc->callee == callee))
			return arc;
	}
}

static bool grow_table(struct sums *s)
{
	size_t room = s->room ? s->room * 2 : 1024;
	struct arc *larger = calloc(room, sizeof *larger);

	if (!larger)
		return false;
	for (size_t i = 0; i < s->room; i++) {
		if (s->arc[i].callee)
			*place_of(larger, room, s->arc[i].caller, s->arc[i].callee) = s->arc[i];
	}
	free(s->arc);
	s->arc = larger;
	s->room = room;
	return true;
}

/* Adds to the arc of a pair; most pairs occur in several contexts. */
static void add_arc(struct sums *s, struct arc arc)
{
	struct arc *sum;

	if (2 * s->arcs >= s->room && !grow_table(s))
		return;
	sum = place_of(s->arc, s->room, arc.caller, arc.callee);
	s->arcs += !sum->callee;
	sum->caller = arc.caller;
	sum->callee = arc.callee;
	sum->calls += arc.calls;
	sum->above += arc.above;
	sum->below += arc.below;
}

/* The outermost node of n's zone on the path to n. */
static uint32_t outermost(const struct contexts *z, uint32_t n)
{
	uint32_t found = n;
	for (uint32_t a = n; a; a = z->node[a].parent) {
		if (z->node[a].zone == z->node[n].zone)
			found = a;
	}
	return found;
}

/* For each zone on its path, the cycles of node n count in the line of the zone that the innermost
 * activation of that zone called. */
static void add_below(struct sums *s, uint32_t n)
{
	const struct contexts *z = s->z;
	uint32_t below = n;

	s->seen[z->node[n].zone] = n;
	for (uint32_t a = z->node[n].parent; a; below = a, a = z->node[a].parent) {
		uint32_t zone = z->node[a].zone;
		if (s->seen[zone] != n)
			add_arc(s, (struct arc){.caller = zone,
						.callee = z->node[below].zone,
						.below = z->node[n].self.cycles});
		s->seen[zone] = n;
	}
}

static int by_pair(const void *a, const void *b)
{
	const struct arc *x = a, *y = b;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void order_arcs(struct sums *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->room; i++) {
		if (s->arc[i].callee)
			s->arc[kept++] = s->arc[i];
	}
	if (kept)
		qsort(s->arc, kept, sizeof *s->arc, by_pair);
}

static void add_extremes(struct sums *s, const struct context_node *node)
{
	uint32_t zone = node->zone;

	if (node->most && (!s->most[zone] || node->least < s->least[zone]))
		s->least[zone] = node->least;
	if (node->most > s->most[zone])
		s->most[zone] = node->most;
}

static bool derive(struct sums *s, const struct contexts *z)
{
	s->z = z;
	s->subtree = calloc(z->nodes, sizeof *s->subtree);
	s->self = calloc(z->zones, sizeof *s->self);
	s->total = calloc(z->zones, sizeof *s->total);
	s->calls = calloc(z->zones, sizeof *s->calls);
	s->count = calloc(z->zones, sizeof *s->count);
	s->least = calloc(z->zones, sizeof *s->least);
	s->most = calloc(z->zones, sizeof *s->most);
	s->seen = calloc(z->zones, sizeof *s->seen);
	if (!s->least || !s->most || !s->seen || !s->subtree || !s->self || !s->total ||
	    !s->calls || !s->count)
		return false;
	for (uint32_t n = z->nodes; n-- > 0;) { /* children come behind their parents */
		s->subtree[n] += z->node[n].self.cycles;
		if (n)
			s->subtree[z->node[n].parent] += s->subtree[n];
	}
	s->all = s->subtree[0];
	s->self[0] = z->node[0].self.cycles;
	s->total[0] = s->all;
	s->count[0] = z->node[0].self.count;
	for (uint32_t n = 1; n < z->nodes; n++) {
		const struct context_node *node = &z->node[n];
		bool first = outermost(z, n) == n;

		s->self[node->zone] += node->self.cycles;
		s->count[node->zone] += node->self.count;
		s->calls[node->zone] += node->calls;
		add_extremes(s, node);
		s->total[node->zone] += first ? s->subtree[n] : 0;
		add_arc(s, (struct arc){.caller = z->node[node->parent].zone,
					.callee = node->zone,
					.calls = node->calls,
					.above = first ? s->subtree[n] : 0});
		add_below(s, n);
	}
	order_arcs(s);
	return true;
}

static const uint64_t *key;

static int by_key(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (key[x] != key[y])
		return key[x] > key[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void order(uint32_t *zone, uint32_t n, const uint64_t *by)
{
	for (uint32_t i = 0; i < n; i++)
		zone[i] = i + 1;
	key = by;
	qsort(zone, n, sizeof *zone, by_key);
}

/* The column of the other counter, if there is one. */
static void print_count(const struct sums *s, const uint64_t *count, FILE *to)
{
	if (s->z->counter && count)
		listing_number(COUNT, *count, to);
	else if (s->z->counter)
		listing_text(COUNT, "", to);
}

static void print_head(const struct sums *s, const char *share, bool extremes, const char *name,
		       FILE *to)
{
	listing_text(LISTING_SHARE, share, to);
	listing_text(CYCLES, "self cycles", to);
	listing_text(CYCLES, "total cycles", to);
	if (s->z->counter)
		listing_text(COUNT, s->z->counter, to);
	listing_text(COUNT, "calls", to);
	if (extremes) {
		listing_text(COUNT, "least/call", to);
		listing_text(COUNT, "most/call", to);
	}
	fprintf(to, "  %s\n", name);
}

/* For a zone without cycles of its own: the zones that stand for it and have them. */
static void print_standing(const struct sums *s, uint32_t f, FILE *to)
{
	const char *before = " (all in ";

	for (size_t i = 0; i < s->arcs && !s->self[f]; i++) {
		const struct arc *a = &s->arc[i];
		if (a->caller != f || !s->z->zone[a->callee].stands || !a->below)
			continue;
		fprintf(to, "%s%s", before, s->z->zone[a->callee].name);
		before = ", ";
	}
	if (*before == ',')
		fputc(')', to);
}

/* Columns of the cycles of the shortest and of the longest call. */
static void print_extremes(const struct sums *s, uint32_t f, FILE *to)
{
	if (s->most[f]) {
		listing_number(COUNT, s->least[f], to);
		listing_number(COUNT, s->most[f], to);
	} else {
		listing_text(COUNT, "-", to);
		listing_text(COUNT, "-", to);
	}
}

static void print_zone(const struct sums *s, uint32_t f, const uint64_t *shared, bool extremes,
		       FILE *to)
{
	listing_share(shared[f], s->all, to);
	listing_number(CYCLES, s->self[f], to);
	listing_number(CYCLES, s->total[f], to);
	print_count(s, &s->count[f], to);
	listing_number(COUNT, s->calls[f], to);
	if (extremes)
		print_extremes(s, f, to);
	fprintf(to, "  %s", s->z->zone[f].name);
	print_standing(s, f, to);
	fputc('\n', to);
}

static void print_flat(const struct sums *s, const uint32_t *zone, uint32_t n, FILE *to)
{
	print_head(s, "% self", true, "name", to);
	for (uint32_t i = 0; i < n; i++) {
		if (s->calls[zone[i]])
			print_zone(s, zone[i], s->self, true, to);
	}
	if (s->self[0])
		print_zone(s, 0, s->self, true, to);
}

static void print_lines(const struct sums *s, uint32_t f, bool callers, FILE *to)
{
	for (size_t i = 0; i < s->arcs; i++) {
		const struct arc *a = &s->arc[i];
		uint32_t other = callers ? a->caller : a->callee;
		if ((callers ? a->callee : a->caller) != f || other == f)
			continue;
		listing_text(LISTING_SHARE + CYCLES, "", to);
		listing_number(CYCLES, callers ? a->above : a->below, to);
		print_count(s, NULL, to);
		listing_number(COUNT, a->calls, to);
		fprintf(to, "      %s\n", s->z->zone[other].name);
	}
}

static void print_graph(const struct sums *s, const uint32_t *zone, uint32_t n, FILE *to)
{
	fputc('\n', to);
	print_head(s, "% total", false, "callers above, callees below", to);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t f = zone[i];
		if (!s->calls[f])
			continue;
		if (i)
			fputc('\n', to);
		print_lines(s, f, true, to);
		print_zone(s, f, s->total, false, to);
		print_lines(s, f, false, to);
	}
}

void contexts_print(const struct contexts *z, FILE *to)
{
	struct sums s = {0};
	uint32_t n = z->zones - 1, *zone = calloc(n + 1, sizeof *zone);

	if (zone && derive(&s, z)) {
		fprintf(to, "%llu cycles, %u zones\n\n", (unsigned long long)s.all, n);
		order(zone, n, s.self);
		print_flat(&s, zone, n, to);
		order(zone, n, s.total);
		print_graph(&s, zone, n, to);
		if (z->lost)
			fprintf(
			    to,
			    "%llu calls were counted in their caller: no room for more contexts\n",
			    (unsigned long long)z->lost);
	}
	free(zone);
	free(s.subtree);
	free(s.self);
	free(s.total);
	free(s.calls);
	free(s.least);
	free(s.most);
	free(s.count);
	free(s.seen);
	free(s.arc);
}
