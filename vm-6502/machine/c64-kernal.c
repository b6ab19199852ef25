/* SPDX-License-Identifier: MIT */
/*
 * c64-kernal: the entries of a C64's system, done by the host. Each does what its documentation
 * says, and returns to the caller. A call of one that is not in the table ends the run with its
 * address.
 *
 * The calls of the serial bus set bits of the status and never clear one, as on the machine: the
 * program does that, at 90.
 */
#include <stdio.h>
#include <string.h>

#include "vm-6502/machine/c64-files.h"
#include "vm-6502/cpu/m6502-inside.h"

enum { KERNAL = 0xe000, HIRAM = 2, BASIC_IN = 3 };
enum { BASIC_PRINT = 0xab1e };

/* ---- the screen, and setting up */

static void screen_out(struct c64 *c)
{
	screen_put(&c->screen, c64_cpu(c)->a);
	c64_cpu(c)->c = 0;
}

static void cint(struct c64 *c)
{
	screen_clear(&c->screen);
}

static void ioinit(struct c64 *c)
{
	timer6526_init(&c->timer);
}

static void restor(struct c64 *c)
{
	m6502_poke(c64_cpu(c), C64_NMI, 0x47);
	m6502_poke(c64_cpu(c), C64_NMI + 1, 0xfe);
	m6502_poke(c64_cpu(c), C64_WAITING_KEYS, 0);
}

static void plot(struct c64 *c)
{
	struct m6502 *m = c64_cpu(c);

	if (!m->c)
		screen_move(&c->screen, m->x, m->y);
	m->x = c->screen.row;
	m->y = c->screen.column;
	m->c = 0;
}

/* ---- the serial bus */

static void listen(struct c64 *c)
{
	c64_add_status(c, drive_listen(c->drive, c64_cpu(c)->a & 0x1f));
}

static void talk(struct c64 *c)
{
	c64_add_status(c, drive_talk(c->drive, c64_cpu(c)->a & 0x1f));
}

static void second(struct c64 *c)
{
	c64_add_status(c, drive_second(c->drive, c64_cpu(c)->a));
}

static void ciout(struct c64 *c)
{
	c64_add_status(c, drive_put(c->drive, c64_cpu(c)->a));
	c64_cpu(c)->c = 0;
}

static void acptr(struct c64 *c)
{
	uint8_t byte;

	c64_add_status(c, drive_get(c->drive, &byte));
	c64_set_a(c, byte);
	c64_cpu(c)->c = 0;
}

static void end_message(struct c64 *c)
{
	c64_add_status(c, drive_end(c->drive));
}

static void readst(struct c64 *c)
{
	c64_set_a(c, m6502_peek(c64_cpu(c), C64_STATUS));
}

/* ---- the STOP key, and leaving */

static void stop(struct c64 *c)
{
	c64_cpu(c)->nz = c->stop ? 0 : 1;
	if (c->stop)
		c64_clrchn(c);
	c->stop = false;
}

static void nothing(struct c64 *c)
{
	(void)c;
}

/* The string at A, Y. */
static void basic_print(struct c64 *c)
{
	struct m6502 *m = c64_cpu(c);
	uint16_t at = m->a | m->y << 8;

	for (int i = 0; i < 256 && m6502_peek(m, at + i); i++) {
		m->a = m6502_peek(m, at + i);
		c64_chrout(c);
	}
}

static void leave(struct c64 *c)
{
	machine_leave(c->machine, 0);
}

static void leave_by_error(struct c64 *c)
{
	machine_leave(c->machine, 1);
}

static const struct entry {
	uint16_t at;
	void (*done)(struct c64 *c);
} entries[] = {
    {BASIC_PRINT, basic_print},
    {0xe147, leave},          /* where SYS returns to */
    {0xe37b, leave_by_error}, /* BASIC's warm start */
    {0xe716, screen_out},
    {0xfce2, leave}, /* reset */
    {0xfd0f, nothing},
    {0xff81, cint},
    {0xff84, ioinit},
    {0xff8a, restor},
    {0xff93, second},
    {0xff96, second}, /* TKSA */
    {0xffa5, acptr},
    {0xffa8, ciout},
    {0xffab, end_message}, /* UNTLK */
    {0xffae, end_message}, /* UNLSN */
    {0xffb1, listen},
    {0xffb4, talk},
    {0xffb7, readst},
    {0xffba, c64_setlfs},
    {0xffbd, c64_setnam},
    {0xffc0, c64_open},
    {0xffc3, c64_close},
    {0xffc6, c64_chkin},
    {0xffc9, c64_chkout},
    {0xffcc, c64_clrchn},
    {0xffcf, c64_chrin},
    {0xffd2, c64_chrout},
    {0xffd5, c64_load},
    {0xffd8, c64_save},
    {0xffe1, stop},
    {0xffe4, c64_getin},
    {0xffea, nothing}, /* UDTIM */
    {0xfff0, plot},
};

/* ---- being called */

static uint8_t pull(struct m6502 *m)
{
	return m6502_peek(m, 0x100 | ++m->s);
}

static void return_from_entry(struct m6502 *m)
{
	uint8_t low = pull(m);

	m->pc = (uint16_t)((pull(m) << 8 | low) + 1);
	m->cycles += 6;
}

/* An interrupt's end: registers, flags, and where it came from. */
static void end_interrupt(struct m6502 *m)
{
	uint8_t low;

	m->y = pull(m);
	m->x = pull(m);
	m->a = pull(m);
	m6502_set_p(m, pull(m));
	low = pull(m);
	m->pc = pull(m) << 8 | low;
	m->cycles += 6;
}

static void refuse(struct c64 *c)
{
	struct m6502 *m = c64_cpu(c);
	unsigned low = m6502_peek(m, 0x100 | (uint8_t)(m->s + 1));
	unsigned from = m6502_peek(m, 0x100 | (uint8_t)(m->s + 2)) << 8 | low;

	screen_draw(&c->screen);
	if (m->pc == 0xff48) {
		from = m6502_peek(m, 0x100 | (uint8_t)(m->s + 3)) << 8 | (from >> 8);
		fprintf(stderr, "vm-6502: the program ran into a BRK at %04x\n",
			(unsigned)(uint16_t)(from - 2));
	} else {
		fprintf(stderr,
			"vm-6502: the program calls %04x from %04x: the c64 machine "
			"has no such entry\n",
			(unsigned)m->pc, (unsigned)(uint16_t)(from - 2));
	}
	machine_leave(c->machine, 1);
}

/* Whether the processor sees the system's ROM at an address, and not RAM. */
static bool is_rom(const struct m6502 *m, uint16_t at)
{
	uint8_t port = m6502_peek(m, 1);

	return at >= KERNAL ? port & HIRAM : (port & BASIC_IN) == BASIC_IN;
}

static bool run_entry(struct m6502 *m, struct m6502_hook *hook)
{
	struct c64 *c = ((struct machine *)m->owner)->devices;
	uint16_t at = m->pc;

	(void)hook;
	if (!is_rom(m, at))
		return false;
	if (at == 0xfe43) {
		m->di |= M6502_I;
		m->pc = m6502_peek16(m, C64_NMI);
		m->cycles += 7;
		return true;
	}
	if (at == 0xfe72 || at == 0xfe47) {
		end_interrupt(m);
		return true;
	}
	for (int i = 0; i < (int)(sizeof entries / sizeof *entries); i++) {
		if (entries[i].at != at)
			continue;
		entries[i].done(c);
		if (!c->machine->left)
			return_from_entry(m);
		return true;
	}
	refuse(c);
	return true;
}

void c64_set_entries(struct c64 *c)
{
	c->entry = (struct m6502_hook){.run = run_entry};
	m6502_set_hook(c64_cpu(c), BASIC_PRINT, &c->entry);
	for (unsigned at = KERNAL; at < 0x10000; at++)
		m6502_set_hook(c64_cpu(c), at, &c->entry);
}
