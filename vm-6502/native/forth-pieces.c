/* SPDX-License-Identifier: MIT */
/* forth-pieces: see the header. */
#include "vm-6502/native/forth-pieces.h"

#include <stdlib.h>

static void free_piece(struct forth_piece *piece)
{
	if (!piece)
		return;
	free(piece->thread);
	free(piece->count);
	free(piece->zone);
	free(piece);
}

static struct forth_piece *make(struct forth_pieces *p, size_t from, size_t size, size_t apart)
{
	struct forth_piece *piece = calloc(1, sizeof *piece + (size + apart) * sizeof *piece->sum);

	if (!piece)
		return NULL;
	piece->from = from;
	piece->size = size;
	piece->apart = apart;
	piece->count = calloc(size + apart, sizeof *piece->count);
	if (!piece->count) {
		free_piece(piece);
		return NULL;
	}
	piece->older = p->all;
	p->all = piece;
	return piece;
}

bool forth_pieces_init(struct forth_pieces *p, bool by_context)
{
	*p = (struct forth_pieces){0};
	p->now = &p->no_cell;
	p->first = by_context ? &p->nowhere : make(p, 0, 0x10000, 0);
	return p->first;
}

void forth_pieces_fini(struct forth_pieces *p)
{
	while (p->all) {
		struct forth_piece *piece = p->all;
		p->all = piece->older;
		free_piece(piece);
	}
}

static M6502_HOT void charge(struct forth_pieces *p, uint64_t time)
{
	*p->now += time - p->since;
	p->since = time;
}

/* Finds the piece that holds an address, and makes it the context's first. */
static struct forth_piece *find(struct forth_pieces *p, struct forth_piece **context, size_t ip)
{
	for (struct forth_piece **at = context; *at != &p->nowhere; at = &(*at)->next) {
		struct forth_piece *piece = *at;
		if (ip - piece->from >= piece->size)
			continue;
		if (at != context) {
			*at = piece->next;
			piece->next = *context;
			*context = piece;
		}
		return piece;
	}
	return NULL;
}

static void go_to(struct forth_pieces *p, struct forth_piece *piece, size_t ip)
{
	p->now = &piece->sum[ip - piece->from];
	p->apart = piece->apart;
}

bool forth_pieces_next(struct forth_pieces *p, struct forth_piece **context, uint64_t time,
		       size_t ip)
{
	struct forth_piece *piece;

	charge(p, time);
	piece = p->first != &p->nowhere ? p->first : find(p, context, ip);
	if (piece)
		go_to(p, piece, ip);
	return piece;
}

static struct forth_piece *make_copy(struct forth_pieces *p, const struct m6502 *m, size_t from,
				     size_t size)
{
	uint8_t *thread = malloc(size + 1);
	struct forth_piece *piece = thread ? make(p, from, size, size) : NULL;

	if (!piece) {
		free(thread);
		return NULL;
	}
	for (size_t i = 0; i <= size; i++)
		thread[i] = m6502_peek(m, from + i);
	piece->thread = thread;
	return piece;
}

void forth_pieces_add(struct forth_pieces *p, struct forth_piece **context, void *owner,
		      const struct m6502 *m, size_t ip, size_t from, size_t end)
{
	struct forth_piece *piece = make_copy(p, m, from, end - from);

	if (!piece) {
		*context = &p->nowhere;
		p->now = &p->no_cell;
		p->apart = 0;
		p->lost++;
		return;
	}
	piece->owner = owner;
	piece->next = *context;
	*context = piece;
	go_to(p, piece, ip);
}

void forth_pieces_call(struct forth_pieces *p, uint64_t time)
{
	charge(p, time);
	p->now += p->apart;
	p->apart = 0;
}

void forth_pieces_finish(struct forth_pieces *p, uint64_t time)
{
	charge(p, time);
	p->no_cell = 0;
	for (struct forth_piece *piece = p->all; piece; piece = piece->older) {
		for (size_t i = 0; i < piece->size + piece->apart; i++) {
			if (piece->sum[i])
				forth_time_take_apart(&piece->sum[i], &piece->count[i].cycles,
						      &piece->count[i].runs);
		}
	}
}
