/* SPDX-License-Identifier: MIT */
/*
 * c64-kernal: the entries of a C64's system, done by the host. Each does what its documentation
 * says, and returns for its caller. One that is not in the table ends the run, by its address.
 *
 * The calls of the serial bus set bits of the status and never clear one, as on the machine: the
 * program does that, at 90.
 */
#include <stdio.h>
#include <string.h>

#include "vm-6502/machine/c64-machine.h"
#include "vm-6502/cpu/m6502-inside.h"

enum { KERNAL = 0xe000, HIRAM = 2, BASIC_IN = 3 };
enum { SCREEN = 3, KEYBOARD = 0, FIRST_SERIAL = 4 };
enum { BASIC_PRINT = 0xab1e };

/* What OPEN and its kin give in A, with the carry set. */
enum {
	TOO_MANY_FILES = 1,
	FILE_IS_OPEN = 2,
	FILE_NOT_OPEN = 3,
	FILE_NOT_FOUND = 4,
	NO_DEVICE = 5,
};

static struct m6502 *cpu(struct c64 *c)
{
	return &c->machine->cpu;
}

static void set_a(struct c64 *c, uint8_t a)
{
	cpu(c)->a = a;
	cpu(c)->nz = a | (a & 0x80) << 1;
}

static void fail(struct c64 *c, uint8_t error)
{
	set_a(c, error);
	cpu(c)->c = 1;
}

static void add_status(struct c64 *c, uint8_t bits)
{
	m6502_poke(cpu(c), C64_STATUS, m6502_peek(cpu(c), C64_STATUS) | bits);
}

static void set_status(struct c64 *c, uint8_t status)
{
	m6502_poke(cpu(c), C64_STATUS, status);
}

/* ---- the screen, and setting up */

static void screen_out(struct c64 *c)
{
	screen_put(&c->screen, cpu(c)->a);
	cpu(c)->c = 0;
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
	m6502_poke(cpu(c), C64_NMI, 0x47);
	m6502_poke(cpu(c), C64_NMI + 1, 0xfe);
	m6502_poke(cpu(c), C64_WAITING_KEYS, 0);
}

static void plot(struct c64 *c)
{
	struct m6502 *m = cpu(c);

	if (!m->c)
		screen_move(&c->screen, m->x, m->y);
	m->x = c->screen.row;
	m->y = c->screen.column;
	m->c = 0;
}

/* ---- the serial bus */

static void listen(struct c64 *c)
{
	add_status(c, drive_listen(c->drive, cpu(c)->a & 0x1f));
}

static void talk(struct c64 *c)
{
	add_status(c, drive_talk(c->drive, cpu(c)->a & 0x1f));
}

static void second(struct c64 *c)
{
	add_status(c, drive_second(c->drive, cpu(c)->a));
}

static void ciout(struct c64 *c)
{
	add_status(c, drive_put(c->drive, cpu(c)->a));
	cpu(c)->c = 0;
}

static void acptr(struct c64 *c)
{
	uint8_t byte;

	add_status(c, drive_get(c->drive, &byte));
	set_a(c, byte);
	cpu(c)->c = 0;
}

static void end_message(struct c64 *c)
{
	add_status(c, drive_end(c->drive));
}

static void readst(struct c64 *c)
{
	set_a(c, m6502_peek(cpu(c), C64_STATUS));
}

/* ---- files */

static struct c64_file *find_file(struct c64 *c, uint8_t number)
{
	for (int i = 0; i < C64_FILES; i++) {
		if (c->file[i].open && c->file[i].number == number)
			return &c->file[i];
	}
	return NULL;
}

static void setlfs(struct c64 *c)
{
	m6502_poke(cpu(c), C64_FILE, cpu(c)->a);
	m6502_poke(cpu(c), C64_DEVICE, cpu(c)->x);
	m6502_poke(cpu(c), C64_SECONDARY, cpu(c)->y);
}

static void setnam(struct c64 *c)
{
	m6502_poke(cpu(c), C64_NAME_LENGTH, cpu(c)->a);
	m6502_poke(cpu(c), C64_NAME, cpu(c)->x);
	m6502_poke(cpu(c), C64_NAME + 1, cpu(c)->y);
}

/* Opens a channel of the drive by the name that is set; false: there is no such device. */
static bool open_channel(struct c64 *c, uint8_t device, uint8_t secondary)
{
	struct m6502 *m = cpu(c);
	uint16_t name = m6502_peek16(m, C64_NAME);
	int length = m6502_peek(m, C64_NAME_LENGTH);

	set_status(c, 0);
	if (!length)
		return true;
	if (drive_listen(c->drive, device)) {
		add_status(c, DRIVE_ABSENT);
		return false;
	}
	drive_second(c->drive, 0xf0 | secondary);
	for (int i = 0; i < length; i++)
		drive_put(c->drive, m6502_peek(m, name + i));
	drive_end(c->drive);
	return true;
}

static void open_file(struct c64 *c)
{
	struct m6502 *m = cpu(c);
	struct c64_file file = {.open = true,
				.number = m6502_peek(m, C64_FILE),
				.device = m6502_peek(m, C64_DEVICE),
				.secondary = m6502_peek(m, C64_SECONDARY) & 15};
	int i = 0;

	if (find_file(c, file.number)) {
		fail(c, FILE_IS_OPEN);
		return;
	}
	while (i < C64_FILES && c->file[i].open)
		i++;
	if (i == C64_FILES) {
		fail(c, TOO_MANY_FILES);
		return;
	}
	if (file.device != KEYBOARD && file.device != SCREEN &&
	    (file.device < FIRST_SERIAL || !open_channel(c, file.device, file.secondary))) {
		fail(c, NO_DEVICE);
		return;
	}
	c->file[i] = file;
	m->c = 0;
}

static void clrchn(struct c64 *c)
{
	if (c->input >= 0 || c->output >= 0)
		drive_end(c->drive);
	c->input = c->output = -1;
}

static void close_file(struct c64 *c)
{
	struct c64_file *file = find_file(c, cpu(c)->a);

	cpu(c)->c = 0;
	if (!file)
		return;
	if (file - c->file == c->input || file - c->file == c->output)
		clrchn(c);
	if (file->device >= FIRST_SERIAL && drive_listen(c->drive, file->device) == 0) {
		drive_second(c->drive, 0xe0 | file->secondary);
		drive_end(c->drive);
	}
	file->open = false;
}

static void chkin(struct c64 *c)
{
	struct c64_file *file = find_file(c, cpu(c)->x);

	if (!file) {
		fail(c, FILE_NOT_OPEN);
		return;
	}
	if (file->device >= FIRST_SERIAL) {
		drive_talk(c->drive, file->device);
		drive_second(c->drive, 0x60 | file->secondary);
		set_status(c, 0);
	}
	c->input = file->device == KEYBOARD ? -1 : file - c->file;
	cpu(c)->c = 0;
}

static void chkout(struct c64 *c)
{
	struct c64_file *file = find_file(c, cpu(c)->x);

	if (!file) {
		fail(c, FILE_NOT_OPEN);
		return;
	}
	if (file->device >= FIRST_SERIAL) {
		drive_listen(c->drive, file->device);
		drive_second(c->drive, 0x60 | file->secondary);
		set_status(c, 0);
	}
	c->output = file->device == SCREEN ? -1 : file - c->file;
	cpu(c)->c = 0;
}

static void chrout(struct c64 *c)
{
	if (c->output < 0)
		screen_put(&c->screen, cpu(c)->a);
	else
		add_status(c, drive_put(c->drive, cpu(c)->a));
	cpu(c)->c = 0;
}

/* The queue's first key, for GETIN; -1: it is empty. */
static int take_key(struct c64 *c)
{
	struct m6502 *m = cpu(c);
	int waiting = m6502_peek(m, C64_WAITING_KEYS), key = m6502_peek(m, C64_KEYS);

	if (!waiting)
		return -1;
	for (int i = 1; i < waiting; i++)
		m6502_poke(m, C64_KEYS + i - 1, m6502_peek(m, C64_KEYS + i));
	m6502_poke(m, C64_WAITING_KEYS, waiting - 1);
	return key;
}

/* A line from the keyboard, as it is shown, up to RETURN. */
static void read_line(struct c64 *c)
{
	int key = 0;

	c->line_length = c->line_next = 0;
	while (key >= 0 && key != '\r' && c->line_length < (int)sizeof c->line - 1) {
		c64_wait_for_key(c);
		key = take_key(c);
		if (key == 0x14 && c->line_length)
			c->line_length--;
		else if (key >= 0 && key != '\r' && key != 0x14)
			c->line[c->line_length++] = key;
		else if (key != '\r')
			continue;
		screen_put(&c->screen, key);
	}
	c->line[c->line_length++] = '\r';
}

static void chrin(struct c64 *c)
{
	uint8_t byte = '\r';

	cpu(c)->c = 0;
	if (c->input >= 0) {
		add_status(c, drive_get(c->drive, &byte));
	} else {
		if (c->line_next >= c->line_length)
			read_line(c);
		byte = c->line[c->line_next++];
	}
	set_a(c, byte);
}

static void getin(struct c64 *c)
{
	uint8_t byte = 0;
	int key;

	cpu(c)->c = 0;
	if (c->input >= 0) {
		add_status(c, drive_get(c->drive, &byte));
		set_a(c, byte);
		return;
	}
	c64_wait_for_key(c);
	key = take_key(c);
	set_a(c, key < 0 ? 0 : key);
}

static void load(struct c64 *c)
{
	struct m6502 *m = cpu(c);
	uint8_t device = m6502_peek(m, C64_DEVICE), byte[2];
	bool verify = m->a;
	uint16_t at = m->x | m->y << 8;
	uint8_t status = 0;

	if (device < FIRST_SERIAL || !open_channel(c, device, 0)) {
		fail(c, NO_DEVICE);
		return;
	}
	drive_talk(c->drive, device);
	drive_second(c->drive, 0x60);
	for (int i = 0; i < 2; i++)
		status |= drive_get(c->drive, &byte[i]);
	if (m6502_peek(m, C64_SECONDARY))
		at = byte[0] | byte[1] << 8;
	while (!status) {
		status = drive_get(c->drive, &byte[0]);
		if (!verify)
			m6502_poke(m, at, byte[0]);
		else if (m6502_peek(m, at) != byte[0])
			add_status(c, 0x10);
		at++;
	}
	drive_end(c->drive);
	drive_listen(c->drive, device);
	drive_second(c->drive, 0xe0);
	drive_end(c->drive);
	if (status & DRIVE_READ_TIMEOUT) {
		fail(c, FILE_NOT_FOUND);
		return;
	}
	add_status(c, DRIVE_END);
	m->x = at & 0xff;
	m->y = at >> 8;
	m->c = 0;
}

static void save(struct c64 *c)
{
	struct m6502 *m = cpu(c);
	uint8_t device = m6502_peek(m, C64_DEVICE);
	uint16_t at = m6502_peek16(m, m->a), end = m->x | m->y << 8;

	if (device < FIRST_SERIAL || !open_channel(c, device, 1)) {
		fail(c, NO_DEVICE);
		return;
	}
	drive_listen(c->drive, device);
	drive_second(c->drive, 0x61);
	add_status(c, drive_put(c->drive, at & 0xff));
	add_status(c, drive_put(c->drive, at >> 8));
	for (; at != end; at++)
		add_status(c, drive_put(c->drive, m6502_peek(m, at)));
	drive_end(c->drive);
	drive_listen(c->drive, device);
	drive_second(c->drive, 0xe1);
	drive_end(c->drive);
	m->c = 0;
}

/* ---- the STOP key, and leaving */

static void stop(struct c64 *c)
{
	cpu(c)->nz = c->stop ? 0 : 1;
	if (c->stop)
		clrchn(c);
	c->stop = false;
}

static void nothing(struct c64 *c)
{
	(void)c;
}

/* The string at A, Y. */
static void basic_print(struct c64 *c)
{
	struct m6502 *m = cpu(c);
	uint16_t at = m->a | m->y << 8;

	for (int i = 0; i < 256 && m6502_peek(m, at + i); i++) {
		m->a = m6502_peek(m, at + i);
		chrout(c);
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
    {0xe147, leave},          /* where SYS comes back to */
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
    {0xffba, setlfs},
    {0xffbd, setnam},
    {0xffc0, open_file},
    {0xffc3, close_file},
    {0xffc6, chkin},
    {0xffc9, chkout},
    {0xffcc, clrchn},
    {0xffcf, chrin},
    {0xffd2, chrout},
    {0xffd5, load},
    {0xffd8, save},
    {0xffe1, stop},
    {0xffe4, getin},
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
	struct m6502 *m = cpu(c);
	unsigned low = m6502_peek(m, 0x100 | (uint8_t)(m->s + 1));
	unsigned from = m6502_peek(m, 0x100 | (uint8_t)(m->s + 2)) << 8 | low;

	screen_draw(&c->screen);
	if (m->pc == 0xff48) {
		from = m6502_peek(m, 0x100 | (uint8_t)(m->s + 3)) << 8 | (from >> 8);
		fprintf(stderr, "vm-6502: the program ran into a BRK at %04x\n",
			(unsigned)(uint16_t)(from - 2));
	} else {
		fprintf(stderr,
			"vm-6502: the program calls %04x from %04x, which is no entry "
			"that the c64 machine has\n",
			(unsigned)m->pc, (unsigned)(uint16_t)(from - 2));
	}
	machine_leave(c->machine, 1);
}

/* Whether the system's ROM is to be seen at an address, and not RAM. */
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
	m6502_set_hook(cpu(c), BASIC_PRINT, &c->entry);
	for (unsigned at = KERNAL; at < 0x10000; at++)
		m6502_set_hook(cpu(c), at, &c->entry);
}
