/* SPDX-License-Identifier: MIT */
/* via.c - see via.h. */
#include "preload/via.h"

#include "preload/cfi.h"
#include "preload/process.h"
#include "preload/sys.h"
#include "preload/track.h"

_Static_assert(VIA_SEEN == 1u << 14, "seen_before() takes 14 bits of a hash");

#define VIA_SECTION (16u * 1024)

/* Where the caller of the frame at hand stands: it goes on at pc, with these registers. */
struct place {
	uintptr_t pc, sp, bp;
	bool interrupted; /* a signal came between here and where the walk began */
};

static bool on_stack(const struct track *k, uintptr_t address)
{
	return address - k->stack_low < k->stack_bytes && (address & 7) == 0;
}

/* Is one of the open zones whose frame is `f`'s in the function that `host` says? */
static bool runs_in(const struct frame *f, uint32_t host)
{
	uintptr_t cfa = f->cfa;

	for (; f->cfa == cfa; f--) {
		uint32_t own = twin_of(f->node)->host;

		if (own == host || own == FRAME_ANY_HOST || host == FRAME_ANY_HOST)
			return true;
	}
	return false;
}

/*
 * Nearly always the caller is the zone below. Its rbp is what the callee found: still there, or
 * pushed first thing.
 */
static bool called_directly(const struct track *k, const struct event *e, uintptr_t cfa)
{
	uintptr_t parent = k->top->cfa;
	struct location caller;
	bool same;

	frame_at(k->process, e->call_site, &caller);
	if (caller.rule & FRAME_INDIRECT)
		return false;
	if (!(caller.rule & FRAME_BY_RBP))
		same = frame_cfa(caller.rule, cfa, 0) == parent;
	else
		same = frame_cfa(caller.rule, cfa, e->bp) == parent ||
		       (on_stack(k, cfa - 16) &&
			frame_cfa(caller.rule, cfa, *(const uintptr_t *)(cfa - 16)) == parent);
	return same && runs_in(k->top, caller.host);
}

/*
 * What a signal handler returns to: the registers are in the ucontext at the stack pointer (offsets
 * of struct sigcontext, arch/x86/include/uapi/asm/sigcontext.h, after 40 bytes of struct ucontext).
 * The interrupted pc is no return address, hence the one byte more.
 */
static bool resume(const struct track *k, struct place *at, uintptr_t *cfa)
{
	const uintptr_t *context = (const uintptr_t *)at->sp;

	if (!on_stack(k, at->sp) || !on_stack(k, at->sp + 168))
		return false;
	at->bp = context[120 / 8];
	*cfa = at->sp = context[160 / 8];
	at->pc = context[168 / 8] + 1;
	at->interrupted = true;
	return true;
}

/*
 * From a place to the frame it stands in: false where unwinding ends. The CFA is the caller's stack
 * pointer, its rbp is restored.
 */
static bool unwind(const struct track *k, struct place *at, uintptr_t *cfa, bool *outermost)
{
	const struct module *m = module_discover(k->process, at->pc - 1);
	struct cfi cfi;

	*outermost = false;
	if (!m || !m->eh_frame_hdr || !cfi_find(m->eh_frame_hdr, at->pc - 1, &cfi))
		return false;
	*outermost = cfi.outermost;
	if (cfi.outermost)
		return false;
	if (cfi.signal_frame)
		return resume(k, at, cfa);
	if (cfi.kind == CFI_OTHER)
		return false;
	*cfa = (cfi.reg == CFI_RBP ? at->bp : at->sp) + (uintptr_t)cfi.offset;
	if (cfi.kind == CFI_REGISTER_DEREF) {
		if (!on_stack(k, *cfa))
			return false;
		*cfa = *(const uintptr_t *)*cfa;
	}
	if (!on_stack(k, *cfa - 8))
		return false;
	if (cfi.rbp_saved) {
		if (!on_stack(k, *cfa + (uintptr_t)cfi.rbp_offset))
			return false;
		at->bp = *(const uintptr_t *)(*cfa + (uintptr_t)cfi.rbp_offset);
	}
	at->sp = *cfa;
	at->pc = *(const uintptr_t *)(*cfa - 8);
	return true;
}

/*
 * Follows the real stack from the frame `own` to the innermost frame of an open zone, and collects
 * the return addresses on the way. Open zones whose frames the real stack passes by are not on it
 * any more. Returns the zone's frame. A signal may have come when a function had given its frame to
 * the exit hook, or to the linker that looks for it, and is open all the same: then nothing is
 * concluded.
 */
static struct frame *follow(const struct track *k, const struct event *e, uintptr_t own,
			    struct via *via)
{
	struct place at = {e->ret, e->sp, e->bp, false};
	struct frame *f = k->top;
	uintptr_t cfa;
	bool end;

	if (!unwind(k, &at, &cfa, &end) || cfa != own)
		return f;
	while (via->count < VIA_MAX) {
		uintptr_t pc = at.pc;

		if (!unwind(k, &at, &cfa, &end)) {
			via->addresses[via->count++] = pc;
			via->whole = end;
			break;
		}
		while (f->cfa < cfa)
			f--;
		if (f->cfa == cfa) {
			struct location here;

			frame_at(k->process, pc, &here);
			via->whole = at.interrupted || runs_in(f, here.host);
			if (via->whole)
				break;
			while (f->cfa == cfa)
				f--;
		}
		via->addresses[via->count++] = pc;
	}
	return at.interrupted ? k->top : f;
}

static void write_record(struct process *p, uint32_t node, const struct via *via)
{
	uint32_t bytes =
	    (uint32_t)(sizeof(struct zprof_via) + via->count * sizeof(via->addresses[0]));
	struct zprof_section *s = p->vias;
	struct zprof_via *record;

	if (!s || s->used + bytes > s->bytes) {
		s = file_section(p, ZPROF_SECTION_VIA, 0, VIA_SECTION);
		if (!s)
			return;
		p->vias = s;
	}
	record = (struct zprof_via *)((char *)s + s->used);
	record->bytes = bytes;
	record->node = node;
	record->count = via->count;
	record->whole = via->whole;
	memcpy(record->addresses, via->addresses, via->count * sizeof(via->addresses[0]));
	__atomic_store_n(&s->used, s->used + bytes, __ATOMIC_RELEASE);
}

/*
 * Of two pairs that meet in one place of the table, the later forgets the earlier, which may then
 * be looked at again.
 */
static uint64_t *place_of(struct process *p, uint64_t parent, uint64_t zone, uint64_t *pair)
{
	*pair = (parent * 0x9e3779b97f4a7c15u ^ zone) * 0xd6e8feb86659fd93u | 1;
	return &p->vias_seen[*pair >> 50];
}

void via_look(struct track *k, const struct event *e, uintptr_t cfa, struct via *via)
{
	uint64_t pair, *seen = place_of(k->process, k->top->node->zone, e->zone, &pair);
	struct frame *caller;

	via->count = 0;
	via->whole = false;
	if (cfa >= k->top->cfa || k->stack_bytes == UINTPTR_MAX || *seen == pair ||
	    called_directly(k, e, cfa))
		return;
	caller = follow(k, e, cfa, via);
	track_abandon(k, caller);
	seen = place_of(k->process, k->top->node->zone, e->zone, &pair);
	*seen = pair;
}

static bool hand_over(struct process *p, const struct tree *from, const struct tree *to)
{
	return __atomic_compare_exchange_n(&p->recording_via, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

void via_record(struct track *k, const struct via *via, const struct zprof_node *node)
{
	struct process *p = k->process;

	if (!via->count || !hand_over(p, NULL, k->tree))
		return;
	write_record(p, node_reference(k->base, node), via);
	hand_over(p, k->tree, NULL);
}

void via_left(struct process *p, const struct tree *tree)
{
	hand_over(p, tree, NULL);
}
