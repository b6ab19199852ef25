/* SPDX-License-Identifier: MIT */
/* machine-sim65-counter: see the header. */
#include "vm-6502/machine/machine-sim65-counter.h"

#include <stddef.h>
#include <time.h>

enum { LATCH = 0xffc0, SELECT, VALUE, END = VALUE + 8 };
enum { CYCLES = 0x00, TIME = 0x80, SPLIT_TIME = 0x81 };

/* The store that latches is an STA of an absolute address, which writes in its fourth cycle. The
 * cycles before this instruction are latched. */
enum { BEFORE_WRITE = 3 };

static uint64_t value_of(const struct sim65_counter *c, uint8_t select)
{
	switch (select) {
	case CYCLES:
		return c->cycles;
	case TIME:
		return c->seconds * 1000000000 + c->ns;
	case SPLIT_TIME:
		return c->seconds << 32 | c->ns;
	default:
		return 0;
	}
}

static void take_values(struct sim65_counter *c, const struct m6502 *m)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	c->cycles = m->cycles - BEFORE_WRITE;
	c->seconds = now.tv_sec;
	c->ns = now.tv_nsec;
}

static void become_memory(struct m6502 *m)
{
	for (int at = LATCH; at < END; at++)
		m6502_set_hook(m, at, NULL);
}

static void write_counter(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct sim65_counter *c = (struct sim65_counter *)hook;

	(void)value;
	if (at >= VALUE) {
		become_memory(m);
		return;
	}
	if (at == LATCH)
		take_values(c, m);
	for (int i = 0; i < 8; i++)
		m6502_poke(m, VALUE + i, value_of(c, m6502_peek(m, SELECT)) >> 8 * i);
}

void sim65_counter_init(struct sim65_counter *c, struct m6502 *m)
{
	*c = (struct sim65_counter){.hook = {.write = write_counter}};
	m6502_poke(m, SELECT, CYCLES);
	for (int at = LATCH; at < END; at++)
		m6502_set_hook(m, at, &c->hook);
}

void sim65_counter_stack(struct m6502 *m, uint16_t pointer)
{
	if (pointer > LATCH && m->hook[LATCH])
		become_memory(m);
}
