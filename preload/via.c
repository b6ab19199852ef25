/* SPDX-License-Identifier: MIT */
/* via.c - see via.h. */
#include "preload/via.h"

#include "preload/cfi.h"
#include "preload/process.h"
#include "preload/sys.h"
#include "preload/track.h"

_Static_assert(VIA_SEEN == 1u << 14, "seen_before() takes 14 bits of a hash");

#define FRAMES_MAX  64
#define VIA_SECTION (16u * 1024)

/* Where the caller of the frame at hand stands: it goes on at pc, with these registers. */
struct place {
	uintptr_t pc, sp, bp;
};

static bool on_stack(const struct track *k, uintptr_t address)
{
	return address - k->stack_low < k->stack_bytes && (address & 7) == 0;
}

/*
 * Nearly always the caller is the zone below. Its rbp is what the callee found: still there, or
 * pushed first thing.
 */
static bool called_directly(const struct track *k, const struct event *e, uintptr_t cfa)
{
	uint32_t rule = frame_rule_at(k->process, e->call_site);

	if (rule & FRAME_INDIRECT)
		return false;
	if (!(rule & FRAME_BY_RBP))
		return frame_cfa(rule, cfa, 0) == k->top->cfa;
	return frame_cfa(rule, cfa, e->bp) == k->top->cfa ||
	       (on_stack(k, cfa - 16) &&
		frame_cfa(rule, cfa, *(const uintptr_t *)(cfa - 16)) == k->top->cfa);
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
	if (cfi.outermost || cfi.kind == CFI_OTHER)
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
 * Collects the return addresses between the frame `own` and the parent's; *whole: one end or the
 * other of the stack was reached.
 */
static uint32_t walk(const struct track *k, const struct event *e, uintptr_t own, uint64_t *found,
		     bool *whole)
{
	struct place at = {e->ret, e->sp, e->bp};
	uintptr_t cfa;
	uint32_t n = 0;

	*whole = false;
	if (e->ret == e->call_site)
		at.pc = e->call_site, at.sp = own;
	else if (!unwind(k, &at, &cfa, whole) || cfa != own)
		return 0;
	while (n < FRAMES_MAX) {
		uintptr_t pc = at.pc;

		if (!unwind(k, &at, &cfa, whole)) {
			found[n++] = pc;
			break;
		}
		if (cfa >= k->top->cfa) {
			*whole = true;
			break;
		}
		found[n++] = pc;
	}
	return n;
}

static void write_record(struct process *p, uint32_t node, const uint64_t *found, uint32_t n,
			 bool whole)
{
	uint32_t bytes = (uint32_t)(sizeof(struct zprof_via) + n * sizeof(*found));
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
	record->count = n;
	record->whole = whole;
	memcpy(record->addresses, found, n * sizeof(*found));
	__atomic_store_n(&s->used, s->used + bytes, __ATOMIC_RELEASE);
}

/*
 * Of two pairs that meet in one place of the table, the later forgets the earlier, which may then
 * be recorded again.
 */
static bool seen_before(struct process *p, uint64_t parent, uint64_t zone)
{
	uint64_t pair = (parent * 0x9e3779b97f4a7c15u ^ zone) * 0xd6e8feb86659fd93u | 1;
	uint64_t *place = &p->vias_seen[pair >> 50];

	if (*place == pair)
		return true;
	*place = pair;
	return false;
}

void via_record(struct track *k, const struct event *e, uintptr_t cfa,
		const struct zprof_node *node)
{
	struct process *p = k->process;
	uint64_t found[FRAMES_MAX];
	uint32_t n;
	bool whole;

	if (cfa >= k->top->cfa || seen_before(p, k->top->node->zone, node->zone) ||
	    called_directly(k, e, cfa))
		return;
	n = walk(k, e, cfa, found, &whole);
	if (!n || __atomic_exchange_n(&p->recording_via, 1, __ATOMIC_ACQUIRE))
		return;
	write_record(p, node_reference(k->base, node), found, n, whole);
	__atomic_store_n(&p->recording_via, 0, __ATOMIC_RELEASE);
}
