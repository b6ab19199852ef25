/* SPDX-License-Identifier: MIT */
/*
 * forth-tree: zones and cells of the tree of words that the loop of NEXT keeps; see
 * forth-profile-inside.h.
 */
#include <stdlib.h>

#include "vm-6502/profile/forth-profile-inside.h"

static uint16_t token_of(const struct forth_piece *piece, size_t i)
{
	return piece->thread[i] | piece->thread[i + 1] << 8;
}

/* Finds the zones of those cells of a piece that are primitives and have run. */
static void find_primitives(struct forth_profile *p, struct forth_piece *piece)
{
	if (!piece->zone)
		piece->zone = calloc(piece->size, sizeof *piece->zone);
	for (size_t i = 0; piece->zone && i < piece->size; i++) {
		uint16_t xt = token_of(piece, i);
		if (!piece->zone[i] && (piece->sum[i] || piece->count[i].runs) &&
		    forth_profile_is_primitive(p, xt))
			piece->zone[i] = forth_open_word_zone(p, xt);
	}
}

static void forget_pieces(void *context, struct forth_words_node *n)
{
	const struct forth_profile *p = context;

	n->piece = p->pieces.first;
}

void forth_primitives_keep(struct forth_profile *p)
{
	if (!p->words.pieces || !p->options.primitives)
		return;
	for (struct forth_piece *piece = p->pieces.all; piece; piece = piece->older)
		find_primitives(p, piece);
	forth_words_each(&p->words, forget_pieces, p);
	forget_pieces(p, &p->words.root);
}

/* Leaves in a node what it has itself, without its children's. */
static void take_from_parent(void *context, struct forth_words_node *n)
{
	(void)context;
	n->parent->cycles -= n->cycles;
	n->parent->nexts -= n->nexts;
}

static void graft(void *context, struct forth_words_node *n)
{
	struct forth_profile *p = context;
	struct contexts_clock self = {
	    .cycles = n->cycles, .part = n->nexts * FORTH_NEXT_CYCLES + n->over, .count = n->nexts};
	uint64_t least, most;

	n->node = contexts_graft(p->zones, n->parent->node, n->zone, n->calls, &self);
	forth_words_extremes(n, &least, &most);
	contexts_extremes(&p->zones->node[n->node], least, most);
}

/* Moves the time of a context's primitives from the word to them. */
static void take_primitives(struct forth_profile *p, struct forth_piece *piece, bool graft_them)
{
	struct forth_words_node *n = piece->owner;

	for (size_t i = 0; piece->zone && i < piece->size; i++) {
		const struct forth_cell_count *c = &piece->count[i];
		uint64_t over = c->runs * forth_next_over(piece->from + i);
		struct contexts_clock self = {.cycles = c->cycles,
					      .part = c->runs * FORTH_NEXT_CYCLES + over,
					      .count = c->runs};
		if (!piece->zone[i])
			continue;
		if (graft_them) {
			contexts_graft(p->zones, n->node, piece->zone[i], c->runs, &self);
			continue;
		}
		n->cycles -= self.cycles;
		n->nexts -= self.count;
		n->over -= over;
	}
}

static void finish_primitives(struct forth_profile *p, bool graft_them)
{
	for (struct forth_piece *piece = p->pieces.all; piece; piece = piece->older) {
		if (!p->options.primitives)
			return;
		find_primitives(p, piece);
		take_primitives(p, piece, graft_them);
	}
}

static void finish_cells(struct forth_profile *p)
{
	for (struct forth_piece *piece = p->pieces.all; p->cells && piece; piece = piece->older) {
		for (size_t i = 0; i < piece->size + piece->apart; i++)
			forth_cells_add(p->cells, piece->from + i % piece->size, &piece->count[i]);
	}
}

void forth_tree_finish(struct forth_profile *p)
{
	while (p->words.now != &p->words.root)
		forth_words_leave(&p->words);
	forth_words_finish(&p->words);
	if (p->lends)
		forth_lend_finish(&p->lend);
	forth_words_each(&p->words, take_from_parent, p);
	finish_primitives(p, false);
	graft(p, &p->words.root);
	forth_words_each(&p->words, graft, p);
	finish_primitives(p, true);
	finish_cells(p);
	p->zones->lost += p->words.lost + p->pieces.lost;
}
