/* SPDX-License-Identifier: MIT */
/* screen.c - see screen.h. */
#define _XOPEN_SOURCE_EXTENDED 1
#include "report/top/screen.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/progress.h"
#include "report/top/keys.h"

enum { PAIR_RISING = 1, PAIR_FALLING, PAIR_TITLE };

bool screen_possible(void)
{
	const char *kind = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && *kind &&
	       strcmp(kind, "dumb") != 0;
}

static volatile sig_atomic_t ended;

static void on_end(int signal)
{
	(void)signal;
	ended = 1;
}

/* Defines the other codes that terminals send for Home and End, whatever the terminal's description
 * says. Undefined codes would arrive as letters, which are other keys. */
static void define_other_keys(void)
{
	static const struct {
		const char *sent;
		int key;
	} other[] = {
	    {"\033[1~", KEY_HOME}, {"\033[4~", KEY_END}, {"\033[7~", KEY_HOME},
	    {"\033[8~", KEY_END},  {"\033[H", KEY_HOME}, {"\033[F", KEY_END},
	    {"\033OH", KEY_HOME},  {"\033OF", KEY_END},
	};
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		define_key(other[i].sent, other[i].key);
}

bool screen_open(struct screen *s, bool color, struct str *err)
{
	*s = (struct screen){0};
	progress_off();
	setlocale(LC_CTYPE, "");
	s->unicode = !strcmp(nl_langinfo(CODESET), "UTF-8");
	s->terminal = newterm(NULL, stdout, stdin);
	if (!s->terminal)
		return str_fail(
		    err, "this kind of terminal is not known (TERM=%s); '--batch N' needs none",
		    getenv("TERM"));
	struct sigaction act = {.sa_handler = on_end};
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(50);
	define_other_keys();
	curs_set(0);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	s->color = color && has_colors();
	if (s->color) {
		start_color();
		use_default_colors();
		init_pair(PAIR_RISING, COLOR_RED, -1);
		init_pair(PAIR_FALLING, COLOR_CYAN, -1);
		init_pair(PAIR_TITLE, COLOR_GREEN, -1);
	}
	return true;
}

void screen_close(struct screen *s)
{
	if (!s->terminal)
		return;
	endwin();
	delscreen(s->terminal);
	s->terminal = NULL;
	setlocale(LC_CTYPE, "C");
}

void screen_size(const struct screen *s, int *width, int *height)
{
	(void)s;
	getmaxyx(stdscr, *height, *width);
}

static attr_t look_of(const struct screen *s, const struct sheet_line *l)
{
	attr_t colors[] = {
	    [SHEET_PLAIN] = 0,
	    [SHEET_TITLE] = A_BOLD | (s->color ? COLOR_PAIR(PAIR_TITLE) : 0),
	    [SHEET_HEAD] = A_UNDERLINE,
	    [SHEET_STRONG] = A_BOLD,
	    [SHEET_RISING] = A_BOLD | (s->color ? COLOR_PAIR(PAIR_RISING) : 0),
	    [SHEET_FALLING] = s->color ? COLOR_PAIR(PAIR_FALLING) : 0,
	    [SHEET_FAINT] = A_DIM,
	};
	return l->cursor ? A_REVERSE : colors[l->style];
}

void screen_show(struct screen *s, const struct sheet *sheet)
{
	int width, height;
	screen_size(s, &width, &height);
	erase();
	for (int y = 0; y < height && y < (int)sheet->count; y++) {
		const struct sheet_line *l = &sheet->lines[y];
		attr_t look = look_of(s, l);
		attrset(look);
		move(y, 0);
		addstr(str_text(&l->text));
		int at = getcurx(stdscr), line = getcury(stdscr);
		for (; line == y && at < width && (l->cursor || l->style == SHEET_HEAD); at++)
			mvaddch(y, at, ' ');
	}
	attrset(0);
	refresh();
}

static const struct {
	int curses, code;
} special[] = {
    {KEY_UP, KEYS_UP},
    {KEY_DOWN, KEYS_DOWN},
    {KEY_LEFT, KEYS_LEFT},
    {KEY_RIGHT, KEYS_RIGHT},
    {KEY_PPAGE, KEYS_PAGE_UP},
    {KEY_NPAGE, KEYS_PAGE_DOWN},
    {KEY_HOME, KEYS_HOME},
    {KEY_END, KEYS_END},
    {KEY_ENTER, KEYS_ENTER},
    {KEY_DC, KEYS_DELETE},
    {KEY_BACKSPACE, KEYS_BACKSPACE},
    {KEY_RESIZE, SCREEN_RESIZED},
};

static int mouse_at(int *x, int *y)
{
	MEVENT event;
	if (getmouse(&event) != OK)
		return SCREEN_NOTHING;
	*x = event.x;
	*y = event.y;
	if (event.bstate & BUTTON4_PRESSED)
		return KEYS_UP;
	return event.bstate & BUTTON5_PRESSED ? KEYS_DOWN : SCREEN_CLICK;
}

int screen_key(struct screen *s, int ms, int *x, int *y)
{
	wint_t got;
	(void)s;
	timeout(ms);
	int kind = get_wch(&got);
	if (ended)
		return SCREEN_CLOSED;
	if (kind == ERR)
		return isatty(STDIN_FILENO) ? SCREEN_NOTHING : SCREEN_CLOSED;
	if (kind != KEY_CODE_YES)
		return got == 27 ? KEYS_ESCAPE : (int)got;
	if (got == KEY_MOUSE)
		return mouse_at(x, y);
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if ((wint_t)special[i].curses == got)
			return special[i].code;
	return SCREEN_NOTHING;
}
