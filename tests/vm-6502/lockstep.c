/* SPDX-License-Identifier: MIT */
/*
 * lockstep: random programs on three processors at once: the reference, the exact core and the fast
 * core. After every instruction all registers, P, the cycle and the byte where each store could have
 * gone agree; after every program, all of memory. Prints TAP.
 *
 *	lockstep [INSTRUCTIONS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vm-6502/reference.h"
#include "vm-6502/cpu/m6502.h"

enum { PER_PROGRAM = 20000 };

static struct m6502 exact, fast;
static struct reference reference;
static uint64_t seed;

static unsigned draw(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed >> 11;
}

/* A byte of a program: seldom one that stops the processor. */
static uint8_t draw_byte(unsigned mask)
{
	uint8_t byte = draw() & mask;
	bool stops = reference.cmos ? byte == 0xcb || byte == 0xdb
				    : (byte & 0x1f) == 0x12 || (byte & 0x9f) == 0x02;
	return stops && draw() % 64 ? byte ^ 0x01 : byte;
}

/* Memory of random bytes. In every other program operands have few values, so that the same pages
 * and code are met often. */
static void start(enum m6502_cpu cpu)
{
	unsigned mask = draw() & 1 ? 0xff : 0x1f;

	memset(&reference, 0, sizeof reference);
	reference.cmos = cpu == M6502_CMOS;
	for (int i = 0; i < 0x10000; i++)
		reference.mem[i] = draw_byte(draw() & 3 ? 0xff : mask);
	reference.pc = draw();
	reference.a = draw(), reference.x = draw(), reference.y = draw(), reference.s = draw();
	reference.p = draw() & ~0x30;
}

static void copy_state(struct m6502 *m, enum m6502_cpu cpu)
{
	m6502_init(m, cpu);
	m6502_load(m, 0, reference.mem, 0x10000);
	m->pc = reference.pc;
	m->a = reference.a, m->x = reference.x, m->y = reference.y, m->s = reference.s;
	m6502_set_p(m, reference.p);
}

static bool same(const struct m6502 *m)
{
	return m->pc == reference.pc && m->a == reference.a && m->x == reference.x &&
	       m->y == reference.y && m->s == reference.s && m->cycles == reference.cycles &&
	       (m6502_p(m) & ~0x30) == reference.p;
}

static void show(const char *name, const struct m6502 *m, uint16_t at)
{
	printf("# %s: opcode %02x at %04x: pc %04x a %02x x %02x y %02x s %02x p %02x cycle %llu\n",
	       name, reference.mem[at], at, m->pc, m->a, m->x, m->y, m->s, m6502_p(m) & ~0x30,
	       (unsigned long long)m->cycles);
	printf("# reference:       pc %04x a %02x x %02x y %02x s %02x p %02x cycle %llu\n",
	       reference.pc, reference.a, reference.x, reference.y, reference.s, reference.p,
	       (unsigned long long)reference.cycles);
}

/* The fast core can't be stopped at each instruction: it looks at its budget at jumps. It runs on
 * to the reference's cycle whenever it can stop there. */
static bool follow(uint16_t at)
{
	if (fast.cycles < reference.cycles)
		m6502_run(&fast, fast.cycles + 1);
	if (fast.cycles == reference.cycles && !same(&fast)) {
		show("fast", &fast, at);
		return false;
	}
	return true;
}

/* The reference runs until it stops, or a number of instructions; how many, or -1. */
static long run_program(enum m6502_cpu cpu)
{
	long n = 0;

	start(cpu);
	copy_state(&exact, cpu);
	copy_state(&fast, cpu);
	for (;;) {
		uint16_t at = reference.pc;
		reference_step(&reference);
		if (reference.stopped)
			break;
		m6502_step(&exact);
		if (!same(&exact)) {
			show("exact", &exact, at);
			return -1;
		}
		if (!follow(at))
			return -1;
		n++;
		if (n >= PER_PROGRAM && fast.cycles == reference.cycles)
			break;
	}
	if (fast.cycles < reference.cycles || reference.stopped)
		m6502_run(&fast, reference.cycles);
	if (memcmp(exact.mem, reference.mem, 0x10000) || memcmp(fast.mem, reference.mem, 0x10000) ||
	    !m6502_sound(&exact) || !m6502_sound(&fast)) {
		printf("# memory differs\n");
		return -1;
	}
	return n;
}

static bool run_cpu(enum m6502_cpu cpu, long wanted)
{
	long total = 0, programs = 0;

	while (total < wanted) {
		uint64_t began = seed;
		long n = run_program(cpu);
		if (n < 0) {
			printf("# seed %llu\n", (unsigned long long)began);
			return false;
		}
		total += n;
		programs++;
	}
	printf("# %ld instructions in %ld programs\n", total, programs);
	return true;
}

int main(int argc, char **argv)
{
	long wanted = argc > 1 ? atol(argv[1]) : 10000000;
	bool nmos, cmos;

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 6502;
	nmos = run_cpu(M6502_NMOS, wanted);
	printf("%sok 1 - 6502: %ld instructions of random programs, as the reference\n",
	       nmos ? "" : "not ", wanted);
	cmos = run_cpu(M6502_CMOS, wanted);
	printf("%sok 2 - 65C02: the same\n1..2\n", cmos ? "" : "not ");
	return !nmos || !cmos;
}
