/* SPDX-License-Identifier: MIT */
/*
 * bench: emulated speed against sim65, on the same images.
 *
 *	bench VM-6502 IMAGE…          sim65 programs (bench/sim65.cfg) that end with JSR $fff9
 *	bench --trap IMAGE            what a hook costs at an address that runs often
 *
 * Runs of the two alternate, and the fastest of seven counts; the time is the whole process's. It
 * also compares the cycles that both count: sim65 leaves out the last JSR, 6 cycles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm-6502/cpu/m6502.h"

enum { RUNS = 7, HEADER = 12 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Runs a command; seconds, and the first number that it prints behind `before`. */
static double run(char *const command[], const char *before, unsigned long long *cycles)
{
	char text[512] = "", *at;
	int out[2], status;
	double began = now();
	ssize_t n;
	pid_t pid;

	if (pipe(out) != 0 || (pid = fork()) < 0)
		exit(2);
	if (pid == 0) {
		dup2(out[1], 1);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	close(out[1]);
	n = read(out[0], text, sizeof text - 1);
	waitpid(pid, &status, 0);
	close(out[0]);
	text[n < 0 ? 0 : n] = 0;
	at = strstr(text, before);
	if (status != 0 || !at) {
		fprintf(stderr, "bench: %s failed\n", command[0]);
		exit(1);
	}
	*cycles = strtoull(at + strlen(before), NULL, 10);
	return now() - began;
}

static int against_sim65(char *vm, char *image)
{
	char *ours[] = {vm,
			(char[]){"--machine=flat"},
			(char[]){"--skip=12"},
			(char[]){"--load=400"},
			(char[]){"--stop=fff9"},
			image,
			NULL};
	char *theirs[] = {(char[]){"sim65"}, (char[]){"-c"}, image, NULL};
	const char *name = strrchr(image, '/');
	double best = 1e9, best_theirs = 1e9;
	unsigned long long cycles = 0, cycles_theirs = 0;

	for (int i = 0; i < RUNS; i++) {
		double t = run(ours, "after ", &cycles), u = run(theirs, "", &cycles_theirs);
		best = t < best ? t : best;
		best_theirs = u < best_theirs ? u : best_theirs;
	}
	printf("%-16s %11llu cycles %8.0f MHz %8.0f MHz sim65 %7.2f times%s\n",
	       name ? name + 1 : image, cycles, cycles / best * 1e-6, cycles / best_theirs * 1e-6,
	       best_theirs / best,
	       cycles == cycles_theirs + 6 ? "" : "  (sim65 counts other cycles!)");
	return cycles != cycles_theirs + 6;
}

static struct m6502 m;
static unsigned long long times;

static bool stop_here(struct m6502 *cpu, struct m6502_hook *hook)
{
	(void)hook;
	m6502_stop(cpu);
	return false;
}

static M6502_HOT bool only_count(struct m6502 *cpu, struct m6502_hook *hook)
{
	(void)cpu, (void)hook;
	times++;
	return false;
}

/* NEXT of bench/forth.s, as its 35 or so cycles do it. */
static M6502_HOT bool native_next(struct m6502 *cpu, struct m6502_hook *hook)
{
	enum { IP = 0x43, IP2 = 0x48, W = 0x60 };
	uint16_t ip = m6502_peek16(cpu, IP), token = m6502_peek16(cpu, ip), to = ip + 2;
	unsigned low = (ip & 0xff) + 2, crossed = ((ip & 0xff) + 1) >> 8;

	(void)hook;
	times++;
	m6502_poke(cpu, W, token & 0xff), m6502_poke(cpu, W + 1, token >> 8);
	m6502_poke(cpu, IP, to & 0xff), m6502_poke(cpu, IP + 1, to >> 8);
	m6502_poke(cpu, IP2, to & 0xff), m6502_poke(cpu, IP2 + 1, to >> 8);
	cpu->y = 1;
	cpu->a = low & 0xff;
	cpu->c = low >> 8;
	cpu->nz = low >> 8 ? to >> 8 : low & 0xff;
	cpu->v = low == 0x80 || low == 0x81 ? 0x80 : 0;
	cpu->cycles += 2 + 4 + 3 + 4 + crossed + 3 + 2 + 3 + 2 + 3 + 3 + 5 + 2 +
		       (low >> 8 ? 1 + 5 + 5 + 3 : 0);
	cpu->pc = token;
	return true;
}

static double run_hooked(const uint8_t *bytes, size_t size, uint16_t at, struct m6502_hook *hook)
{
	static struct m6502_hook end = {.run = stop_here};
	double began;

	m6502_init(&m, M6502_NMOS);
	m6502_load(&m, 0x0400, bytes + HEADER, size - HEADER);
	m6502_set_hook(&m, 0xfff9, &end);
	if (hook)
		m6502_set_hook(&m, at, hook);
	m.pc = 0x0400;
	times = 0;
	began = now();
	m6502_run(&m, M6502_NEVER - 1);
	return now() - began;
}

static int trap(const char *image)
{
	static uint8_t bytes[0x10000];
	struct m6502_hook count = {.run = only_count}, native = {.run = native_next};
	FILE *file = fopen(image, "rb");
	size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
	double none = 1e9, counted = 1e9, ran = 1e9;
	uint64_t cycles[3];

	if (size <= HEADER)
		return perror(image), 1;
	fclose(file);
	for (int i = 0; i < 3 * RUNS; i++) {
		double t = run_hooked(bytes, size, 0, NULL);
		cycles[0] = m.cycles;
		double u = run_hooked(bytes, size, 0x40, &count);
		cycles[1] = m.cycles;
		double v = run_hooked(bytes, size, 0x40, &native);
		cycles[2] = m.cycles;
		none = t < none ? t : none;
		counted = u < counted ? u : counted;
		ran = v < ran ? v : ran;
	}
	printf("a hook at NEXT, run every %.0f cycles: %.0f MHz without, %.0f MHz counting (%+.1f "
	       "%%), "
	       "%.0f MHz running NEXT natively (%+.1f %%)%s\n",
	       (double)cycles[0] / times, cycles[0] / none * 1e-6, cycles[0] / counted * 1e-6,
	       (counted / none - 1) * 100, cycles[0] / ran * 1e-6, (ran / none - 1) * 100,
	       cycles[1] == cycles[0] && cycles[2] == cycles[0] ? "" : "  (cycles differ!)");
	return cycles[1] != cycles[0] || cycles[2] != cycles[0];
}

int main(int argc, char **argv)
{
	int bad = 0;

	if (argc == 3 && strcmp(argv[1], "--trap") == 0)
		return trap(argv[2]);
	for (int i = 2; i < argc; i++)
		bad |= against_sim65(argv[1], argv[i]);
	return bad;
}
