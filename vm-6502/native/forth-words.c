/* SPDX-License-Identifier: MIT */
/* forth-words: see the header. */
#include "vm-6502/native/forth-words.h"

#include <stdlib.h>

enum { NO_WORD = 0x10000, CHUNK = 256 };

/* The most NEXTs between two times, and between two splits of a sum, so that both together fit. */
enum { MOST_NEXTS = 1 << (FORTH_TIME_SHIFT - 1) };

/* Nodes are allocated in chunks, because they must not move. */
struct forth_words_chunk {
	struct forth_words_chunk *older;
	struct forth_words_node node[CHUNK];
};

static void forget_sites(struct forth_words *w, struct forth_words_node *n)
{
	for (int i = 0; i < FORTH_WORDS_SITES; i++)
		n->site[i] = &w->none;
}

void forth_words_init(struct forth_words *w, uint64_t cycles, struct forth_sums *sums)
{
	*w = (struct forth_words){.cycles = cycles, .sums = sums};
	w->none = (struct forth_words_node){.xt = NO_WORD};
	w->root = (struct forth_words_node){.xt = NO_WORD, .rise = 0x100, .back = NO_WORD};
	forget_sites(w, &w->root);
	w->root.parent = &w->root;
	w->now = &w->root;
}

void forth_words_fini(struct forth_words *w)
{
	while (w->chunks) {
		struct forth_words_chunk *chunk = w->chunks;
		w->chunks = chunk->older;
		free(chunk);
	}
}

/* Adds the time of an open word so far to its node's sum. */
static void add_open(struct forth_words *w, struct forth_words_node *n)
{
	n->sum += w->time - n->began;
	n->began = w->time;
}

static void take_apart(struct forth_words_node *n)
{
	forth_time_take_apart(&n->sum, &n->cycles, &n->nexts);
}

void forth_words_finish(struct forth_words *w)
{
	uint32_t used = w->nodes % CHUNK ? w->nodes % CHUNK : CHUNK;

	for (struct forth_words_node *n = w->now; n != &w->root; n = n->parent)
		add_open(w, n);
	add_open(w, &w->root);
	take_apart(&w->root);
	for (struct forth_words_chunk *c = w->chunks; c; c = c->older, used = CHUNK) {
		for (uint32_t i = 0; i < used; i++)
			take_apart(&c->node[i]);
	}
	if (w->sums)
		forth_sums_finish(w->sums, w->time);
	w->apart = w->nexts;
}

void forth_words_settle(struct forth_words *w, uint64_t cycles, uint64_t nexts, uint64_t over)
{
	if ((int64_t)(nexts - w->nexts) >= MOST_NEXTS) {
		forth_words_finish(w);
		for (struct forth_words_node *n = w->now;; n = n->parent) {
			n->cycles += cycles - w->cycles;
			n->nexts += nexts - w->nexts;
			if (n == &w->root)
				break;
		}
	} else {
		w->time += ((cycles - w->cycles) << FORTH_TIME_SHIFT) - (nexts - w->nexts);
	}
	w->now->over += over - w->over;
	w->cycles = cycles;
	w->nexts = nexts;
	w->over = over;
	if ((int64_t)(nexts - w->apart) >= MOST_NEXTS)
		forth_words_finish(w);
}

static struct forth_words_node *make(struct forth_words *w)
{
	if (w->nodes == FORTH_WORDS_MOST)
		return NULL;
	if (w->nodes % CHUNK == 0) {
		struct forth_words_chunk *chunk = malloc(sizeof *chunk);
		if (!chunk)
			return NULL;
		chunk->older = w->chunks;
		w->chunks = chunk;
	}
	return &w->chunks->node[w->nodes++ % CHUNK];
}

void forth_words_enter(struct forth_words *w, uint32_t xt, uint32_t zone, int rise, uint16_t back)
{
	struct forth_words_node *n = forth_words_find(w->now, xt);

	if (!n) {
		n = make(w);
		if (!n) {
			w->lost++;
			return;
		}
		*n = (struct forth_words_node){.xt = xt,
					       .zone = zone,
					       .number = w->nodes,
					       .parent = w->now,
					       .next = w->now->child};
		forget_sites(w, n);
		w->now->child = n;
	}
	n->began = w->time;
	n->calls++;
	n->rise = rise;
	n->back = back;
	w->now = n;
}

void forth_words_leave(struct forth_words *w)
{
	struct forth_words_node *n = w->now;

	n->sum += w->time - n->began;
	w->now = n->parent;
}

void forth_words_forget(struct forth_words *w, uint32_t xt)
{
	uint32_t used = w->nodes % CHUNK ? w->nodes % CHUNK : CHUNK;

	for (struct forth_words_chunk *c = w->chunks; c; c = c->older, used = CHUNK) {
		for (uint32_t i = 0; i < used; i++) {
			if (c->node[i].xt == xt)
				c->node[i].xt = NO_WORD;
		}
	}
}

/* Visits the oldest chunk first; the list begins with the newest. */
static void visit_chunk(struct forth_words_chunk *chunk, uint32_t used,
			void (*visit)(void *context, struct forth_words_node *node), void *context)
{
	if (!chunk)
		return;
	visit_chunk(chunk->older, CHUNK, visit, context);
	for (uint32_t i = 0; i < used; i++)
		visit(context, &chunk->node[i]);
}

void forth_words_each(struct forth_words *w,
		      void (*visit)(void *context, struct forth_words_node *node), void *context)
{
	visit_chunk(w->chunks, w->nodes % CHUNK ? w->nodes % CHUNK : CHUNK, visit, context);
}
