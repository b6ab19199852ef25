/* SPDX-License-Identifier: MIT */
/* machine-forth: the `forth` machine's page of devices and its image file; see forth-machine.h. */
#include "vm-6502/machine/machine-forth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/guest/forth-names.h"

struct forth *forth_of(struct machine *machine)
{
	return machine->devices;
}

static bool in_timer(uint16_t at)
{
	return at >= FORTH_TA && at <= FORTH_CRB;
}

static bool in_registers(uint16_t at)
{
	return at >= FORTH_OP && at < FORTH_POS + 4;
}

static uint8_t read_byte(struct forth *f)
{
	int byte = console_get(f->console);
	if (byte == -2)
		m6502_stop(&f->machine->cpu);
	else
		f->breaks = 0;
	return byte < 0 ? 0 : byte;
}

static uint8_t page_read(struct m6502 *m, struct m6502_hook *hook, uint16_t at)
{
	struct forth *f = (struct forth *)hook;
	uint8_t columns, rows, value;

	if (in_registers(at))
		return f->registers[at & 0xff];
	if (in_timer(at)) {
		value = timer6526_read(&f->timer, at - FORTH_TA, m->cycles);
		if (at == FORTH_ICR && m->irq_at != timer6526_irq(&f->timer))
			m6502_irq(m, timer6526_irq(&f->timer));
		return value;
	}
	switch (at) {
	case FORTH_IN:
		return read_byte(f);
	case FORTH_CON:
		return console_state(f->console);
	case FORTH_COLUMNS:
	case FORTH_ROWS:
		console_size(f->console, &columns, &rows);
		return at == FORTH_COLUMNS ? columns : rows;
	}
	return 0;
}

static void page_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct forth *f = (struct forth *)hook;

	if (in_registers(at))
		f->registers[at & 0xff] = value;
	if (in_timer(at)) {
		timer6526_write(&f->timer, at - FORTH_TA, value, m->cycles);
		if (m->irq_at != timer6526_irq(&f->timer))
			m6502_irq(m, timer6526_irq(&f->timer));
	}
	switch (at) {
	case FORTH_OUT:
		console_put(f->console, value);
		break;
	case FORTH_ERR:
		console_error(f->console, value);
		break;
	case FORTH_EXIT:
		machine_leave(f->machine, value);
		break;
	case FORTH_MARK:
		forth_backtrace_mark(f->backtrace, m, value);
		break;
	case FORTH_OP:
		forth_operate(f, value);
		break;
	}
}

/* Answers a read of a device. The device's work is charged to the word that reads. */
static M6502_HOT uint8_t on_read(struct m6502 *m, struct m6502_hook *hook, uint16_t at)
{
	forth_next_tell_place(((struct forth *)hook)->next);
	return page_read(m, hook, at);
}

static M6502_HOT void on_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	forth_next_tell_place(((struct forth *)hook)->next);
	page_write(m, hook, at, value);
}

/* Sets the page's hooks last: a byte behind a hook can't be loaded. */
static void set_page(struct m6502 *m, struct forth *f)
{
	f->hook.read = on_read;
	f->hook.write = on_write;
	for (int i = 0; i < 256; i++)
		m6502_set_hook(m, FORTH_PAGE + i, &f->hook);
}

/* Finds the addresses to load and start an image at, in its header or on the command line. Returns
 * the length of the header, which is not loaded. */
static size_t read_header(const uint8_t *bytes, size_t length, const struct machine_options *o,
			  long *load, long *start)
{
	size_t header = 0;

	*load = o->load >= 0 ? o->load : 0x0200;
	if (length >= 8 && memcmp(bytes, "vm65", 4) == 0) {
		header = 8;
		*load = bytes[4] | bytes[5] << 8;
	}
	*start = o->start >= 0 ? o->start : header ? bytes[6] | bytes[7] << 8 : *load;
	return header;
}

static bool load_image(struct machine *machine, char *err, size_t size)
{
	const struct machine_options *o = machine->options;
	size_t length, header;
	long load, start;
	uint8_t *bytes;
	bool fits;

	bytes = machine_read_file(o->image, &length, err, size);
	if (!bytes)
		return false;
	header = read_header(bytes, length, o, &load, &start);
	length -= header;
	fits = (load >= FORTH_PAGE + 0x100 || load + length <= FORTH_PAGE) &&
	       m6502_load(&machine->cpu, load, bytes + header, length);
	free(bytes);
	machine->loaded = load;
	machine->loaded_bytes = length;
	if (!fits)
		snprintf(err, size, "'%s' has %zu bytes, too many to load at %04lx", o->image,
			 length, load);
	machine->cpu.pc = start;
	machine->cpu.s = 0xff;
	return fits;
}

static bool init(struct machine *machine, char *err, size_t size)
{
	const struct machine_options *o = machine->options;
	struct forth *f = calloc(1, sizeof *f);
	const char *bad;

	machine->devices = f;
	if (!f || !(f->console = console_new()) || !(f->backtrace = forth_backtrace_new())) {
		snprintf(err, size, "out of memory");
		return false;
	}
	f->machine = machine;
	timer6526_init(&f->timer);
	f->files = files_new(o->dir, o->include, &bad);
	if (!f->files) {
		snprintf(err, size, "cannot open folder '%s': %s", bad, strerror(errno));
		return false;
	}
	if (!load_image(machine, err, size))
		return false;
	set_page(&machine->cpu, f);
	f->next = forth_next_new(&machine->cpu, o->pure);
	if (!f->next)
		snprintf(err, size, "out of memory");
	return f->next;
}

static void fini(struct machine *machine)
{
	struct forth *f = machine->devices;
	if (!f)
		return;
	forth_next_free(f->next);
	files_free(f->files);
	console_free(f->console);
	forth_backtrace_free(f->backtrace);
	free(f);
}

/* Makes an NMI at Ctrl-C. False, so that the run ends: the guest has no vector for NMIs, the last
 * NMI is still waiting, or two have not helped, perhaps because the program has destroyed the way
 * back to its prompt. */
static bool interrupt(struct machine *machine)
{
	struct m6502 *m = &machine->cpu;

	if (m6502_peek16(m, 0xfffa) == 0 || m->nmi_at != M6502_NEVER ||
	    ++forth_of(machine)->breaks > 2)
		return false;
	m6502_nmi(m, m->cycles);
	return true;
}

static void say_nothing(void *context, uint16_t xt)
{
	(void)context, (void)xt;
}

/* The word whose thread runs, with its place in the source. */
static void where(struct machine *machine, char *text, size_t size)
{
	struct m6502 *m = &machine->cpu;
	struct forth_image image;
	struct forth_word word;
	struct forth_names *names;

	text[0] = 0;
	if (!forth_image_find(&image, m))
		return;
	names = forth_names_new(m, &image, NULL, say_nothing, NULL);
	if (!names)
		return;
	forth_names_word(names, m6502_peek16(m, image.ip) - 2, &word);
	if (word.file[0])
		snprintf(text, size, " in %s (%s:%u)", word.name, word.file, word.line);
	else
		snprintf(text, size, " in %s", word.name);
	forth_names_free(names);
}

const struct machine_kind machine_forth = {
    .name = "forth",
    .help = "RAM and a page of devices (fe00) for a Forth: console, files, timers",
    .cpu = M6502_NMOS,
    .init = init,
    .fini = fini,
    .interrupt = interrupt,
    .where = where,
};
