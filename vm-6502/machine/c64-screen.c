/* SPDX-License-Identifier: MIT */
/* c64-screen: see the header. */
#include "vm-6502/machine/c64-screen.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vm-6502/machine/c64-petscii.h"

enum { ROWS = 25, COLUMNS = 40, MEMORY = 0x0400 };
enum { LINE = 0xd1, COLUMN = 0xd3, ROW = 0xd6 };
enum { RETURN = 0x0d, DOWN = 0x11, HOME = 0x13, DELETE = 0x14, RIGHT = 0x1d };
enum { SHIFTED_RETURN = 0x8d, UP = 0x91, CLEAR = 0x93, LEFT = 0x9d };

/* The code that the screen's memory holds for a character. */
static uint8_t code_of(uint8_t c)
{
	if (c >= 0xc0)
		return c - 0x80;
	if (c >= 0xa0)
		return c - 0x40;
	if (c >= 0x60)
		return c - 0x20;
	return c >= 0x40 ? c - 0x40 : c;
}

static void set_sign(struct screen *s, int row, int column, uint8_t c)
{
	s->sign[row][column] = c;
	m6502_poke(s->m, MEMORY + row * COLUMNS + column, code_of(c));
}

void screen_move(struct screen *s, int row, int column)
{
	uint16_t line;

	s->row = row < ROWS ? row : ROWS - 1;
	s->column = column % COLUMNS;
	line = MEMORY + s->row * COLUMNS;
	m6502_poke(s->m, LINE, line & 0xff);
	m6502_poke(s->m, LINE + 1, line >> 8);
	m6502_poke(s->m, COLUMN, s->column);
	m6502_poke(s->m, ROW, s->row);
	s->changed = true;
}

void screen_clear(struct screen *s)
{
	for (int row = 0; row < ROWS; row++) {
		for (int column = 0; column < COLUMNS; column++)
			set_sign(s, row, column, ' ');
	}
	screen_move(s, 0, 0);
}

void screen_init(struct screen *s, struct m6502 *m, bool drawn)
{
	s->m = m;
	s->drawn = drawn;
	screen_clear(s);
}

static void scroll(struct screen *s)
{
	for (int row = 0; row < ROWS; row++) {
		for (int column = 0; column < COLUMNS; column++)
			set_sign(s, row, column, row + 1 < ROWS ? s->sign[row + 1][column] : ' ');
	}
}

static void next_line(struct screen *s)
{
	if (s->row == ROWS - 1)
		scroll(s);
	screen_move(s, s->row + 1, 0);
}

static void step_back(struct screen *s)
{
	if (s->column)
		screen_move(s, s->row, s->column - 1);
	else if (s->row)
		screen_move(s, s->row - 1, COLUMNS - 1);
}

static void step_on(struct screen *s)
{
	if (s->column == COLUMNS - 1)
		next_line(s);
	else
		screen_move(s, s->row, s->column + 1);
}

static void delete_before(struct screen *s)
{
	step_back(s);
	set_sign(s, s->row, s->column, ' ');
}

/* Prints a character as it comes, as far as a stream can show it. */
static void print(uint8_t c)
{
	if (c == RETURN || c == SHIFTED_RETURN)
		putchar('\n');
	else if (c == LEFT)
		putchar('\b');
	else if (c == DELETE)
		fputs("\b \b", stdout);
	else
		fputs(petscii_utf8(c), stdout);
}

void screen_put(struct screen *s, uint8_t c)
{
	if (!s->drawn)
		print(c);
	switch (c) {
	case RETURN:
	case SHIFTED_RETURN:
		next_line(s);
		break;
	case DELETE:
		delete_before(s);
		break;
	case LEFT:
		step_back(s);
		break;
	case RIGHT:
		step_on(s);
		break;
	case UP:
		if (s->row)
			screen_move(s, s->row - 1, s->column);
		break;
	case DOWN:
		if (s->row == ROWS - 1)
			scroll(s);
		screen_move(s, s->row + 1, s->column);
		break;
	case HOME:
		screen_move(s, 0, 0);
		break;
	case CLEAR:
		screen_clear(s);
		break;
	default:
		if ((c & 0x7f) < 0x20)
			break;
		set_sign(s, s->row, s->column, c);
		step_on(s);
	}
}

void screen_draw(struct screen *s)
{
	if (s->drawn && s->changed) {
		if (isatty(STDOUT_FILENO))
			fputs("\033[H\033[2J", stdout);
		for (int row = 0; row < ROWS; row++) {
			for (int column = 0; column < COLUMNS; column++)
				fputs(petscii_utf8(s->sign[row][column]), stdout);
			putchar('\n');
		}
		s->changed = false;
	}
	fflush(stdout);
}
