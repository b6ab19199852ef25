/* SPDX-License-Identifier: MIT */
/* listing: see the header. */
#include "vm-6502/profile/listing.h"

#include <string.h>

static const char bar[] = "####################";

void listing_number(int width, uint64_t number, FILE *to)
{
	fprintf(to, "%*llu", width, (unsigned long long)number);
}

void listing_text(int width, const char *text, FILE *to)
{
	fprintf(to, "%*s", width, text);
}

void listing_share(uint64_t cycles, uint64_t all, FILE *to)
{
	fprintf(to, "%*.1f", LISTING_SHARE, all ? 100.0 * cycles / all : 0.0);
}

void listing_head(const struct listing *l)
{
	listing_text(LISTING_COUNT, "runs", l->to);
	listing_text(LISTING_CYCLES, "cycles", l->to);
	if (l->calls)
		listing_text(LISTING_CYCLES, "with calls", l->to);
	fputc('\n', l->to);
}

void listing_place(const struct listing *l, const struct listing_place *place)
{
	listing_number(LISTING_COUNT, place->runs, l->to);
	listing_number(LISTING_CYCLES, place->cycles, l->to);
	if (l->calls && place->calls)
		listing_number(LISTING_CYCLES, place->cycles + place->calls, l->to);
	else if (l->calls)
		listing_text(LISTING_CYCLES, "", l->to);
	fprintf(l->to, " %-*.*s  ", (int)strlen(bar), (int)(strlen(bar) * place->cycles / l->most),
		bar);
}

void listing_none(const struct listing *l)
{
	int width = LISTING_COUNT + LISTING_CYCLES + 1 + (int)strlen(bar) + 2;

	listing_text(width + (l->calls ? LISTING_CYCLES : 0), "", l->to);
}

uint64_t listing_most(const uint64_t *cycles, size_t struct_size, size_t n)
{
	uint64_t most = 1;

	for (size_t i = 0; i < n; i++) {
		uint64_t at = *(const uint64_t *)((const char *)cycles + i * struct_size);
		if (at > most)
			most = at;
	}
	return most;
}
