/* SPDX-License-Identifier: MIT */
/* forth_lockstep_machines: see forth_lockstep.h. */
#include "tests/vm-6502/forth_lockstep.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#include "vm-6502/guest/forth-machine.h"

static const char *image, *sources;
FILE *lockstep_tap;
int lockstep_number, lockstep_failed;
static uint64_t seed = 6502;

struct machine *native, *pure;

/* Constant, since the two read the clock at different moments. */
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

unsigned lockstep_draw(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed >> 11;
}

void lockstep_verdict(bool good, const char *format, ...)
{
	va_list list;

	lockstep_failed |= !good;
	fprintf(lockstep_tap, "%sok %d - ", good ? "" : "not ", ++lockstep_number);
	va_start(list, format);
	vfprintf(lockstep_tap, format, list);
	va_end(list);
	fputc('\n', lockstep_tap);
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
		fprintf(lockstep_tap, "Bail out! %s\n", err);
		exit(2);
	}
	return machine;
}

void lockstep_start(const char *file)
{
	native = start(file, false);
	pure = start(file, true);
}

void lockstep_end(void)
{
	machine_free(native);
	machine_free(pure);
}

static void show(const char *name, const struct m6502 *m)
{
	fprintf(lockstep_tap,
		"# %-6s pc %04x a %02x x %02x y %02x s %02x p %02x ip %04x w %04x cycle %llu\n",
		name, m->pc, m->a, m->x, m->y, m->s, m6502_p(m), m6502_peek16(m, FORTH_IP),
		m6502_peek16(m, FORTH_W), (unsigned long long)m->cycles);
}

/* Says what differs, if anything does. bytes: of memory. */
bool lockstep_agree(const char *where, unsigned bytes)
{
	const struct m6502 *a = &native->cpu, *b = &pure->cpu;

	if (a->pc != b->pc || a->a != b->a || a->x != b->x || a->y != b->y || a->s != b->s ||
	    m6502_p(a) != m6502_p(b) || a->cycles != b->cycles) {
		fprintf(lockstep_tap, "# registers differ %s\n", where);
	} else if (memcmp(a->mem, b->mem, bytes) != 0) {
		unsigned at = 0;
		while (a->mem[at] == b->mem[at])
			at++;
		fprintf(lockstep_tap, "# memory differs %s: at %04x native %02x, pure %02x\n",
			where, at, a->mem[at], b->mem[at]);
	} else {
		return true;
	}
	show("native", a);
	show("pure", b);
	return false;
}

/* ---- steps */

static bool stopping;

static void stop_at_next(struct m6502 *m, struct forth_watch *w, uint16_t ip)
{
	(void)w, (void)ip;
	if (stopping)
		m6502_stop(m);
}

static uint8_t everywhere[0x10000];
struct forth_watch lockstep_stopper = {.ask = everywhere, .rise = 0xff, .next = stop_at_next};

/* Runs natively from NEXT on, for this many cycles or a little more; false: it wasn't possible. */
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

bool lockstep_step(unsigned cycles)
{
	struct m6502 *m = &native->cpu;
	bool done = m->pc == FORTH_NEXT && run_natively(m, cycles);

	if (!done)
		run_plainly(m, FORTH_NEXT_MARGIN);
	else if (m->pc == FORTH_NEXT_GO || m->pc == FORTH_NEXT)
		m6502_run(m, m->cycles + 1);
	return done;
}

void lockstep_begin(const char *of_image, const char *of_sources)
{
	image = of_image;
	sources = of_sources;
	forth_next_map(everywhere);
	for (int i = 0; i < 0x10000; i++)
		everywhere[i] |= FORTH_ASK;
}
