/* SPDX-License-Identifier: MIT */
/* forth-window: see the header. */
#include "vm-6502/profile/forth-window.h"

#include <string.h>

#include "vm-6502/profile/forth-profiler.h"

enum { SLOTS = 9, UNSUPPORTED = -21, OUT_OF_MEMORY = -59 };

/* The guest's tables, as forth-profiler.h draws them. */
enum { LATCH = 0, STAMPS = 1, COUNTS = 2, TICKS = 38, METRIC = 160 };

static struct forth_metric *active(const struct forth_window *w)
{
	return &w->buckets->metric[w->metric];
}

static uint32_t slots_of(const struct forth_metric *metric)
{
	return metric->buckets + 1;
}

/* Finds the metric that the guest has made active; without one, a metric that has no buckets. */
static bool find_metric(struct forth_window *w)
{
	struct forth_buckets *b = w->buckets;
	uint16_t record = m6502_peek16(b->m, w->tables + METRIC);
	const struct forth_metric *metric = forth_buckets_guest_metric(b, record);

	if (!metric)
		metric = forth_buckets_metric(b, "");
	w->metric = metric ? metric - b->metric : forth_buckets_add_metric(b, "", NULL, 0);
	return w->metric != UINT32_MAX;
}

static bool tables_are_empty(const struct forth_window *w)
{
	for (int i = STAMPS; i < TICKS; i++) {
		if (m6502_peek(w->buckets->m, w->tables + i))
			return false;
	}
	return true;
}

/* The class that the guest's latch stands for. */
static uint32_t latched(const struct forth_window *w)
{
	const struct forth_buckets *b = w->buckets;
	const struct forth_metric *metric = active(w);
	uint8_t slot = m6502_peek(b->m, w->tables + LATCH);
	uint16_t class = CLASS_ETC;

	if (slot && slot <= metric->buckets)
		class = b->class_at[b->bucket[metric->bucket[slot - 1]].start];
	return class == CLASS_KEEP ? CLASS_ETC : class;
}

static int start(struct forth_window *w, uint64_t nexts, uint64_t cycles)
{
	struct forth_buckets *b = w->buckets;
	struct forth_metric *metric;

	forth_buckets_update(b);
	if (!find_metric(w))
		return OUT_OF_MEMORY;
	metric = active(w);
	if (!metric->started || tables_are_empty(w)) {
		memset(metric->charge, 0, slots_of(metric) * sizeof *metric->charge);
		metric->stamps = 0;
	}
	metric->started = true;
	forth_buckets_move(b, latched(w), nexts, cycles);
	for (uint32_t i = 0; i < b->classes; i++)
		b->class[i].before = b->class[i].charge;
	w->open = w->first = true;
	return 0;
}

/* Adds to a metric what a class has been charged with since the last time. */
static void bring_class(const struct forth_buckets *b, struct forth_metric *metric, uint32_t i)
{
	const struct forth_class *class = &b->class[i];
	struct forth_charge *sum = &metric->charge[forth_buckets_slot(b, metric, i)];

	sum->nexts += class->charge.nexts - class->before.nexts;
	sum->as_run += class->charge.as_run - class->before.as_run;
	sum->as_next += class->charge.as_next - class->before.as_next;
}

/* Adds all classes' new counts to the active metric, or to all metrics. */
static void bring(struct forth_window *w, uint64_t nexts, uint64_t cycles)
{
	struct forth_buckets *b = w->buckets;

	if (!w->open)
		return;
	forth_buckets_move(b, b->now, nexts, cycles);
	for (uint32_t i = 0; i < b->classes; i++) {
		for (uint32_t k = 0; k < b->metrics; k++) {
			if (w->all || k == w->metric)
				bring_class(b, &b->metric[k], i);
		}
		b->class[i].before = b->class[i].charge;
	}
}

/* Stores a counter in one of the guest's tables; its four bytes lie in four columns. */
static void put32(const struct forth_window *w, unsigned at, uint64_t value)
{
	for (int i = 0; i < 4; i++)
		m6502_poke(w->buckets->m, w->tables + at + i * SLOTS, value >> 8 * i);
}

/* The guest adds up the stamp itself. */
static void fill_tables(const struct forth_window *w)
{
	const struct forth_buckets *b = w->buckets;
	const struct forth_metric *metric = active(w);

	for (uint32_t i = 0; i < slots_of(metric) && i < SLOTS; i++) {
		const struct forth_charge *charge = &metric->charge[i];
		put32(w, COUNTS + i, charge->nexts);
		put32(w, TICKS + i, w->as_next ? charge->as_next : charge->as_run);
	}
	m6502_poke(b->m, w->tables + LATCH, forth_buckets_slot(b, metric, b->now));
}

static void sum_up(struct forth_metric *metric, int stamp)
{
	metric->stamp[stamp] = (struct forth_charge){0};
	for (uint32_t i = 0; i < slots_of(metric); i++)
		forth_charge_add(&metric->stamp[stamp], &metric->charge[i]);
}

static void take_stamp(struct forth_window *w, uint64_t nexts, uint64_t cycles)
{
	struct forth_metric *metric = active(w);
	uint8_t stamp = m6502_peek(w->buckets->m, w->tables + STAMPS);

	bring(w, nexts, cycles);
	if (!w->guest)
		fill_tables(w);
	if (stamp >= STAMPS_MOST)
		return;
	metric->stamps = stamp + 1;
	sum_up(metric, stamp);
}

int forth_window_operate(struct forth_window *w, int operation, uint16_t address, uint64_t nexts,
			 uint64_t cycles)
{
	int ior = 0;

	if (operation == FORTH_PROFILE_START && !w->open) {
		w->tables = address;
		ior = start(w, nexts, cycles);
	} else if (operation == FORTH_PROFILE_STOP) {
		bring(w, nexts, cycles);
		w->open = false;
	} else if (operation == FORTH_PROFILE_STAMP && w->tables) {
		take_stamp(w, nexts, cycles);
	} else if (operation != FORTH_PROFILE_START) {
		ior = UNSUPPORTED;
	}
	return w->guest ? UNSUPPORTED : ior;
}

void forth_window_patched(struct forth_window *w, bool running, uint64_t nexts, uint64_t cycles)
{
	struct forth_buckets *b = w->buckets;

	if (!running) {
		bring(w, nexts, cycles);
		w->open = false;
		return;
	}
	forth_buckets_move(b, CLASS_ETC, nexts, cycles);
	for (uint32_t i = 0; i < b->metrics; i++) {
		struct forth_metric *metric = &b->metric[i];
		memset(metric->charge, 0, slots_of(metric) * sizeof *metric->charge);
		metric->stamps = 0;
		metric->started = true;
	}
	for (uint32_t i = 0; i < b->classes; i++)
		b->class[i].before = b->class[i].charge;
	w->open = w->all = w->first = true;
}

void forth_window_stamp(struct forth_window *w, uint64_t nexts, uint64_t cycles)
{
	struct forth_buckets *b = w->buckets;

	if (!w->all)
		return;
	bring(w, nexts, cycles);
	for (uint32_t i = 0; i < b->metrics; i++) {
		if (b->metric[i].stamps < STAMPS_MOST)
			sum_up(&b->metric[i], b->metric[i].stamps++);
	}
}
