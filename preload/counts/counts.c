/* SPDX-License-Identifier: MIT */
/* counts.c - see counts.h. */
#include "preload/counts/counts.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/code/module.h"
#include "preload/hooks/hooks.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"

#include <elf.h>

#define SPANS_MAX 126

#define COUNTS_BEGUN   1u
#define COUNTS_NOTHING 2u /* nothing is recorded; CPU_COUNT_BLOCK compares with this number */

/* The code of a module, and its counters. */
struct span {
	uintptr_t base, bytes;
	uint64_t *counters; /* NULL: there was no room for them */
	uint32_t module;
	uint32_t unused;
};

/*
 * The page that CPU_COUNT_BLOCK reads, wiped in forked children. If `bytes` is 0, no address is
 * found in it, and elsewhere() is called.
 */
struct counts {
	uintptr_t base, bytes; /* where the first module's code lies */
	uint64_t *counters;
	const char *single; /* 1: there is one thread */
	uint32_t state;     /* 0: this is a forked child, which has not begun; COUNTS_... */
	uint32_t count;
	/* `count` publishes a span; it is never removed, but may become empty. */
	struct span spans[SPANS_MAX];
};

_Static_assert(sizeof(struct counts) <= 4096, "sys_wiped_page() gives a page");
_Static_assert(offsetof(struct counts, bytes) == 8 && offsetof(struct counts, counters) == 16 &&
		   offsetof(struct counts, single) == 24 && offsetof(struct counts, state) == 32,
	       "CPU_COUNT_BLOCK knows");

static struct counts *counts_now __attribute__((used)); /* NULL: asleep */
static struct counts nobody = {.state = COUNTS_NOTHING};

extern char __libc_single_threaded __attribute__((weak));
static const char several;

/* ---- a process */

/* Threads that begin at once may each make a page; one is kept. */
static struct counts *begin(void)
{
	struct counts *seen = NULL, *c;

	if (!process_begin(NULL)) {
		counts_now = &nobody;
		return NULL;
	}
	c = (struct counts *)sys_wiped_page();
	if (!c) {
		counts_now = &nobody;
		losses_count(process_now, ZPROF_LOSS_COUNTS, 1);
		return NULL;
	}
	c->single = &__libc_single_threaded ? &__libc_single_threaded : &several;
	c->state = COUNTS_BEGUN;
	if (!__atomic_compare_exchange_n(&counts_now, &seen, c, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return seen;
	return c;
}

/* In a forked child: the page is there, and empty. */
static struct counts *begin_forked(struct counts *c)
{
	if (!process_begin(NULL)) {
		counts_now = &nobody;
		return NULL;
	}
	c->single = &__libc_single_threaded ? &__libc_single_threaded : &several;
	__atomic_store_n(&c->state, COUNTS_BEGUN, __ATOMIC_RELEASE);
	return c;
}

/* ---- modules */

/* Stores the bounds of the module's executable segment that holds an address. False: none does. */
static bool find_code(const struct module *m, uintptr_t address, struct span *s)
{
	const Elf64_Ehdr *file = (const Elf64_Ehdr *)m->start;
	const Elf64_Phdr *part = (const Elf64_Phdr *)(m->start + file->e_phoff);
	int i;

	for (i = 0; i < file->e_phnum; i++, part++) {
		uintptr_t low = (m->bias + part->p_vaddr) & -(uintptr_t)ZPROF_COUNTS_STEP;

		if (part->p_type == PT_LOAD && part->p_flags & PF_X &&
		    address - low < part->p_memsz) {
			s->base = low;
			s->bytes = m->bias + part->p_vaddr + part->p_memsz - low;
			s->module = m->id;
			return true;
		}
	}
	return false;
}

/* Makes a section of counters in the profile. Readers ignore a section whose counters are all 0. */
static uint64_t *new_counters(struct process *p, const struct span *s)
{
	uint64_t count = s->bytes / ZPROF_COUNTS_STEP + 1;
	struct zprof_section *section =
	    file_section(p, ZPROF_SECTION_COUNTS, 0,
			 sizeof(*section) + sizeof(struct zprof_counts) + count * sizeof(uint64_t));
	struct zprof_counts *counts = (struct zprof_counts *)(section + 1);

	if (!section)
		return NULL;
	counts->module = s->module;
	counts->start = s->base;
	counts->count = count;
	__atomic_store_n(&section->used,
			 sizeof(*section) + sizeof(*counts) + count * sizeof(uint64_t),
			 __ATOMIC_RELEASE);
	return (uint64_t *)(counts + 1);
}

/* The span of a module that was forgotten, but is still loaded, or NULL. */
static struct span *known(struct counts *c, const struct span *s)
{
	uint32_t i, n = __atomic_load_n(&c->count, __ATOMIC_ACQUIRE);

	for (i = 0; i < n && i < SPANS_MAX; i++)
		if (c->spans[i].module == s->module && c->spans[i].base == s->base)
			return &c->spans[i];
	return NULL;
}

/* Makes a module's code known, or forgets it with BYTES 0. */
static void set_bytes(struct counts *c, struct span *s, uintptr_t bytes)
{
	__atomic_store_n(&s->bytes, bytes, __ATOMIC_RELEASE);
	if (s != &c->spans[0] || !s->counters)
		return;
	c->base = s->base;
	c->counters = s->counters;
	__atomic_store_n(&c->bytes, bytes, __ATOMIC_RELEASE);
}

/*
 * Several threads may add the same module: each thread then has counters of its own, and the reader
 * adds them up.
 */
static struct span *add(struct counts *c, struct process *p, uintptr_t address)
{
	const struct module *m = module_discover(p, address);
	struct span s = {.base = 0}, *to;
	uint32_t at;

	if (!m || !find_code(m, address, &s))
		return NULL;
	to = known(c, &s);
	if (to) {
		set_bytes(c, to, s.bytes);
		return to;
	}
	s.counters = new_counters(p, &s);
	at = __atomic_fetch_add(&c->count, 1, __ATOMIC_ACQ_REL);
	if (at >= SPANS_MAX)
		return NULL;
	to = &c->spans[at];
	to->counters = s.counters;
	to->module = s.module;
	to->base = s.base;
	set_bytes(c, to, s.bytes);
	return to;
}

static struct span *find(struct counts *c, uintptr_t address)
{
	uint32_t i, n = __atomic_load_n(&c->count, __ATOMIC_ACQUIRE);

	for (i = 0; i < n && i < SPANS_MAX; i++)
		if (address - c->spans[i].base <
		    __atomic_load_n(&c->spans[i].bytes, __ATOMIC_ACQUIRE))
			return &c->spans[i];
	return NULL;
}

/* Counts a block outside of the first module's code, or the first block of all. */
static __attribute__((used)) void elsewhere(uintptr_t address)
{
	struct counts *c = counts_now;
	struct span *s;

	if (c == &nobody)
		return;
	if (!c)
		c = hooks_wake(false) ? begin() : NULL;
	else if (!__atomic_load_n(&c->state, __ATOMIC_ACQUIRE))
		c = begin_forked(c);
	if (!c)
		return;
	s = find(c, address);
	if (!s)
		s = add(c, process_now, address);
	if (s && s->counters)
		__atomic_fetch_add(&s->counters[(address - s->base) / ZPROF_COUNTS_STEP], 1,
				   __ATOMIC_RELAXED);
	else
		losses_count(process_now, ZPROF_LOSS_COUNTS, 1);
}

void counts_retire(struct process *p)
{
	struct counts *c = counts_now;
	uint32_t i;

	if (!c || c == &nobody || !c->state)
		return;
	for (i = 0; i < c->count && i < SPANS_MAX; i++) {
		const struct module *m = &p->modules->table[c->spans[i].module - 1];

		if (m->doubtful || m->unloaded)
			set_bytes(c, &c->spans[i], 0);
	}
}

void __sanitizer_cov_trace_pc(void);

CPU_ENTRY void __sanitizer_cov_trace_pc(void)
{
	CPU_COUNT_BLOCK(counts_now, elsewhere);
}
