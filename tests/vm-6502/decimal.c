/* SPDX-License-Identifier: MIT */
/*
 * decimal: ADC and SBC in decimal mode for all 2 x 131,072 inputs (A, operand, carry), on both
 * processors and both cores, against a model written from the rules of decimal arithmetic and not
 * from the chip's circuit: for operands of decimal digits, the result is what a schoolchild gets
 * and C its carry; elsewhere, and for N, V and Z, the rules are stated as Bruce Clark measured them
 * (decimal mode, appendix A: sequences 1 to 4), in his signed form.
 */
#include <stdio.h>

#include "vm-6502/cpu/m6502.h"

static struct m6502 m;

struct outcome {
	int a, n, v, z, c;
};

static int signed_byte(int value)
{
	return value & 0x80 ? value - 0x100 : value;
}

static struct outcome model_add(int cmos, int a, int b, int c)
{
	int low = (a & 0x0f) + (b & 0x0f) + c, sum, signed_sum;
	struct outcome o;

	if (low >= 0x0a)
		low = ((low + 0x06) & 0x0f) + 0x10;
	sum = (a & 0xf0) + (b & 0xf0) + low;
	signed_sum = signed_byte(a & 0xf0) + signed_byte(b & 0xf0) + low;
	o.n = sum >> 7 & 1;
	o.v = signed_sum < -128 || signed_sum > 127;
	if (sum >= 0xa0)
		sum += 0x60;
	o.c = sum >= 0x100;
	o.a = sum & 0xff;
	o.z = ((a + b + c) & 0xff) == 0;
	if (cmos)
		o.n = o.a >> 7, o.z = o.a == 0;
	return o;
}

static struct outcome model_sub(int cmos, int a, int b, int c)
{
	int low = (a & 0x0f) - (b & 0x0f) + c - 1, result, binary = a - b + c - 1;
	int signed_result = signed_byte(a) - signed_byte(b) + c - 1;
	struct outcome o;

	if (!cmos) {
		if (low < 0)
			low = ((low - 0x06) & 0x0f) - 0x10;
		result = (a & 0xf0) - (b & 0xf0) + low;
		if (result < 0)
			result -= 0x60;
	} else {
		result = binary;
		if (result < 0)
			result -= 0x60;
		if (low < 0)
			result -= 0x06;
	}
	o.a = result & 0xff;
	o.c = binary >= 0;
	o.v = signed_result < -128 || signed_result > 127;
	o.n = (cmos ? o.a : binary) >> 7 & 1;
	o.z = ((cmos ? o.a : binary) & 0xff) == 0;
	return o;
}

/* What sums of decimal digits must be, independent of the model above. */
static int schoolbook(int subtract, int a, int b, int c, struct outcome o)
{
	int x = (a >> 4) * 10 + (a & 15), y = (b >> 4) * 10 + (b & 15), r;

	if ((a & 15) > 9 || a > 0x99 || (b & 15) > 9 || b > 0x99)
		return 1;
	r = subtract ? x - y - !c : x + y + c;
	if (o.c != (subtract ? r >= 0 : r > 99))
		return 0;
	r = (r + 100) % 100;
	return o.a == (r / 10 << 4 | r % 10);
}

/* One instruction at 0200; exact: on the exact core. */
static struct outcome run(int exact, int subtract, int a, int b, int c)
{
	uint8_t p;

	m6502_poke(&m, 0x0200, subtract ? 0xe9 : 0x69);
	m6502_poke(&m, 0x0201, b);
	m6502_poke(&m, 0x0202, 0x4c); /* JMP: there the fast core looks at its budget */
	m.pc = 0x0200;
	m.a = a;
	m6502_set_p(&m, M6502_D | (c ? M6502_C : 0));
	if (exact)
		m6502_step(&m);
	else
		m6502_run(&m, m.cycles + 1);
	p = m6502_p(&m);
	return (struct outcome){m.a, p >> 7, p >> 6 & 1, p >> 1 & 1, p & 1};
}

static int same(struct outcome x, struct outcome y)
{
	return x.a == y.a && x.n == y.n && x.v == y.v && x.z == y.z && x.c == y.c;
}

/* All inputs of one instruction; the number of wrong ones. */
static long check(int cmos, int subtract)
{
	long wrong = 0;

	for (int i = 0; i < 0x20000; i++) {
		int a = i & 0xff, b = i >> 8 & 0xff, c = i >> 16;
		struct outcome o = subtract ? model_sub(cmos, a, b, c) : model_add(cmos, a, b, c);
		int good = schoolbook(subtract, a, b, c, o) && same(o, run(0, subtract, a, b, c)) &&
			   same(o, run(1, subtract, a, b, c));
		if (!good && wrong++ < 5)
			printf("# %s %02x, %02x, carry %d\n", subtract ? "sbc" : "adc", a, b, c);
	}
	return wrong;
}

int main(void)
{
	long wrong = 0;

	for (int i = 0; i < 4; i++) {
		long w;
		m6502_init(&m, i < 2 ? M6502_NMOS : M6502_CMOS);
		w = check(i >= 2, i & 1);
		printf("%sok %d - %s %s in decimal mode, 131,072 inputs\n", w ? "not " : "", i + 1,
		       i < 2 ? "6502" : "65C02", i & 1 ? "sbc" : "adc");
		wrong += w;
	}
	puts("1..4");
	return wrong != 0;
}
