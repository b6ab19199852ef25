/* SPDX-License-Identifier: MIT */
/*
 * record_language.c - see record_language.h. Go's linker makes sections of its own, which also
 * stripped programs have. rustc names itself in .comment, beside the linker; where that section is
 * gone, its runtime's symbols tell.
 */
#define _GNU_SOURCE
#include "report/record/record_language.h"

#include <string.h>

#include "report/core/base/processor.h"
#include "report/record/record_elf.h"

static const char go[] =
    "it is a program in Go, whose compiler puts in no hooks: 'zprof record --sampled' samples it, and its C "
    "code (cgo) is recorded if CGO_CFLAGS has the flags of 'zprof cflags'";
static const char rust_without_plans[] =
    "it is a program in Rust, whose compiler puts in no hooks: 'zprof record --sampled' samples it, and C or C++ "
    "code in it is recorded if that is compiled with the flags of 'zprof cflags'";
static const char rust[] =
    "it is a program in Rust, whose compiler puts in no hooks: 'zprof record --any' records it if "
    "it is linked dynamically, 'zprof record --sampled' samples it in any case, and C or C++ code in it is "
    "recorded if that is compiled with the flags of 'zprof cflags'";

static const char lua[] =
    "it has Lua inside of its own file, and none of its Lua functions was recorded: 'zprof record --any' "
    "records the C functions of the interpreter";
static const char lua_without_plans[] =
    "it has Lua inside of its own file, and none of its Lua functions was recorded: 'zprof record --sampled' "
    "samples the C functions of the interpreter";
static const char hidden_lua_without_plans[] =
    "it has Lua inside of its own file, and does not tell where: its Lua functions are recorded if it is "
    "linked with -Wl,-E, or with a shared Lua (liblua5.4.so, say), and 'zprof record --sampled' samples the C "
    "functions of the interpreter";
static const char hidden_lua[] =
    "it has Lua inside of its own file, and does not tell where: its Lua functions are recorded if it is "
    "linked with -Wl,-E, or with a shared Lua (liblua5.4.so, say), and 'zprof record --any' records the C "
    "functions of the interpreter";

static bool has(const struct record_elf *e, const char *section, const char *text)
{
	struct record_section s;
	return record_elf_named(e, section, &s) && memmem(s.bytes, s.size, text, strlen(text));
}

const char *record_language(const char *path)
{
	struct record_elf e;
	struct record_section s;
	bool plans = !processor_lacks(PROCESSOR_PLANS);
	const char *advice = NULL;
	uint64_t value;
	if (!record_elf_open(&e, path))
		return NULL;
	if (record_elf_named(&e, ".go.buildinfo", &s) || record_elf_named(&e, ".gopclntab", &s))
		advice = go;
	else if (has(&e, ".comment", "rustc version") || has(&e, ".strtab", "rust_begin_unwind") ||
		 has(&e, ".strtab", "rust_panic"))
		advice = plans ? rust : rust_without_plans;
	else if (record_elf_named(&e, ".interp", &s) &&
		 record_elf_defines(&e, "lua_newstate", &value))
		advice = plans ? lua : lua_without_plans;
	else if (record_elf_named(&e, ".interp", &s) && has(&e, ".strtab", "lua_newstate"))
		advice = plans ? hidden_lua : hidden_lua_without_plans;
	record_elf_close(&e);
	return advice;
}
