/* SPDX-License-Identifier: MIT */
/* sampling.c - see sampling.h. */
#include "preload/sample/sampling.h"

#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/code/areas.h"
#include "preload/sample/ring.h"
#include "preload/sample/timer.h"

#include <elf.h>

#define SECOND_NS 1000000000u
/* How long a process is sampled more often, and how often at most. */
#define FIRST_NS        100000000u
#define FIRST_RATE      5
#define LEAST_PERIOD_NS 100000u
/* The time from one sample to the next is at least so many times the price of a sample. */
#define PRICES       50
#define PRICES_FIRST 10

/* ---- what a sample costs */

#define TRIALS 5
#define LOOKS  20000

/*
 * Waits until another note is written, and returns how long the writing interrupted this thread; 0:
 * no note came.
 */
static uint64_t await_note(const struct ring *ring)
{
	uint64_t seen = *ring->head, before, now = tick_now();
	uint32_t looks = 0;

	if (ring->by == ZPROF_SAMPLER_TIMER)
		return timer_try(ring) ? tick_now() - now : 0;
	do {
		before = now;
		now = tick_now();
	} while (*ring->head == seen && looks++ < LOOKS);
	return *ring->head == seen ? 0 : tick_now() - before;
}

/*
 * An interrupt shows as a gap in a loop that does nothing but read the clock. The median of a few
 * gaps is taken, because other interrupts come, too.
 */
static uint64_t measure_price(const struct ring *ring)
{
	uint64_t gaps[TRIALS], gap;
	uint32_t n = 0, i;

	while (n < TRIALS && (gap = await_note(ring))) {
		for (i = n++; i > 0 && gaps[i - 1] > gap; i--)
			gaps[i] = gaps[i - 1];
		gaps[i] = gap;
	}
	return n ? gaps[n / 2] : 0;
}

/* ---- how many are taken */

static uint64_t at_least(uint64_t value, uint64_t least)
{
	return value < least ? least : value;
}

static void choose_periods(struct sampling *g, uint32_t rate)
{
	uint64_t period = SECOND_NS / rate;

	if (g->by == ZPROF_SAMPLER_TIMER) {
		g->first_period_ns = g->period_ns = at_least(period, timer_tick_ns());
		return;
	}
	g->period_ns = at_least(at_least(period, LEAST_PERIOD_NS), g->price_ns * PRICES);
	g->first_period_ns =
	    at_least(at_least(period / FIRST_RATE, LEAST_PERIOD_NS), g->price_ns * PRICES_FIRST);
}

uint64_t sampling_period(const struct sampling *g)
{
	return g->sampled_ns < FIRST_NS ? g->first_period_ns : g->period_ns;
}

uint32_t sampling_most(const struct sampling *g, uint64_t period_ns)
{
	return period_ns < g->period_ns ? (uint32_t)(2 * FIRST_NS / period_ns) : 0;
}

/* ---- where the library is */

/* The first byte of the library, a symbol that the linker defines. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* The library's instructions, as its own program header names them. */
static void find_code(struct sampling *g)
{
	const Elf64_Ehdr *file = (const Elf64_Ehdr *)__ehdr_start;
	const Elf64_Phdr *part = (const Elf64_Phdr *)(__ehdr_start + file->e_phoff);
	int i;

	for (i = 0; i < file->e_phnum; i++, part++)
		if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
			g->code = (uintptr_t)__ehdr_start + part->p_vaddr;
			g->code_bytes = part->p_memsz;
		}
}

bool sampling_is_ours(const struct sampling *g, uintptr_t address)
{
	return address - g->code < g->code_bytes || area_is_ours(address);
}

/* ---- a process */

static void tell(struct process *p)
{
	struct sampling *g = p->sampling;

	p->header->sampler = g->by;
	p->header->sample_price_ns = (uint32_t)g->price_ns;
	p->header->sample_period_ns = (uint32_t)g->period_ns;
}

void sampling_choose(struct process *p)
{
	struct sampling *g = p->sampling;
	struct ring ring = {.head = &ring_silence, .room = RING_ROOM};
	long r;

	if (!p->options->sample || p->clock == ZPROF_CLOCK_FAKE)
		return;
	find_code(g);
	r = ring_open(&ring, LEAST_PERIOD_NS, 0, ZPROF_SAMPLER_KERNEL);
	if (ring_is_refused(r))
		r = ring_open(&ring, LEAST_PERIOD_NS, 0, ZPROF_SAMPLER_USER);
	if (r) {
		p->header->sampler_error = (uint32_t)-r;
		r = ring_open(&ring, SECOND_NS, 0, ZPROF_SAMPLER_TIMER);
	}
	if (r)
		return;
	g->by = ring.by;
	g->price_ticks = measure_price(&ring);
	ring_close(&ring);
}

void sampling_begin(struct process *p)
{
	struct sampling *g = p->sampling;

	if (p->hz)
		g->price_ns = g->price_ticks * SECOND_NS / p->hz;
	g->exact = p->header->mode == ZPROF_MODE_EXACT;
	if (g->by != ZPROF_SAMPLER_NONE)
		choose_periods(g, p->options->sample);
	tell(p);
}

void sampling_inherit(struct process *p, const struct process *from)
{
	*p->sampling = *from->sampling;
	p->sampling->roomy = 0;
	p->header->sampler_error = from->header->sampler_error;
	timer_forget_all();
	tell(p);
}
