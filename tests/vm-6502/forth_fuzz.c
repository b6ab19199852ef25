/* SPDX-License-Identifier: MIT */
/*
 * forth_fuzz: programs made of random words of the Forth, with the most dangerous numbers. Errors of
 * a line are caught, so the next line runs on what it has left. No crash, no access outside of the
 * emulator's own memory, whatever the guest does to itself. It is built with sanitizers.
 *
 *	forth_fuzz IMAGE [PROGRAMS [SEED]]
 *
 * The program that is running is box/program.fth. Sleeping is replaced, since a guest may ask for
 * any time.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm-6502/guest/forth-image.h"
#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/machine/machine.h"

enum { WORDS_MOST = 2000, LINES = 40, CYCLES = 3000000, SLICE = 100000 };

static char words[WORDS_MOST][32];
static int word_count;
static uint64_t seed;
static char program[32768];

/* Those that end a program or restart it, so that little would be tested. */
static const char *const left_out[] = {
    "bye", "(bye)", "quit", "cold", "start", "main", "start-application", "\\", "("};

static const char *const numbers[] = {
    "0",     "1",     "2",     "-1",    "$7fff", "$8000", "$c8",   "$e4",        "$100",
    "$1f0",  "$200",  "$e600", "$ec00", "$f600", "$fdff", "$fe00", "$fe10",      "$fe20",
    "$fe34", "$feff", "$ff00", "$fffa", "$ffff", "here",  "pad",   "s\" file\"", "12345.",
};

static const char *const starts[] = {": w", "code w", ":noname", "create w", "0 value w"};

int __wrap_nanosleep(const struct timespec *span, struct timespec *rest);

int __wrap_nanosleep(const struct timespec *span, struct timespec *rest)
{
	(void)span, (void)rest;
	return 0;
}

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

static bool wanted(const char *name)
{
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
		if (strcmp(name, left_out[i]) == 0)
			return false;
	}
	return true;
}

/* The words of one list of the image: each header is link 2, line 2, file 1, length 1, name. */
static void take_list(const struct m6502 *m, uint16_t list)
{
	uint16_t nt = m6502_peek16(m, list);

	for (; nt && word_count < WORDS_MOST; nt = m6502_peek16(m, nt)) {
		char *name = words[word_count];
		int length = m6502_peek(m, nt + 5) & 31;
		for (int i = 0; i < length; i++)
			name[i] = m6502_peek(m, nt + 6 + i);
		name[length] = 0;
		word_count += wanted(name);
	}
}

static bool take_words(const struct m6502 *m)
{
	struct forth_image image;
	uint16_t list;

	if (!forth_image_find(&image, m))
		return false;
	for (list = m6502_peek16(m, image.voclink); list; list = m6502_peek16(m, list + 2))
		take_list(m, list);
	return word_count > 500;
}

static char *add(char *to, const char *text)
{
	return stpcpy(stpcpy(to, text), " ");
}

static char *add_line(char *to)
{
	int tokens = 1 + below(14);

	if (below(6) == 0)
		to = add(to, starts[below(sizeof starts / sizeof *starts)]);
	for (int i = 0; i < tokens; i++) {
		if (below(5) < 2)
			to = add(to, numbers[below(sizeof numbers / sizeof *numbers)]);
		else
			to = add(to, words[below(word_count)]);
	}
	if (below(6) == 0)
		to = add(to, "; w");
	return stpcpy(to, "\n");
}

static void make_program(void)
{
	char *to =
	    stpcpy(program, ": lines begin refill while source ['] evaluate catch drop repeat ;\n"
			    "also assembler also profiler also machine also forth definitions\n"
			    "lines\n");

	for (int i = 0; i < LINES; i++)
		to = add_line(to);
}

static void write_program(const char *path)
{
	FILE *file = fopen(path, "w");
	if (!file || fputs(program, file) < 0 || fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

static struct machine *new_machine(const struct machine_options *o)
{
	char err[512];
	struct machine *machine = machine_new(machine_find("forth"), o, err, sizeof err);
	if (!machine) {
		fprintf(stderr, "forth_fuzz: %s\n", err);
		exit(1);
	}
	return machine;
}

/* False: memory is no longer what the processor relies on. */
static bool run_program(const struct machine_options *o)
{
	struct machine *machine = new_machine(o);
	char text[512];
	bool sound;

	while (!machine->left && machine->cpu.cycles < CYCLES) {
		if (m6502_run(&machine->cpu, machine->cpu.cycles + SLICE) == M6502_JAM)
			break;
	}
	machine->kind->where(machine, text, sizeof text);
	sound = m6502_sound(&machine->cpu);
	machine_free(machine);
	return sound;
}

int main(int argc, char **argv)
{
	struct machine_arg arg = {.kind = FORTH_ARG_FILE, .text = "program.fth"};
	struct machine_options o = {.image = argc > 1 ? argv[1] : "forth.img",
				    .load = -1,
				    .start = -1,
				    .dir = "box",
				    .arg = &arg,
				    .args = 1};
	int programs = argc > 2 ? atoi(argv[2]) : 300, tap = dup(STDOUT_FILENO);
	struct machine *machine = new_machine(&o);
	bool sound = true;

	seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 2012;
	if (!take_words(&machine->cpu))
		return puts("not ok 1 - the image has its words"), 1;
	machine_free(machine);
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "r", stdin))
		return 1;
	for (int i = 0; i < programs && sound; i++) {
		make_program();
		write_program("box/program.fth");
		o.pure = i & 1;
		sound = run_program(&o);
	}
	dprintf(tap, "%s 1 - %d programs of random words harm only themselves\n1..1\n",
		sound ? "ok" : "not ok", programs);
	return !sound;
}
