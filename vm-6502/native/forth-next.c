/* SPDX-License-Identifier: MIT */
/* forth-next: the hooks, and when they may run natively; see the header. */
#include "vm-6502/native/forth-next.h"

#include <stdlib.h>
#include <string.h>

#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/native/forth-pattern.h"
#include "vm-6502/native/forth-search.h"
#include "vm-6502/native/forth-words.h"
#include "vm-6502/cpu/m6502-inside.h"

enum kind {
	KIND_LOOK,  /* nobody has looked what is there */
	KIND_PLAIN, /* nothing native */
#define NATIVE(name, ...) KIND_##name,
#define INLINE_OPERANDS   KIND_INLINE, KIND_BEFORE_INLINE = KIND_INLINE - 1,
#include "vm-6502/native/forth-native.def"
#undef NATIVE
#undef INLINE_OPERANDS
	KINDS,
};

/* The loop's bits of a map. */
enum {
	MAP_CROSS = 0x40, /* IP, or IP + 2, is in another page than IP + 1 */
	MAP_FAR = 0x80,   /* the token is in zero page, or read from a device */
};

enum { COUNT_BITS = 20, MOST_CYCLES = 1 << 24, MOST_HOOKED = 8192 };

enum { OWN_BYTE, OWN_GO, OWN_NEXT, OWN_DOCOL, OWN_DODOES, OWNS };

struct own {
	struct m6502_hook hook;
	struct m6502_hook *under; /* what was there before; NULL: nothing */
	struct forth_next *next;
};

struct forth_next {
	struct m6502 *m;
	struct forth_image image;
	bool known;       /* the image is one of ours */
	bool native;      /* … and not `pure` */
	bool clear;       /* no hook of others is in the way */
	bool armed;       /* NEXT's bytes are as they should be, and have hooks */
	bool entries;     /* DOCOL and DODOES have hooks */
	uint32_t changes; /* m->hook_changes, as far as it is known here */
	struct forth_watch *watch;
	/* Of the loop while it runs. It has registers for what every primitive needs. */
	uint64_t horizon, limit;
	int rise;
	struct forth_words_node *now;
	uint64_t offset; /* of the tree's time against the budget */
	uint64_t next_told,
	    call_told; /* cycles: a run that is stopped by a call begins there again */

	struct own own[OWNS];
	uint16_t hooked[MOST_HOOKED]; /* addresses with OWN_BYTE */
	int hooks;
	size_t cross[KINDS][PATTERN_BRANCHES];
	uint8_t kind[0x10000];
	uint8_t map[0x10000];
	struct forth_pattern pattern[KINDS];
};

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

/* NEXT, with -1 for the bytes of IP and W. */
static const int16_t next_bytes[FORTH_NEXT_SIZE] = {
    0xa0, 0x01, 0xb1, 0xcf, 0x85, 0xde, 0xad, -1, -1, 0x85, 0xdd, 0xa5, 0xcf, 0x18,
    0x69, 0x02, 0x85, 0xcf, 0xb0, 0x03, 0x6c, -1, -1, 0xe6, 0xd0, 0x18, 0x90, 0xf8,
};

static M6502_HOT bool is_own(const struct forth_next *n, const struct m6502_hook *hook)
{
	return (const char *)hook >= (const char *)n->own &&
	       (const char *)hook < (const char *)(n->own + OWNS);
}

enum { WATCH_NOT, WATCH_CALLS, WATCH_CELLS, WATCH_TREE, WATCH_BOTH };

static M6502_HOT int watching(const struct forth_watch *w)
{
	if (!w || (!w->words && !w->calls && w->rise == 0xff))
		return WATCH_NOT;
	if (!w->words)
		return WATCH_CALLS;
	if (!w->words->pieces)
		return WATCH_TREE;
	return w->calls ? WATCH_BOTH : WATCH_CELLS;
}

/* ---- hooks of our own */

static void set_hook(struct forth_next *n, uint16_t at, struct m6502_hook *hook)
{
	m6502_set_hook(n->m, at, hook);
	n->changes++;
}

/* One that has an address to itself; it goes upon what is there. */
static void set_entry(struct forth_next *n, uint16_t at, int own)
{
	n->own[own].under = n->m->hook[at];
	set_hook(n, at, &n->own[own].hook);
}

/* Where somebody has one upon ours, ours stays, and has nothing to tell. */
static void remove_entry(struct forth_next *n, uint16_t at, int own)
{
	if (n->m->hook[at] == &n->own[own].hook)
		set_hook(n, at, n->own[own].under);
}

/* Everything is as if never looked at. A byte with somebody else's hook upon ours is left to them.
 */
static void forget(struct forth_next *n)
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

/* A byte of NEXT or of a native primitive. */
static void on_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct own *own = (struct own *)hook;

	forget(own->next);
	if (own->under && own->under->write)
		own->under->write(m, own->under, at, value);
}

static bool free_of_others(const struct forth_next *n, uint16_t at)
{
	const struct m6502_hook *hook = n->m->hook[at];
	return !hook || (is_own(n, hook) && !((const struct own *)hook)->under);
}

/* Others have set or removed hooks. */
static void look_around(struct forth_next *n)
{
	const struct m6502 *m = n->m;

	forget(n);
	n->changes = m->hook_changes;
	n->clear = true;
	for (unsigned at = 0; at < 0x200; at++)
		n->clear &= free_of_others(n, at);
	for (unsigned at = 0x200; at < FORTH_PAGE; at++)
		n->clear &= !m->hook[at] || !m->hook[at]->read;
}

static bool arm(struct forth_next *n)
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

/* ---- primitives */

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

static M6502_HOT void native_find(struct forth_next *n, uint16_t code)
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

/* Its cell crosses a page; IP does. */
M6502_HOT unsigned forth_next_over(uint16_t ip)
{
	return ((ip & 0xff) == 0xff) + ((ip & 0xff) >= 0xfe ? 11 : 0);
}

static M6502_HOT void set_registers(struct m6502 *m, const struct registers *r)
{
	m->a = r->a, m->y = r->y, m->v = r->v, m->nz = r->nz, m->c = 0;
}

_Static_assert((int)COUNT_BITS == (int)FORTH_TIME_SHIFT, "the tree is charged as the loop counts");
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

#define LOOP    loop_cells
#define WATCHED WATCH_CELLS
#include "vm-6502/native/forth-next-loop.h"
#undef LOOP
#undef WATCHED

#define LOOP    loop_both
#define WATCHED WATCH_BOTH
#include "vm-6502/native/forth-next-loop.h"
#undef LOOP
#undef WATCHED

/* Where the loop may go on to; 0: it may not begin. */
static M6502_HOT uint64_t find_horizon(struct forth_next *n)
{
	const struct m6502 *m = n->m;
	uint64_t end = m->limit;

	if (!n->native || m->observer || m->pending || m->waiting || (m->di & M6502_D))
		return 0;
	if (UNLIKELY(m->hook_changes != n->changes))
		look_around(n);
	if (!n->clear || (!n->armed && !arm(n)))
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
	case WATCH_CELLS:
		loop_cells(n, n->m, horizon, at_go);
		break;
	case WATCH_BOTH:
		loop_both(n, n->m, horizon, at_go);
		break;
	}
}

/* ---- where the guest comes to NEXT, to its last instruction, to DOCOL and DODOES */

static M6502_HOT void tell_next(struct forth_next *n, struct m6502 *m)
{
	struct forth_watch *w = n->watch;
	uint16_t ip = m6502_peek16(m, FORTH_IP);

	if (!w || n->next_told == m->cycles)
		return;
	n->next_told = m->cycles;
	w->nexts++;
	if ((w->ask[ip] & FORTH_ASK) || m->s > w->rise || (w->words && w->words->pieces))
		w->next(m, w, ip);
	if (n->watch)
		n->watch->over += forth_next_over(ip);
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
	forget(n);
	for (int own = n->native ? OWN_DOCOL : OWN_NEXT; own <= OWN_DODOES; own++) {
		if (wanted)
			set_entry(n, entry_at(n, own), own);
		else
			remove_entry(n, entry_at(n, own), own);
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
		n->own[i] = (struct own){.hook = {.run = run[i], .write = on_write}, .next = n};
	forth_next_map(n->map);
	n->changes = m->hook_changes - 1;
	n->native = n->known && !pure && read_patterns(n);
	if (n->native) {
		set_entry(n, FORTH_NEXT, OWN_NEXT);
		set_entry(n, FORTH_NEXT_GO, OWN_GO);
	}
	return n;
}

void forth_next_free(struct forth_next *n)
{
	if (!n)
		return;
	for (unsigned at = 0; at < 0x10000; at++) {
		if (is_own(n, n->m->hook[at]))
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
