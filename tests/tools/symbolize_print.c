/* SPDX-License-Identifier: MIT */
/*
 * Answers like `eu-addr2line -f -i`, for the tests and the bench to hold one against the other.
 *
 *	symbolize_print [-a] [-C] [-m] [-v] FILE <ADDRESSES
 *
 * For each address, innermost first, the name of a function and where it is: two lines each, `??`
 * and `??:0` where unknown. -a puts the address before them, -C demangles, -m says on stderr how
 * many KB of memory it took. -v prints instead one line an address, with all that
 * symbolize_lookup() tells: quality, start, size, the file and line of the function, its linkage
 * name and its name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "symbolize/symbolize.h"

static void print_place(const char *file, unsigned line)
{
	printf("%s:%u\n", file ? file : "??", line);
}

static void print_frames(const struct symbolize_result *r, bool demangle)
{
	const char *file = r->at_file;
	unsigned line = r->at_line;

	for (size_t i = r->frame_count; i-- > 0;) {
		const struct symbolize_frame *frame = &r->frames[i];

		if (r->quality == SYMBOLIZE_NONE)
			puts("??");
		else
			puts(demangle ? frame->name : frame->linkage);
		print_place(file, line);
		file = frame->call_file;
		line = frame->call_line;
	}
}

static void print_all(uint64_t address, const struct symbolize_result *r)
{
	printf("%#llx %s %#llx %llu %s:%u %s %s\n", (unsigned long long)address,
	       symbolize_quality_name(r->quality), (unsigned long long)r->start,
	       (unsigned long long)r->size, r->file ? r->file : "??", r->line, r->linkage, r->name);
}

static void print_memory(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) == 0)
		fprintf(stderr, "%ld\n", usage.ru_maxrss);
}

int main(int argc, char **argv)
{
	struct symbolizer *s = symbolize_new();
	bool address_too = false, demangle = false, memory = false, verbose = false;
	struct symbolize_module *m;
	struct symbolize_result r;
	char text[64];
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		address_too |= strcmp(argv[i], "-a") == 0;
		demangle |= strcmp(argv[i], "-C") == 0;
		memory |= strcmp(argv[i], "-m") == 0;
		verbose |= strcmp(argv[i], "-v") == 0;
	}
	if (!s || i + 1 != argc) {
		fprintf(stderr, "usage: symbolize_print [-a] [-C] [-m] [-v] FILE <ADDRESSES\n");
		return 2;
	}
	m = symbolize_add(s, argv[i], NULL, 0, SYMBOLIZE_FILE);
	while (m && fgets(text, sizeof(text), stdin)) {
		uint64_t address = strtoull(text, NULL, 16);

		symbolize_lookup(m, address, &r);
		if (address_too)
			printf("%#llx\n", (unsigned long long)address);
		if (verbose)
			print_all(address, &r);
		else
			print_frames(&r, demangle);
	}
	if (m && symbolize_notice(m))
		fprintf(stderr, "symbolize_print: %s\n", symbolize_notice(m));
	if (memory)
		print_memory();
	symbolize_free(s);
	return 0;
}
