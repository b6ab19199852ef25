/* SPDX-License-Identifier: MIT */
/*
 * forth-console: the guest's keyboard and screen: stdin, stdout and the terminal behind them, if
 * there is one. The terminal is in its normal mode whenever a line is read or the emulator ends or
 * is suspended, and gives single keys in between; Ctrl-C stays a signal. Lines typed are kept in
 * the file that VM_6502_HISTORY names, or ~/.vm-6502-history; if it is empty, none are kept.
 */
#ifndef VM_6502_FORTH_CONSOLE_H
#define VM_6502_FORTH_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct console;

struct console *console_new(void); /* NULL: out of memory */
void console_free(struct console *c);

/* Waits for a byte; -1 at the end of input, -2 when a signal broke the wait. */
int console_get(struct console *c);

/* FORTH_CON_… bits; doesn't wait. */
uint8_t console_state(struct console *c);

/* Reads a line without its newline, and returns its length. More than `room` bytes are dropped. -1
 * at the end of input; -2 when a signal broke the wait: the line typed so far is lost. */
long console_line(struct console *c, char *line, size_t room);

/* Another program will use the terminal for a while: sets its normal mode. */
void console_lend(struct console *c);

void console_put(struct console *c, uint8_t byte);

/*
 * Writes a byte to stderr. If stderr and stdout are the same file, a message begins on a new line.
 */
void console_error(struct console *c, uint8_t byte);

void console_flush(struct console *c);
void console_size(struct console *c, uint8_t *columns, uint8_t *rows);

#endif
