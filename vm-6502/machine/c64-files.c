/* SPDX-License-Identifier: MIT */
/*
 * c64-files: the entries of a C64's system that have to do with files: OPEN, CLOSE and the like,
 * LOAD and SAVE. Device 0 is the keyboard, 3 the screen; 4 and up are on the serial bus, where the
 * drive is.
 */
#include "vm-6502/machine/c64-files.h"

enum { SCREEN = 3, KEYBOARD = 0, FIRST_SERIAL = 4 };

/* The errors that OPEN and the like return in A, with the carry set. */
enum {
	TOO_MANY_FILES = 1,
	FILE_IS_OPEN = 2,
	FILE_NOT_OPEN = 3,
	FILE_NOT_FOUND = 4,
	NO_DEVICE = 5,
};

static struct c64_file *find_file(struct c64 *c, uint8_t number)
{
	for (int i = 0; i < C64_FILES; i++) {
		if (c->file[i].open && c->file[i].number == number)
			return &c->file[i];
	}
	return NULL;
}

void c64_setlfs(struct c64 *c)
{
	m6502_poke(c64_cpu(c), C64_FILE, c64_cpu(c)->a);
	m6502_poke(c64_cpu(c), C64_DEVICE, c64_cpu(c)->x);
	m6502_poke(c64_cpu(c), C64_SECONDARY, c64_cpu(c)->y);
}

void c64_setnam(struct c64 *c)
{
	m6502_poke(c64_cpu(c), C64_NAME_LENGTH, c64_cpu(c)->a);
	m6502_poke(c64_cpu(c), C64_NAME, c64_cpu(c)->x);
	m6502_poke(c64_cpu(c), C64_NAME + 1, c64_cpu(c)->y);
}

/* Opens a channel of the drive with the name that was set; false: there is no such device. */
static bool open_channel(struct c64 *c, uint8_t device, uint8_t secondary)
{
	struct m6502 *m = c64_cpu(c);
	uint16_t name = m6502_peek16(m, C64_NAME);
	int length = m6502_peek(m, C64_NAME_LENGTH);

	c64_set_status(c, 0);
	if (!length)
		return true;
	if (drive_listen(c->drive, device)) {
		c64_add_status(c, DRIVE_ABSENT);
		return false;
	}
	drive_second(c->drive, 0xf0 | secondary);
	for (int i = 0; i < length; i++)
		drive_put(c->drive, m6502_peek(m, name + i));
	drive_end(c->drive);
	return true;
}

void c64_open(struct c64 *c)
{
	struct m6502 *m = c64_cpu(c);
	struct c64_file file = {.open = true,
				.number = m6502_peek(m, C64_FILE),
				.device = m6502_peek(m, C64_DEVICE),
				.secondary = m6502_peek(m, C64_SECONDARY) & 15};
	int i = 0;

	if (find_file(c, file.number)) {
		c64_fail(c, FILE_IS_OPEN);
		return;
	}
	while (i < C64_FILES && c->file[i].open)
		i++;
	if (i == C64_FILES) {
		c64_fail(c, TOO_MANY_FILES);
		return;
	}
	if (file.device != KEYBOARD && file.device != SCREEN &&
	    (file.device < FIRST_SERIAL || !open_channel(c, file.device, file.secondary))) {
		c64_fail(c, NO_DEVICE);
		return;
	}
	c->file[i] = file;
	m->c = 0;
}

void c64_clrchn(struct c64 *c)
{
	if (c->input >= 0 || c->output >= 0)
		drive_end(c->drive);
	c->input = c->output = -1;
}

/* Leaves in X the place that the file had in the table; ff if no such file was open. */
void c64_close(struct c64 *c)
{
	struct c64_file *file = find_file(c, c64_cpu(c)->a);

	c64_cpu(c)->c = 0;
	c64_cpu(c)->x = file ? file - c->file : 0xff;
	if (!file)
		return;
	if (file - c->file == c->input || file - c->file == c->output)
		c64_clrchn(c);
	if (file->device >= FIRST_SERIAL && drive_listen(c->drive, file->device) == 0) {
		drive_second(c->drive, 0xe0 | file->secondary);
		drive_end(c->drive);
	}
	file->open = false;
}

void c64_chkin(struct c64 *c)
{
	struct c64_file *file = find_file(c, c64_cpu(c)->x);

	if (!file) {
		c64_fail(c, FILE_NOT_OPEN);
		return;
	}
	if (file->device >= FIRST_SERIAL) {
		drive_talk(c->drive, file->device);
		drive_second(c->drive, 0x60 | file->secondary);
		c64_set_status(c, 0);
	}
	c->input = file->device == KEYBOARD ? -1 : file - c->file;
	c64_cpu(c)->c = 0;
}

void c64_chkout(struct c64 *c)
{
	struct c64_file *file = find_file(c, c64_cpu(c)->x);

	if (!file) {
		c64_fail(c, FILE_NOT_OPEN);
		return;
	}
	if (file->device >= FIRST_SERIAL) {
		drive_listen(c->drive, file->device);
		drive_second(c->drive, 0x60 | file->secondary);
		c64_set_status(c, 0);
	}
	c->output = file->device == SCREEN ? -1 : file - c->file;
	c64_cpu(c)->c = 0;
}

void c64_chrout(struct c64 *c)
{
	if (c->output < 0)
		screen_put(&c->screen, c64_cpu(c)->a);
	else
		c64_add_status(c, drive_put(c->drive, c64_cpu(c)->a));
	c64_cpu(c)->c = 0;
}

/* The queue's first key, for GETIN; -1: it is empty. */
static int take_key(struct c64 *c)
{
	struct m6502 *m = c64_cpu(c);
	int waiting = m6502_peek(m, C64_WAITING_KEYS), key = m6502_peek(m, C64_KEYS);

	if (!waiting)
		return -1;
	for (int i = 1; i < waiting; i++)
		m6502_poke(m, C64_KEYS + i - 1, m6502_peek(m, C64_KEYS + i));
	m6502_poke(m, C64_WAITING_KEYS, waiting - 1);
	return key;
}

/* Reads a line from the keyboard up to RETURN, and shows it. */
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

void c64_chrin(struct c64 *c)
{
	uint8_t byte = '\r';

	c64_cpu(c)->c = 0;
	if (c->input >= 0) {
		c64_add_status(c, drive_get(c->drive, &byte));
	} else {
		if (c->line_next >= c->line_length)
			read_line(c);
		byte = c->line[c->line_next++];
	}
	c64_set_a(c, byte);
}

void c64_getin(struct c64 *c)
{
	uint8_t byte = 0;
	int key;

	c64_cpu(c)->c = 0;
	if (c->input >= 0) {
		c64_add_status(c, drive_get(c->drive, &byte));
		c64_set_a(c, byte);
		return;
	}
	c64_wait_for_key(c);
	key = take_key(c);
	c64_set_a(c, key < 0 ? 0 : key);
}

void c64_load(struct c64 *c)
{
	struct m6502 *m = c64_cpu(c);
	uint8_t device = m6502_peek(m, C64_DEVICE), byte[2];
	bool verify = m->a;
	uint16_t at = m->x | m->y << 8;
	uint8_t status = 0;

	if (device < FIRST_SERIAL || !open_channel(c, device, 0)) {
		c64_fail(c, NO_DEVICE);
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
			c64_add_status(c, 0x10);
		at++;
	}
	drive_end(c->drive);
	drive_listen(c->drive, device);
	drive_second(c->drive, 0xe0);
	drive_end(c->drive);
	if (status & DRIVE_READ_TIMEOUT) {
		c64_fail(c, FILE_NOT_FOUND);
		return;
	}
	c64_add_status(c, DRIVE_END);
	m->x = at & 0xff;
	m->y = at >> 8;
	m->c = 0;
}

void c64_save(struct c64 *c)
{
	struct m6502 *m = c64_cpu(c);
	uint8_t device = m6502_peek(m, C64_DEVICE);
	uint16_t at = m6502_peek16(m, m->a), end = m->x | m->y << 8;

	if (device < FIRST_SERIAL || !open_channel(c, device, 1)) {
		c64_fail(c, NO_DEVICE);
		return;
	}
	drive_listen(c->drive, device);
	drive_second(c->drive, 0x61);
	c64_add_status(c, drive_put(c->drive, at & 0xff));
	c64_add_status(c, drive_put(c->drive, at >> 8));
	for (; at != end; at++)
		c64_add_status(c, drive_put(c->drive, m6502_peek(m, at)));
	drive_end(c->drive);
	drive_listen(c->drive, device);
	drive_second(c->drive, 0xe1);
	drive_end(c->drive);
	m->c = 0;
}
