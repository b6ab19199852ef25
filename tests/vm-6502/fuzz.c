/* SPDX-License-Identifier: MIT */
/*
 * fuzz: any 64 KiB image, any start, any processor, hooks anywhere: no crash, no access outside
 * the struct, and the two memories stay in step. Under libFuzzer (make fuzz-6502) the input is fuzzed;
 * alone it runs 300 random inputs, or the files given.
 *
 *	input: byte 0 processor (bit 0) and core (bit 1); 1-2 start; 3 P; 4-5 IRQ; 6-7 NMI;
 *	       8-15 addresses of hooks; the rest is repeated to fill memory
 */
#include <stdio.h>
#include <stdlib.h>

#include "vm-6502/cpu/m6502.h"

static struct m6502 m;

static bool skip_one(struct m6502 *cpu, struct m6502_hook *hook)
{
	(void)hook;
	cpu->pc = (cpu->pc + 1) & 0xffff;
	cpu->cycles++;
	return cpu->cycles & 1;
}

static uint8_t read_cycle(struct m6502 *cpu, struct m6502_hook *hook, uint16_t at)
{
	(void)hook;
	if (at & 1)
		m6502_irq(cpu, cpu->cycles + 30);
	return cpu->cycles;
}

static void write_anything(struct m6502 *cpu, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	(void)hook, (void)at;
	m6502_poke(cpu, value << 8 | value, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct m6502_hook hook[4] = {{.run = skip_one},
				     {.read = read_cycle, .write = write_anything},
				     {.write = write_anything},
				     {.run = skip_one, .read = read_cycle}};
	struct m6502_observer observer = {0};

	if (size < 17)
		return 0;
	m6502_init(&m, data[0] & 1 ? M6502_CMOS : M6502_NMOS);
	for (unsigned i = 0; i < 0x10000; i++)
		m6502_poke(&m, i, data[16 + i % (size - 16)]);
	m.observer = data[0] & 2 ? &observer : NULL;
	m.stop_on_loop = data[0] & 4;
	m.pc = data[1] | data[2] << 8;
	m6502_set_p(&m, data[3]);
	if (data[5])
		m6502_irq(&m, data[4] | data[5] << 8);
	if (data[7])
		m6502_nmi(&m, data[6] | data[7] << 8);
	for (int i = 0; i < 4; i++)
		m6502_set_hook(&m, data[8 + 2 * i] | data[9 + 2 * i] << 8, &hook[i]);
	for (int i = 0; i < 4; i++)
		m6502_run(&m, 20000 * (i + 1));
	if (!m6502_sound(&m) || m.pc > 0xffff)
		abort();
	return 0;
}

#ifndef LIBFUZZER
static int run_file(const char *path)
{
	static uint8_t bytes[0x10000 + 16];
	FILE *file = fopen(path, "rb");
	if (!file)
		return perror(path), 1;
	LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, sizeof bytes, file));
	fclose(file);
	return 0;
}

int main(int argc, char **argv)
{
	static uint8_t bytes[0x10000 + 16];
	uint64_t seed = 6502;

	for (int i = 1; i < argc; i++) {
		if (run_file(argv[i]))
			return 1;
	}
	for (int i = 0; i < 300 && argc == 1; i++) {
		size_t size = i % 3 ? sizeof bytes : 17 + (size_t)i;
		for (size_t j = 0; j < size; j++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			bytes[j] = seed >> 56;
		}
		LLVMFuzzerTestOneInput(bytes, size);
	}
	puts("ok 1 - any image, any start: the core stays inside its struct\n1..1");
	return 0;
}
#endif
