/* SPDX-License-Identifier: MIT */
/* forth-ops: the host operations of the `forth` machine, one function each; see forth-machine.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "vm-6502/guest/disassemble.h"
#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/machine/forth-help.h"
#include "vm-6502/machine/machine-forth.h"

/* THROW codes of Forth 2012. */
enum { INVALID_ADDRESS = -9, UNSUPPORTED = -21, FILE_IO = -37, NO_SUCH_FILE = -38 };

uint16_t forth_get16(const struct forth *f, uint16_t reg)
{
	return f->registers[reg & 0xff] | f->registers[(reg + 1) & 0xff] << 8;
}

void forth_set16(struct forth *f, uint16_t reg, uint16_t value)
{
	f->registers[reg & 0xff] = value & 0xff;
	f->registers[(reg + 1) & 0xff] = value >> 8;
}

static uint32_t position(const struct forth *f)
{
	return forth_get16(f, FORTH_POS) | (uint32_t)forth_get16(f, FORTH_POS + 2) << 16;
}

static void set_position(struct forth *f, uint32_t value)
{
	forth_set16(f, FORTH_POS, value & 0xffff);
	forth_set16(f, FORTH_POS + 2, value >> 16);
}

static uint8_t *reg8(struct forth *f, uint16_t reg)
{
	return &f->registers[reg & 0xff];
}

/* The ior for an errno. The errno is kept, so that FORTH_ERROR can say what it means. name: the
 * file name that the operation was given, or "". */
static int ior_of(struct forth *f, const char *name, int error)
{
	if (error) {
		f->failed = error;
		strcpy(f->failed_file, name);
	}
	return !error ? 0 : error == ENOENT ? NO_SUCH_FILE : FILE_IO;
}

static int ior(struct forth *f, int error)
{
	return ior_of(f, "", error);
}

/* Whether a buffer is RAM. */
static bool in_ram(unsigned at, unsigned length)
{
	return at + length <= FORTH_PAGE || (at >= FORTH_PAGE + 0x100 && at + length <= 0x10000);
}

/* The buffer must be RAM. */
static void store(struct forth *f, unsigned at, const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		m6502_poke(&f->machine->cpu, at + i, ((const uint8_t *)bytes)[i]);
}

static void fetch(struct forth *f, unsigned at, void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		((uint8_t *)bytes)[i] = m6502_peek(&f->machine->cpu, at + i);
}

/* Reads the name that a register pair points to; returns an ior. */
static int get_name(struct forth *f, uint16_t address, uint16_t length, char name[256])
{
	unsigned at = forth_get16(f, address), n = forth_get16(f, length);

	if (!in_ram(at, n))
		return INVALID_ADDRESS;
	if (n < 1 || n > 255)
		return ior(f, ENAMETOOLONG);
	fetch(f, at, name, n);
	name[n] = 0;
	return strlen(name) == n ? 0 : ior(f, EINVAL);
}

static int open_file(struct forth *f, bool create)
{
	char name[256];
	int number = 0;
	int bad = get_name(f, FORTH_ADDR, FORTH_LEN, name);

	if (!bad)
		bad = ior_of(f, name,
			     files_open(f->files, name, *reg8(f, FORTH_FAM), create, &number));
	*reg8(f, FORTH_FILE) = number;
	return bad;
}

/* Does READ, READ_LINE and WRITE, between a file and a buffer. */
static int transfer(struct forth *f, int operation)
{
	static uint8_t bytes[0x10000];
	unsigned at = forth_get16(f, FORTH_ADDR);
	size_t length = forth_get16(f, FORTH_LEN);
	int file = *reg8(f, FORTH_FILE), error;
	bool more = false;

	if (!in_ram(at, length))
		return INVALID_ADDRESS;
	if (operation == FORTH_WRITE) {
		fetch(f, at, bytes, length);
		return ior(f, files_write(f->files, file, bytes, length));
	}
	if (operation == FORTH_READ)
		error = files_read(f->files, file, bytes, &length);
	else
		error = files_read_line(f->files, file, (char *)bytes, &length, &more);
	if (error)
		length = 0;
	store(f, at, bytes, length);
	forth_set16(f, FORTH_LEN, length);
	if (operation == FORTH_READ_LINE)
		*reg8(f, FORTH_FLAG) = more;
	return ior(f, error);
}

static int position_or_size(struct forth *f, int operation)
{
	uint32_t value = 0;
	int file = *reg8(f, FORTH_FILE), error;

	if (operation == FORTH_FILE_POSITION)
		error = files_position(f->files, file, &value);
	else
		error = files_size(f->files, file, &value);
	if (!error)
		set_position(f, value);
	return ior(f, error);
}

static int named(struct forth *f, int operation)
{
	char name[256], new_name[256];
	uint32_t size = 0;
	int bad = get_name(f, FORTH_ADDR, FORTH_LEN, name);

	if (bad)
		return bad;
	if (operation == FORTH_DELETE)
		return ior_of(f, name, files_delete(f->files, name));
	if (operation == FORTH_STATUS) {
		bad = ior_of(f, name, files_status(f->files, name, &size));
		set_position(f, size);
		return bad;
	}
	bad = get_name(f, FORTH_ADDR2, FORTH_LEN2, new_name);
	return bad ? bad : ior_of(f, name, files_rename(f->files, name, new_name));
}

/* If a signal ended the wait, the run stops, so that the guest learns of it at once. */
static int accept_line(struct forth *f)
{
	static char line[0x10000];
	unsigned at = forth_get16(f, FORTH_ADDR), room = forth_get16(f, FORTH_LEN);
	long n;

	if (!in_ram(at, room))
		return INVALID_ADDRESS;
	n = console_line(f->console, line, room);
	if (n == -2)
		m6502_stop(&f->machine->cpu);
	else
		f->breaks = 0;
	*reg8(f, FORTH_FLAG) = n != -1;
	forth_set16(f, FORTH_LEN, n < 0 ? 0 : n);
	store(f, at, line, n < 0 ? 0 : n);
	return 0;
}

/* Stores as much of a text as the guest has room for, and returns its length. */
static int give_text(struct forth *f, const char *text)
{
	unsigned at = forth_get16(f, FORTH_ADDR), room = forth_get16(f, FORTH_LEN);
	size_t length = strlen(text);

	if (length > 0xffff)
		length = 0xffff;
	if (!in_ram(at, room))
		return INVALID_ADDRESS;
	store(f, at, text, length < room ? length : room);
	forth_set16(f, FORTH_LEN, length);
	return 0;
}

static int argument(struct forth *f)
{
	const struct machine_options *o = f->machine->options;
	uint32_t number = position(f);

	if (number >= (uint32_t)o->args) {
		*reg8(f, FORTH_FLAG) = 0;
		forth_set16(f, FORTH_LEN, 0);
		return 0;
	}
	*reg8(f, FORTH_FLAG) = o->arg[number].kind;
	return give_text(f, o->arg[number].text);
}

static int note_source(struct forth *f)
{
	unsigned line = forth_get16(f, FORTH_ADDR), length = forth_get16(f, FORTH_LEN);

	if (!in_ram(line, length))
		return INVALID_ADDRESS;
	forth_backtrace_source(f->backtrace, &f->machine->cpu, line, length,
			       forth_get16(f, FORTH_ADDR2), forth_get16(f, FORTH_LEN2));
	return 0;
}

static int backtrace(struct forth *f)
{
	uint32_t n = position(f);
	const char *line = forth_backtrace_line(f->backtrace, &f->machine->cpu, n);

	*reg8(f, FORTH_FLAG) = line != NULL;
	return give_text(f, line ? line : "");
}

static int sleep_ms(struct forth *f)
{
	uint32_t ms = position(f);
	struct timespec span = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	console_flush(f->console);
	if (nanosleep(&span, NULL) != 0)
		m6502_stop(&f->machine->cpu);
	return 0;
}

static int tell_time(struct forth *f)
{
	unsigned at = forth_get16(f, FORTH_ADDR);
	time_t now = time(NULL);
	struct tm t;

	if (!in_ram(at, 7))
		return INVALID_ADDRESS;
	localtime_r(&now, &t);
	int year = t.tm_year + 1900;
	store(f, at,
	      (uint8_t[]){t.tm_sec, t.tm_min, t.tm_hour, t.tm_mday, t.tm_mon + 1, year & 0xff,
			  year >> 8},
	      7);
	return 0;
}

static int tell_micros(struct forth *f)
{
	unsigned at = forth_get16(f, FORTH_ADDR);
	struct timeval now;
	uint64_t micros;
	uint8_t bytes[8];

	if (!in_ram(at, 8))
		return INVALID_ADDRESS;
	gettimeofday(&now, NULL);
	micros = now.tv_sec * 1000000ull + now.tv_usec;
	for (int i = 0; i < 8; i++)
		bytes[i] = micros >> 8 * i;
	store(f, at, bytes, 8);
	return 0;
}

static int help(struct forth *f)
{
	char text[512];

	forth_help_text(f, position(f), text, sizeof text);
	return give_text(f, text);
}

static int edit(struct forth *f)
{
	if (!(console_state(f->console) & FORTH_CON_TTY))
		return UNSUPPORTED;
	console_lend(f->console);
	return ior(f, forth_help_edit(f, position(f)));
}

static int give_instruction(struct forth *f)
{
	char text[DISASSEMBLE_MOST];

	*reg8(f, FORTH_FLAG) = disassemble_line(&f->machine->cpu, NULL, position(f), text);
	return give_text(f, text);
}

static const char *words_for(int error)
{
	return !error ? "" : error == EXDEV ? "the name leads out of --dir" : strerror(error);
}

static int operate(struct forth *f, int operation)
{
	int file = *reg8(f, FORTH_FILE);

	switch (operation) {
	case FORTH_OPEN:
	case FORTH_CREATE:
		return open_file(f, operation == FORTH_CREATE);
	case FORTH_CLOSE:
		return ior(f, files_close(f->files, file));
	case FORTH_READ:
	case FORTH_READ_LINE:
	case FORTH_WRITE:
		return transfer(f, operation);
	case FORTH_FILE_POSITION:
	case FORTH_FILE_SIZE:
		return position_or_size(f, operation);
	case FORTH_REPOSITION:
		return ior(f, files_reposition(f->files, file, position(f)));
	case FORTH_RESIZE:
		return ior(f, files_resize(f->files, file, position(f)));
	case FORTH_FLUSH:
		return ior(f, files_flush(f->files, file));
	case FORTH_DELETE:
	case FORTH_RENAME:
	case FORTH_STATUS:
		return named(f, operation);
	case FORTH_ACCEPT:
		return accept_line(f);
	case FORTH_ARG:
		return argument(f);
	case FORTH_MS:
		return sleep_ms(f);
	case FORTH_TIME:
		return tell_time(f);
	case FORTH_MICROS:
		return tell_micros(f);
	case FORTH_ERROR:
		return give_text(f, words_for(f->failed));
	case FORTH_ERROR_FILE:
		return give_text(f, f->failed_file);
	case FORTH_DISASSEMBLE:
		return give_instruction(f);
	case FORTH_SOURCE:
		return note_source(f);
	case FORTH_HELP:
		return help(f);
	case FORTH_EDIT:
		return edit(f);
	case FORTH_BACKTRACE:
		return backtrace(f);
	}
	if (operation >= 128 && f->profiler)
		return f->profiler(f, operation, f->profiler_context);
	return UNSUPPORTED;
}

void forth_operate(struct forth *f, int operation)
{
	forth_set16(f, FORTH_IOR, operate(f, operation));
}
