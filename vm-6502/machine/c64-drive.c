/* SPDX-License-Identifier: MIT */
/* c64-drive: see the header. */
#define _GNU_SOURCE
#include "vm-6502/machine/c64-drive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm-6502/machine/c64-petscii.h"

enum { DEVICE = 8, CHANNELS = 16, COMMAND = 15, DIRECTORY = 0, TEXT = 256, BLOCK = 254 };

/* Secondary addresses, by their upper half. */
enum { DATA = 0x60, CLOSE = 0xe0, OPEN = 0xf0 };

/* An open file; a file to be read is in memory whole. */
struct channel {
	FILE *to;
	uint8_t *bytes; /* NULL: the file is written, not read */
	size_t size, next;
};

struct drive {
	int folder;
	enum { NOBODY, LISTENER, TALKER } role; /* of the drive, on the bus */
	uint8_t secondary;
	uint8_t text[TEXT]; /* the message: a name or a command */
	int length;
	struct channel channel[CHANNELS];
	char status[64]; /* in PETSCII, with its CR; it has been read up to `told` */
	size_t told;
};

struct drive *drive_new(const char *folder)
{
	struct drive *d = calloc(1, sizeof *d);

	if (!d)
		return NULL;
	d->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->folder < 0) {
		free(d);
		return NULL;
	}
	return d;
}

static void close_channel(struct channel *c)
{
	if (c->to)
		fclose(c->to);
	free(c->bytes);
	*c = (struct channel){0};
}

void drive_free(struct drive *d)
{
	if (!d)
		return;
	for (int i = 0; i < CHANNELS; i++)
		close_channel(&d->channel[i]);
	close(d->folder);
	free(d);
}

/* ---- the status */

static void set_status(struct drive *d, int number, const char *text, int count)
{
	snprintf(d->status, sizeof d->status, "%02d, %s,%02d,00\r", number, text, count);
	d->told = 0;
}

/* Sets the status for the host's errno. */
static void set_failed(struct drive *d)
{
	if (errno == ENOENT || errno == EISDIR || errno == ELOOP)
		set_status(d, 62, "FILE NOT FOUND", 0);
	else if (errno == EEXIST)
		set_status(d, 63, "FILE EXISTS", 0);
	else if (errno == ENOSPC)
		set_status(d, 72, "DISK FULL", 0);
	else
		set_status(d, 26, "WRITE PROTECT ON", 0);
}

/* ---- names */

/* The name in text, without a `0:` or `:` before it. */
static const uint8_t *behind_colon(const uint8_t *text, const uint8_t *end)
{
	const uint8_t *colon = memchr(text, ':', end - text);
	return colon ? colon + 1 : text;
}

/* Makes the host's name. False: there can be none, since it would be a path, or empty. */
static bool host_name(const uint8_t *name, const uint8_t *end, char host[TEXT])
{
	int n = 0;

	for (; name < end; name++) {
		uint8_t c = petscii_ascii(*name);
		if (!c || c == '/')
			return false;
		host[n++] = c;
	}
	host[n] = 0;
	return n && strcmp(host, ".") != 0 && strcmp(host, "..") != 0;
}

/* `*` stands for the rest, `?` for a character. */
static bool matches(const char *pattern, const char *name)
{
	for (; *pattern && *pattern != '*'; pattern++, name++) {
		if (!*name || (*pattern != '?' && *pattern != *name))
			return false;
	}
	return *pattern || !*name;
}

/* Whether an entry of the folder is a file that the guest may see. */
static bool is_file(const struct drive *d, const char *name, struct stat *about)
{
	return name[0] != '.' && fstatat(d->folder, name, about, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(about->st_mode);
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* All files, in the order of their names. */
static int list(const struct drive *d, struct dirent ***entry)
{
	return scandirat(d->folder, ".", entry, no_dots, alphasort);
}

/* ---- opening */

static bool read_whole(struct channel *c, int file)
{
	struct stat about;
	size_t got = 0;
	ssize_t n = 1;

	if (fstat(file, &about) != 0)
		return false;
	c->bytes = malloc(about.st_size + 1);
	while (c->bytes && got < (size_t)about.st_size && n > 0) {
		n = read(file, c->bytes + got, about.st_size - got);
		got += n > 0 ? n : 0;
	}
	c->size = got;
	return c->bytes && n >= 0;
}

static bool is_regular(int file)
{
	struct stat about;

	return fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

/* mode: 'r', 'w', 'a'. Opens regular files only, and never waits, as for a pipe. */
static bool open_file(struct drive *d, struct channel *c, const char *name, char mode, bool replace)
{
	static const int flags[] = {O_RDONLY, O_WRONLY | O_CREAT | O_EXCL, O_WRONLY | O_APPEND,
				    O_WRONLY | O_CREAT | O_TRUNC};
	int kind = mode == 'r' ? 0 : mode == 'a' ? 2 : replace ? 3 : 1;
	int file = openat(d->folder, name, flags[kind] | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	bool good;

	if (file < 0)
		return false;
	if (!is_regular(file)) {
		close(file);
		errno = EISDIR;
		return false;
	}
	if (mode == 'r') {
		good = read_whole(c, file);
		close(file);
		return good;
	}
	c->to = fdopen(file, "w");
	if (!c->to)
		close(file);
	return c->to;
}

/* Adds a line of the directory, in the form of a BASIC line: link, number, text, 0. */
static bool add_line(struct channel *c, unsigned blocks, const char *text)
{
	size_t length = strlen(text) + 5;
	uint8_t *bytes = realloc(c->bytes, c->size + length + 2), *to;

	if (!bytes)
		return false;
	c->bytes = bytes;
	to = bytes + c->size;
	to[0] = to[1] = 1;
	to[2] = blocks & 0xff;
	to[3] = blocks >> 8;
	memcpy(to + 4, text, length - 4);
	c->size += length;
	return true;
}

/* The text of a file's line: the name in quotes, and its kind. */
static void file_text(const char *name, char text[TEXT])
{
	char petscii[100];
	int n = 0;

	for (; name[n] && n < (int)sizeof(petscii) - 1; n++)
		petscii[n] = petscii_from_ascii(name[n]);
	petscii[n] = 0;
	snprintf(text, TEXT, "\"%s\"%.*s PRG", petscii, n < 16 ? 16 - n : 0, "                ");
}

static bool open_directory(struct drive *d, struct channel *c, const char *pattern)
{
	struct dirent **entry;
	int entries = list(d, &entry);
	char text[TEXT];
	struct stat about;
	bool good = entries >= 0;

	if (!good)
		return false;
	c->bytes = malloc(2);
	if (c->bytes) {
		c->bytes[0] = 1, c->bytes[1] = 4; /* $0401, as the load address of a program */
		c->size = 2;
	}
	good = c->bytes && add_line(c, 0, "\022\"FOLDER          \" 00 2A");
	for (int i = 0; i < entries; i++) {
		if (good && is_file(d, entry[i]->d_name, &about) &&
		    matches(pattern, entry[i]->d_name)) {
			size_t blocks = (about.st_size + BLOCK - 1) / BLOCK;
			file_text(entry[i]->d_name, text);
			good = add_line(c, blocks < 0xffff ? blocks : 0xffff, text);
		}
		free(entry[i]);
	}
	free(entry);
	good = good && add_line(c, 664, "BLOCKS FREE.");
	if (good)
		c->bytes[c->size++] = 0, c->bytes[c->size++] = 0; /* add_line has left room */
	return good;
}

/* The first letter behind a comma that is in `known`; 0: there is none. */
static char option(const uint8_t *text, const uint8_t *end, const char *known)
{
	for (; text < end; text++) {
		uint8_t letter = text + 1 < end ? petscii_ascii(text[1]) : 0;
		if (*text == ',' && letter && strchr(known, letter | 0x20))
			return letter | 0x20;
	}
	return 0;
}

static void open_named(struct drive *d, int number)
{
	struct channel *c = &d->channel[number];
	const uint8_t *text = d->text, *end = text + d->length, *name;
	const uint8_t *comma = memchr(text, ',', d->length);
	bool replace = d->length && text[0] == '@';
	bool directory = d->length && text[0] == '$';
	char host[TEXT] = "*", mode = option(comma ? comma : end, end, "rwa");

	close_channel(c);
	set_status(d, 0, "OK", 0);
	name = behind_colon(text + directory, comma ? comma : end);
	if (!mode)
		mode = number == 1 ? 'w' : 'r';
	if (!host_name(name, comma ? comma : end, host) && !directory) {
		set_status(d, d->length ? 62 : 34, d->length ? "FILE NOT FOUND" : "SYNTAX ERROR",
			   0);
		return;
	}
	errno = 0;
	if (directory ? !open_directory(d, c, host[0] ? host : "*")
		      : !open_file(d, c, host, mode, replace)) {
		set_failed(d);
		close_channel(c);
	}
}

/* ---- commands */

static void scratch(struct drive *d, const uint8_t *name, const uint8_t *end)
{
	char pattern[TEXT];
	struct dirent **entry;
	struct stat about;
	int entries, count = 0;

	if (!host_name(name, end, pattern))
		pattern[0] = 0;
	entries = list(d, &entry);
	for (int i = 0; i < entries; i++) {
		if (pattern[0] && matches(pattern, entry[i]->d_name) &&
		    is_file(d, entry[i]->d_name, &about) &&
		    unlinkat(d->folder, entry[i]->d_name, 0) == 0)
			count++;
		free(entry[i]);
	}
	if (entries >= 0)
		free(entry);
	set_status(d, 1, "FILES SCRATCHED", count < 99 ? count : 99);
}

static void carry_out(struct drive *d)
{
	const uint8_t *text = d->text, *end = text + d->length;

	while (end > text && end[-1] == '\r')
		end--;
	if (text == end)
		return;
	if (text[0] == 'S' && memchr(text, ':', end - text))
		scratch(d, behind_colon(text, end), end);
	else if (text[0] == 'I')
		set_status(d, 0, "OK", 0);
	else
		set_status(d, 31, "SYNTAX ERROR", 0);
}

/* ---- the bus */

uint8_t drive_end(struct drive *d)
{
	int number = d->secondary & 15, kind = d->secondary & 0xf0;

	if (d->role == LISTENER && kind == OPEN && number != COMMAND)
		open_named(d, number);
	else if (d->role == LISTENER && (kind == OPEN || kind == DATA) && number == COMMAND)
		carry_out(d);
	if (d->role == LISTENER && d->channel[number].to)
		fflush(d->channel[number].to);
	d->role = NOBODY;
	d->secondary = 0;
	d->length = 0;
	return 0;
}

uint8_t drive_listen(struct drive *d, uint8_t device)
{
	drive_end(d);
	d->role = device == DEVICE ? LISTENER : NOBODY;
	return device == DEVICE ? 0 : DRIVE_ABSENT;
}

uint8_t drive_talk(struct drive *d, uint8_t device)
{
	drive_end(d);
	d->role = device == DEVICE ? TALKER : NOBODY;
	return device == DEVICE ? 0 : DRIVE_ABSENT;
}

uint8_t drive_second(struct drive *d, uint8_t secondary)
{
	if (d->role == NOBODY)
		return DRIVE_ABSENT;
	d->secondary = secondary;
	if ((secondary & 0xf0) == CLOSE)
		close_channel(&d->channel[secondary & 15]);
	return 0;
}

uint8_t drive_put(struct drive *d, uint8_t byte)
{
	struct channel *c = &d->channel[d->secondary & 15];
	bool text = (d->secondary & 0xf0) == OPEN || (d->secondary & 15) == COMMAND;

	if (d->role != LISTENER)
		return DRIVE_ABSENT;
	if (text && d->length < TEXT - 1)
		d->text[d->length++] = byte;
	if (text)
		return 0;
	if (!c->to) {
		set_status(d, 61, "FILE NOT OPEN", 0);
		return DRIVE_WRITE_TIMEOUT;
	}
	if (fputc(byte, c->to) == EOF)
		set_failed(d);
	return 0;
}

static uint8_t get_status(struct drive *d, uint8_t *byte)
{
	if (!d->status[d->told])
		set_status(d, 0, "OK", 0);
	*byte = d->status[d->told++];
	if (d->status[d->told])
		return 0;
	set_status(d, 0, "OK", 0);
	return DRIVE_END;
}

uint8_t drive_get(struct drive *d, uint8_t *byte)
{
	struct channel *c = &d->channel[d->secondary & 15];

	*byte = '\r';
	if (d->role == TALKER && (d->secondary & 15) == COMMAND)
		return get_status(d, byte);
	if (d->role != TALKER || c->next >= c->size)
		return DRIVE_END | DRIVE_READ_TIMEOUT;
	*byte = c->bytes[c->next++];
	return c->next < c->size ? 0 : DRIVE_END;
}
