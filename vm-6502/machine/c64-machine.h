/* SPDX-License-Identifier: MIT */
/*
 * c64-machine: 64 KiB of RAM, and the entries of the system that programs of a C64 call, which the
 * host carries out. There is no ROM. A program sees nothing of the system but
 *
 *	entries    in c64-kernal.c; each costs 6 cycles, its RTS
 *	00cc       written 0: the guest waits for one key, which is put at 0277, and 1 into c6
 *	dd04-dd0f  the timers of CIA 2
 *
 * So cycles don't depend on the host, and are fewer than on a real C64, where the screen takes
 * cycles from the processor and the system needs some of its own.
 */
#ifndef VM_6502_C64_MACHINE_H
#define VM_6502_C64_MACHINE_H

#include "vm-6502/machine/c64-drive.h"
#include "vm-6502/machine/c64-keys.h"
#include "vm-6502/machine/c64-screen.h"
#include "vm-6502/machine/machine.h"
#include "vm-6502/machine/timer6526.h"

/* Addresses that the system and programs share. */
enum {
	C64_STATUS = 0x90,
	C64_NAME_LENGTH = 0xb7,
	C64_FILE = 0xb8,
	C64_SECONDARY = 0xb9,
	C64_DEVICE = 0xba,
	C64_NAME = 0xbb,
	C64_WAITING_KEYS = 0xc6,
	C64_BLINK = 0xcc, /* 0: the cursor blinks */
	C64_KEYS = 0x0277,
	C64_NMI = 0x0318,
};

enum { C64_FILES = 10 };

/* A file that OPEN has opened. */
struct c64_file {
	bool open;
	uint8_t number, device, secondary;
};

struct c64 {
	struct machine *machine;
	struct screen screen;
	struct drive *drive;
	struct keys *keys;
	struct timer6526 timer;
	struct m6502_hook entry; /* on all of e000 to ffff, and on the entries below */
	struct m6502_hook blink;
	struct m6502_hook cia;
	struct c64_file file[C64_FILES];
	int input, output; /* indices into file; -1: keyboard, screen */
	bool stop;         /* the STOP key is down */
	uint8_t line[80];  /* the line that CHRIN returns byte by byte, with its RETURN */
	int line_length, line_next;
};

/*
 * For the entries. An error is returned with the carry set and its number in A; the status is at
 * 90.
 */

static inline struct m6502 *c64_cpu(struct c64 *c)
{
	return &c->machine->cpu;
}

static inline void c64_set_a(struct c64 *c, uint8_t a)
{
	c64_cpu(c)->a = a;
	c64_cpu(c)->nz = a | (a & 0x80) << 1;
}

static inline void c64_fail(struct c64 *c, uint8_t error)
{
	c64_set_a(c, error);
	c64_cpu(c)->c = 1;
}

static inline void c64_add_status(struct c64 *c, uint8_t bits)
{
	m6502_poke(c64_cpu(c), C64_STATUS, m6502_peek(c64_cpu(c), C64_STATUS) | bits);
}

static inline void c64_set_status(struct c64 *c, uint8_t status)
{
	m6502_poke(c64_cpu(c), C64_STATUS, status);
}

/* Sets the entries' hooks. */
void c64_set_entries(struct c64 *c);

/* If the queue is empty, waits for a key and puts it there; ends the run if there are no more. */
void c64_wait_for_key(struct c64 *c);

#endif
