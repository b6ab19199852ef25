/* SPDX-License-Identifier: MIT */
/*
 * forth-search: see the header. The parts have the names that they have in text.s; CROSS numbers
 * count the branches in the pattern of find_name.
 */
#include "vm-6502/native/forth-search.h"

#include "vm-6502/guest/forth-machine.h"

/* Operands in the code, and what its JSRs push: offsets. */
enum {
	TAKE_KEY = 1,
	ORDER = 14,
	LIST_LOW = 21,
	LIST_HIGH = 26,
	SEARCH = 33,
	SEARCH_RETURN = 34,
	UPPER_RETURN = 28, /* in take_key */
	KEY = 30,
	KEY_BEFORE = 41, /* in search */
	KEY_AGAIN = 50,
};

enum { HEADER = 6 }; /* bytes before the name */

static M6502_HOT unsigned over(uint16_t at, unsigned by)
{
	return ((at & 0xff) + by) >> 8;
}

/* Whether an address is in RAM that neither the code itself nor the stacks write to. */
static M6502_HOT bool readable(const struct forth_search *f, uint16_t at)
{
	return at >= 0x200 && at < FORTH_PAGE - HEADER - FORTH_SEARCH_NAME &&
	       (uint16_t)(at + 64 - f->key_at) >= 128;
}

/* take_key: the name in capitals. */
static M6502_HOT bool take_key(struct forth_search *f, const struct m6502 *m)
{
	uint16_t code = m6502_peek16(m, f->code + TAKE_KEY);

	f->key_at = m6502_peek16(m, code + KEY);
	f->upper = code + UPPER_RETURN;
	if (f->size == 0 || f->size > FORTH_SEARCH_NAME || !readable(f, f->name))
		return false;
	f->cycles += 6 + 35 + 2 + 6;
	for (unsigned y = f->size; y-- > 0;) {
		uint8_t byte = m6502_peek(m, f->name + y);
		if (byte < 'a')
			f->cycles += 11 + f->cross[14];
		else if (byte > 'z')
			f->cycles += 15 + f->cross[15];
		else
			f->cycles += 16;
		f->key[y] = byte >= 'a' && byte <= 'z' ? byte & 0xdf : byte;
		f->cycles += 20 + over(f->name, y) + (y ? 3 + f->cross[13] : 2);
	}
	return true;
}

/* @byte: whether the name of the header is the key, compared from its end. */
static M6502_HOT bool same(struct forth_search *f, const struct m6502 *m, uint16_t code)
{
	uint16_t before = m6502_peek16(m, code + KEY_BEFORE),
		 again = m6502_peek16(m, code + KEY_AGAIN);

	for (unsigned y = f->size; y > 0; y--) {
		uint8_t key = f->key[y - 1], differ = m6502_peek(m, f->compared + y) ^ key;
		f->cycles += 9 + over(f->compared, y) + over(before, y);
		if (differ) {
			if (differ != 'a' - 'A') {
				f->cycles += 7 + f->cross[6];
				return false;
			}
			f->cycles += 10 + over(again, y);
			if (key < 'A') {
				f->cycles += 5 + f->cross[7];
				return false;
			}
			f->cycles += 4;
			if (key > 'Z') {
				f->cycles += 5 + f->cross[8];
				return false;
			}
			f->cycles += 4;
		} else {
			f->cycles += 3 + f->cross[5];
		}
		f->cycles += y > 1 ? 5 + f->cross[9] : 4;
	}
	f->cycles += 8;
	return true;
}

/* search: goes through the word list f->at. False: it cannot be predicted; else f->found has
 * it. */
static M6502_HOT bool search(struct forth_search *f, const struct m6502 *m)
{
	uint16_t code = m6502_peek16(m, f->code + SEARCH);

	while (f->cycles < f->most) {
		f->cycles += 7 + over(f->at, 1);
		if (!m6502_peek(m, f->at + 1)) {
			f->cycles += 11 + f->cross[3];
			return true;
		}
		f->at = m6502_peek16(m, f->at);
		if (!readable(f, f->at))
			return false;
		f->cycles += 29 + over(f->at, 5);
		if ((m6502_peek(m, f->at + HEADER - 1) & FORTH_SEARCH_NAME) != f->size) {
			f->cycles += 3 + f->cross[4];
			continue;
		}
		f->cycles += 22;
		f->compared = f->at + HEADER - 1;
		f->found = same(f, m, code);
		if (f->found)
			return true;
	}
	return false;
}

M6502_HOT bool forth_search(struct forth_search *f, const struct m6502 *m)
{
	uint16_t low = m6502_peek16(m, f->code + LIST_LOW),
		 high = m6502_peek16(m, f->code + LIST_HIGH);
	uint8_t lists = m6502_peek(m, m6502_peek16(m, f->code + ORDER));

	f->cycles = f->compared = f->lists = 0;
	f->found = false;
	f->search = f->code + SEARCH_RETURN;
	if (!take_key(f, m) || !lists || lists > 8)
		return false;
	f->cycles += 10;
	while (f->lists < lists) {
		unsigned y = 2 * f->lists++;
		f->at = m6502_peek(m, low + y) | m6502_peek(m, high + y) << 8;
		f->cycles += 38 + over(low, y) + over(high, y);
		if (!readable(f, f->at) || !search(f, m))
			return false;
		if (f->found) {
			f->cycles += 2 + 6 + 21;
			return f->cycles < f->most;
		}
		f->cycles += 3 + f->cross[2];
	}
	f->cycles += 10 + f->cross[1] + 6 + 9 + 13;
	return f->cycles < f->most;
}
