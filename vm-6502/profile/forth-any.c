/* SPDX-License-Identifier: MIT */
/* forth-any: see the header. */
#include "vm-6502/profile/forth-any.h"

#include <stdlib.h>

#include "vm-6502/cpu/m6502-inside.h"

/* More bytes than a word pushes on the return stack, and fewer than lie between two stacks. */
enum { PUSH_MOST = 48 };

enum { JMP = 0x4c, JMP_INDIRECT = 0x6c };

enum { OWN_NEXT, OWN_GO, OWN_DOCOL, OWN_DODOES, OWNS };

struct own {
	struct m6502_hook hook;
	struct m6502_hook *under; /* the hook that was at the address; it is called too */
	struct forth_any *any;
	uint16_t at;
	bool set;
};

struct forth_any {
	struct m6502 *m;
	const struct forth_image *image;
	struct forth_watch *watch;
	const struct forth_any_events *events;
	struct own own[OWNS];
	/* The cycles at which next() and call() were last called. If one of them stops the run, the
	 * next run begins there again, and must not call it twice. */
	uint64_t next_told, call_told;
	bool begun;        /* the guest has reached NEXT once */
	bool within;       /* the guest has been in NEXT since next_told */
	bool running;      /* NEXT is patched */
	uint8_t plain;     /* the byte at `patched` while NEXT is not */
	uint64_t stamp_at; /* the NEXT that takes the next stamp; 0: none */
	int rp, top;       /* the pointer at the NEXT before; its highest value in this stack */
};

static M6502_HOT bool run_under(struct m6502 *m, const struct own *own)
{
	return own->under && own->under->run && own->under->run(m, own->under);
}

static void under_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct m6502_hook *under = ((struct own *)hook)->under;

	if (under && under->write)
		under->write(m, under, at, value);
}

static void set_own(struct forth_any *a, int i, uint16_t at)
{
	struct own *own = &a->own[i];

	own->at = at;
	own->under = m6502_set_hook(a->m, at, &own->hook);
	own->set = true;
}

/* At the first NEXT, sets the hooks: a guest that copies its NEXT has copied it by now. */
static void begin(struct forth_any *a)
{
	const struct forth_image *image = a->image;
	uint16_t go = image->w - 1;
	uint8_t opcode = m6502_peek(a->m, go);

	a->begun = true;
	a->rp = a->top = forth_image_rp(image, a->m);
	if (image->patched >= 0)
		a->plain = m6502_peek(a->m, image->patched);
	if (opcode == JMP || opcode == JMP_INDIRECT)
		set_own(a, OWN_GO, go);
}

static void look_at_patch(struct forth_any *a, struct m6502 *m)
{
	bool running = m6502_peek(m, a->image->patched) != a->plain;

	if (running == a->running)
		return;
	a->running = running;
	a->events->patched(m, a->watch, running);
}

/* Calls moved() if the stack pointer has gone so far that it must be in another stack. */
static void look_at_stack(struct forth_any *a, struct m6502 *m, int rp)
{
	bool near = rp > a->rp - PUSH_MOST && rp <= a->top + PUSH_MOST;

	if (near && rp > a->top)
		a->top = rp;
	if (near)
		return;
	a->top = rp;
	a->events->moved(m, a->watch, a->rp);
}

static M6502_HOT void tell_next(struct forth_any *a, struct m6502 *m)
{
	struct forth_watch *w = a->watch;
	uint16_t ip = m6502_peek16(m, a->image->ip);
	int rp;

	if (UNLIKELY(!a->begun))
		begin(a);
	a->next_told = m->cycles;
	a->within = true;
	rp = forth_image_rp(a->image, m);
	if (UNLIKELY(rp <= a->rp - PUSH_MOST || rp > a->top))
		look_at_stack(a, m, rp);
	a->rp = rp;
	if (a->image->patched >= 0)
		look_at_patch(a, m);
	w->nexts++;
	if ((w->ask[ip] & FORTH_ASK) || rp > w->rise)
		w->next(m, w, ip);
	if (UNLIKELY(ip == a->image->stamp))
		a->stamp_at = w->nexts + a->image->stamp_after;
	if (UNLIKELY(w->nexts == a->stamp_at))
		a->events->stamp(m, w);
}

static M6502_HOT bool run_next(struct m6502 *m, struct m6502_hook *hook)
{
	struct own *own = (struct own *)hook;

	if (own->any->next_told != m->cycles)
		tell_next(own->any, m);
	return run_under(m, own);
}

/* The hook on NEXT's last instruction, which EXECUTE jumps to, too. */
static M6502_HOT bool run_go(struct m6502 *m, struct m6502_hook *hook)
{
	struct own *own = (struct own *)hook;
	struct forth_any *a = own->any;

	if (a->within) {
		a->within = false;
		a->watch->over +=
		    m->cycles - a->next_told + (m6502_peek(m, own->at) == JMP ? 3 : 5);
	}
	return run_under(m, own);
}

static M6502_HOT bool run_call(struct m6502 *m, struct m6502_hook *hook)
{
	struct own *own = (struct own *)hook;
	struct forth_any *a = own->any;

	if (a->begun && a->watch->calls && a->call_told != m->cycles) {
		a->call_told = m->cycles;
		a->watch->call(m, a->watch, m6502_peek16(m, a->image->w));
	}
	return run_under(m, own);
}

struct forth_any *forth_any_new(struct m6502 *m, const struct forth_image *image,
				struct forth_watch *watch, const struct forth_any_events *events)
{
	static bool (*const run[OWNS])(struct m6502 *,
				       struct m6502_hook *) = {[OWN_NEXT] = run_next,
							       [OWN_GO] = run_go,
							       [OWN_DOCOL] = run_call,
							       [OWN_DODOES] = run_call};
	struct forth_any *a = calloc(1, sizeof *a);

	if (!a)
		return NULL;
	a->m = m;
	a->image = image;
	a->watch = watch;
	a->events = events;
	a->next_told = a->call_told = M6502_NEVER;
	for (int i = 0; i < OWNS; i++)
		a->own[i] = (struct own){.hook = {.run = run[i], .write = under_write}, .any = a};
	set_own(a, OWN_NEXT, image->next);
	set_own(a, OWN_DOCOL, image->docol);
	if (image->dodoes)
		set_own(a, OWN_DODOES, image->dodoes);
	return a;
}

void forth_any_free(struct forth_any *a)
{
	if (!a)
		return;
	for (int i = 0; i < OWNS; i++) {
		if (a->own[i].set && a->m->hook[a->own[i].at] == &a->own[i].hook)
			m6502_set_hook(a->m, a->own[i].at, a->own[i].under);
	}
	free(a);
}
