/* SPDX-License-Identifier: MIT */
/* machine-c64: the `c64` machine; see c64-machine.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/machine/c64-machine.h"

enum { CIA_TIMERS = 0xdd04, CIA_ICR = 0xdd0d, CIA_CRB = 0xdd0f };

/* The address that a program called by SYS returns to. */
enum { SYS_RETURN = 0xe147 };

enum { SYS_TOKEN = 0x9e };

/* ---- devices */

static uint8_t cia_read(struct m6502 *m, struct m6502_hook *hook, uint16_t at)
{
	struct c64 *c = ((struct machine *)m->owner)->devices;
	(void)hook;
	return timer6526_read(&c->timer, at - CIA_TIMERS, m->cycles);
}

static void cia_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct c64 *c = ((struct machine *)m->owner)->devices;
	(void)hook;
	timer6526_write(&c->timer, at - CIA_TIMERS, value, m->cycles);
}

static void blink_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	(void)hook, (void)at;
	if (value == 0)
		c64_wait_for_key(((struct machine *)m->owner)->devices);
}

void c64_wait_for_key(struct c64 *c)
{
	struct m6502 *m = &c->machine->cpu;
	int key;

	if (m6502_peek(m, C64_WAITING_KEYS))
		return;
	screen_draw(&c->screen);
	key = keys_next(c->keys);
	if (key == -1)
		machine_leave(c->machine, 0);
	else if (key == -2)
		m6502_stop(m);
	if (key < 0)
		return;
	m6502_poke(m, C64_KEYS, key);
	m6502_poke(m, C64_WAITING_KEYS, 1);
}

static void set_devices(struct c64 *c)
{
	struct m6502 *m = &c->machine->cpu;

	timer6526_init(&c->timer);
	c->blink = (struct m6502_hook){.write = blink_write};
	c->cia = (struct m6502_hook){.read = cia_read, .write = cia_write};
	m6502_set_hook(m, C64_BLINK, &c->blink);
	for (int at = CIA_TIMERS; at < CIA_TIMERS + 4; at++)
		m6502_set_hook(m, at, &c->cia);
	for (int at = CIA_ICR; at <= CIA_CRB; at++)
		m6502_set_hook(m, at, &c->cia);
}

/* ---- loading */

/* Memory as the started system leaves it: the processor's port, no cursor, the vectors. */
static void set_memory(struct m6502 *m)
{
	static const struct {
		uint16_t at, value;
	} word[] = {{0x0000, 0x372f},
		    {C64_NMI, 0xfe47},
		    {0xfffa, 0xfe43},
		    {0xfffc, 0xfce2},
		    {0xfffe, 0xff48}};

	for (int i = 0; i < (int)(sizeof word / sizeof *word); i++) {
		m6502_poke(m, word[i].at, word[i].value & 0xff);
		m6502_poke(m, word[i].at + 1, word[i].value >> 8);
	}
	m6502_poke(m, C64_BLINK, 1);
	m6502_poke(m, C64_DEVICE, 8);
}

/* The number behind SYS in the program's first line, in brackets or not; -1: there is none. */
static long find_sys(const struct m6502 *m, uint16_t load)
{
	uint16_t at = load + 4;
	long number = 0;
	int digits = 0;

	while (m6502_peek(m, at) && m6502_peek(m, at) != SYS_TOKEN && at < load + 80)
		at++;
	if (m6502_peek(m, at++) != SYS_TOKEN)
		return -1;
	while (m6502_peek(m, at) == ' ' || m6502_peek(m, at) == '(')
		at++;
	for (; m6502_peek(m, at) >= '0' && m6502_peek(m, at) <= '9' && digits < 5; digits++)
		number = number * 10 + m6502_peek(m, at++) - '0';
	return digits && number < 0x10000 ? number : -1;
}

static bool load_program(struct machine *machine, char *err, size_t size)
{
	const struct machine_options *o = machine->options;
	struct m6502 *m = &machine->cpu;
	size_t length;
	uint8_t *bytes;
	bool fits;

	if (!o->image) {
		snprintf(err, size, "the c64 machine needs a program to run");
		return false;
	}
	bytes = machine_read_file(o->image, &length, err, size);
	if (!bytes)
		return false;
	if (length > 2) {
		machine->loaded = o->load >= 0 ? o->load : bytes[0] | bytes[1] << 8;
		machine->loaded_bytes = length - 2;
	}
	fits = length > 2 && m6502_load(m, machine->loaded, bytes + 2, length - 2);
	free(bytes);
	if (!fits) {
		snprintf(err, size, "'%s' has %zu bytes, not a C64 program's size", o->image,
			 length);
		return false;
	}
	m->pc = o->start >= 0 ? o->start : find_sys(m, machine->loaded);
	if (o->start < 0 && find_sys(m, machine->loaded) < 0) {
		snprintf(err, size,
			 "'%s' has no SYS in its first line: --start=ADDR says where "
			 "to begin",
			 o->image);
		return false;
	}
	return true;
}

/* Sets registers and stack as if SYS had called the program. */
static void call_program(struct m6502 *m)
{
	m6502_set_p(m, 0);
	m->s = 0xf6;
	m6502_poke(m, 0x01f8, (SYS_RETURN - 1) >> 8);
	m6502_poke(m, 0x01f7, (SYS_RETURN - 1) & 0xff);
}

static bool init(struct machine *machine, char *err, size_t size)
{
	const struct machine_options *o = machine->options;
	struct c64 *c = calloc(1, sizeof *c);

	machine->devices = c;
	if (!c) {
		snprintf(err, size, "out of memory");
		return false;
	}
	c->machine = machine;
	c->input = c->output = -1;
	set_memory(&machine->cpu);
	screen_init(&c->screen, &machine->cpu, o->screen);
	if (!load_program(machine, err, size))
		return false;
	c->drive = drive_new(o->dir);
	if (!c->drive) {
		snprintf(err, size, "cannot open folder '%s': %s", o->dir, strerror(errno));
		return false;
	}
	c->keys = keys_new(o->type, o->keys);
	if (!c->keys) {
		snprintf(err, size, "cannot open '%s': %s", o->keys ? o->keys : "stdin",
			 strerror(errno));
		return false;
	}
	call_program(&machine->cpu);
	set_devices(c);
	c64_set_entries(c);
	return true;
}

static void fini(struct machine *machine)
{
	struct c64 *c = machine->devices;

	if (!c)
		return;
	if (c->screen.m)
		screen_draw(&c->screen);
	keys_free(c->keys);
	drive_free(c->drive);
	free(c);
}

/* Ctrl-C is RUN/STOP with RESTORE. It ends a program that does not handle these keys. */
static bool interrupt(struct machine *machine)
{
	struct c64 *c = machine->devices;
	struct m6502 *m = &machine->cpu;

	if (m6502_peek16(m, C64_NMI) >= 0xe000 || m->nmi_at != M6502_NEVER || c->stop)
		return false;
	c->stop = true;
	m6502_nmi(m, m->cycles);
	return true;
}

/* The memory that the processor's port selects at an address, on a C64 without a cartridge. */
static M6502_HOT const char *bank(struct machine *machine, uint16_t at)
{
	uint8_t port = m6502_peek(&machine->cpu, 1);
	bool low = port & 1, high = port & 2, io = port & 4;

	if (at >= 0xe000)
		return high ? "kernal" : "ram";
	if (at >= 0xd000)
		return !low && !high ? "ram" : io ? "io" : "characters";
	if (at >= 0xa000 && at < 0xc000)
		return low && high ? "basic" : "ram";
	return NULL;
}

const struct machine_kind machine_c64 = {
    .name = "c64",
    .help = "RAM and the calls of a C64's system: screen, keys, a drive in a folder",
    .cpu = M6502_NMOS,
    .init = init,
    .fini = fini,
    .interrupt = interrupt,
    .bank = bank,
};
