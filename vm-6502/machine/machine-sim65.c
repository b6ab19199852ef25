/* SPDX-License-Identifier: MIT */
/*
 * machine-sim65: what programs of `cl65 -t sim6502` and `-t sim65c02` run on: 64 KiB of RAM, a
 * header that says where the program goes, and nine calls at the end of memory. Such a program is
 * recognized by its first five bytes, so `vm-6502 prog` needs no option.
 *
 *	+0  "sim65", version 2             +7  zero-page address of the C stack's pointer
 *	+6  0, 2: 6502, 1: 65C02           +8  load address, start address
 *
 *	fff1  lseek  (fd, long offset, AX = whence)
 *	fff2  remove (AX = name)           fff6  read  (fd, buffer, AX = n)
 *	fff3  errno  (AX = the host's)     fff7  write (fd, buffer, AX = count)
 *	fff4  open   (name, flags, …)      fff8  args  (AX = where argv goes)
 *	fff5  close  (AX = fd)             fff9  exit  (A = status)
 *
 * Parameters are on the C stack, the last one in AX; the result, -1 for an error, is in AX. A call
 * takes the JSR's cycles and no more. Files are those of the folder given by --dir, and no name
 * leads out of it; 0, 1 and 2 are the host's. Memory that the file does not fill holds ff.
 *
 * At ffc0 is the counter, `peripherals.counter` in C (machine-sim65-counter.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm-6502/machine/forth-beneath.h"
#include "vm-6502/machine/machine-sim65-counter.h"
#include "vm-6502/machine/machine.h"

enum { HEADER = 12, FILES = 32, NAME = 1024 };
enum { FIRST_CALL = 0xfff1, EXIT = 0xfff9 };

struct sim65 {
	struct m6502_hook hook; /* on all calls */
	struct sim65_counter counter;
	struct machine *machine;
	uint8_t sp;      /* zero page: the C stack's pointer */
	int folder;      /* -1: not open */
	int file[FILES]; /* host descriptors, indexed by the guest's; -1: none */
};

static uint16_t zero_page16(const struct m6502 *m, uint8_t at)
{
	return m6502_peek(m, at) | m6502_peek(m, (uint8_t)(at + 1)) << 8;
}

static void poke16(struct m6502 *m, uint16_t at, uint16_t value)
{
	m6502_poke(m, at, value & 0xff);
	m6502_poke(m, at + 1, value >> 8);
}

static void set_sp(struct sim65 *s, uint16_t value)
{
	struct m6502 *m = &s->machine->cpu;

	m6502_poke(m, s->sp, value & 0xff);
	m6502_poke(m, (uint8_t)(s->sp + 1), value >> 8);
}

/* The parameter on top of the C stack, which loses `bytes`. */
static uint16_t pop(struct sim65 *s, unsigned bytes)
{
	uint16_t at = zero_page16(&s->machine->cpu, s->sp);

	set_sp(s, at + bytes);
	return m6502_peek16(&s->machine->cpu, at);
}

static uint16_t get_ax(const struct m6502 *m)
{
	return m->a | m->x << 8;
}

static void set_ax(struct m6502 *m, long value)
{
	m->a = value & 0xff;
	m->x = value >> 8 & 0xff;
}

static int host_file(const struct sim65 *s, unsigned fd)
{
	return fd < FILES ? s->file[fd] : -1;
}

static int flags_of(unsigned flags)
{
	static const int access[4] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR};

	return access[flags & 3] | (flags & 0x10 ? O_CREAT : 0) | (flags & 0x20 ? O_TRUNC : 0) |
	       (flags & 0x40 ? O_APPEND : 0) | (flags & 0x80 ? O_EXCL : 0);
}

/* Opens regular files only, and never waits, as for a pipe. */
static int open_regular(int folder, const char *name, int flags)
{
	int file = beneath_open(folder, name, flags | O_NONBLOCK);
	struct stat status;

	if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
		close(file);
		return -1;
	}
	return file;
}

/* Copies the name at an address. False: the name has no end. */
static bool take_name(const struct sim65 *s, unsigned at, char name[NAME])
{
	int n = 0;

	while (n < NAME && (name[n] = m6502_peek(&s->machine->cpu, at + n)))
		n++;
	return n < NAME;
}

/* With Y = 6 the caller passed a mode too; it is popped and ignored. */
static long open_file(struct sim65 *s)
{
	char name[NAME];
	unsigned flags;
	int fd = 0;

	if (s->machine->cpu.y > 4)
		pop(s, s->machine->cpu.y - 4);
	flags = pop(s, 2);
	if (!take_name(s, pop(s, 2), name))
		return -1;
	while (fd < FILES && s->file[fd] >= 0)
		fd++;
	if (fd == FILES)
		return -1;
	s->file[fd] = open_regular(s->folder, name, flags_of(flags));
	return s->file[fd] < 0 ? -1 : fd;
}

static long close_file(struct sim65 *s)
{
	unsigned fd = get_ax(&s->machine->cpu);
	int file = host_file(s, fd);

	if (file < 0)
		return -1;
	s->file[fd] = -1;
	fflush(stdout);
	return file > 2 ? close(file) : 0;
}

/* Returns the low half of the new position; the runtime library has no room for more. */
static long seek_file(struct sim65 *s)
{
	static const int from[] = {SEEK_CUR, SEEK_END, SEEK_SET};
	unsigned whence = get_ax(&s->machine->cpu);
	uint32_t low = pop(s, 2), high = pop(s, 2);
	int file = host_file(s, pop(s, 2));

	if (whence >= sizeof from / sizeof *from)
		return -1;
	fflush(stdout);
	return lseek(file, (int32_t)(high << 16 | low), from[whence]);
}

/* Removes a file; if the name is a symbolic link, the link, as unlink(2) does. The file's folder is
 * found in the same way as for open (forth-beneath.h). */
static long remove_file(struct sim65 *s)
{
	char name[NAME];
	const char *last;
	int parent = -1, failed = -1;

	if (take_name(s, get_ax(&s->machine->cpu), name))
		parent = beneath_parent(s->folder, name, &last);
	if (parent < 0)
		return -1;
	failed = unlinkat(parent, last, 0);
	close(parent);
	return failed;
}

static long map_errno(struct sim65 *s)
{
	return get_ax(&s->machine->cpu) ? -1 : 0;
}

/* Ctrl-C breaks a wait, and ends the run. */
static long read_bytes(struct sim65 *s)
{
	static uint8_t bytes[0x10000];
	struct m6502 *m = &s->machine->cpu;
	unsigned count = get_ax(m), to = pop(s, 2);
	int file = host_file(s, pop(s, 2));
	ssize_t n;

	fflush(stdout);
	if (file < 0)
		return -1;
	n = read(file, bytes, count);
	if (n < 0 && errno == EINTR)
		m6502_stop(m);
	for (ssize_t i = 0; i < n; i++)
		m6502_poke(m, to + i, bytes[i]);
	return n;
}

static long write_bytes(struct sim65 *s)
{
	static uint8_t bytes[0x10000];
	struct m6502 *m = &s->machine->cpu;
	unsigned count = get_ax(m), from = pop(s, 2);
	int file = host_file(s, pop(s, 2));

	for (unsigned i = 0; i < count; i++)
		bytes[i] = m6502_peek(m, from + i);
	if (file == 1)
		return fwrite(bytes, 1, count, stdout) == count ? (long)count : -1;
	fflush(stdout);
	return file < 0 ? -1 : write(file, bytes, count);
}

/* The strings and the vector go below the C stack. argc is the result. */
static long give_args(struct sim65 *s)
{
	const struct machine_options *o = s->machine->options;
	struct m6502 *m = &s->machine->cpu;
	uint16_t sp = zero_page16(m, s->sp), vector = sp - 2 * (o->args + 2);

	poke16(m, get_ax(m), vector);
	sp = vector;
	for (int i = 0; i <= o->args; i++) {
		const char *text = i ? o->arg[i - 1].text : o->image;
		size_t length = strlen(text) + 1;
		sp -= length;
		for (size_t k = 0; k < length; k++)
			m6502_poke(m, sp + k, text[k]);
		poke16(m, vector + 2 * i, sp);
	}
	poke16(m, vector + 2 * (o->args + 1), 0);
	set_sp(s, sp);
	return o->args + 1;
}

/* Does a call, and returns from it. */
static bool call(struct m6502 *m, struct m6502_hook *hook)
{
	struct sim65 *s = (struct sim65 *)hook;
	static long (*const calls[])(struct sim65 *) = {
	    seek_file,  remove_file, map_errno,   open_file,
	    close_file, read_bytes,  write_bytes, give_args,
	};

	if (m->pc == EXIT) {
		machine_leave(s->machine, m->a);
		return true;
	}
	sim65_counter_stack(m, zero_page16(m, s->sp));
	set_ax(m, calls[m->pc - FIRST_CALL](s));
	m->pc = m6502_peek(m, 0x100 | (uint8_t)(m->s + 1));
	m->pc |= m6502_peek(m, 0x100 | (uint8_t)(m->s + 2)) << 8;
	m->pc = (m->pc + 1) & 0xffff;
	m->s += 2;
	return true;
}

static bool load(struct machine *machine, struct sim65 *s, char *err, size_t size)
{
	const char *path = machine->options->image;
	size_t length;
	uint8_t *bytes = machine_read_file(path, &length, err, size);
	bool good = bytes && length >= HEADER && memcmp(bytes, "sim65", 5) == 0 && bytes[5] == 2;

	if (bytes && !good)
		snprintf(err, size, "'%s' is not a program of cl65 -t sim6502", path);
	if (good) {
		long at = bytes[8] | bytes[9] << 8;
		m6502_init(&machine->cpu, bytes[6] == 1 ? M6502_CMOS : M6502_NMOS);
		for (unsigned i = 0; i < 0x10000; i++)
			m6502_poke(&machine->cpu, i, 0xff);
		machine->cpu.owner = machine;
		machine->cpu.pc = bytes[10] | bytes[11] << 8;
		machine->cpu.s = 0xff;
		s->sp = bytes[7];
		machine->loaded = at;
		machine->loaded_bytes = length - HEADER;
		good = at + length - HEADER <= FIRST_CALL &&
		       m6502_load(&machine->cpu, at, bytes + HEADER, length - HEADER);
		if (!good)
			snprintf(err, size, "'%s' is too large to load at %04lx", path, at);
	}
	free(bytes);
	return good;
}

static bool init(struct machine *machine, char *err, size_t size)
{
	const struct machine_options *o = machine->options;
	struct sim65 *s = calloc(1, sizeof *s);

	machine->devices = s;
	if (!s || !o->image) {
		snprintf(err, size,
			 s ? "the sim65 machine needs a program to run" : "out of memory");
		return false;
	}
	s->machine = machine;
	for (int i = 0; i < FILES; i++)
		s->file[i] = i < 3 ? i : -1;
	s->folder = open(o->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (s->folder < 0) {
		snprintf(err, size, "cannot open folder '%s': %s", o->dir, strerror(errno));
		return false;
	}
	if (!load(machine, s, err, size))
		return false;
	s->hook.run = call;
	for (int at = FIRST_CALL; at <= EXIT; at++)
		m6502_set_hook(&machine->cpu, at, &s->hook);
	sim65_counter_init(&s->counter, &machine->cpu);
	return true;
}

static void fini(struct machine *machine)
{
	struct sim65 *s = machine->devices;

	fflush(stdout);
	if (!s)
		return;
	for (int i = 3; i < FILES; i++) {
		if (s->file[i] >= 0)
			close(s->file[i]);
	}
	if (s->folder >= 0)
		close(s->folder);
	free(s);
}

const struct machine_kind machine_sim65 = {
    .name = "sim65",
    .help = "for programs of cl65 -t sim6502: files, arguments, exit; FILE tells it by itself",
    .cpu = M6502_NMOS,
    .init = init,
    .fini = fini,
};
