/* SPDX-License-Identifier: MIT */
/* location.c - see location.h. */
#include "preload/code/location.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/code/cfi.h"
#include "preload/code/module.h"

#define SEARCH_BYTES (64u * 1024) /* how far a stack is searched for a return address */

/*
 * The slot of a location, claimed if the location is new. NULL: the 64 slots where it may stand are
 * full, so the location is looked up each time.
 */
static struct location *slot_of(struct process *p, uintptr_t ret)
{
	uint32_t i = location_slot(ret), tries;

	for (tries = 0; tries < 64; tries++, i = (i + 1) & (LOCATIONS_MAX - 1)) {
		struct location *slot = &p->locations->slots[i];
		uintptr_t seen = __atomic_load_n(&slot->ret, __ATOMIC_RELAXED);

		if (seen == ret)
			return slot;
		if (seen == 0 && (__atomic_compare_exchange_n(&slot->ret, &seen, ret, false,
							      __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
				  seen == ret))
			return slot;
	}
	return NULL;
}

static bool plain_distance(const struct cfi *cfi)
{
	return cfi->kind == CFI_REGISTER && (cfi->reg == CFI_RSP || cfi->reg == CFI_RBP) &&
	       cfi->offset > 0 && cfi->offset < INT32_MAX && (cfi->offset & 7) == 0;
}

/*
 * Finds the call frame information of the call that returns to e->ret. The instruction at e->ret
 * may belong to the next function, so the search is for e->ret - 1, within the call. (The zone of a
 * bare event is the call. A function whose entry is displaced may be shorter than a call.) *final: the
 * answer will be the same next time. It may not be if the list of modules could not be read.
 */
static bool look_up(struct process *p, const struct event *e, struct cfi *cfi, bool *final)
{
	bool enters_bare = location_is_bare(e) && e->zone != EVENT_ANY_ZONE;
	uintptr_t at = enters_bare ? e->zone : e->ret - 1;
	const struct module *m = module_discover(p, at);

	*final = m != NULL;
	return m && m->eh_frame_hdr && cfi_find(m->eh_frame_hdr, at, cfi);
}

/*
 * Compilers put code that seldom runs, mostly exception handlers, into separate parts, far from the
 * function and with their own call frame information. A part is entered by a jump, when the frame
 * is already there, so its information begins with that frame. A function begins with only the
 * return address pushed. (A part that begins with a handler has a nop before the handler, outside
 * the frame.) Nothing tells which function a part belongs to.
 */
static bool is_part(struct process *p, uintptr_t start)
{
	const struct module *m = module_find(p, start);
	struct cfi first;

	if (!m || !m->eh_frame_hdr)
		return false;
	start += cpu_nop_at(start);
	if (!cfi_find(m->eh_frame_hdr, start, &first))
		return false;
	return first.kind != CFI_REGISTER || first.reg != CFI_RSP ||
	       first.offset != CPU_CALL_PUSHES;
}

/*
 * Whether the code is `call *slot(%rip)`: ff 15, or 85 15 if another thread has switched the site
 * off since the call (sites/scan.h).
 */
static bool is_call_by_slot(const unsigned char *at)
{
	return (at[0] == 0xff || at[0] == 0x85) && at[1] == 0x15;
}

/*
 * The distance from sp to the CFA at the call of __fentry__, a function's first instruction. But a
 * function nested in another (a GNU extension) gets the address of the outer one's variables in
 * r10, and gcc saves r10 around the call, which the call frame information does not show:
 *
 *     41 52              push %r10
 *     f3 0f 1e fa        endbr64               with -fcf-protection
 *     e8 .. .. .. ..     call __fentry__       or ff 15 .. .. .. ..
 *     41 5a              pop %r10
 */
static uint32_t first_distance(const struct event *e, uintptr_t function)
{
	static const unsigned char push[] = {0x41, 0x52}, endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uintptr_t at = e->ret - EVENT_CALL_BYTES;

	if (is_call_by_slot((const unsigned char *)at - 1))
		at--;
	if (at - function >= sizeof(endbr64) &&
	    !memcmp((const void *)(at - sizeof(endbr64)), endbr64, sizeof(endbr64)))
		at -= sizeof(endbr64);
	if (at - function >= sizeof(push) &&
	    !memcmp((const void *)(at - sizeof(push)), push, sizeof(push)))
		return 16;
	return 8;
}

/* Finds the rule and the host of a location. False: the answer may be another next time. */
static bool describe(struct process *p, const struct event *e, struct location *where)
{
	struct cfi cfi;
	bool final;

	if (!look_up(p, e, &cfi, &final)) {
		/* A zone marked by hand may stand in any function. */
		bool named = ZPROF_ZONE_KIND(e->zone) == ZPROF_ZONE_NAMED;

		where->rule = LOCATION_INDIRECT | (named ? LOCATION_INLINED : 0);
		where->host = named ? LOCATION_ANY_HOST : (uint32_t)e->zone;
		return final;
	}
	where->rule = e->zone - cfi.function < LOCATION_FIRST_INSTRUCTIONS ? 0 : LOCATION_INLINED;
	where->host = is_part(p, cfi.function) ? LOCATION_ANY_HOST : (uint32_t)cfi.function;
	if (location_is_bare(e) && e->zone != EVENT_ANY_ZONE)
		where->rule |= first_distance(e, cfi.function);
	else if (plain_distance(&cfi))
		where->rule |= (uint32_t)cfi.offset | (cfi.reg == CFI_RBP ? LOCATION_BY_RBP : 0);
	else
		where->rule |= LOCATION_INDIRECT;
	return true;
}

/*
 * Finds the CFA without call frame information. The return address stands right under the CFA, so
 * the first word of the stack that equals the return address ends the frame.
 */
static uintptr_t search(struct process *p, const struct event *e, uintptr_t stack_end)
{
	uintptr_t at = e->sp, end = e->sp + SEARCH_BYTES;

	if (ZPROF_ZONE_KIND(e->zone) == ZPROF_ZONE_NAMED)
		return e->sp;
	if (end > stack_end || end < at)
		end = stack_end;
	losses_count(p, ZPROF_REPAIR_FRAME, 1);
	for (; at + sizeof(uintptr_t) <= end; at += sizeof(uintptr_t))
		if (*(const uintptr_t *)at == e->call_site)
			return at + sizeof(uintptr_t);
	return e->sp;
}

static uintptr_t indirect(struct process *p, const struct event *e, uintptr_t stack_end)
{
	struct cfi cfi;
	uintptr_t base;
	bool final;

	if (look_up(p, e, &cfi, &final) && cfi.kind == CFI_REGISTER_DEREF) {
		base = cfi.reg == CFI_RBP ? e->bp : e->sp;
		return *(const uintptr_t *)(base + (uintptr_t)cfi.offset);
	}
	return search(p, e, stack_end);
}

void location_is_inlined(struct process *p, struct location *where)
{
	struct location *slot = slot_of(p, where->ret);

	where->rule |= LOCATION_INLINED;
	if (slot && slot->rule)
		__atomic_store_n(&slot->rule, where->rule, __ATOMIC_RELEASE);
}

uintptr_t location_find(struct process *p, const struct event *e, uintptr_t stack_end,
			struct location *where)
{
	struct location *slot = slot_of(p, e->ret);

	where->ret = e->ret;
	where->rule = slot ? __atomic_load_n(&slot->rule, __ATOMIC_ACQUIRE) : 0;
	if (where->rule) {
		where->host = slot->host;
	} else {
		bool final = describe(p, e, where);

		if (slot && final) {
			slot->host = where->host;
			__atomic_store_n(&slot->rule, where->rule, __ATOMIC_RELEASE);
		}
	}
	if (where->rule & LOCATION_INDIRECT)
		return indirect(p, e, stack_end);
	return location_cfa(where->rule, e->sp, e->bp);
}

void location_at(struct process *p, uintptr_t return_address, struct location *where)
{
	struct event e = {.ret = return_address};
	struct location *slot = slot_of(p, return_address | LOCATION_AS_PLACE);

	where->ret = return_address;
	where->rule = slot ? __atomic_load_n(&slot->rule, __ATOMIC_ACQUIRE) : 0;
	if (where->rule) {
		where->host = slot->host;
		return;
	}
	if (describe(p, &e, where) && slot) {
		slot->host = where->host;
		__atomic_store_n(&slot->rule, where->rule, __ATOMIC_RELEASE);
	}
}

enum { GOES_ON = 1, ENDS_THERE = 2 };

static bool jumps_to(const struct cfi *from, uintptr_t target)
{
	const unsigned char *at = (const unsigned char *)from->function,
			    *end = (const unsigned char *)from->end;

	for (; at < end; at++)
		if (cpu_jump_at(at, end) == target)
			return true;
	return false;
}

/* The call frame information of the function that holds a location. */
static bool function_of(struct process *p, const struct location *where, struct cfi *cfi)
{
	const struct module *m = where->ret ? module_find(p, where->ret - 1) : NULL;

	return m && m->eh_frame_hdr && cfi_find(m->eh_frame_hdr, where->ret - 1, cfi);
}

/*
 * The code is searched once per pair of functions, for bytes that look like jumps. Instructions are
 * not decoded.
 */
bool location_goes_on(struct process *p, const struct location *from, const struct location *to)
{
	struct location *slot;
	struct cfi one, other;
	uint32_t known;

	if (from->host == to->host || from->host == LOCATION_ANY_HOST ||
	    to->host == LOCATION_ANY_HOST)
		return true;
	slot = slot_of(p, LOCATION_AS_PAIR |
			      ((uint64_t)from->host * 0x9e3779b97f4a7c15u ^ to->host) >> 2);
	known = slot ? __atomic_load_n(&slot->rule, __ATOMIC_ACQUIRE) : 0;
	if (known)
		return known == GOES_ON;
	if (!function_of(p, from, &one) || !function_of(p, to, &other))
		return false;
	known = jumps_to(&one, other.function) ? GOES_ON : ENDS_THERE;
	if (slot)
		__atomic_store_n(&slot->rule, known, __ATOMIC_RELEASE);
	return known == GOES_ON;
}
