/* SPDX-License-Identifier: MIT */
/* forth-next: the loop, and what leads into it; see the header. */
#include "vm-6502/native/forth-next-inside.h"

#include <stdlib.h>
#include <string.h>

#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/native/forth-search.h"
#include "vm-6502/native/forth-words.h"
#include "vm-6502/cpu/m6502-inside.h"

struct registers {
	uint8_t a, y, v;
	uint32_t nz;
};

static const struct {
	const char *name, *text;
} natives[KINDS] = {
#define NATIVE(name, text, ...) [KIND_##name] = {#name, text},
#define INLINE_OPERANDS
#include "vm-6502/native/forth-native.def"
#undef NATIVE
#undef INLINE_OPERANDS
};

enum { WATCH_NOT, WATCH_CALLS, WATCH_CELLS, WATCH_TREE, WATCH_ASKED };

static M6502_HOT int watching(const struct forth_watch *w)
{
	if (!w || (!w->words && !w->calls && w->rise == 0xff))
		return WATCH_NOT;
	if (!w->words)
		return WATCH_CALLS;
	if (w->words->sums)
		return WATCH_CELLS;
	return w->place ? WATCH_ASKED : WATCH_TREE;
}

/* Whether a word may be run natively without NEXT before it. */
static M6502_HOT bool may_go(const struct forth_next *n, uint16_t code, uint8_t y)
{
	return y == 1 || (n->kind[code] != KIND_LOOK && n->kind[code] < KIND_INLINE);
}

/* ---- the loop: V, N and Z as NEXT leaves them, by the IP that it leaves */

static M6502_HOT uint8_t flag_v(uint16_t ip)
{
	return (ip & 0xfe) == 0x80 ? 0x80 : 0;
}

static M6502_HOT uint32_t flag_nz(uint16_t ip)
{
	return (ip & 0xff) < 2 ? ip >> 8 : ip & 0xff;
}

/* The additional cycles that NEXT takes when its cell crosses a page, and when IP does. */
static M6502_HOT unsigned next_over(uint16_t ip)
{
	return ((ip & 0xff) == 0xff) + ((ip & 0xff) >= 0xfe ? 11 : 0);
}

static M6502_HOT void set_registers(struct m6502 *m, const struct registers *r)
{
	m->a = r->a, m->y = r->y, m->v = r->v, m->nz = r->nz, m->c = 0;
}

_Static_assert((int)COUNT_BITS == (int)FORTH_TIME_SHIFT, "the tree is charged in the loop's units");
_Static_assert(MOST_CYCLES / 34 < 1 << (FORTH_TIME_SHIFT - 1), "a run's NEXTs fit into a sum");

#define LOOP    loop_plain
#define WATCHED WATCH_NOT
#include "vm-6502/native/forth-next-loop.h"
#undef LOOP
#undef WATCHED

#define LOOP    loop_calls
#define WATCHED WATCH_CALLS
#include "vm-6502/native/forth-next-loop.h"
#undef LOOP
#undef WATCHED

#define LOOP    loop_tree
#define WATCHED WATCH_TREE
#include "vm-6502/native/forth-next-loop.h"
#undef LOOP
#undef WATCHED

#define LOOP    loop_asked
#define WATCHED WATCH_ASKED
#include "vm-6502/native/forth-next-loop.h"
#undef LOOP
#undef WATCHED

#define LOOP    loop_cells
#define WATCHED WATCH_CELLS
#include "vm-6502/native/forth-next-loop.h"
#undef LOOP
#undef WATCHED

/* The cycle up to which the loop may run; 0: it may not begin. */
static M6502_HOT uint64_t find_horizon(struct forth_next *n)
{
	const struct m6502 *m = n->m;
	uint64_t end = m->limit;

	if (!n->native || m->observer || m->pending || m->waiting || (m->di & M6502_D))
		return 0;
	if (UNLIKELY(m->hook_changes != n->changes || !n->armed))
		forth_next_tell_place(n);
	if (UNLIKELY(m->hook_changes != n->changes))
		forth_next_look_around(n);
	if (!n->clear || (!n->armed && !forth_next_arm(n)))
		return 0;
	if (m->irq_at < end && !(m->di & M6502_I))
		end = m->irq_at;
	if (m->nmi_at < end)
		end = m->nmi_at;
	if (end <= m->cycles + FORTH_NEXT_MARGIN)
		return 0;
	end -= FORTH_NEXT_MARGIN;
	return end - m->cycles < MOST_CYCLES ? end : m->cycles + MOST_CYCLES;
}

static M6502_HOT void run_loop(struct forth_next *n, uint64_t horizon, bool at_go)
{
	switch (watching(n->watch)) {
	case WATCH_NOT:
		loop_plain(n, n->m, horizon, at_go);
		break;
	case WATCH_CALLS:
		loop_calls(n, n->m, horizon, at_go);
		break;
	case WATCH_TREE:
		loop_tree(n, n->m, horizon, at_go);
		break;
	case WATCH_ASKED:
		loop_asked(n, n->m, horizon, at_go);
		break;
	case WATCH_CELLS:
		loop_cells(n, n->m, horizon, at_go);
		break;
	}
}

/* ---- hooks on NEXT, on its last instruction, on DOCOL and DODOES */

static M6502_HOT void tell_next(struct forth_next *n, struct m6502 *m)
{
	struct forth_watch *w = n->watch;
	uint16_t ip = m6502_peek16(m, FORTH_IP);

	if (!w || n->next_told == m->cycles)
		return;
	n->next_told = m->cycles;
	w->nexts++;
	if ((w->ask[ip] & FORTH_ASK) || m->s > w->rise || (w->words && w->words->sums))
		w->next(m, w, ip);
	if (n->watch)
		n->watch->over += next_over(ip);
}

static M6502_HOT bool run_next(struct m6502 *m, struct m6502_hook *hook)
{
	struct own *own = (struct own *)hook;
	struct forth_next *n = own->next;
	uint64_t horizon = find_horizon(n);

	if (horizon && !(n->map[m6502_peek16(m, FORTH_IP)] & MAP_FAR)) {
		run_loop(n, horizon, false);
		return true;
	}
	tell_next(n, m);
	return own->under && own->under->run && own->under->run(m, own->under);
}

static M6502_HOT bool run_go(struct m6502 *m, struct m6502_hook *hook)
{
	struct forth_next *n = ((struct own *)hook)->next;
	uint16_t w = m6502_peek16(m, FORTH_W);
	uint64_t horizon;

	if (m->c || !GOOD_W(w) || (n->watch && m->s > n->watch->rise) ||
	    !may_go(n, m6502_peek16(m, w), m->y) || !(horizon = find_horizon(n)))
		return false;
	m->cycles += 5;
	run_loop(n, horizon, true);
	return true;
}

static M6502_HOT bool run_call(struct m6502 *m, struct m6502_hook *hook)
{
	struct own *own = (struct own *)hook;
	struct forth_next *n = own->next;

	if (n->watch && n->watch->calls && n->call_told != m->cycles) {
		n->call_told = m->cycles;
		n->watch->call(m, n->watch, m6502_peek16(m, FORTH_W));
	}
	return own->under && own->under->run && own->under->run(m, own->under);
}

/* ---- setting up */

static uint16_t entry_at(const struct forth_next *n, int own)
{
	return own == OWN_NEXT ? FORTH_NEXT : own == OWN_DOCOL ? n->image.docol : n->image.dodoes;
}

static void set_entries(struct forth_next *n, bool wanted)
{
	if (wanted == n->entries)
		return;
	n->entries = wanted;
	forth_next_forget(n);
	for (int own = n->native ? OWN_DOCOL : OWN_NEXT; own <= OWN_DODOES; own++) {
		if (wanted)
			forth_next_set_entry(n, entry_at(n, own), own);
		else
			forth_next_remove_entry(n, entry_at(n, own), own);
	}
}

static bool know_image(struct forth_next *n)
{
	return forth_image_find(&n->image, n->m) && n->m->cpu == M6502_NMOS &&
	       n->image.next == FORTH_NEXT && n->image.ip == FORTH_IP && n->image.w == FORTH_W;
}

static bool read_patterns(struct forth_next *n)
{
	for (int kind = KIND_PLAIN + 1; kind < KINDS; kind++) {
		if (!forth_pattern_read(&n->pattern[kind], natives[kind].text, &n->image))
			return false;
	}
	return true;
}

struct forth_next *forth_next_new(struct m6502 *m, bool pure)
{
	static bool (*const run[OWNS])(struct m6502 *,
				       struct m6502_hook *) = {[OWN_NEXT] = run_next,
							       [OWN_GO] = run_go,
							       [OWN_DOCOL] = run_call,
							       [OWN_DODOES] = run_call};
	struct forth_next *n = calloc(1, sizeof *n);

	if (!n)
		return NULL;
	n->m = m;
	n->next_told = n->call_told = M6502_NEVER;
	n->known = know_image(n);
	for (int i = 0; i < OWNS; i++)
		n->own[i] =
		    (struct own){.hook = {.run = run[i], .write = forth_next_on_write}, .next = n};
	forth_next_map(n->map);
	n->changes = m->hook_changes - 1;
	n->native = n->known && !pure && read_patterns(n);
	if (n->native) {
		forth_next_set_entry(n, FORTH_NEXT, OWN_NEXT);
		forth_next_set_entry(n, FORTH_NEXT_GO, OWN_GO);
	}
	return n;
}

void forth_next_free(struct forth_next *n)
{
	if (!n)
		return;
	for (unsigned at = 0; at < 0x10000; at++) {
		if (forth_next_is_own(n, n->m->hook[at]))
			m6502_set_hook(n->m, at, NULL);
	}
	free(n);
}

void forth_next_watch(struct forth_next *n, struct forth_watch *watch)
{
	n->watch = watch;
	if (n->known)
		set_entries(n, watch);
}

struct forth_watch *forth_next_watcher(const struct forth_next *n)
{
	return n->watch;
}

M6502_HOT struct zprof_asking *forth_next_asking(struct forth_next *n)
{
	return &n->asking;
}

M6502_HOT void forth_next_tell_place(struct forth_next *n)
{
	if (n->watch && n->watch->place)
		n->watch->place(n->m, n->watch);
}

void forth_next_map(uint8_t map[0x10000])
{
	memset(map, 0, 0x10000);
	memset(map, MAP_FAR, 0x100);
	memset(map + FORTH_PAGE - 1, MAP_FAR, 0x10000 - (FORTH_PAGE - 1));
	for (unsigned page = 0; page < 0x10000; page += 0x100) {
		map[page | 0xfe] |= MAP_CROSS;
		map[page | 0xff] |= MAP_CROSS;
	}
}

bool forth_next_armed(const struct forth_next *n)
{
	return n->armed;
}

const char *forth_next_native_at(const struct forth_next *n, uint16_t code)
{
	return natives[n->kind[code]].name;
}

const char *forth_next_native(int i)
{
	return KIND_PLAIN + 1 + i < KINDS ? natives[KIND_PLAIN + 1 + i].name : NULL;
}
