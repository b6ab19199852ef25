/* SPDX-License-Identifier: MIT */
/*
 * maps.c - the reader of /proc/self/maps (preload/code/maps.h): lines as the kernel writes them,
 * lines that are cut off anywhere, and those of this process, beside what sscanf() reads in them.
 */
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/code/maps.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int number;

static void ok(bool holds, const char *what)
{
	printf("%sok %d - %s\n", holds ? "" : "not ", ++number, what);
}

static bool same(const struct mapping *m, uintptr_t start, uintptr_t end, uintptr_t offset,
		 bool readable, bool executable, const char *path)
{
	return m->start == start && m->end == end && m->offset == offset &&
	       m->readable == readable && m->executable == executable && !strcmp(m->path, path);
}

static const char lines[] =
    "5581e0a00000-5581e0a01000 r--p 00000000 08:01 1234   /usr/bin/a b (deleted)\n"
    "7ffd8c8e9000-7ffd8c90a000 rw-p 00000000 00:00 0      [stack]\n"
    "7f0000000000-7f0000021000 ---p 00000000 00:00 0 \n"
    "ffffffffff600000-ffffffffff601000 --xp 0000abcd 00:00 0 [vsyscall]";

static bool reads_lines(void)
{
	char copy[sizeof lines], *s = copy;
	struct mapping m;

	memcpy(copy, lines, sizeof copy);
	return maps_next(&s, &m) &&
	       same(&m, 0x5581e0a00000, 0x5581e0a01000, 0, true, false, "/usr/bin/a b (deleted)") &&
	       maps_next(&s, &m) &&
	       same(&m, 0x7ffd8c8e9000, 0x7ffd8c90a000, 0, true, false, "[stack]") &&
	       maps_next(&s, &m) && same(&m, 0x7f0000000000, 0x7f0000021000, 0, false, false, "") &&
	       maps_next(&s, &m) &&
	       same(&m, 0xffffffffff600000, 0xffffffffff601000, 0xabcd, false, true,
		    "[vsyscall]") &&
	       !maps_next(&s, &m);
}

/* The bytes after the end may not be looked at: each text ends where memory does. */
static bool reads_cut_lines(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || mprotect(page + 4096, 4096, PROT_NONE))
		return false;
	for (size_t n = 0; n < sizeof lines; n++) {
		char *s = page + 4096 - n - 1;
		struct mapping m;

		memcpy(s, lines, n);
		s[n] = 0;
		while (maps_next(&s, &m))
			;
		if (s > page + 4095)
			return false;
	}
	return true;
}

static bool refuses(const char *text)
{
	char copy[64], *s = copy;
	struct mapping m;

	strcpy(copy, text);
	return !maps_next(&s, &m) && s == copy;
}

/* The maps of this process, read once: sscanf() gets a copy of each line before it is cut. */
static bool agrees_with_scanf(void)
{
	char *text, *s, line[8192];
	size_t mapped;
	struct mapping m;
	long n = sys_read_file("/proc/self/maps", &text, &mapped);
	int count = 0;
	bool good = n > 0;

	for (s = text; good && *s; count++) {
		unsigned long start, end, offset;
		char access[5], path[4096] = "";
		size_t bytes = strcspn(s, "\n");

		memcpy(line, s, bytes);
		line[bytes] = 0;
		sscanf(line, "%lx-%lx %4s %lx %*s %*s %4095[^\n]", &start, &end, access, &offset,
		       path);
		good = maps_next(&s, &m) &&
		       same(&m, start, end, offset, access[0] == 'r', access[2] == 'x', path);
	}
	return good && count > 5;
}

static bool reads_hex(const char *text, uint64_t n, size_t bytes)
{
	char copy[64], *s = copy;

	strcpy(copy, text);
	return text_take_hex(&s) == n && s == copy + bytes;
}

int main(void)
{
	printf("1..5\n");
	ok(reads_lines(), "lines with a path, a path with spaces, no path, and without a newline");
	ok(reads_cut_lines(), "a line that is cut off anywhere is not read past its end");
	ok(refuses("") && refuses("\n") && refuses("-7f00 r--p 0 0:0 0\n") &&
	       refuses("7f00 7f10 r--p 0 0:0 0\n") && refuses("7f00-7f10\n") &&
	       refuses("7f00-7f10 r-") && refuses("VmSize: 12 kB\n"),
	   "text of another form is refused, and stays where it is");
	ok(agrees_with_scanf(), "the mappings of this process are those that sscanf() reads");
	ok(reads_hex("0", 0, 1) && reads_hex("7f5a1c021000-", 0x7f5a1c021000, 12) &&
	       reads_hex("ffffffffffffffff", UINT64_MAX, 16) && reads_hex("", 0, 0) &&
	       reads_hex("xyz", 0, 0) && reads_hex("1A", 1, 1),
	   "hexadecimal numbers are read up to what is none");
	return 0;
}
