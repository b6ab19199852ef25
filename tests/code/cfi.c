/* SPDX-License-Identifier: MIT */
/*
 * cfi.c - the reader of call frame instructions (preload/code/cfi.h): each kind of instruction, whole, and cut off
 * anywhere, as in a damaged file. What is cut off is the last of its entry, and the bytes after the end may not be
 * looked at: each text ends where memory does.
 */
#include "preload/code/cfi.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* DWARF 5, table 7.29. */
static const struct instruction {
	const char *name, *bytes;
	uint32_t length;
	uint64_t advances;
	int64_t offset;
} instructions[] = {
    {"advance_loc 5", "\x45", 1, 5, 0},
    {"advance_loc1 200", "\x02\xc8", 2, 200, 0},
    {"advance_loc2 0x102", "\x03\x02\x01", 3, 0x102, 0},
    {"advance_loc4 0x10203", "\x04\x03\x02\x01\x00", 5, 0x10203, 0},
    {"offset r6 2", "\x86\x02", 2, 0, 0},
    {"restore r6", "\xc6", 1, 0, 0},
    {"offset_extended r6 200", "\x05\x06\xc8\x01", 4, 0, 0},
    {"def_cfa r7 200", "\x0c\x07\xc8\x01", 4, 0, 0},
    {"def_cfa_register r6", "\x0d\x06", 2, 0, 0},
    {"def_cfa_offset 200", "\x0e\xc8\x01", 3, 0, 200},
    {"def_cfa_expression breg7 8 deref", "\x0f\x03\x77\x08\x06", 5, 0, 0},
    {"expression r6 breg6 -8", "\x10\x06\x02\x76\x78", 5, 0, 0},
    {"GNU_args_size 200", "\x2e\xc8\x01", 3, 0, 0},
    {"remember_state", "\x0a", 1, 0, 0},
    {"restore_state", "\x0b", 1, 0, 0},
    {"nop", "\x00", 1, 0, 0},
};

enum { COUNT = sizeof(instructions) / sizeof(*instructions), PAGE = 4096 };

static unsigned char *end; /* of memory that can be read */
static int number, failed;

static void ok(bool holds, const char *name, const char *what)
{
	failed += !holds;
	printf("%sok %d - %s: %s\n", holds ? "" : "not ", ++number, name, what);
}

/* The first `length` bytes of the instruction, as all that an entry has. */
static struct cfi_code entry_of(const struct instruction *i, uint32_t length)
{
	memcpy(end - length, i->bytes, length);
	return (struct cfi_code){.at = end - length, .end = end};
}

static bool read_whole(const struct instruction *i)
{
	struct cfi_code code = entry_of(i, i->length);
	struct cfi_step step;

	return cfi_code_next(&code, &step) && step.length == i->length &&
	       step.advances == (i->advances != 0) && (!i->advances || step.bytes == i->advances) &&
	       step.offset == i->offset && !cfi_code_next(&code, &step);
}

static bool read_cut(const struct instruction *i)
{
	uint32_t length;

	for (length = 1; length < i->length; length++) {
		struct cfi_code code = entry_of(i, length);
		struct cfi_step step;

		if (!cfi_code_next(&code, &step) || step.length != length ||
		    cfi_code_next(&code, &step))
			return false;
	}
	return true;
}

int main(void)
{
	char *pages =
	    mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t i;

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE))
		return 1;
	end = (unsigned char *)pages + PAGE;
	for (i = 0; i < COUNT; i++) {
		ok(read_whole(&instructions[i]), instructions[i].name, "is read");
		if (instructions[i].length > 1)
			ok(read_cut(&instructions[i]), instructions[i].name,
			   "ends its entry where it is cut off");
	}
	printf("1..%d\n", number);
	return failed != 0;
}
