/* SPDX-License-Identifier: MIT */
/* timer6526: see the header. */
#include "vm-6502/machine/timer6526.h"

enum { START = 0x01, ONE_SHOT = 0x08, LOAD = 0x10, CASCADE = 0x60, CASCADED = 0x40 };

/* A write to a control register works two cycles later. */
enum { DELAY = 2 };

void timer6526_init(struct timer6526 *t)
{
	*t = (struct timer6526){.a = {.value = 0xffff, .latch = 0xffff},
				.b = {.value = 0xffff, .latch = 0xffff}};
}

/* Counts `ticks` down; returns how often it passed 0. */
static uint64_t count_down(struct counter *c, uint64_t ticks)
{
	if (!(c->control & START))
		return 0;
	if (ticks <= c->value) {
		c->value -= ticks;
		return 0;
	}
	ticks -= c->value + 1u;
	c->value = c->latch;
	if (c->control & ONE_SHOT) {
		c->control &= ~START;
		return 1;
	}
	c->value -= ticks % (c->latch + 1u);
	return 1 + ticks / (c->latch + 1u);
}

static bool cascaded(const struct timer6526 *t)
{
	return (t->b.control & CASCADE) == CASCADED;
}

static void advance(struct timer6526 *t, uint64_t now)
{
	uint64_t ticks, underflows;

	if (now <= t->at)
		return;
	ticks = now - t->at;
	t->at = now;
	underflows = count_down(&t->a, ticks);
	t->flags |= underflows ? 1 : 0;
	t->flags |= count_down(&t->b, cascaded(t) ? underflows : ticks) ? 2 : 0;
}

uint8_t timer6526_read(struct timer6526 *t, int reg, uint64_t now)
{
	uint8_t flags;

	advance(t, now);
	switch (reg) {
	case TIMER_A:
		return t->a.value & 0xff;
	case TIMER_A + 1:
		return t->a.value >> 8;
	case TIMER_B:
		return t->b.value & 0xff;
	case TIMER_B + 1:
		return t->b.value >> 8;
	case TIMER_CRA:
		return t->a.control;
	case TIMER_CRB:
		return t->b.control;
	case TIMER_ICR:
		flags = t->flags | (t->flags & t->mask ? 0x80 : 0);
		t->flags = 0;
		return flags;
	}
	return 0;
}

static void write_latch(struct counter *c, int high, uint8_t value)
{
	if (high) {
		c->latch = (c->latch & 0x00ff) | value << 8;
		if (!(c->control & START))
			c->value = c->latch;
	} else {
		c->latch = (c->latch & 0xff00) | value;
	}
}

static void write_control(struct counter *c, uint8_t value)
{
	if (value & LOAD)
		c->value = c->latch;
	c->control = value & ~LOAD;
}

void timer6526_write(struct timer6526 *t, int reg, uint8_t value, uint64_t now)
{
	advance(t, reg == TIMER_CRA || reg == TIMER_CRB ? now + DELAY : now);
	switch (reg) {
	case TIMER_A:
	case TIMER_A + 1:
		write_latch(&t->a, reg == TIMER_A + 1, value);
		break;
	case TIMER_B:
	case TIMER_B + 1:
		write_latch(&t->b, reg == TIMER_B + 1, value);
		break;
	case TIMER_CRA:
		write_control(&t->a, value);
		break;
	case TIMER_CRB:
		write_control(&t->b, value);
		break;
	case TIMER_ICR:
		if (value & 0x80)
			t->mask |= value & 3;
		else
			t->mask &= ~(value & 3);
		break;
	}
}

uint64_t timer6526_irq(const struct timer6526 *t)
{
	uint64_t a = UINT64_MAX, b = UINT64_MAX;

	if (t->flags & t->mask)
		return t->at;
	if (t->a.control & START)
		a = t->at + t->a.value + 1;
	if (t->b.control & START) {
		if (!cascaded(t))
			b = t->at + t->b.value + 1;
		else if (a != UINT64_MAX && !(t->a.control & ONE_SHOT && t->b.value))
			b = a + (uint64_t)t->b.value * (t->a.latch + 1u);
	}
	if (!(t->mask & 1))
		a = UINT64_MAX;
	if (!(t->mask & 2))
		b = UINT64_MAX;
	return a < b ? a : b;
}
