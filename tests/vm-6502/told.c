/* SPDX-License-Identifier: MIT */
/*
 * told: compares the core that tells of transfers with the one that shows each instruction. Random
 * programs, rich in what moves S, with NMIs at random times, run on both; all that zprof is told of
 * their subroutines has to be the same, and so have registers, cycle and memory. Prints TAP.
 *
 * The functions of zprof that the profile calls are defined here, and write down each event with the
 * cycle that zprof would read.
 *
 *	told [PROGRAMS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/subroutines.h"

uint32_t zprof_lent(const char *name, const char *group, const char *file, uint32_t line);
void zprof_lent_enter_at(uint32_t zone, uint32_t line, uint32_t column);
void zprof_lent_leave(void);
uint64_t zprof_lent_stack(void);
void zprof_lent_switch(uint64_t stack);
void zprof_lent_free(uint64_t handle);
bool zprof_lent_counter(const char *name, const uint64_t *variable);

enum { STRETCHES = 6 };

static uint64_t seed;

static FILE *events;
static const uint64_t *cycles;
static uint32_t zones;
static uint64_t stacks;

uint32_t zprof_lent(const char *name, const char *group, const char *file, uint32_t line)
{
	(void)group, (void)file, (void)line;
	fprintf(events, "%u is %s\n", (unsigned)++zones, name);
	return zones;
}

static void note(const char *what, unsigned long long number)
{
	fprintf(events, "%llu %s %llu\n", cycles ? (unsigned long long)*cycles : 0, what, number);
}

void zprof_lent_enter_at(uint32_t zone, uint32_t line, uint32_t column)
{
	(void)line, (void)column;
	note("enter", zone);
}

void zprof_lent_leave(void)
{
	note("leave", 0);
}

uint64_t zprof_lent_stack(void)
{
	return ++stacks;
}

void zprof_lent_switch(uint64_t stack)
{
	note("switch", stack);
}

void zprof_lent_free(uint64_t handle)
{
	note("free", handle);
}

bool zprof_lent_counter(const char *name, const uint64_t *variable)
{
	(void)name;
	cycles = variable;
	return true;
}

static unsigned draw(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed >> 11;
}

static void fill(uint8_t *mem, enum m6502_cpu cpu)
{
	static const uint8_t moves[] = {0x20, 0x60, 0x20, 0x60, 0x40, 0x00, 0x48, 0x68, 0x08,
					0x28, 0x9a, 0xba, 0x9b, 0xbb, 0x4c, 0xd0, 0xf0, 0x6c};

	for (int i = 0; i < 0x10000; i++) {
		mem[i] = draw() % 3 ? draw() : moves[draw() % sizeof moves];
		if (cpu == M6502_NMOS && ((mem[i] & 0x1f) == 0x12 || (mem[i] & 0x9f) == 0x02))
			mem[i] = 0xea;
		if (cpu == M6502_CMOS && (mem[i] == 0xcb || mem[i] == 0xdb))
			mem[i] = 0xea;
		/* Few pages, so that the same code and calls come again. */
		if (draw() & 1)
			mem[i] &= draw() & 1 ? 0xff : 0x07;
	}
}

struct outcome {
	struct m6502 m;
	char *text;
	size_t size;
	uint64_t until[STRETCHES];
};

/* until: where each stretch ends, exactly; the first to run finds that out. */
static bool run(struct outcome *o, const uint8_t *mem, enum m6502_cpu cpu, bool exact, bool first)
{
	struct subroutines *s;

	events = open_memstream(&o->text, &o->size);
	zones = stacks = 0;
	m6502_init(&o->m, cpu);
	m6502_load(&o->m, 0, mem, 0x10000);
	o->m.pc = mem[0xfffc] | mem[0xfffd] << 8;
	s = events ? subroutines_new(&o->m, NULL, NULL, NULL, false, false) : NULL;
	if (!s)
		return false;
	/* Without this function, each instruction is shown. */
	if (exact)
		o->m.observer->transfer = NULL;
	for (int i = 0; i < STRETCHES; i++) {
		if (i & 1)
			m6502_nmi(&o->m, o->m.cycles + mem[i] % 50);
		m6502_run(&o->m, first ? o->m.cycles + 500 + 7 * mem[i] : o->until[i]);
		/* An instruction that stops the processor is reported too, and takes no cycle. */
		if (first)
			o->until[i] = o->m.cycles + (o->m.why != M6502_BUDGET);
	}
	subroutines_finish(s);
	subroutines_free(s);
	fclose(events);
	return true;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return a->size == b->size && memcmp(a->text, b->text, a->size) == 0 && a->m.pc == b->m.pc &&
	       a->m.a == b->m.a && a->m.x == b->m.x && a->m.y == b->m.y && a->m.s == b->m.s &&
	       m6502_p(&a->m) == m6502_p(&b->m) && a->m.cycles == b->m.cycles &&
	       memcmp(a->m.mem, b->m.mem, 0x10000) == 0;
}

static bool run_cpu(enum m6502_cpu cpu, long programs, long *calls)
{
	static struct outcome told, shown;
	static uint8_t mem[0x10000];

	for (long n = 0; n < programs; n++) {
		uint64_t began = seed;
		bool good;
		fill(mem, cpu);
		good = run(&told, mem, cpu, false, true);
		memcpy(shown.until, told.until, sizeof told.until);
		good = good && run(&shown, mem, cpu, true, false) && same(&told, &shown);
		if (!good)
			printf("# program %ld, seed %#llx:\n# %s\n# ----\n# %s\n", n,
			       (unsigned long long)began, told.text, shown.text);
		for (const char *p = told.text; good && (p = strstr(p, " enter ")); p++)
			++*calls;
		free(told.text);
		free(shown.text);
		if (!good)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	long programs = argc > 1 ? atol(argv[1]) : 400, calls = 0;
	bool nmos, cmos;

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 6502;
	nmos = run_cpu(M6502_NMOS, programs, &calls);
	printf("%sok 1 - 6502: subroutines of %ld random programs, as the exact core shows them\n",
	       nmos ? "" : "not ", programs);
	cmos = run_cpu(M6502_CMOS, programs, &calls);
	printf("%sok 2 - 65C02: the same\n", cmos ? "" : "not ");
	printf("%sok 3 - these were %ld calls\n1..3\n", calls > 20 * programs ? "" : "not ", calls);
	return !nmos || !cmos || calls <= 20 * programs;
}
