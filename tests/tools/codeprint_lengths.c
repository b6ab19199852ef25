/* SPDX-License-Identifier: MIT */
/* codeprint_lengths.c - `codeprint_lengths`: reads instructions, one per line as hexadecimal bytes, and prints those
 * whose length codeprint gets wrong. The last line says how many there were. */
#include <stdio.h>
#include <string.h>

#include "symbolize/instruction.h"

int main(void)
{
	char line[256];
	size_t all = 0, wrong = 0;
	while (fgets(line, sizeof line, stdin)) {
		uint8_t code[32] = {0};
		unsigned n = 0, byte;
		int used;
		for (const char *at = line; n < 15 && sscanf(at, "%2x%n", &byte, &used) == 1;
		     at += used)
			code[n++] = (uint8_t)byte;
		struct instruction i;
		if (!n)
			continue;
		all++;
		if (!instruction_decode(code, sizeof code, &i) || i.length != n) {
			wrong++;
			printf("%u: %s", i.length, line);
		}
	}
	printf("%zu instructions, %zu wrong\n", all, wrong);
	return wrong != 0;
}
