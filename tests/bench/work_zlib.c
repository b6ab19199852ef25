/* SPDX-License-Identifier: MIT */
/*
 * work_zlib.c - zlib, instrumented, packs and unpacks small texts, one after another: functions
 * that loop for long beside some that are called for every few bytes. One thread only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/work.h"
#include "zlib.h"

enum { BYTES = 20000 };

/* Words of a small vocabulary, so that there is something to find. */
UNSEEN static void write_text(unsigned char *to, unsigned seed)
{
	int i;

	for (i = 0; i < BYTES; i++) {
		seed = seed * 1103515245u + 12345u;
		to[i] = (seed >> 28)
			    ? (unsigned char)('a' + (seed >> 16) % 17 * ((seed >> 24) % 3) % 26)
			    : ' ';
	}
}

void work(unsigned long pairs)
{
	enum {
		CALLS = 33000
	}; /* A text makes 9,000 calls; but they take 100 ns each, and a slice
	      should be short. */
	static unsigned char text[BYTES], packed[BYTES * 2], back[BYTES];
	unsigned long i;

	for (i = 0; i < pairs / CALLS + 1; i++) {
		uLongf packed_bytes = sizeof(packed), bytes = sizeof(back);

		write_text(text, (unsigned)i);
		if (compress2(packed, &packed_bytes, text, BYTES, 6) != Z_OK ||
		    uncompress(back, &bytes, packed, packed_bytes) != Z_OK || bytes != BYTES ||
		    memcmp(text, back, BYTES)) {
			fprintf(stderr, "zlib does not give back what it was given\n");
			exit(1);
		}
	}
}
