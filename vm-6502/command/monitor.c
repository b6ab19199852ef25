/* SPDX-License-Identifier: MIT */
/* monitor: the debugger's prompt: a table of commands, one function each. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm-6502/command/debug.h"
#include "vm-6502/guest/disassemble.h"

enum outcome { STAY, GO, QUIT };

struct command {
	const char *name, *arguments, *help;
	enum outcome (*run)(struct debug *d, long a, long b);
};

static const struct command commands[];

static struct m6502 *processor(struct debug *d)
{
	return &debug_machine(d)->cpu;
}

static enum outcome go(struct debug *d, long a, long b)
{
	(void)b;
	if (a >= 0)
		processor(d)->pc = a;
	return GO;
}

static enum outcome step(struct debug *d, long a, long b)
{
	(void)b;
	for (long i = 0; i < (a < 0 ? 1 : a); i++) {
		if (m6502_step(processor(d)) != M6502_BUDGET)
			break;
	}
	debug_registers(d, stdout);
	return STAY;
}

static enum outcome registers(struct debug *d, long a, long b)
{
	(void)a, (void)b;
	debug_registers(d, stdout);
	return STAY;
}

static enum outcome code(struct debug *d, long a, long b)
{
	char line[DISASSEMBLE_MOST];
	long at = a < 0 ? processor(d)->pc : a, end = b < 0 ? at + 32 : b;

	while (at <= end && at <= 0xffff) {
		const char *name = symbols_at(debug_symbols(d), at);
		if (name)
			printf("%s:\n", name);
		at += disassemble_line(processor(d), debug_symbols(d), at, line);
		puts(line);
	}
	return STAY;
}

static enum outcome dump(struct debug *d, long a, long b)
{
	long at = a < 0 ? 0 : a, end = b < 0 ? at + 63 : b;

	for (; at <= end && at <= 0xffff; at++) {
		if (at % 16 == 0 || at == a)
			printf("%s%04lx ", at == a ? "" : "\n", at);
		printf(" %02x", m6502_peek(processor(d), at));
	}
	putchar('\n');
	return STAY;
}

static enum outcome set_byte(struct debug *d, long a, long b)
{
	if (a >= 0 && b >= 0)
		m6502_poke(processor(d), a, b);
	return STAY;
}

static enum outcome set_break(struct debug *d, long a, long b)
{
	(void)b;
	if (a >= 0 && !debug_break(d, a))
		puts("there is a breakpoint already");
	return STAY;
}

static enum outcome set_watch(struct debug *d, long a, long b)
{
	(void)b;
	if (a >= 0 && !debug_watch(d, a))
		puts("that address is watched already");
	return STAY;
}

static enum outcome quit(struct debug *d, long a, long b)
{
	(void)d, (void)a, (void)b;
	return QUIT;
}

static enum outcome help(struct debug *d, long a, long b)
{
	(void)d, (void)a, (void)b;
	for (const struct command *c = commands; c->name; c++)
		printf("  %-2s %-12s %s\n", c->name, c->arguments, c->help);
	return STAY;
}

static const struct command commands[] = {
    {"g", "[ADDR]", "go on, from ADDR", go},
    {"s", "[COUNT]", "step one instruction, or COUNT (hexadecimal)", step},
    {"r", "", "registers", registers},
    {"d", "[FROM [TO]]", "disassemble", code},
    {"m", "FROM [TO]", "memory", dump},
    {"e", "ADDR BYTE", "set a byte of memory", set_byte},
    {"b", "ADDR", "set a breakpoint", set_break},
    {"w", "ADDR", "watch an address for writes", set_watch},
    {"q", "", "quit", quit},
    {"?", "", "this list", help},
    {0},
};

static enum outcome obey(struct debug *d, char *line)
{
	char *word = strtok(line, " \t\n"), *text[2];
	long value[2] = {-1, -1};

	if (!word)
		return STAY;
	for (int i = 0; i < 2; i++) {
		text[i] = strtok(NULL, " \t\n");
		if (text[i] && (value[i] = symbols_address(debug_symbols(d), text[i])) < 0) {
			printf("'%s' is neither an address nor a symbol\n", text[i]);
			return STAY;
		}
	}
	for (const struct command *c = commands; c->name; c++) {
		if (strcmp(c->name, word) == 0)
			return c->run(d, value[0], value[1]);
	}
	printf("no command '%s': ? lists them\n", word);
	return STAY;
}

bool debug_monitor(struct debug *d, const char *why)
{
	char line[256];
	enum outcome outcome = STAY;

	puts(why);
	debug_registers(d, stdout);
	while (outcome == STAY) {
		fputs("> ", stdout);
		fflush(stdout);
		if (!fgets(line, sizeof line, stdin)) {
			putchar('\n');
			return false;
		}
		if (!isatty(STDIN_FILENO)) /* so that a log reads like a session */
			fputs(line, stdout);
		outcome = obey(d, line);
	}
	return outcome == GO;
}
