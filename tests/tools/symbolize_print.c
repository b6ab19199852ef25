/* SPDX-License-Identifier: MIT */
/*
 * Answers like `eu-addr2line -f -i`, so that the tests and the bench can compare the two.
 *
 *	symbolize_print [-a] [-b BUILD-ID] [-C] [-m] [-n] [-v] FILE <ADDRESSES
 *
 * For each address, innermost first, the name of a function and where it is: two lines each, `??`
 * and `??:0` where unknown. -a puts the address before them, -b gives the build-id that the file
 * must have, -C demangles, -m prints on stderr how many KB of memory it took. -n prints one line per
 * address instead, the answer of symbolize_after(), or `-`; -v one line per address with all that symbolize_lookup() tells: quality, start, size, the file and
 * line of the function, its linkage name and its name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

static size_t read_hex(const char *text, unsigned char *bytes, size_t room)
{
	size_t count = 0;

	while (count < room && sscanf(text + 2 * count, "%2hhx", &bytes[count]) == 1)
		count++;
	return count;
}

int main(int argc, char **argv)
{
	struct symbolizer *s = symbolize_new();
	bool address_too = false, demangle = false, memory = false, near = false, verbose = false;
	struct symbolize_module *m;
	struct symbolize_result r;
	char text[64];
	unsigned char id[64];
	size_t id_bytes = 0;
	int option;

	while ((option = getopt(argc, argv, "ab:Cmnv")) != -1) {
		address_too |= option == 'a';
		demangle |= option == 'C';
		memory |= option == 'm';
		near |= option == 'n';
		verbose |= option == 'v';
		if (option == 'b')
			id_bytes = read_hex(optarg, id, sizeof(id));
	}
	if (!s || optind + 1 != argc) {
		fprintf(
		    stderr,
		    "usage: symbolize_print [-a] [-b BUILD-ID] [-C] [-m] [-n] [-v] FILE <ADDRESSES\n");
		return 2;
	}
	m = symbolize_add(s, argv[optind], id, id_bytes, SYMBOLIZE_FILE);
	while (m && fgets(text, sizeof(text), stdin)) {
		uint64_t address = strtoull(text, NULL, 16);

		symbolize_lookup(m, address, &r);
		if (address_too)
			printf("%#llx\n", (unsigned long long)address);
		if (near)
			puts(symbolize_after(m, address) ? symbolize_after(m, address) : "-");
		else if (verbose)
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
