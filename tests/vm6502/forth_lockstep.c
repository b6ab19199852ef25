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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "vm-6502/guest/forth-image.h"
#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/native/forth-next.h"
#include "vm-6502/machine/machine-forth.h"

enum { ONE_PRIMITIVE = 46, TRIALS = 400, FULL_EVERY = 4096 };

static const char *image, *sources;
static FILE *tap;
static int number, failed;
static uint64_t seed = 6502;

static struct machine *native, *pure;

/* The two read the clock at different moments. */
time_t time(time_t *t)
{
	if (t)
		*t = 1000000000;
	return 1000000000;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	(void)zone;
	*now = (struct timeval){.tv_sec = 1000000000};
	return 0;
}

static unsigned draw(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed >> 11;
}

static void verdict(bool good, const char *format, ...)
{
	va_list list;

	failed |= !good;
	fprintf(tap, "%sok %d - ", good ? "" : "not ", ++number);
	va_start(list, format);
	vfprintf(tap, format, list);
	va_end(list);
	fputc('\n', tap);
}

/* ---- the two machines */

static struct machine *start(const char *file, bool is_pure)
{
	static const char *include[2];
	static struct machine_arg args[1];
	static struct machine_options options[2];
	struct machine_options *o = &options[is_pure];
	char err[512];
	struct machine *machine;

	include[0] = sources;
	args[0] = (struct machine_arg){.kind = FORTH_ARG_FILE, .text = file};
	*o = (struct machine_options){.cpu = M6502_NMOS,
				      .image = image,
				      .load = -1,
				      .start = -1,
				      .dir = is_pure ? "pure" : "native",
				      .include = include,
				      .arg = args,
				      .args = file != NULL,
				      .pure = is_pure};
	mkdir(o->dir, 0777);
	machine = machine_new(machine_find("forth"), o, err, sizeof err);
	if (!machine) {
		fprintf(tap, "Bail out! %s\n", err);
		exit(2);
	}
	return machine;
}

static void start_both(const char *file)
{
	native = start(file, false);
	pure = start(file, true);
}

static void end_both(void)
{
	machine_free(native);
	machine_free(pure);
}

static void show(const char *name, const struct m6502 *m)
{
	fprintf(tap,
		"# %-6s pc %04x a %02x x %02x y %02x s %02x p %02x ip %04x w %04x cycle %llu\n",
		name, m->pc, m->a, m->x, m->y, m->s, m6502_p(m), m6502_peek16(m, FORTH_IP),
		m6502_peek16(m, FORTH_W), (unsigned long long)m->cycles);
}

/* Says what differs, if anything does. bytes: of memory. */
static bool agree(const char *where, unsigned bytes)
{
	const struct m6502 *a = &native->cpu, *b = &pure->cpu;

	if (a->pc != b->pc || a->a != b->a || a->x != b->x || a->y != b->y || a->s != b->s ||
	    m6502_p(a) != m6502_p(b) || a->cycles != b->cycles) {
		fprintf(tap, "# registers differ %s\n", where);
	} else if (memcmp(a->mem, b->mem, bytes) != 0) {
		unsigned at = 0;
		while (a->mem[at] == b->mem[at])
			at++;
		fprintf(tap, "# memory differs %s: at %04x native %02x, pure %02x\n", where, at,
			a->mem[at], b->mem[at]);
	} else {
		return true;
	}
	show("native", a);
	show("pure", b);
	return false;
}

/* ---- each NEXT */

static bool stopping;

static void stop_at_next(struct m6502 *m, struct forth_watch *w, uint16_t ip)
{
	(void)w, (void)ip;
	if (stopping)
		m6502_stop(m);
}

static uint8_t everywhere[0x10000];
static struct forth_watch stopper = {.ask = everywhere, .rise = 0xff, .next = stop_at_next};

/* From NEXT on, natively, for so many cycles or a little more; false: it wasn't possible. */
static bool run_natively(struct m6502 *m, unsigned cycles)
{
	m->limit = m->cycles + FORTH_NEXT_MARGIN + cycles;
	m->stop_asked = false;
	return m->hook[FORTH_NEXT]->run(m, m->hook[FORTH_NEXT]);
}

/* The guest's own code, up to NEXT or a transfer of control some way on. */
static void run_plainly(struct m6502 *m, unsigned cycles)
{
	stopping = true;
	m6502_run(m, m->cycles + cycles);
	stopping = false;
}

/* The native machine goes some way, to where registers are as they should be: if NEXT is left in
 * front of itself or of its JMP (W), the guest's own code comes first. */
static bool step_native(unsigned cycles)
{
	struct m6502 *m = &native->cpu;
	bool done = m->pc == FORTH_NEXT && run_natively(m, cycles);

	if (!done)
		run_plainly(m, FORTH_NEXT_MARGIN);
	else if (m->pc == FORTH_NEXT_GO || m->pc == FORTH_NEXT)
		m6502_run(m, m->cycles + 1);
	return done;
}

static void each_next(const char *file)
{
	uint64_t steps = 0, natively = 0;
	bool good = true;

	start_both(file);
	forth_next_watch(forth_of(native)->next, &stopper);
	while (good && !native->left) {
		bool batch = draw() % 16 == 0;
		natively += step_native(batch ? draw() % 2000 : ONE_PRIMITIVE);
		m6502_run(&pure->cpu, native->cpu.cycles);
		steps++;
		good = native->left == pure->left &&
		       (native->left || agree(file, steps % FULL_EVERY ? 0x200 : 0x10000));
	}
	good = good && memcmp(native->cpu.mem, pure->cpu.mem, 0x10000) == 0 &&
	       m6502_sound(&native->cpu);
	fprintf(tap, "# %llu cycles in %llu steps, %llu of them native\n",
		(unsigned long long)native->cpu.cycles, (unsigned long long)steps,
		(unsigned long long)natively);
	verdict(good && natively > steps / 4, "%s: the same at each NEXT", file);
	end_both();
}

/* ---- slices and interrupts */

/* The guest keeps interrupts off; here it must take them. */
static void interrupt_both(void)
{
	uint64_t at = native->cpu.cycles + draw() % 8000;

	native->cpu.di &= ~M6502_I;
	pure->cpu.di &= ~M6502_I;
	m6502_irq(&native->cpu, at);
	m6502_irq(&pure->cpu, at);
}

static void slices(const char *file, bool interrupts)
{
	uint64_t runs = 0, set = 0;
	bool good = true;

	start_both(file);
	while (good && !native->left) {
		uint64_t until = native->cpu.cycles + draw() % 10000;
		if (interrupts && native->cpu.cycles > 1000 && draw() % 2 &&
		    native->cpu.irq_at == M6502_NEVER) {
			interrupt_both();
			set++;
		}
		m6502_run(&native->cpu, until);
		m6502_run(&pure->cpu, until);
		runs++;
		good = native->left == pure->left && agree(file, runs % 64 ? 0x200 : 0x10000);
	}
	fprintf(tap, "# %llu runs, %llu interrupts\n", (unsigned long long)runs,
		(unsigned long long)set);
	verdict(good && m6502_sound(&native->cpu) && !interrupts == !set,
		"%s: the same where runs end%s", file, interrupts ? ", with interrupts" : "");
	end_both();
}

/* ---- watching */

/* Keeps a stack of calls as a profiler of words does, and a digest of all it was told. */
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

	start_both(file);
	init_teller(&a, native, ask_every, words);
	init_teller(&b, pure, ask_every, words);
	while (!native->left)
		m6502_run(&native->cpu, native->cpu.cycles + 10000000);
	while (!pure->left)
		m6502_run(&pure->cpu, pure->cpu.cycles + 3000000);
	fprintf(tap, "# %llu NEXTs, %llu told, %llu calls\n", (unsigned long long)a.watch.nexts,
		(unsigned long long)a.told, (unsigned long long)a.calls);
	verdict(native->cpu.cycles == pure->cpu.cycles && a.digest == b.digest &&
		    a.watch.nexts == b.watch.nexts && a.watch.over == b.watch.over &&
		    a.calls == b.calls && a.told && !words == !a.calls,
		"%s: a watch is told the same%s", file, words ? ", and of calls" : "");
	end_both();
}

/* ---- each primitive, on random input */

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
	uint16_t at = 0x6000 + draw() % 0x7000;

	switch (draw() % 8) {
	case 0:
		return draw();
	case 1:
		return (at & 0xff00) | (0xfc + draw() % 4);
	case 2:
		return 0xfdf8 + draw() % 16;
	}
	return at;
}

static uint16_t draw_cell(void)
{
	static const uint16_t special[] = {0,      1,      2,      0x7fff, 0x8000,
					   0x8001, 0xfffe, 0xffff, 0xff,   0x100};

	switch (draw() % 4) {
	case 0:
		return special[draw() % 10];
	case 1:
		return draw() % 20;
	case 2:
		return draw_address();
	}
	return draw();
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

/* A word's name as the two upper cells, some letters in capitals, seldom wrong. */
static void draw_name(uint8_t x)
{
	uint16_t nt = names[draw() % token_count], to = 0x6000 + draw() % 0x7000;
	unsigned size = m6502_peek(&native->cpu, nt + 5) & 0x1f;

	for (unsigned i = 0; i < size; i++) {
		uint8_t byte = m6502_peek(&native->cpu, nt + 6 + i);
		poke_both(to + i, draw() % 4 ? byte : draw() % 16 ? byte ^ 0x20 : draw());
	}
	poke_both16(x, size);
	poke_both16(x + 2, to);
}

/* The same random state for both, about to run a token. */
static void draw_state(uint16_t xt)
{
	struct m6502 *both[] = {&native->cpu, &pure->cpu};
	uint16_t ip = draw_address();
	uint8_t x = draw() % 8 ? 0x12 + draw() % 0x9a : draw(),
		s = draw() % 8 ? 0x20 + draw() % 0xd0 : draw();
	uint8_t a = draw(), y = draw(), p = draw() & ~M6502_D;
	unsigned equal = draw() % 4 == 0;

	for (int i = 0; i < 12; i += 2)
		poke_both16((x + i) & 0xff, draw_cell());
	if (equal)
		poke_both16((x + 2) & 0xff, m6502_peek16(both[0], x));
	if (draw() % 4 == 0 && x < 0xb0)
		draw_name(x);
	for (int i = 1; i < 9; i++)
		poke_both(0x100 | ((s + i) & 0xff), draw() % 3 ? draw() : 0xff * (draw() & 1));
	for (int i = 0; i < 64; i++)
		poke_both(0x6000 + draw() % 0x7000, draw());
	poke_both(FORTH_LP, draw());
	poke_both16(FORTH_IP, ip);
	if (ip < 0xfdf8 && ip > 0x200) {
		poke_both16(ip, xt);
		poke_both16(ip + 2, draw() % 2 ? draw_address() : draw() % 40);
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
		step_native(i % 2 ? ONE_PRIMITIVE : 30000);
		name = forth_next_native_at(forth_of(native)->next, code);
		snprintf(what, sizeof what, "after %s, trial %d", name ? name : "a word", i);
		is_native |= name != NULL;
		if (name && m->pc != code)
			ran[find_native(name)]++;
		m6502_run(&pure->cpu, m->cycles);
		if (!agree(what, 0x10000))
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

static void random_primitives(const char *file)
{
	static int ran[256];
	static uint8_t seen_code[0x10000];
	bool good = true;

	start_both(file);
	while (!native->left)
		m6502_run(&native->cpu, native->cpu.cycles + 1000000);
	while (!pure->left)
		m6502_run(&pure->cpu, pure->cpu.cycles + 1000000);
	memcpy(clean, native->cpu.mem, sizeof clean);
	forth_next_watch(forth_of(native)->next, &stopper);
	list_tokens();
	for (int i = 0; i < token_count && good; i++) {
		if (!seen(seen_code, m6502_peek16(&native->cpu, tokens[i])))
			good = try_token(tokens[i], ran);
	}
	verdict(good, "%d words: the same on random input", token_count);
	for (int i = 0; good && forth_next_native(i); i++) {
		if (ran[i] < TRIALS / 8)
			fprintf(tap, "# %s ran natively %d times\n", forth_next_native(i), ran[i]);
		verdict(ran[i] >= TRIALS / 8, "%s runs natively", forth_next_native(i));
	}
	end_both();
}

int main(int argc, char **argv)
{
	if (argc < 4 || chdir(getenv("TEST_TMP") ? getenv("TEST_TMP") : ".") != 0)
		return 2;
	image = argv[1];
	sources = argv[2];
	tap = fdopen(dup(1), "w");
	setvbuf(tap, NULL, _IOLBF, 0);
	if (!freopen("guest.out", "w", stdout))
		return 2;
	forth_next_map(everywhere);
	for (int i = 0; i < 0x10000; i++)
		everywhere[i] |= FORTH_ASK;
	random_primitives(argv[3]);
	for (int i = 4; i < argc; i++) {
		each_next(argv[i]);
		slices(argv[i], i % 2);
		watch(argv[i], i % 3 ? 7 : 1, i % 3);
	}
	fprintf(tap, "1..%d\n", number);
	return failed;
}
