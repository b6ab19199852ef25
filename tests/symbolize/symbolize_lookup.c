/* SPDX-License-Identifier: MIT */
/*
 * Lookups in this very process: its own functions, static and inlined, those of libc and of the
 * vDSO, with build-ids that match and that do not. symbolize_oracle.sh compares with other tools;
 * this needs none.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <cmocka.h>

#include "symbolize/symbolize.h"

extern char mark[];

enum { MARK_LINE = __LINE__ + 3 };
static inline __attribute__((always_inline)) int innermost(int a)
{
	__asm__ volatile(".globl mark\nmark: nop");
	return a + 1;
}

enum { INNER_CALLS = __LINE__ + 4 };
static inline __attribute__((always_inline)) int inner(int a)
{
	a *= 3;
	return innermost(a);
}

enum { OUTER_LINE = __LINE__ + 1, OUTER_CALLS = __LINE__ + 4 };
static int __attribute__((noinline)) outer(int a)
{
	a -= 7;
	return inner(a);
}

struct loaded {
	const char *name; /* wanted: a pattern for its path */
	char path[4096];
	uint64_t bias;
	unsigned char id[64];
	size_t id_bytes;
};

static void read_build_id(const struct dl_phdr_info *info, struct loaded *found)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + p->p_vaddr), *end;

		if (p->p_type != PT_NOTE)
			continue;
		for (end = at + p->p_memsz; at < end;) {
			const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
			const char *owner = at + sizeof(*note);
			const char *body = owner + ((note->n_namesz + 3) & ~3u);

			if (note->n_type == NT_GNU_BUILD_ID && strcmp(owner, "GNU") == 0) {
				found->id_bytes = note->n_descsz;
				memcpy(found->id, body, note->n_descsz);
			}
			at = body + ((note->n_descsz + 3) & ~3u);
		}
	}
}

static int take_loaded(struct dl_phdr_info *info, size_t size, void *data)
{
	struct loaded *found = data;

	(void)size;
	if (fnmatch(found->name, info->dlpi_name, 0) != 0)
		return 0;
	found->bias = info->dlpi_addr;
	snprintf(found->path, sizeof(found->path), "%s", info->dlpi_name);
	read_build_id(info, found);
	return 1;
}

/* The module of this process that NAME matches: "" is the program itself. */
static struct loaded find_loaded(const char *name)
{
	struct loaded found = {.name = name};

	assert_int_equal(dl_iterate_phdr(take_loaded, &found), 1);
	if (!*name) {
		ssize_t n = readlink("/proc/self/exe", found.path, sizeof(found.path) - 1);

		assert_true(n > 0);
		found.path[n] = '\0';
	}
	return found;
}

static struct symbolize_module *add(struct symbolizer *s, const struct loaded *l)
{
	return symbolize_add(s, l->path, l->id, l->id_bytes, SYMBOLIZE_FILE);
}

static void a_static_function_is_found_with_its_line(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m = add(s, &self);
	struct symbolize_result r;

	(void)state;
	symbolize_lookup(m, (uintptr_t)outer - self.bias, &r);
	assert_int_equal(r.quality, SYMBOLIZE_DWARF);
	assert_string_equal(r.name, "outer");
	assert_int_equal(r.line, OUTER_LINE);
	assert_non_null(strstr(r.file, "symbolize_lookup.c"));
	assert_int_equal(r.start, (uintptr_t)outer - self.bias);
	assert_true(r.size > 0);
	assert_null(symbolize_notice(m));
	assert_non_null(symbolize_producer(m, (uintptr_t)outer - self.bias));
	assert_null(symbolize_producer(m, 0));
	assert_int_equal(outer(10), 10);
	symbolize_free(s);
}

static void a_symbol_alone_gives_a_name(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	struct symbolize_result r;

	(void)state;
	symbolize_name(add(s, &self), (uintptr_t)outer + 1 - self.bias, &r);
	assert_int_equal(r.quality, SYMBOLIZE_SYMTAB);
	assert_string_equal(r.name, "outer");
	assert_int_equal(r.start, (uintptr_t)outer - self.bias);
	assert_true(r.size > 0);
	assert_null(r.file);
	assert_int_equal(r.frame_count, 1);
	symbolize_name(NULL, 0x1f, &r);
	assert_string_equal(r.name, "?");
	symbolize_free(s);
}

static void inlined_calls_come_outermost_first(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	struct symbolize_result r;

	(void)state;
	symbolize_lookup(add(s, &self), (uintptr_t)mark - self.bias, &r);
	assert_int_equal(r.at_line, MARK_LINE);
	assert_int_equal(r.frame_count, 3);
	assert_string_equal(r.name, "outer");
	assert_string_equal(r.frames[0].name, "outer");
	assert_string_equal(r.frames[1].name, "inner");
	assert_string_equal(r.frames[2].name, "innermost");
	assert_null(r.frames[0].call_file);
	assert_int_equal(r.frames[1].call_line, OUTER_CALLS);
	assert_int_equal(r.frames[2].call_line, INNER_CALLS);
	assert_non_null(strstr(r.frames[2].call_file, "symbolize_lookup.c"));
	assert_int_equal(r.frames[1].line, INNER_CALLS - 3);
	symbolize_free(s);
}

static bool add_inlined(void *context, const struct symbolize_inlined *call)
{
	strcat(context, call->name);
	strcat(context, " ");
	return strcmp(call->linkage, "innermost") != 0;
}

static void calls_inlined_into_a_function_are_found(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	char names[200] = "";

	(void)state;
	assert_int_equal(
	    symbolize_inlined(add(s, &self), (uintptr_t)outer - self.bias, add_inlined, names), 2);
	assert_string_equal(names, "inner innermost ");
	assert_int_equal(symbolize_inlined(add(s, &self), 0, add_inlined, names), 0);
	assert_int_equal(symbolize_inlined(NULL, 1, add_inlined, names), 0);
	symbolize_free(s);
}

static void a_function_of_libc_is_found_by_symbol(void **state)
{
	struct loaded libc = find_loaded("*/libc.so*");
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m = add(s, &libc);
	struct symbolize_result r;

	(void)state;
	assert_true(libc.id_bytes > 0);
	symbolize_lookup(m, (uintptr_t)strfry - libc.bias, &r);
	assert_string_equal(r.name, "strfry");
	assert_null(symbolize_notice(m));
	symbolize_lookup(m, 1, &r);
	assert_int_equal(r.quality, SYMBOLIZE_NONE);
	assert_non_null(strstr(r.name, "libc.so.6+0x1"));
	symbolize_free(s);
}

static void the_vdso_is_named(void **state)
{
	struct loaded vdso;
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m;
	struct symbolize_result r;
	size_t named = 0;

	(void)state;
	if (!getauxval(AT_SYSINFO_EHDR))
		skip();
	vdso = find_loaded("linux-vdso*");
	m = symbolize_add(s, "[vdso]", vdso.id, vdso.id_bytes, SYMBOLIZE_VDSO);
	assert_null(symbolize_notice(m));
	for (uint64_t address = 0; address < 0x2000; address += 16) {
		symbolize_lookup(m, address, &r);
		named += r.quality == SYMBOLIZE_VDSO_SYMBOL &&
			 strcmp(r.name, "__vdso_clock_gettime") == 0;
	}
	assert_true(named > 0);

	vdso.id[0] ^= 1;
	m = symbolize_add(s, "[vdso]", vdso.id, vdso.id_bytes, SYMBOLIZE_VDSO);
	symbolize_lookup(m, 0x1f, &r);
	assert_string_equal(r.name, "[vdso]+0x1f");
	assert_non_null(strstr(symbolize_notice(m), "'[vdso]' is not this kernel's"));
	symbolize_free(s);
}

static void another_build_is_refused_by_name(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m;
	struct symbolize_result r;

	(void)state;
	assert_true(self.id_bytes > 0);
	self.id[3] ^= 0x80;
	m = add(s, &self);
	symbolize_lookup(m, (uintptr_t)outer - self.bias, &r);
	assert_int_equal(r.quality, SYMBOLIZE_NONE);
	assert_non_null(strstr(r.name, "symbolize_lookup+0x"));
	assert_int_equal(r.frame_count, 1);
	assert_string_equal(r.frames[0].name, r.name);
	assert_non_null(strstr(symbolize_notice(m), self.path));
	assert_non_null(strstr(symbolize_notice(m), "is not the build that ran"));
	symbolize_free(s);
}

static void strings_stay_while_others_are_made(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m = add(s, &self), *gone;
	struct symbolize_result first, r;

	(void)state;
	symbolize_lookup(m, 1, &first);
	gone = symbolize_add(s, "/gone/away", NULL, 0, SYMBOLIZE_FILE);
	for (uint64_t i = 0; i < 20000; i++)
		symbolize_lookup(gone, i, &r);
	assert_string_equal(first.name, "symbolize_lookup+0x1");
	assert_string_equal(r.name, "away+0x4e1f");
	symbolize_free(s);
}

static void a_module_there_was_no_memory_for_is_unknown(void **state)
{
	struct symbolize_result r;

	(void)state;
	symbolize_lookup(NULL, 0x1f, &r);
	assert_string_equal(r.name, "?");
	assert_int_equal(r.quality, SYMBOLIZE_NONE);
	assert_int_equal(r.frame_count, 1);
	assert_non_null(symbolize_notice(NULL));
}

struct seen {
	size_t outer, inner, total;
	uint64_t last;
	bool with_file;
};

static bool see_function(void *context, const struct symbolize_function *f)
{
	struct seen *seen = context;

	assert_true(f->start >= seen->last);
	seen->last = f->start;
	seen->total++;
	seen->outer += strcmp(f->name, "outer") == 0;
	seen->inner += strcmp(f->name, "inner") == 0;
	if (seen->with_file && strcmp(f->name, "outer") == 0) {
		assert_non_null(strstr(f->file, "symbolize_lookup.c"));
		assert_int_equal(f->line, OUTER_LINE);
	}
	return true;
}

static bool see_one(void *context, const struct symbolize_function *f)
{
	(void)f;
	++*(int *)context;
	return false;
}

static void functions_are_listed_by_address(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m = add(s, &self);
	struct seen seen = {0}, files = {.with_file = true};
	int one = 0;
	size_t shown = symbolize_functions(m, false, see_function, &seen);

	(void)state;
	assert_int_equal(shown, seen.total);
	assert_int_equal(seen.outer, 1);
	assert_int_equal(seen.inner, 0);
	symbolize_functions(m, true, see_function, &files);
	assert_int_equal(files.total, seen.total);
	assert_int_equal(symbolize_functions(m, false, see_one, &one), 1);
	assert_int_equal(one, 1);
	symbolize_free(s);
}

struct covered {
	uint64_t at;
	size_t count;
	bool marked;
};

static bool see_line(void *context, const struct symbolize_line *line)
{
	struct covered *c = context;

	assert_int_equal(line->start, c->at);
	assert_non_null(strstr(line->file, "symbolize_lookup.c"));
	c->at += line->size;
	c->count++;
	c->marked |= line->line == MARK_LINE;
	return true;
}

static void lines_of_a_function_cover_it_without_gaps(void **state)
{
	struct loaded self = find_loaded("");
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m = add(s, &self);
	struct symbolize_result r;
	struct covered c;
	size_t shown;

	(void)state;
	symbolize_lookup(m, (uintptr_t)outer - self.bias, &r);
	c = (struct covered){.at = r.start};
	shown = symbolize_lines(m, r.start, r.size, see_line, &c);
	assert_int_equal(shown, c.count);
	assert_int_equal(c.at, r.start + r.size);
	assert_true(c.marked);
	c = (struct covered){.at = r.start + 1};
	assert_int_equal(symbolize_lines(m, r.start + 1, 1, see_line, &c), 1);
	symbolize_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_static_function_is_found_with_its_line),
	    cmocka_unit_test(a_symbol_alone_gives_a_name),
	    cmocka_unit_test(inlined_calls_come_outermost_first),
	    cmocka_unit_test(calls_inlined_into_a_function_are_found),
	    cmocka_unit_test(a_function_of_libc_is_found_by_symbol),
	    cmocka_unit_test(the_vdso_is_named),
	    cmocka_unit_test(another_build_is_refused_by_name),
	    cmocka_unit_test(strings_stay_while_others_are_made),
	    cmocka_unit_test(a_module_there_was_no_memory_for_is_unknown),
	    cmocka_unit_test(functions_are_listed_by_address),
	    cmocka_unit_test(lines_of_a_function_cover_it_without_gaps),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
