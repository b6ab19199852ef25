/* SPDX-License-Identifier: MIT */
/* forth_lockstep_random: each primitive alone, with random stacks, addresses and memory; see forth_lockstep.h. */
#include "tests/vm-6502/forth_lockstep.h"

#include <string.h>

#include "vm-6502/guest/forth-image.h"

enum { TRIALS = 400 };

static uint8_t clean[0x10000];

static void restore(struct m6502 *m)
{
	for (unsigned at = 0; at < 0xfe00; at += 8) {
		if (memcmp(m->mem + at, clean + at, 8) == 0)
			continue;
		for (unsigned i = at; i < at + 8; i++) {
			if (m->mem[i] != clean[i])
				m6502_poke(m, i, clean[i]);
		}
	}
}

static void poke_both(uint16_t at, uint8_t value)
{
	if (at >= 0xfe00 && at < 0xff00)
		return;
	m6502_poke(&native->cpu, at, value);
	m6502_poke(&pure->cpu, at, value);
}

static void poke_both16(uint16_t at, uint16_t value)
{
	poke_both(at, value);
	poke_both(at + 1, value >> 8);
}

/* Mostly in free memory, often near the end of a page, sometimes anywhere. */
static uint16_t draw_address(void)
{
	uint16_t at = 0x6000 + lockstep_draw() % 0x7000;

	switch (lockstep_draw() % 8) {
	case 0:
		return lockstep_draw();
	case 1:
		return (at & 0xff00) | (0xfc + lockstep_draw() % 4);
	case 2:
		return 0xfdf8 + lockstep_draw() % 16;
	}
	return at;
}

static uint16_t draw_cell(void)
{
	static const uint16_t special[] = {0,      1,      2,      0x7fff, 0x8000,
					   0x8001, 0xfffe, 0xffff, 0xff,   0x100};

	switch (lockstep_draw() % 4) {
	case 0:
		return special[lockstep_draw() % 10];
	case 1:
		return lockstep_draw() % 20;
	case 2:
		return draw_address();
	}
	return lockstep_draw();
}

static uint16_t tokens[4096], names[4096];
static int token_count;

/* The words of the Forth's first word list. */
static void list_tokens(void)
{
	const struct m6502 *m = &native->cpu;
	struct forth_image i;

	forth_image_find(&i, m);
	for (uint16_t nt = m6502_peek16(m, i.forth); nt && token_count < 4096;
	     nt = m6502_peek16(m, nt)) {
		names[token_count] = nt;
		tokens[token_count++] = nt + 6 + (m6502_peek(m, nt + 5) & 0x1f);
	}
}

/* Puts a word's name into the two upper cells, some letters in capitals, rarely wrong. */
static void draw_name(uint8_t x)
{
	uint16_t nt = names[lockstep_draw() % token_count], to = 0x6000 + lockstep_draw() % 0x7000;
	unsigned size = m6502_peek(&native->cpu, nt + 5) & 0x1f;

	for (unsigned i = 0; i < size; i++) {
		uint8_t byte = m6502_peek(&native->cpu, nt + 6 + i);
		poke_both(to + i, lockstep_draw() % 4    ? byte
				  : lockstep_draw() % 16 ? byte ^ 0x20
							 : lockstep_draw());
	}
	poke_both16(x, size);
	poke_both16(x + 2, to);
}

/* The same random state for both, about to run a token. */
static void draw_state(uint16_t xt)
{
	struct m6502 *both[] = {&native->cpu, &pure->cpu};
	uint16_t ip = draw_address();
	uint8_t x = lockstep_draw() % 8 ? 0x12 + lockstep_draw() % 0x9a : lockstep_draw(),
		s = lockstep_draw() % 8 ? 0x20 + lockstep_draw() % 0xd0 : lockstep_draw();
	uint8_t a = lockstep_draw(), y = lockstep_draw(), p = lockstep_draw() & ~M6502_D;
	unsigned equal = lockstep_draw() % 4 == 0;

	for (int i = 0; i < 12; i += 2)
		poke_both16((x + i) & 0xff, draw_cell());
	if (equal)
		poke_both16((x + 2) & 0xff, m6502_peek16(both[0], x));
	if (lockstep_draw() % 4 == 0 && x < 0xb0)
		draw_name(x);
	for (int i = 1; i < 9; i++)
		poke_both(0x100 | ((s + i) & 0xff),
			  lockstep_draw() % 3 ? lockstep_draw() : 0xff * (lockstep_draw() & 1));
	for (int i = 0; i < 64; i++)
		poke_both(0x6000 + lockstep_draw() % 0x7000, lockstep_draw());
	poke_both(FORTH_LP, lockstep_draw());
	poke_both16(FORTH_IP, ip);
	if (ip < 0xfdf8 && ip > 0x200) {
		poke_both16(ip, xt);
		poke_both16(ip + 2, lockstep_draw() % 2 ? draw_address() : lockstep_draw() % 40);
	}
	for (int i = 0; i < 2; i++) {
		both[i]->pc = FORTH_NEXT;
		both[i]->a = a, both[i]->y = y, both[i]->x = x, both[i]->s = s;
		m6502_set_p(both[i], p | M6502_I);
		both[i]->cycles = pure->cpu.cycles;
	}
}

static int find_native(const char *name)
{
	int i = 0;
	while (strcmp(forth_next_native(i), name) != 0)
		i++;
	return i;
}

/* Counts in ran[] how often each primitive ran natively. False: something differed. */
static bool try_token(uint16_t xt, int *ran)
{
	bool is_native = false;

	for (int i = 0; i < TRIALS && (is_native || i < 20); i++) {
		struct m6502 *m = &native->cpu;
		uint16_t code = m6502_peek16(m, xt);
		char what[64];
		const char *name;

		draw_state(xt);
		lockstep_step(i % 2 ? ONE_PRIMITIVE : 30000);
		name = forth_next_native_at(forth_of(native)->next, code);
		snprintf(what, sizeof what, "after %s, trial %d", name ? name : "a word", i);
		is_native |= name != NULL;
		if (name && m->pc != code)
			ran[find_native(name)]++;
		m6502_run(&pure->cpu, m->cycles);
		if (!lockstep_agree(what, 0x10000))
			return false;
		restore(m);
		restore(&pure->cpu);
	}
	return true;
}

static bool seen(uint8_t *flags, uint16_t at)
{
	return flags[at]++;
}

void lockstep_random(const char *file)
{
	static int ran[256];
	static uint8_t seen_code[0x10000];
	bool good = true;

	lockstep_start(file);
	while (!native->left)
		m6502_run(&native->cpu, native->cpu.cycles + 1000000);
	while (!pure->left)
		m6502_run(&pure->cpu, pure->cpu.cycles + 1000000);
	memcpy(clean, native->cpu.mem, sizeof clean);
	forth_next_watch(forth_of(native)->next, &lockstep_stopper);
	list_tokens();
	for (int i = 0; i < token_count && good; i++) {
		if (!seen(seen_code, m6502_peek16(&native->cpu, tokens[i])))
			good = try_token(tokens[i], ran);
	}
	lockstep_verdict(good, "%d words: the same on random input", token_count);
	for (int i = 0; good && forth_next_native(i); i++) {
		if (ran[i] < TRIALS / 8)
			fprintf(lockstep_tap, "# %s ran natively %d times\n", forth_next_native(i),
				ran[i]);
		lockstep_verdict(ran[i] >= TRIALS / 8, "%s runs natively", forth_next_native(i));
	}
	lockstep_end();
}
