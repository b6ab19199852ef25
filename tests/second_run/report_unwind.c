/* SPDX-License-Identifier: MIT */
/*
 * report_unwind.c - what is mapped where, as a program becomes another one: a file forgets all that lay
 * where it lies now, be it by a single page, and no other; and stacks are followed by the tables of
 * those that are left.
 *
 * The files are copies of this program, and a small one:
 *
 *     copy   [ headers | text | data ]      of which the text alone is told of
 *     small  [text]                         a page
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/second_run/unwind.h"

enum { PAGE = 4096, FRAME_WORDS = 6 };

/* A frame of FRAME_WORDS words, the last of which is where it returns to (framed_PROCESSOR.c). */
void framed(void);
extern const char framed_inside[];

/* Of this program, as its file has it: addresses without a bias. */
static struct {
	uint64_t start, end, text, text_end, text_offset, framed;
} self;

static struct unwind *u;

static uint64_t page_of(uint64_t address)
{
	return address & -(uint64_t)PAGE;
}

static int learn_of_self(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	(void)bytes, (void)unused;
	self.start = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD)
			continue;
		if (p->p_vaddr < self.start)
			self.start = p->p_vaddr;
		if (p->p_vaddr + p->p_memsz > self.end)
			self.end = p->p_vaddr + p->p_memsz;
		if (!(p->p_flags & PF_X))
			continue;
		self.text = page_of(p->p_vaddr);
		self.text_end = p->p_vaddr + p->p_memsz;
		self.text_offset = page_of(p->p_offset);
	}
	self.framed = (uintptr_t)framed_inside - info->dlpi_addr;
	return 1; /* the program itself comes first */
}

static void copy_self(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_WRONLY | O_CREAT, 0700);
	struct stat st;
	off_t done = 0;
	assert_true(from >= 0 && to >= 0 && !fstat(from, &st));
	while (done < st.st_size)
		assert_true(sendfile(to, from, &done, (size_t)(st.st_size - done)) > 0);
	close(from);
	close(to);
}

static void write_small(const char *path)
{
	struct {
		Elf64_Ehdr file;
		Elf64_Phdr part;
	} small = {.file = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
					EV_CURRENT},
			    .e_type = ET_DYN,
			    .e_machine = EM_X86_64,
			    .e_version = EV_CURRENT,
			    .e_phoff = sizeof small.file,
			    .e_ehsize = sizeof small.file,
			    .e_phentsize = sizeof small.part,
			    .e_phnum = 1},
		   .part = {.p_type = PT_LOAD,
			    .p_flags = PF_R | PF_X,
			    .p_filesz = PAGE,
			    .p_memsz = PAGE,
			    .p_align = PAGE}};
	FILE *file = fopen(path, "w");
	assert_true(file && fwrite(&small, sizeof small, 1, file) == 1);
	fclose(file);
	assert_int_equal(0, truncate(path, PAGE));
}

static int make_files(void **state)
{
	(void)state;
	dl_iterate_phdr(learn_of_self, NULL);
	copy_self("one");
	copy_self("two");
	copy_self("three");
	write_small("small");
	write_small("tiny");
	/* What follows needs pages of a file before and behind its text. */
	return self.start + PAGE <= self.text && self.text_end + PAGE <= self.end ? 0 : -1;
}

static int remove_files(void **state)
{
	static const char *const names[] = {"one", "two", "three", "small", "tiny"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(names[i]);
	return 0;
}

static int begin(void **state)
{
	(void)state;
	u = unwind_new(getpid());
	return u ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	unwind_free(u);
	return 0;
}

/* ---- where things lie */

#define AT 0x10000000ull

static void map_copy(const char *path, uint64_t bias)
{
	unwind_map(u, path, bias + self.text, self.text_offset, self.text_end - self.text);
}

static void map_small(const char *path, uint64_t bias)
{
	unwind_map(u, path, bias, 0, PAGE);
}

/* The file at an address, "" for none, and whether the address there is the right one. */
static const char *file_at(uint64_t address, uint64_t bias)
{
	uint64_t in_file = 0;
	const char *path = unwind_file(u, address, &in_file);
	assert_true(!path || in_file == address - bias);
	return path ? path : "";
}

static const char *copy_at(uint64_t bias)
{
	return file_at(bias + self.framed, bias);
}

static uint64_t pages_up(uint64_t bytes)
{
	return page_of(bytes + PAGE - 1);
}

static void what_lies_over_anothers_end_replaces_it(void **state)
{
	/* Its first page lies over the last one of the other's data; no text meets. */
	uint64_t to = AT + page_of(self.end - 1) - page_of(self.start);
	(void)state;
	map_copy("one", AT);
	map_copy("two", to);
	assert_string_equal("", copy_at(AT));
	assert_string_equal("two", copy_at(to));
}

static void what_lies_over_anothers_beginning_replaces_it(void **state)
{
	uint64_t to = AT - (page_of(self.end - 1) - page_of(self.start));
	(void)state;
	map_copy("one", AT);
	map_copy("two", to);
	assert_string_equal("", copy_at(AT));
	assert_string_equal("two", copy_at(to));
}

static void what_lies_within_another_replaces_it(void **state)
{
	uint64_t behind = AT + page_of(self.text_end + PAGE - 1), before = AT + self.start;
	(void)state;
	map_copy("one", AT);
	map_small("small", behind);
	assert_string_equal("", copy_at(AT));
	assert_string_equal("small", file_at(behind, behind));
	map_copy("two", AT);
	assert_string_equal("", file_at(behind, behind));
	map_small("small", before);
	assert_string_equal("", copy_at(AT));
	assert_string_equal("small", file_at(before, before));
}

static void what_lies_around_others_replaces_all_of_them(void **state)
{
	uint64_t behind = AT + page_of(self.end - 1), before = AT + self.start;
	(void)state;
	map_small("small", behind);
	map_small("tiny", before);
	map_copy("three", AT + 0x10000000);
	assert_string_equal("small", file_at(behind, behind));
	assert_string_equal("tiny", file_at(before, before));
	map_copy("one", AT);
	assert_string_equal("", file_at(behind, behind));
	assert_string_equal("", file_at(before, before));
	assert_string_equal("one", copy_at(AT));
	assert_string_equal("three", copy_at(AT + 0x10000000));
}

static void what_lies_beside_another_leaves_it(void **state)
{
	uint64_t behind = AT + pages_up(self.end), before = AT + page_of(self.start) - PAGE;
	(void)state;
	map_copy("one", AT);
	map_small("small", behind);
	map_small("tiny", before);
	assert_string_equal("one", copy_at(AT));
	assert_string_equal("small", file_at(behind, behind));
	assert_string_equal("tiny", file_at(before, before));
	map_copy("two", AT + pages_up(self.end) + PAGE - page_of(self.start));
	map_copy("three", AT - PAGE - (pages_up(self.end) - page_of(self.start)));
	assert_string_equal("small", file_at(behind, behind));
	assert_string_equal("tiny", file_at(before, before));
	assert_string_equal("one", copy_at(AT));
}

/* ---- stacks */

struct walk {
	uint64_t frames[8];
	size_t count, most;
};

static bool keep_frame(void *context, uint64_t address)
{
	struct walk *w = context;
	w->frames[w->count++] = address;
	return w->count < w->most;
}

/* framed() of one file after the other, innermost first: each frame is found. */
static void follow(const uint64_t *biases, size_t count)
{
	uint64_t stack[FRAME_WORDS * 8] = {0};
	struct unwind_sample sample = {.stack = (const unsigned char *)stack,
				       .stack_bytes = sizeof stack};
	struct walk w = {.most = count};
	sample.registers[registers.sp] = 0x7f0000000000;
	sample.registers[registers.pc] = biases[0] + self.framed;
	for (size_t i = 1; i < count; i++)
		stack[FRAME_WORDS * i - 1] = biases[i] + self.framed;
	assert_true(unwind_walk(u, &sample, keep_frame, &w));
	assert_int_equal(count, w.count);
	for (size_t i = 0; i < count; i++)
		assert_true(w.frames[i] == biases[i] + self.framed - (i > 0));
}

static void stacks_are_followed_by_what_is_there_now(void **state)
{
	uint64_t to = AT + page_of(self.end - 1) - page_of(self.start), other = AT + 0x10000000;
	(void)state;
	map_copy("one", AT);
	map_copy("two", other);
	follow((const uint64_t[]){AT, other, AT}, 3);
	map_copy("three", to);
	follow((const uint64_t[]){to, other, to, other}, 4);
}

/* The kernel tells of each part of a file that may be run. */
static void parts_of_one_file_are_kept_together(void **state)
{
	uint64_t half = page_of((self.text_end - self.text) / 2);
	(void)state;
	unwind_map(u, "one", AT + self.text, self.text_offset, half);
	unwind_map(u, "one", AT + self.text + half, self.text_offset + half,
		   self.text_end - self.text - half);
	assert_string_equal("one", file_at(AT + self.text, AT));
	assert_string_equal("one", file_at(AT + self.text + half, AT));
	follow((const uint64_t[]){AT, AT, AT}, 3);
}

int main(void)
{
#define MAPPED(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
	    MAPPED(what_lies_over_anothers_end_replaces_it),
	    MAPPED(what_lies_over_anothers_beginning_replaces_it),
	    MAPPED(what_lies_within_another_replaces_it),
	    MAPPED(what_lies_around_others_replaces_all_of_them),
	    MAPPED(what_lies_beside_another_leaves_it),
	    MAPPED(stacks_are_followed_by_what_is_there_now),
	    MAPPED(parts_of_one_file_are_kept_together),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_files, remove_files);
}
