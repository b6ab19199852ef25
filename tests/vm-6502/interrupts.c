/* SPDX-License-Identifier: MIT */
/*
 * interrupts: the two cores against each other under interrupts. One processor runs as programs do,
 * on the fast core wherever no interrupt is foreseen; the other is observed, so the exact core runs
 * all of it. Random programs that often change the I flag get IRQs and NMIs at random cycles: from
 * outside, between two stretches, and from a device that, some cycles after a write, pulls IRQ or
 * lets go. After each stretch registers, cycle and memory are the same. Prints TAP.
 *
 *	interrupts [PROGRAMS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/cpu/m6502.h"

enum { STRETCHES = 40, DEVICES = 64 };

static uint64_t seed;

static unsigned draw(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed >> 11;
}

struct side {
	struct m6502 m;
	struct m6502_observer observer;
	struct m6502_hook device;
	long taken[2]; /* IRQs, NMIs */
};

static struct side usual, watched;

/* Does not react to reads: the fast core makes no dummy reads. */
static void pull_or_let_go(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	(void)hook;
	m6502_irq(m, value % 3 ? m->cycles + 1 + (value + at) % 23 : M6502_NEVER);
}

static void count(struct m6502 *m, struct m6502_observer *o, uint16_t vector)
{
	struct side *side = (struct side *)((char *)o - offsetof(struct side, observer));

	(void)m;
	if (vector)
		side->taken[vector == 0xfffa]++;
}

static uint8_t draw_byte(enum m6502_cpu cpu)
{
	static const uint8_t wanted[] = {0x58, 0x78, 0x28, 0x40, 0x00, 0x08, 0xd0, 0xf0, 0x90,
					 0x10, 0x4c, 0x20, 0x60, 0xad, 0x8d, 0xee, 0xb1, 0x91};
	uint8_t byte = draw() % 4 ? draw() : wanted[draw() % sizeof wanted];
	bool stops =
	    cpu == M6502_NMOS ? (byte & 0x1f) == 0x12 || (byte & 0x9f) == 0x02 : byte == 0xdb;

	return stops ? 0xea : byte;
}

static void start(struct side *s, enum m6502_cpu cpu, const uint8_t *mem, bool observed)
{
	memset(s, 0, sizeof *s);
	m6502_init(&s->m, cpu);
	m6502_load(&s->m, 0, mem, 0x10000);
	s->m.pc = mem[0xfffc] | mem[0xfffd] << 8;
	m6502_set_p(&s->m, mem[0] & ~(M6502_B | M6502_U));
	s->device = (struct m6502_hook){.write = pull_or_let_go};
	for (int i = 0; i < DEVICES; i++)
		m6502_set_hook(&s->m, 0x200 + (mem[2 * i] << 8 | mem[2 * i + 1]) % 0xfc00,
			       &s->device);
	s->observer.instruction = count;
	if (observed)
		s->m.observer = &s->observer;
}

static bool same(void)
{
	const struct m6502 *a = &usual.m, *b = &watched.m;

	return a->pc == b->pc && a->a == b->a && a->x == b->x && a->y == b->y && a->s == b->s &&
	       m6502_p(a) == m6502_p(b) && a->cycles == b->cycles && a->irq_at == b->irq_at &&
	       a->nmi_at == b->nmi_at && a->pending == b->pending && a->why == b->why &&
	       memcmp(a->mem, b->mem, 0x10000) == 0;
}

static void show(const struct m6502 *m)
{
	printf(
	    "# pc %04x a %02x x %02x y %02x s %02x p %02x cycle %llu irq %lld nmi %lld pending %d "
	    "waiting %d why %d\n",
	    m->pc, m->a, m->x, m->y, m->s, m6502_p(m), (unsigned long long)m->cycles,
	    (long long)m->irq_at, (long long)m->nmi_at, m->pending, m->waiting, m->why);
}

/* What happens to the lines before the next stretch. */
static void disturb(void)
{
	uint64_t at = usual.m.cycles + draw() % 60;

	switch (draw() % 4) {
	case 0:
		m6502_nmi(&usual.m, at), m6502_nmi(&watched.m, at);
		break;
	case 1:
		m6502_irq(&usual.m, at), m6502_irq(&watched.m, at);
		break;
	case 2:
		m6502_irq(&usual.m, M6502_NEVER), m6502_irq(&watched.m, M6502_NEVER);
		break;
	default:
		break;
	}
}

static bool run_program(enum m6502_cpu cpu)
{
	static uint8_t mem[0x10000];

	for (int i = 0; i < 0x10000; i++)
		mem[i] = draw_byte(cpu);
	start(&usual, cpu, mem, false);
	start(&watched, cpu, mem, true);
	for (int i = 0; i < STRETCHES; i++) {
		disturb();
		/* The fast core may overshoot; the exact one then stops in the same cycle. */
		m6502_run(&usual.m, usual.m.cycles + draw() % 400);
		while (watched.m.cycles < usual.m.cycles && watched.m.why == M6502_BUDGET)
			m6502_run(&watched.m, usual.m.cycles);
		if (usual.m.why != M6502_BUDGET)
			break;
		if (!same()) {
			printf("# stretch %d\n", i);
			show(&usual.m), show(&watched.m);
			return false;
		}
	}
	return true;
}

static bool run_cpu(enum m6502_cpu cpu, long programs, long taken[2])
{
	for (long n = 0; n < programs; n++) {
		uint64_t began = seed;
		if (!run_program(cpu)) {
			printf("# program %ld, seed %#llx\n", n, (unsigned long long)began);
			return false;
		}
		taken[0] += watched.taken[0], taken[1] += watched.taken[1];
	}
	return true;
}

int main(int argc, char **argv)
{
	static const char *const name[] = {"6502", "65C02"};
	long programs = argc > 1 ? atol(argv[1]) : 300;
	bool good = true;

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 6502;
	for (int cpu = 0; cpu < 2; cpu++) {
		long taken[2] = {0};
		bool agree = run_cpu(cpu ? M6502_CMOS : M6502_NMOS, programs, taken) &&
			     taken[0] > 5 * programs && taken[1] > 2 * programs;
		printf("%sok %d - %s: the two cores under interrupts\n", agree ? "" : "not ",
		       cpu + 1, name[cpu]);
		printf("# %ld IRQs and %ld NMIs\n", taken[0], taken[1]);
		good = good && agree;
	}
	printf("1..2\n");
	return !good;
}
