/* SPDX-License-Identifier: MIT */
/*
 * inside_zlib.c - a user of zlib (inside_zlib.sh): packs blocks of words and of a noisy picture at three
 * levels, and unpacks each four times. Nearly all of its time is in the library, below pack() and unpack().
 *
 *     inside_zlib TURNS KILOBYTES     so many KILOBYTES are packed by one call, 1024 at most
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MOST 1024

static unsigned char plain[MOST << 10], back[MOST << 10], packed[MOST << 11];

static unsigned draw(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16;
}

static void fill(size_t bytes)
{
	static const char *const words[] = {"the ",     "profile ", "of ",    "a ",
					    "program ", "tells ",   "where ", "time ",
					    "goes, ",   "call ",    "by ",    "call.\n"};
	unsigned seed = 1;
	size_t at = 0;

	while (at < bytes / 2) {
		const char *word = words[draw(&seed) % 12];

		if (draw(&seed) % 5 == 0)
			at += (size_t)sprintf((char *)plain + at, "%u ", draw(&seed));
		memcpy(plain + at, word, strlen(word));
		at += strlen(word);
	}
	for (; at < bytes; at++)
		plain[at] = (unsigned char)(at / 512 + draw(&seed) % 6);
}

__attribute__((noinline)) static uLongf pack(int level, size_t bytes)
{
	uLongf result = sizeof(packed);

	if (compress2(packed, &result, plain, bytes, level) != Z_OK)
		exit(1);
	return result;
}

__attribute__((noinline)) static void unpack(uLongf from, size_t bytes)
{
	uLongf result = sizeof(back);

	if (uncompress(back, &result, packed, from) != Z_OK || result != bytes)
		exit(1);
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 100;
	size_t bytes = (size_t)(argc > 2 ? atoi(argv[2]) : MOST) << 10;

	fill(bytes);
	for (int i = 0; i < turns; i++) {
		uLongf result = pack(1 + i % 3 * 4, bytes);

		for (int j = 0; j < 4; j++)
			unpack(result, bytes);
		if (memcmp(plain, back, bytes) != 0)
			return 1;
	}
	return 0;
}
