/* SPDX-License-Identifier: MIT */
/*
 * forth_lockstep: two Forth machines side by side, one with NEXT and primitives native, one pure.
 * Prints TAP.
 *
 *	forth_lockstep IMAGE SOURCES FILE…
 *
 *	each NEXT    registers, flags, cycles, zero page and stack agree at every NEXT of each FILE,
 *	             all of memory now and then and at its end; FILEs are in the folder SOURCES
 *	slices       the same where runs end, at random cycles, with interrupts at random cycles
 *	watch        both tell the same NEXTs and calls, with the same cycles
 *	random       each primitive alone, with random stacks, addresses and memory
 *
 * Both have folders of their own (native, pure) to write files to. Time stands still.
 */
#include "tests/vm-6502/forth_lockstep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FULL_EVERY = 4096 };

/* ---- each NEXT */

static void each_next(const char *file)
{
	uint64_t steps = 0, natively = 0;
	bool good = true;

	lockstep_start(file);
	forth_next_watch(forth_of(native)->next, &lockstep_stopper);
	while (good && !native->left) {
		bool batch = lockstep_draw() % 16 == 0;
		natively += lockstep_step(batch ? lockstep_draw() % 2000 : ONE_PRIMITIVE);
		m6502_run(&pure->cpu, native->cpu.cycles);
		steps++;
		good = native->left == pure->left &&
		       (native->left || lockstep_agree(file, steps % FULL_EVERY ? 0x200 : 0x10000));
	}
	good = good && memcmp(native->cpu.mem, pure->cpu.mem, 0x10000) == 0 &&
	       m6502_sound(&native->cpu);
	fprintf(lockstep_tap, "# %llu cycles in %llu steps, %llu of them native\n",
		(unsigned long long)native->cpu.cycles, (unsigned long long)steps,
		(unsigned long long)natively);
	lockstep_verdict(good && natively > steps / 4, "%s: the same at each NEXT", file);
	lockstep_end();
}

/* ---- slices and interrupts */

/* The guest keeps interrupts off; here it must take them. */
static void interrupt_both(void)
{
	uint64_t at = native->cpu.cycles + lockstep_draw() % 8000;

	native->cpu.di &= ~M6502_I;
	pure->cpu.di &= ~M6502_I;
	m6502_irq(&native->cpu, at);
	m6502_irq(&pure->cpu, at);
}

static void slices(const char *file, bool interrupts)
{
	uint64_t runs = 0, set = 0;
	bool good = true;

	lockstep_start(file);
	while (good && !native->left) {
		uint64_t until = native->cpu.cycles + lockstep_draw() % 10000;
		if (interrupts && native->cpu.cycles > 1000 && lockstep_draw() % 2 &&
		    native->cpu.irq_at == M6502_NEVER) {
			interrupt_both();
			set++;
		}
		m6502_run(&native->cpu, until);
		m6502_run(&pure->cpu, until);
		runs++;
		good =
		    native->left == pure->left && lockstep_agree(file, runs % 64 ? 0x200 : 0x10000);
	}
	fprintf(lockstep_tap, "# %llu runs, %llu interrupts\n", (unsigned long long)runs,
		(unsigned long long)set);
	lockstep_verdict(good && m6502_sound(&native->cpu) && !interrupts == !set,
			 "%s: the same where runs end%s", file,
			 interrupts ? ", with interrupts" : "");
	lockstep_end();
}

/* ---- watching */

/* Keeps a stack of calls like a profiler of words, and a digest of all it was told. */
struct teller {
	struct forth_watch watch;
	uint8_t map[0x10000];
	uint64_t digest, calls, told;
	uint8_t rise[300];
	int depth;
};

static void digest(struct teller *t, uint64_t value)
{
	t->digest = (t->digest ^ value) * 0x100000001b3;
}

static void note(struct teller *t, const struct m6502 *m, unsigned what)
{
	digest(t, m->cycles);
	digest(t, what);
	digest(t, m->s << 8 | m->x);
	digest(t, m->pc);
	digest(t, t->watch.nexts);
	digest(t, t->watch.over);
}

static void tell_next(struct m6502 *m, struct forth_watch *w, uint16_t ip)
{
	struct teller *t = (struct teller *)w;

	note(t, m, ip);
	t->told++;
	while (t->depth && m->s > t->rise[t->depth - 1])
		t->depth--;
	w->rise = t->depth ? t->rise[t->depth - 1] : 0xff;
}

static void tell_call(struct m6502 *m, struct forth_watch *w, uint16_t xt)
{
	struct teller *t = (struct teller *)w;

	note(t, m, xt);
	t->calls++;
	while (t->depth && m->s > t->rise[t->depth - 1])
		t->depth--;
	if (t->depth < 300)
		t->rise[t->depth++] = m->s - 1;
	w->rise = m->s - 1;
}

static void init_teller(struct teller *t, struct machine *machine, int ask_every, bool words)
{
	memset(t, 0, sizeof *t);
	forth_next_map(t->map);
	for (unsigned ip = 0; ask_every && ip < 0x10000; ip += ask_every)
		t->map[ip] |= FORTH_ASK;
	t->watch = (struct forth_watch){
	    .ask = t->map, .rise = 0xff, .calls = words, .next = tell_next, .call = tell_call};
	forth_next_watch(forth_of(machine)->next, &t->watch);
}

static void watch(const char *file, int ask_every, bool words)
{
	static struct teller a, b;

	lockstep_start(file);
	init_teller(&a, native, ask_every, words);
	init_teller(&b, pure, ask_every, words);
	while (!native->left)
		m6502_run(&native->cpu, native->cpu.cycles + 10000000);
	while (!pure->left)
		m6502_run(&pure->cpu, pure->cpu.cycles + 3000000);
	fprintf(lockstep_tap, "# %llu NEXTs, %llu told, %llu calls\n",
		(unsigned long long)a.watch.nexts, (unsigned long long)a.told,
		(unsigned long long)a.calls);
	lockstep_verdict(native->cpu.cycles == pure->cpu.cycles && a.digest == b.digest &&
			     a.watch.nexts == b.watch.nexts && a.watch.over == b.watch.over &&
			     a.calls == b.calls && a.told && !words == !a.calls,
			 "%s: a watch is told the same%s", file, words ? ", and of calls" : "");
	lockstep_end();
}

int main(int argc, char **argv)
{
	if (argc < 4 || chdir(getenv("TEST_TMP") ? getenv("TEST_TMP") : ".") != 0)
		return 2;
	lockstep_begin(argv[1], argv[2]);
	lockstep_tap = fdopen(dup(1), "w");
	setvbuf(lockstep_tap, NULL, _IOLBF, 0);
	if (!freopen("guest.out", "w", stdout))
		return 2;
	lockstep_random(argv[3]);
	for (int i = 4; i < argc; i++) {
		each_next(argv[i]);
		slices(argv[i], i % 2);
		watch(argv[i], i % 3 ? 7 : 1, i % 3);
	}
	fprintf(lockstep_tap, "1..%d\n", lockstep_number);
	return lockstep_failed;
}
