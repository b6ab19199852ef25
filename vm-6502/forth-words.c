/* SPDX-License-Identifier: MIT */
/* forth-words: see the header. */
#include "vm-6502/forth-words.h"

#include <stdlib.h>

enum { NO_WORD = 0x10000, CHUNK = 256 };

/* Nodes stay where they are. */
struct forth_words_chunk {
	struct forth_words_chunk *older;
	struct forth_words_node node[CHUNK];
};

void forth_words_init(struct forth_words *w, uint64_t cycles)
{
	*w = (struct forth_words){.cycles = cycles};
	w->none = (struct forth_words_node){.xt = NO_WORD, .after = &w->none};
	w->root = (struct forth_words_node){
	    .xt = NO_WORD, .rise = 0x100, .back = NO_WORD, .guess = &w->none, .first = &w->none};
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

/* sum = cycles << SHIFT, less the NEXTs. */
static void take_apart(struct forth_words_node *n)
{
	int64_t cycles = (n->sum + (1 << FORTH_WORDS_SHIFT) - 1) >> FORTH_WORDS_SHIFT;

	n->cycles += cycles;
	n->nexts += (cycles << FORTH_WORDS_SHIFT) - n->sum;
	n->sum = 0;
}

void forth_words_finish(struct forth_words *w)
{
	uint32_t used = w->nodes % CHUNK ? w->nodes % CHUNK : CHUNK;

	take_apart(&w->root);
	for (struct forth_words_chunk *c = w->chunks; c; c = c->older, used = CHUNK) {
		for (uint32_t i = 0; i < used; i++)
			take_apart(&c->node[i]);
	}
	w->apart = w->nexts;
}

void forth_words_settle(struct forth_words *w, uint64_t cycles, uint64_t nexts, uint64_t over)
{
	w->now->cycles += cycles - w->cycles;
	w->now->nexts += nexts - w->nexts;
	w->now->over += over - w->over;
	w->cycles = cycles;
	w->nexts = nexts;
	w->over = over;
	if (nexts - w->apart >= 1 << (FORTH_WORDS_SHIFT - 1))
		forth_words_finish(w);
}

/* Learns who follows whom. */
M6502_HOT struct forth_words_node *forth_words_find(struct forth_words *w, uint32_t xt)
{
	struct forth_words_node *n = w->now->child;

	while (n && n->xt != xt)
		n = n->next;
	if (n && w->now->last)
		w->now->last->after = n;
	else if (n)
		w->now->first = n;
	return n;
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
	struct forth_words_node *n = forth_words_find(w, xt);

	if (!n) {
		n = make(w);
		if (!n) {
			w->lost++;
			return;
		}
		*n = (struct forth_words_node){.xt = xt,
					       .zone = zone,
					       .first = &w->none,
					       .after = &w->none,
					       .parent = w->now,
					       .next = w->now->child};
		w->now->child = n;
		forth_words_find(w, xt);
	}
	forth_words_expect(w->now, n);
	n->calls++;
	n->rise = rise;
	n->back = back;
	w->now = n;
}

void forth_words_leave(struct forth_words *w)
{
	w->now = w->now->parent;
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

/* The chunks are the newest first. */
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
