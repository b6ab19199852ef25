/* SPDX-License-Identifier: MIT */
/* vm-6502: a 6502 that is right to the cycle; see README.md in this folder. */
#include <stdio.h>

#include "vm-6502/guest/disassemble.h"
#include "vm-6502/command/options.h"
#include "vm-6502/command/report.h"
#include "vm-6502/command/run.h"

/* All bytes that the image loaded, as source for ca65. */
static int print_program(struct machine *machine, const struct options *o)
{
	char text[DISASSEMBLE_MOST];
	const struct m6502 *m = &machine->cpu;
	long at = machine->loaded, end = machine->loaded + machine->loaded_bytes;

	printf("\t.setcpu \"%s\"\n\t.org $%04lx\n", m->cpu == M6502_CMOS ? "65C02" : "6502X", at);
	while (at < end) {
		const char *name = symbols_at(o->symbols, at);
		int length = disassemble(m, o->symbols, at, text);
		if (name)
			printf("%s:\n", name);
		if (at + length > end)
			length = snprintf(text, sizeof text, ".byte $%02x", m6502_peek(m, at)) > 0;
		printf("\t%-30s ; %04lx\n", text, at);
		at += length;
	}
	return 0;
}

static int run_machine(const struct options *o)
{
	char err[512];
	struct machine *machine = machine_new(o->kind, &o->machine, err, sizeof err);
	int status = 1;

	if (machine)
		status = o->disassemble ? print_program(machine, o) : run(machine, o);
	else
		fprintf(stderr, "vm-6502: %s\n", err);
	machine_free(machine);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	if (options_read(&o, argc, argv, &status))
		status = o.reported ? report(&o, argc, argv) : run_machine(&o);
	options_free(&o);
	return status;
}
