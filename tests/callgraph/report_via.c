/* SPDX-License-Identifier: MIT */
/* report_via.c - the way between a caller and a callee: which one is kept, and how it is worded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/load/load.h"
#include "report/core/names/trampoline.h"
#include "tests/core/profile_loaded.h"

static uint32_t zone(const struct load *l, const char *name)
{
	for (uint32_t i = 1; i < l->zones.count; i++)
		if (!strcmp(l->zones.list[i].name, name))
			return i;
	return 0;
}

/* The way from one to the other as one text, "" when there is none. */
static const char *way(const struct load *l, const char *caller, const char *callee)
{
	static char text[512];
	struct via_names n;
	text[0] = 0;
	if (!via_names_of(&l->vias, &l->zones, zone(l, caller), zone(l, callee), &n))
		return text;
	if (!n.whole)
		strcat(text, "cut ");
	for (size_t i = 0; i < n.count; i++) {
		strcat(text, i ? " > " : "");
		strcat(text, n.list[i].text);
	}
	if (n.others)
		strcat(text, " others");
	via_names_free(&n);
	return text;
}

#define MODULES                                                                                    \
	"module 1 /nowhere/liba.so 0x10000 0x20000 0x10000\n"                                      \
	"module 2 /nowhere/libb.so 0x20000 0x30000 0x1f000\n"

static void ways_belong_to_pairs(void **unused)
{
	(void)unused;
	struct load l;
	load_init(&l, false);
	profile_loaded(&l, MODULES "thread 1 t 1\n"
				   "  a 1 1\n"
				   "via @2+0x10 0x99\n"
				   "    b 1 1\n"
				   "via @1+0x5 @2+0x10\n"
				   "      c 1 1\n"
				   "    d 1 1\n"
				   "via cut @1+0x5\n");
	assert_string_equal(way(&l, "", "a"), "0x99 > libb.so+0x100f");
	assert_string_equal(way(&l, "a", "b"), "libb.so+0x100f > liba.so+0x4");
	assert_string_equal(way(&l, "b", "c"), "");
	assert_string_equal(way(&l, "", "b"), "");
	assert_string_equal(way(&l, "a", "d"), "cut liba.so+0x4");
	assert_int_equal(l.zones.module_count, 2);
	assert_false(l.zones.modules[0].entered || l.zones.modules[1].entered);
	load_free(&l);
}

/* The same functions at other addresses, as in another process, are the same way; different ways
 * become "others", however many there are. */
static void different_ways_become_others(void **unused)
{
	(void)unused;
	struct load l;
	load_init(&l, false);
	profile_loaded(&l, MODULES
		       "thread 1 t 1\n  a 1 1\n    b 1 1\nvia @1+0x5\n    c 1 1\nvia @1+0x5\n");
	profile_loaded(&l,
		       "module 9 /nowhere/liba.so 0x70000 0x80000 0x70000\n"
		       "thread 1 t 1\n  a 1 1\n    b 1 1\nvia @9+0x5\n    c 1 1\nvia cut @9+0x5\n");
	assert_int_equal(l.vias.count, 3);
	assert_string_equal(way(&l, "a", "b"), "liba.so+0x4");
	assert_string_equal(way(&l, "a", "c"), "liba.so+0x4 others");
	for (int i = 0; i < 20; i++) {
		char text[256];
		snprintf(text, sizeof text,
			 MODULES "thread 1 t 1\n  a 1 1\n    b 1 1\nvia @1+0x%x\n", 0x40 + i);
		profile_loaded(&l, text);
	}
	assert_string_equal(way(&l, "a", "b"), "liba.so+0x4 others");
	assert_int_equal(l.vias.count, 2 + 4);
	load_free(&l);
}

static void repeated_names_are_shown_once(void **unused)
{
	(void)unused;
	struct load l;
	load_init(&l, false);
	profile_loaded(&l, MODULES "thread 1 t 1\n  a 1 1\n    b 1 1\n"
				   "via @1+0x5 @1+0x9 @1+0x9 @1+0x9 @1+0x5\n");
	assert_string_equal(way(&l, "a", "b"), "liba.so+0x4 > liba.so+0x8 > liba.so+0x4");
	load_free(&l);
}

/* If a module was unloaded and another took its place, the address belongs to the newer one. */
static void places_taken_again(void **unused)
{
	(void)unused;
	struct load l;
	load_init(&l, false);
	profile_loaded(&l, "module 1 /nowhere/old.so 0x10000 0x20000 0x10000\n"
			   "module 2 /nowhere/new.so 0x10000 0x20000 0x10000\n"
			   "thread 1 t 1\n  a 1 1\nvia @1+0x5\n");
	assert_string_equal(way(&l, "", "a"), "new.so+0x4");
	load_free(&l);
}

/* ---- wording */

/* Names separated by blanks; one in brackets is a module whose function has no name. */
static void assert_text(const char *names, bool whole, bool others, bool from_outside,
			const char *expected)
{
	struct via_names n = {.whole = whole, .others = others};
	char words[256], *word, *state;
	struct str text = {0};
	snprintf(words, sizeof words, "%s", names);
	for (word = strtok_r(words, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
		bool known = *word != '[';
		word[strlen(word) - !known] = 0;
		n.list = realloc(n.list, (n.count + 1) * sizeof *n.list);
		n.list[n.count++] =
		    (struct via_name){strdup(known ? word : "?+0x1"), strdup(word + !known), known};
	}
	via_text(&text, &n, from_outside, false);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	via_names_free(&n);
}

static void wording(void **unused)
{
	(void)unused;
	assert_text("qsort_r msort", true, false, false, "qsort_r > msort");
	assert_text("a b c", true, false, false, "a > b > c");
	assert_text("a b c d e", true, false, false, "a > ... > d > e");
	assert_text("a b", true, true, false, "a > b ...");
	assert_text("a b", false, false, false, "... > a > b");
	/* addresses are shown only if there are no names, and then by module */
	assert_text("[libc.so] a [libc.so]", true, false, false, "a");
	assert_text("[libc.so] [libc.so] [libm.so]", true, false, false, "libc.so > libm.so");
	assert_text("[]", true, false, false, "unknown code");
	assert_text("a [libc.so] a", true, false, false, "a");
	/* what starts every program is left out of the outermost way */
	assert_text("_start __libc_start_main [libc.so]", true, false, true, "");
	assert_text("__clone3 start_thread", true, false, true, "start_thread");
	assert_text("[libc.so] [libc.so]", true, false, true, "libc.so");
	assert_text("_start __libc_start_main exit h", true, false, true, "exit > h");
	assert_text("__clone3 start_thread", true, false, false, "__clone3 > start_thread");
	assert_text("work __clone3 f", true, false, true, "work > __clone3 > f");
	/* long names lose what their brackets hold */
	assert_text(
	    "std::sort<very::long::iterator::type<int>,very::long::comparison::type<int>>(int)",
	    true, false, false, "std::sort<very::long::iterator::type<int>, ...>(int)");
}

/* ---- the signal trampoline, by its code */

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void trampolines(void **unused)
{
	(void)unused;
	char path[] = "trampoline.XXXXXX";
	unsigned char file[512] = {0x7f, 'E', 'L', 'F', 2};
	const unsigned char code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	file[32] = 64;               /* e_phoff */
	file[54] = 56, file[56] = 1; /* e_phentsize, e_phnum */
	file[64] = 1, file[68] = 5;  /* PT_LOAD, R and X */
	file[73] = 1;                /* at 256 in the file ... */
	file[82] = 1;                /* ... and at 0x10000 in memory, */
	file[96] = 100;              /* 100 bytes */
	memcpy(file + 256 + 16, code, sizeof code);
	close(mkstemp(path));
	write_file(path, file, sizeof file);
	assert_true(trampoline_at(path, 0x10010));
	assert_false(trampoline_at(path, 0x10011));
	assert_false(trampoline_at(path, 0xffff));
	assert_false(trampoline_at(path, UINT64_MAX));
	file[68] = 4; /* no code there */
	write_file(path, file, sizeof file);
	assert_false(trampoline_at(path, 0x10010));
	file[68] = 5;
	file[32 + 7] = 0xff; /* beyond all files */
	write_file(path, file, sizeof file);
	assert_false(trampoline_at(path, 0x10010));
	write_file(path, "x", 1);
	assert_false(trampoline_at(path, 0x10010));
	remove(path);
	assert_false(trampoline_at(path, 0x10010));
	assert_false(trampoline_at("/", 0x10010));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ways_belong_to_pairs),
	    cmocka_unit_test(different_ways_become_others),
	    cmocka_unit_test(repeated_names_are_shown_once),
	    cmocka_unit_test(places_taken_again),
	    cmocka_unit_test(wording),
	    cmocka_unit_test(trampolines),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
