/* SPDX-License-Identifier: MIT */
/*
 * machine-flat: 64 KiB of RAM with a file in it. For test programs, benchmarks, and whatever needs
 * no devices beyond a byte out (--putc) and a byte in (--getc waits; at the end of input it reads
 * 0, or ends the run with --exit-at-eof).
 */
#include "vm-6502/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>

/* With --newline=cr a line ends with CR, to which some guests add LF. */
static void put(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	const struct machine *machine = m->owner;
	(void)hook, (void)at;
	if (!machine->options->cr)
		putchar(value);
	else if (value != '\n')
		putchar(value == '\r' ? '\n' : value);
}

static uint8_t get(struct m6502 *m, struct m6502_hook *hook, uint16_t at)
{
	struct machine *machine = m->owner;
	int c;
	(void)hook, (void)at;
	fflush(stdout);
	c = getchar();
	if (c == EOF && machine->options->exit_at_eof)
		machine_leave(machine, 0);
	if (c == '\n' && machine->options->cr)
		return '\r';
	return c == EOF ? 0 : c;
}

static struct m6502_hook putc_hook = {.write = put};
static struct m6502_hook getc_hook = {.read = get};
static struct m6502_hook both_hook = {.read = get, .write = put};

static bool set_devices(struct machine *machine, char *err, size_t size)
{
	const struct machine_options *o = machine->options;

	if (o->getc >= 0 && o->getc < 0x0200) {
		snprintf(err, size, "--getc=%04lx: a device can't be in zero page or stack",
			 o->getc);
		return false;
	}
	if (o->putc >= 0)
		m6502_set_hook(&machine->cpu, o->putc, &putc_hook);
	if (o->getc >= 0)
		m6502_set_hook(&machine->cpu, o->getc,
			       o->getc == o->putc ? &both_hook : &getc_hook);
	return true;
}

static bool init(struct machine *machine, char *err, size_t size)
{
	const struct machine_options *o = machine->options;
	long load = o->load >= 0 ? o->load : 0;
	size_t length, skip = o->skip;
	uint8_t *bytes;
	bool fits;

	if (!o->image) {
		snprintf(err, size, "the flat machine needs a file to run");
		return false;
	}
	bytes = machine_read_file(o->image, &length, err, size);
	if (!bytes)
		return false;
	if (skip > length)
		skip = length;
	fits = m6502_load(&machine->cpu, load, bytes + skip, length - skip);
	free(bytes);
	machine->loaded = load;
	machine->loaded_bytes = length - skip;
	if (!fits) {
		snprintf(err, size, "'%s' has %zu bytes, too many to load at %04lx", o->image,
			 length - skip, load);
		return false;
	}
	if (o->reset)
		m6502_reset(&machine->cpu);
	else
		machine->cpu.pc = o->start >= 0 ? o->start : load;
	return set_devices(machine, err, size);
}

static void fini(struct machine *machine)
{
	(void)machine;
	fflush(stdout);
}

const struct machine_kind machine_flat = {
    .name = "flat",
    .help = "64 KiB of RAM with FILE in it; --putc and --getc are its only devices",
    .cpu = M6502_NMOS,
    .init = init,
    .fini = fini,
};
