/* SPDX-License-Identifier: MIT */
/* forth-console: see the header. */
#define _GNU_SOURCE
#include "vm-6502/machine/forth-console.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "vm-6502/guest/forth-machine.h"

struct console {
	bool terminal, keys; /* stdin is a terminal; it is in the mode for single keys */
	bool ended;
	bool in_line;   /* the last byte written did not end a line */
	bool one_place; /* stdout and stderr are the same file */
	struct termios normal;
	size_t next, length; /* `input` has `length` bytes of stdin, of which `next` are taken */
	uint8_t input[4096];
	EditLine *editor; /* NULL until the first line is edited */
	History *history;
	char *history_file; /* NULL: the history is not kept */
};

enum { HISTORY_LINES = 1000 };

/* The console whose terminal must be restored when the process ends. */
static struct console *at_exit;

static void set_keys(struct console *c, bool keys)
{
	struct termios mode = c->normal;

	if (!c->terminal || c->keys == keys)
		return;
	if (keys) {
		mode.c_lflag &= ~(ICANON | ECHO);
		mode.c_cc[VMIN] = 1;
		mode.c_cc[VTIME] = 0;
	}
	tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
	c->keys = keys;
}

static void restore(void)
{
	if (at_exit)
		set_keys(at_exit, false);
}

/* Restores the terminal before the process stops or dies, and sets it again when the process goes
 * on. */
static void on_signal(int number)
{
	struct sigaction normal = {.sa_handler = SIG_DFL}, ours;
	bool keys = at_exit && at_exit->keys;
	int error = errno;

	restore();
	sigaction(number, &normal, &ours);
	raise(number);
	sigaction(number, &ours, NULL);
	if (keys)
		set_keys(at_exit, true);
	errno = error;
}

static void catch_signals(void)
{
	static const int numbers[] = {SIGTSTP, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER | SA_RESTART};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &action, NULL);
}

static bool same_file(int one, int other)
{
	struct stat a, b;

	return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

struct console *console_new(void)
{
	struct console *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->one_place = same_file(STDOUT_FILENO, STDERR_FILENO);
	c->terminal = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &c->normal) == 0;
	if (c->terminal) {
		at_exit = c;
		atexit(restore);
		catch_signals();
	}
	return c;
}

/* Only the user may read what was typed. */
static void save_history(struct console *c)
{
	HistEvent event;
	mode_t mask = umask(077);

	if (c->history_file)
		history(c->history, &event, H_SAVE, c->history_file);
	umask(mask);
}

void console_free(struct console *c)
{
	if (!c)
		return;
	console_flush(c);
	set_keys(c, false);
	at_exit = NULL;
	if (c->editor) {
		save_history(c);
		history_end(c->history);
		el_end(c->editor);
	}
	free(c->history_file);
	free(c);
}

/* Reads what there is; false at the end of input or when a signal came. */
static bool fill(struct console *c)
{
	ssize_t n;

	console_flush(c);
	n = read(STDIN_FILENO, c->input, sizeof c->input);
	if (n == 0 || (n < 0 && errno != EINTR))
		c->ended = true;
	c->next = 0;
	c->length = n > 0 ? n : 0;
	return n > 0;
}

int console_get(struct console *c)
{
	set_keys(c, true);
	if (c->next == c->length && !fill(c))
		return c->ended ? -1 : -2;
	return c->input[c->next++];
}

uint8_t console_state(struct console *c)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	uint8_t state = c->terminal ? FORTH_CON_TTY : 0;

	if (c->ended)
		return state | FORTH_CON_END | FORTH_CON_KEY;
	if (c->next < c->length)
		return state | FORTH_CON_KEY;
	set_keys(c, true);
	console_flush(c);
	return state | (poll(&input, 1, 0) > 0 ? FORTH_CON_KEY : 0);
}

static char *no_prompt(EditLine *editor)
{
	static char nothing[] = "";
	(void)editor;
	return nothing;
}

/* VM_6502_HISTORY, or a file at home. On failure NULL. */
static char *history_path(void)
{
	const char *given = getenv("VM_6502_HISTORY"), *home = getenv("HOME");
	char *path = NULL;

	if (given)
		return *given ? strdup(given) : NULL;
	if (!home || asprintf(&path, "%s/.vm-6502-history", home) < 0)
		return NULL;
	return path;
}

/* Sets a UTF-8 locale if none is set, as terminals use UTF-8: the editor drops letters that the
 * locale does not have. */
static void set_letters(void)
{
	const char *locale = setlocale(LC_CTYPE, "");

	if (!locale || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0)
		setlocale(LC_CTYPE, "C.UTF-8");
}

static bool start_editor(struct console *c)
{
	HistEvent event;

	set_letters();
	c->history = history_init();
	c->editor = el_init("vm-6502", stdin, stdout, stderr);
	if (!c->editor || !c->history)
		return false;
	history(c->history, &event, H_SETSIZE, HISTORY_LINES);
	history(c->history, &event, H_SETUNIQUE, 1);
	c->history_file = history_path();
	if (c->history_file)
		history(c->history, &event, H_LOAD, c->history_file);
	el_set(c->editor, EL_PROMPT, no_prompt);
	el_set(c->editor, EL_EDITOR, "emacs");
	el_set(c->editor, EL_SIGNAL, 1);
	el_set(c->editor, EL_HIST, history, c->history);
	return true;
}

/* Begins the line with the keys that were typed before the guest asked for a line. */
static void push_input(struct console *c)
{
	char text[sizeof c->input + 1];
	size_t n = c->length - c->next;

	memcpy(text, c->input + c->next, n);
	text[n] = 0;
	c->next = c->length;
	if (n)
		el_push(c->editor, text);
}

static long edit_line(struct console *c, char *line, size_t room)
{
	const char *text;
	HistEvent event;
	int n = 0;

	set_keys(c, false);
	console_flush(c);
	if (!c->editor && !start_editor(c))
		return -1;
	push_input(c);
	errno = 0;
	text = el_gets(c->editor, &n);
	if (!text || n <= 0) {
		console_put(c, '\n');
		if (errno == EINTR)
			return -2;
		c->ended = true;
		return -1;
	}
	c->in_line = false;
	if (text[0] != '\n')
		history(c->history, &event, H_ENTER, text);
	if (text[n - 1] == '\n')
		n--;
	if ((size_t)n > room)
		n = room;
	memcpy(line, text, n);
	return n;
}

long console_line(struct console *c, char *line, size_t room)
{
	size_t n = 0;
	int byte;

	if (c->terminal && !memchr(c->input + c->next, '\n', c->length - c->next))
		return edit_line(c, line, room);
	while ((byte = console_get(c)) >= 0 && byte != '\n') {
		if (n < room)
			line[n++] = byte;
	}
	if (byte == -2 || (byte == -1 && n == 0))
		return byte;
	if (n && line[n - 1] == '\r')
		n--;
	return n;
}

void console_lend(struct console *c)
{
	console_flush(c);
	set_keys(c, false);
}

void console_put(struct console *c, uint8_t byte)
{
	putchar(byte);
	c->in_line = byte != '\n';
}

void console_error(struct console *c, uint8_t byte)
{
	if (c->in_line && c->one_place)
		putchar('\n');
	console_flush(c);
	c->in_line = false;
	fputc(byte, stderr);
}

void console_flush(struct console *c)
{
	(void)c;
	fflush(stdout);
}

void console_size(struct console *c, uint8_t *columns, uint8_t *rows)
{
	struct winsize size;

	(void)c;
	*columns = 80, *rows = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
		*columns = size.ws_col < 255 ? size.ws_col : 255;
		*rows = size.ws_row < 255 ? size.ws_row : 255;
	}
}
