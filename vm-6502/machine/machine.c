/* SPDX-License-Identifier: MIT */
/* machine: the table of machines, and what they share; see the header. */
#include "vm-6502/machine/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct machine_kind machine_flat, machine_forth, machine_c64, machine_sim65;

static const struct machine_kind *const kinds[] = {
    &machine_forth,
    &machine_flat,
    &machine_c64,
    &machine_sim65,
};

const struct machine_kind *machine_at(int i)
{
	return i < (int)(sizeof kinds / sizeof *kinds) ? kinds[i] : NULL;
}

const struct machine_kind *machine_find(const char *name)
{
	const struct machine_kind *kind;
	for (int i = 0; (kind = machine_at(i)); i++) {
		if (strcmp(kind->name, name) == 0)
			return kind;
	}
	return NULL;
}

struct machine *machine_new(const struct machine_kind *kind, const struct machine_options *options,
			    char *err, size_t size)
{
	struct machine *machine = calloc(1, sizeof *machine);
	if (!machine) {
		snprintf(err, size, "out of memory");
		return NULL;
	}
	m6502_init(&machine->cpu, options->cpu);
	machine->cpu.owner = machine;
	machine->kind = kind;
	machine->options = options;
	if (kind->init(machine, err, size))
		return machine;
	machine_free(machine);
	return NULL;
}

void machine_free(struct machine *machine)
{
	if (!machine)
		return;
	machine->kind->fini(machine);
	free(machine);
}

void machine_leave(struct machine *machine, int status)
{
	machine->left = true;
	machine->status = status;
	m6502_stop(&machine->cpu);
}

uint8_t *machine_read_file(const char *path, size_t *size, char *err, size_t errsize)
{
	enum { MOST = 0x10000 + 16 }; /* an address space and a header */
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = malloc(MOST + 1);

	if (!file || !bytes) {
		snprintf(err, errsize, "cannot open '%s': %s", path, strerror(errno));
		goto fail;
	}
	*size = fread(bytes, 1, MOST + 1, file);
	if (ferror(file)) {
		snprintf(err, errsize, "cannot read '%s': %s", path, strerror(errno));
		goto fail;
	}
	if (*size > MOST) {
		snprintf(err, errsize, "'%s' is larger than the memory of a 6502", path);
		goto fail;
	}
	fclose(file);
	return bytes;
fail:
	free(bytes);
	if (file)
		fclose(file);
	return NULL;
}
