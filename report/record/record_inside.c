/* SPDX-License-Identifier: MIT */
/* record_inside.c - see record_inside.h. */
#include "report/record/record_inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/record/record_elf.h"
#include "symbolize/plan/plans.h"

/* What the adapter of Lua stands in front of (preload/adapters/lua/fronts.c). LuaJIT alone has the last one. */
static const char *const lua[] = {"lua_newstate",    "lua_sethook", "lua_gethook",
				  "lua_gethookmask", "lua_close",   "luaJIT_setmode"};

static bool can_be_displaced(const struct plans_held *held, uint64_t address)
{
	uint32_t offset = (uint32_t)(address - held->low);
	uint32_t code = plan_find(&held->plan, offset);
	return code != PLAN_NOBODY && held->plan.codes[code].start == offset &&
	       held->plan.codes[code].window != PLAN_NOBODY;
}

/* Why the functions of LUA cannot be displaced; NULL: they can. */
static const char *obstacle(const struct record_elf *e, const struct plans_held *held,
			    const char **which)
{
	uint64_t address;
	if (!held->path[0] || !held->plan.header->build_id_bytes)
		return held->notice ? held->notice : "the file has no build-id";
	for (size_t i = 0; i < sizeof lua / sizeof *lua; i++) {
		*which = lua[i];
		if (record_elf_defines(e, lua[i], &address)) {
			if (!can_be_displaced(held, address))
				return "no jump can be placed safely at the beginning of";
		} else if (strncmp(lua[i], "luaJIT_", strlen("luaJIT_")) != 0) {
			return "the file does not export";
		}
	}
	*which = NULL;
	return NULL;
}

static void give_plan(struct record_plans *plans, const struct record_elf *e, const char *path)
{
	struct plans_held held;
	struct str err = {0};
	const char *which = NULL, *why = plans_get(&held, path, false, plans->folder);
	bool got = !why;
	if (got)
		why = obstacle(e, &held, &which);
	if (!why && !record_plans_begin(plans, &err))
		why = err.text;
	if (!why && !record_plans_add(plans, held.path))
		why = strerror(errno);
	if (why)
		say("the Lua functions that '%s' runs are not recorded: %s%s%s", path, why,
		    which ? " " : "", which ? which : "");
	else
		record_plans_tell(plans, "interpreter");
	if (got)
		plans_free(&held);
	str_free(&err);
}

void record_inside(struct record_plans *plans, const struct record_flags *flags)
{
	char loader[RECORD_INTERPRETER];
	struct str program = {0};
	struct record_elf e;
	uint64_t address;
	bool known;
	char *in_environment = record_flags_in_environment("plans");
	bool displaced = in_environment || strstr(str_text(&flags->options), "plans=");
	free(in_environment);
	if ((flags->any || !displaced) &&
	    record_program_file(&program, flags->program[0], loader, &known) && known &&
	    record_elf_open(&e, program.text)) {
		if (!record_elf_defines(&e, lua[0], &address) ||
		    record_is_instrumented(program.text))
			;
		else if (!flags->any)
			give_plan(plans, &e, program.text);
		else if (!flags->quiet)
			say("the Lua functions that '%s' runs are recorded without --any",
			    program.text);
		record_elf_close(&e);
	}
	str_free(&program);
}
