/* SPDX-License-Identifier: MIT */
/*
 * forth-next-code: finds out whether the guest's NEXT and primitives can run natively, by comparing
 * their code; see forth-next-inside.h.
 */
#include <string.h>

#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/native/forth-next-inside.h"

/* NEXT, with -1 for the bytes of IP and W. */
static const int16_t next_bytes[FORTH_NEXT_SIZE] = {
    0xa0, 0x01, 0xb1, 0xcf, 0x85, 0xde, 0xad, -1, -1, 0x85, 0xdd, 0xa5, 0xcf, 0x18,
    0x69, 0x02, 0x85, 0xcf, 0xb0, 0x03, 0x6c, -1, -1, 0xe6, 0xd0, 0x18, 0x90, 0xf8,
};

static void set_hook(struct forth_next *n, uint16_t at, struct m6502_hook *hook)
{
	m6502_set_hook(n->m, at, hook);
	n->changes++;
}

void forth_next_set_entry(struct forth_next *n, uint16_t at, int own)
{
	n->own[own].under = n->m->hook[at];
	set_hook(n, at, &n->own[own].hook);
}

/* If another hook has been set on top of ours, ours stays and does nothing. */
void forth_next_remove_entry(struct forth_next *n, uint16_t at, int own)
{
	if (n->m->hook[at] == &n->own[own].hook)
		set_hook(n, at, n->own[own].under);
}

void forth_next_forget(struct forth_next *n)
{
	while (n->hooks) {
		uint16_t at = n->hooked[--n->hooks];
		if (n->m->hook[at] == &n->own[OWN_BYTE].hook)
			set_hook(n, at, NULL);
	}
	memset(n->kind, KIND_LOOK, sizeof n->kind);
	n->armed = false;
}

static bool watch_byte(struct forth_next *n, uint16_t at)
{
	if (n->m->hook[at])
		return true;
	if (n->hooks == MOST_HOOKED)
		return false;
	n->hooked[n->hooks++] = at;
	set_hook(n, at, &n->own[OWN_BYTE].hook);
	return true;
}

M6502_HOT void forth_next_on_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at,
				   uint8_t value)
{
	struct own *own = (struct own *)hook;

	forth_next_tell_place(own->next);
	forth_next_forget(own->next);
	if (own->under && own->under->write)
		own->under->write(m, own->under, at, value);
}

static bool free_of_others(const struct forth_next *n, uint16_t at)
{
	const struct m6502_hook *hook = n->m->hook[at];
	return !hook || (forth_next_is_own(n, hook) && !((const struct own *)hook)->under);
}

void forth_next_look_around(struct forth_next *n)
{
	const struct m6502 *m = n->m;

	forth_next_forget(n);
	n->changes = m->hook_changes;
	n->clear = true;
	for (unsigned at = 0; at < 0x200; at++)
		n->clear &= free_of_others(n, at);
	for (unsigned at = 0x200; at < FORTH_PAGE; at++)
		n->clear &= !m->hook[at] || !m->hook[at]->read;
}

bool forth_next_arm(struct forth_next *n)
{
	for (int i = 0; i < FORTH_NEXT_SIZE; i++) {
		if (next_bytes[i] >= 0 && next_bytes[i] != m6502_peek(n->m, FORTH_NEXT + i))
			return false;
	}
	for (int i = 0; i < FORTH_NEXT_SIZE; i++) {
		if (next_bytes[i] >= 0 && !watch_byte(n, FORTH_NEXT + i))
			return false;
	}
	return n->armed = true;
}

/* Makes a primitive native; false: it can't be. */
static bool adopt(struct forth_next *n, int kind, const struct forth_match *match)
{
	bool known = memchr(n->kind, kind, sizeof n->kind);

	if (known && memcmp(n->cross[kind], match->cross, sizeof match->cross) != 0)
		return false;
	for (int i = 0; i < match->bytes; i++) {
		if (match->at[i] < 0x200 || !free_of_others(n, match->at[i]))
			return false;
	}
	for (int i = 0; i < match->bytes; i++) {
		if (!watch_byte(n, match->at[i]))
			return false;
	}
	memcpy(n->cross[kind], match->cross, sizeof match->cross);
	return true;
}

M6502_HOT void forth_next_find(struct forth_next *n, uint16_t code)
{
	struct forth_match match;

	n->kind[code] = KIND_PLAIN;
	for (int kind = KIND_PLAIN + 1; kind < KINDS; kind++) {
		if (forth_pattern_match(&n->pattern[kind], n->m, code, &match)) {
			if (adopt(n, kind, &match))
				n->kind[code] = kind;
			return;
		}
	}
}
