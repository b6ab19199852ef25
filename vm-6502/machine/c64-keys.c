/* SPDX-License-Identifier: MIT */
/* c64-keys: see the header. */
#include "vm-6502/machine/c64-keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "vm-6502/machine/c64-petscii.h"

struct keys {
	const char *text; /* the rest of the text to type; NULL: no text was given */
	FILE *file;       /* NULL: no file was given */
	bool terminal;    /* stdin is a terminal, in the mode for single keys */
	struct termios normal;
};

/* The keys whose terminal must be restored when the process ends. */
static struct keys *at_exit;

static void restore(void)
{
	if (at_exit && at_exit->terminal)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &at_exit->normal);
}

static void set_terminal(struct keys *k)
{
	struct termios mode;

	k->terminal = tcgetattr(STDIN_FILENO, &k->normal) == 0;
	if (!k->terminal)
		return;
	mode = k->normal;
	mode.c_lflag &= ~(ICANON | ECHO);
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
	if (!at_exit)
		atexit(restore);
	at_exit = k;
}

struct keys *keys_new(const char *text, const char *file)
{
	struct keys *k = calloc(1, sizeof *k);

	if (!k)
		return NULL;
	k->text = text;
	if (file && !(k->file = fopen(file, "r"))) {
		free(k);
		return NULL;
	}
	if (!text && !file)
		set_terminal(k);
	return k;
}

void keys_free(struct keys *k)
{
	if (!k)
		return;
	if (at_exit == k) {
		restore();
		at_exit = NULL;
	}
	if (k->file)
		fclose(k->file);
	free(k);
}

static int next_of_text(struct keys *k)
{
	char c = *k->text++;

	if (c == '\\' && *k->text == 'n') {
		k->text++;
		return '\n';
	}
	return (uint8_t)c;
}

/* A byte of stdin, unbuffered, so that only what the guest asks for is taken. */
static int next_of_stdin(const struct keys *k)
{
	uint8_t byte;
	ssize_t n = read(STDIN_FILENO, &byte, 1);

	if (n < 0 && errno == EINTR)
		return -2;
	return n == 1 && !(k->terminal && byte == k->normal.c_cc[VEOF]) ? byte : -1;
}

int keys_next(struct keys *k)
{
	int c = -1;

	if (k->text && *k->text)
		c = next_of_text(k);
	else if (k->file)
		c = getc(k->file);
	else if (!k->text)
		c = next_of_stdin(k);
	return c >= 0 ? petscii_from_ascii(c) : c;
}
