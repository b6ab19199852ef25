/* SPDX-License-Identifier: MIT */
/* make_profile.c - `make_profile FILE`: a profile from the text on stdin (see
 * tests/core/profile_builder.h), for scripts. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/core/profile_builder.h"

int main(int argc, char **argv)
{
	static char text[1 << 20];
	size_t bytes, n = fread(text, 1, sizeof text - 1, stdin);
	text[n] = 0;
	void *file = argc == 2 ? profile_build(text, &bytes) : NULL;
	FILE *to = file ? fopen(argv[1], "wb") : NULL;
	bool ok = to && fwrite(file, 1, bytes, to) == bytes && fclose(to) == 0;
	if (!ok)
		fprintf(stderr, "usage: make_profile FILE <TEXT\n");
	free(file);
	return ok ? 0 : 1;
}
