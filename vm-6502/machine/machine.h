/* SPDX-License-Identifier: MIT */
/*
 * machine: a processor with something around it. Devices are hooks (m6502.h); there is no other
 * bus, so an access to plain RAM costs no call.
 *
 *	flat    64 KiB of RAM; optionally an address that prints what is written to it, and one that
 *	        reads a byte of stdin
 *	sim65   what programs of cc65's run on (machine-sim65.c)
 *	forth   RAM, and one page of devices for the Forth (forth-machine.h)
 *	c64     RAM, and what programs of a C64 call, done by the host (c64-machine.h)
 *
 * A machine is one file and one line in the table of machine.c. It never ends the process: it asks
 * the processor to stop and leaves the exit status in the struct.
 */
#ifndef VM_6502_MACHINE_H
#define VM_6502_MACHINE_H

#include "vm-6502/cpu/m6502.h"

/* What the command line says about the machine. Strings are borrowed and live as long as the
 * process. */
struct machine_options {
	enum m6502_cpu cpu;
	const char *image; /* the file to load */
	long load, start;  /* addresses; -1: not given */
	long skip;         /* flat: bytes of the file to leave out at its beginning */
	bool reset;        /* flat: start as the chip does, from the vector at fffc */
	long putc, getc;   /* flat: addresses; -1: none */
	bool cr;           /* flat: lines of input and output end with CR */
	bool exit_at_eof;  /* flat: a read at the end of input ends the run */
	/* forth, sim65, c64: the folder to create files in, and to read from first. */
	const char *dir;
	const char *keys, *type; /* c64: a file of keys to type, and a text of keys; NULL: none */
	bool screen;             /* c64: draw the screen whole */
	/* forth: further folders to read files from, NULL-terminated, or NULL. */
	const char *const *include;
	const char *help;              /* forth: the file of help for the system's words */
	bool pure;                     /* forth: run nothing natively */
	const struct machine_arg *arg; /* forth, sim65: what the guest is asked to do */
	int args;
};

/* One thing on the command line for the guest: kind as FORTH_ARG_… in forth-machine.h. */
struct machine_arg {
	int kind;
	const char *text;
};

struct machine {
	struct m6502 cpu;
	const struct machine_kind *kind;
	const struct machine_options *options;
	int status;                /* what the guest left with */
	bool left;                 /* the guest asked to leave, with `status` */
	long loaded, loaded_bytes; /* where the image went */
	void *devices;             /* the kind's own state; its init makes it, its fini frees it */
};

struct machine_kind {
	const char *name;
	const char *help;   /* one line for --help */
	enum m6502_cpu cpu; /* the default */
	/* The user's Ctrl-C. False: the guest does not handle it. */
	bool (*interrupt)(struct machine *machine);
	/* Writes the place where the guest is, such as a word of Forth, or "". NULL: the kind has
	 * only addresses. */
	void (*where)(struct machine *machine, char *text, size_t size);
	/* Returns the name of the bank that the processor now sees at an address, such as "kernal",
	 * for names in profiles; NULL if memory there is not banked. NULL: no memory is banked. */
	const char *(*bank)(struct machine *machine, uint16_t at);
	/* Makes the devices, loads the image, sets pc. On failure says why in err (size bytes), and
	 * fini is still called. */
	bool (*init)(struct machine *machine, char *err, size_t size);
	void (*fini)(struct machine *machine);
};

/* NULL when there is no machine of that name. */
const struct machine_kind *machine_find(const char *name);
const struct machine_kind *machine_at(int i); /* NULL past the end */

/* A machine on the heap, not yet running; NULL with a message in err. */
struct machine *machine_new(const struct machine_kind *kind, const struct machine_options *options,
			    char *err, size_t size);
void machine_free(struct machine *machine);

/* For kinds: the guest asks to leave. */
void machine_leave(struct machine *machine, int status);

/* For kinds: reads a whole file into malloc'd bytes, which the caller frees; NULL with a message in
 * err. */
uint8_t *machine_read_file(const char *path, size_t *size, char *err, size_t errsize);

#endif
