/* SPDX-License-Identifier: MIT */
/*
 * registers.c - calls a function, displaced and not, with random values in all registers, flags, the
 * red zone, MXCSR and the x87 unit, and compares what the two find at their entries (registers.s).
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES 1280
#define ROUNDS      20000

/* The addresses of the latest x87 instruction and its operand: the kernel does not keep them. */
#define LAST_X87       (256 + 12)
#define LAST_X87_BYTES 16

extern unsigned char registers_set[BLOCK_BYTES], registers_seen[BLOCK_BYTES];
extern void (*registers_target)(void);
void registers_probe(void);
void registers_plain(void);
void registers_call(void);
void registers_call_odd(void);

static uint64_t random_word(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void put32(unsigned at, uint32_t word)
{
	memcpy(registers_set + at, &word, sizeof(word));
}

static void make_values(void)
{
	unsigned i;

	for (i = 0; i < BLOCK_BYTES; i += 8) {
		uint64_t word = random_word();

		memcpy(registers_set + i, &word, sizeof(word));
	}
	for (i = 0; i < 8; i++) {
		double value = (double)(int64_t)random_word();

		memcpy(registers_set + 136 + 8 * i, &value, sizeof(value));
	}
	/* carry, parity, adjust, zero, sign, direction, overflow; bit 1 is always set */
	put32(120, ((uint32_t)random_word() & 0xcd5) | 2);
	put32(124, 0);
	put32(128, 0x1f80 | ((uint32_t)random_word() & 0xe03f)); /* rounding, flags; all masked */
	put32(132, 0x37f | ((uint32_t)random_word() & 0xc00));
}

static int differs(void (*call)(void), const char *what)
{
	unsigned char plain[BLOCK_BYTES];
	unsigned i;

	registers_target = registers_plain;
	call();
	memcpy(plain, registers_seen, sizeof(plain));
	memset(registers_seen, 0, sizeof(registers_seen));
	registers_target = registers_probe;
	call();
	memset(plain + LAST_X87, 0, LAST_X87_BYTES);
	memset(registers_seen + LAST_X87, 0, LAST_X87_BYTES);
	for (i = 0; i < BLOCK_BYTES; i++)
		if (plain[i] != registers_seen[i]) {
			printf("%s: byte %u of the block is %02x, not %02x\n", what, i,
			       registers_seen[i], plain[i]);
			return 1;
		}
	return 0;
}

int main(void)
{
	int i, bad = 0;

	if (!__builtin_cpu_supports("avx"))
		return 77;
	for (i = 0; i < ROUNDS && !bad; i++) {
		make_values();
		bad = differs(registers_call, "aligned") || differs(registers_call_odd, "odd");
	}
	printf("%d rounds\n", i);
	return bad;
}
