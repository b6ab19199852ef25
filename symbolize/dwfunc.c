/* SPDX-License-Identifier: MIT */
/* See dwfunc.h. */
#define _GNU_SOURCE
#include "symbolize/dwfunc.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>

#include "symbolize/demangle.h"

/* Compilers do not nest scopes, or inlined calls, deeper than that. */
enum { DEPTH_MAX = 200, INLINED_MAX = 1000 };

/*
 * Two functions walk the children of PARENT: first_child() and next_child(). Entries are stored in
 * order, so a sibling that does not lie further on is damage, which could make the walk endless.
 */
static bool first_child(Dwarf_Die *parent, Dwarf_Die *child)
{
	return dwarf_child(parent, child) == 0;
}

static bool next_child(Dwarf_Die *child)
{
	Dwarf_Off here = dwarf_dieoffset(child);

	return dwarf_siblingof(child, child) == 0 && dwarf_dieoffset(child) > here;
}

struct reading {
	struct dwunit_list list;
	uint64_t code_start;
	bool nested; /* look for functions within functions and types too */
};

/* Collects the functions below PARENT. */
static bool collect(struct reading *r, Dwarf_Die *parent, int depth)
{
	Dwarf_Die child;
	bool enter;

	if (depth > DEPTH_MAX || !first_child(parent, &child))
		return true;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			if (!dwunit_list_add_ranges(&r->list, &child, dwarf_dieoffset(&child),
						    r->code_start))
				return false;
			enter = r->nested;
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
			enter = true;
			break;
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_lexical_block:
			enter = r->nested;
			break;
		default:
			enter = false;
		}
		if (enter && !collect(r, &child, depth + 1))
			return false;
	} while (next_child(&child));
	return true;
}

/* Most functions stand directly in their unit or in a namespace, so only these are read at
 * first. */
static void read_unit(struct dwunits *units, struct dwunit *unit, bool nested)
{
	struct reading r = {.code_start = units->code_start, .nested = nested};

	units->starved |= !collect(&r, &unit->tree, 0);
	dwunit_list_sort(&r.list);
	free(unit->code);
	unit->code = r.list.items;
	unit->code_count = r.list.count;
	unit->read = nested ? DWUNIT_NESTED : DWUNIT_OUTER;
}

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr_integrate(die, attribute, &a));
}

/*
 * The file that attribute DECLARED of DIE names by its number in a unit's table. libdw's own
 * dwarf_decl_file() ends the process if the unit has no table.
 */
static const char *file_of(Dwarf_Die *die, unsigned declared)
{
	Dwarf_Attribute a;
	Dwarf_Word number;
	Dwarf_Files *files;
	Dwarf_Die unit;
	size_t count;

	if (dwarf_formudata(dwarf_attr_integrate(die, declared, &a), &number) != 0 ||
	    !dwarf_cu_die(a.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

static unsigned line_of(Dwarf_Die *die, unsigned declared)
{
	Dwarf_Attribute a;
	Dwarf_Word line;

	if (dwarf_formudata(dwarf_attr_integrate(die, declared, &a), &line) != 0)
		return 0;
	return line <= INT_MAX ? line : 0;
}

static void describe(struct dwfunc *func)
{
	Dwarf_Die *die = &func->die;

	func->name = text_of(die, DW_AT_name);
	func->linkage = text_of(die, DW_AT_linkage_name);
	if (!func->linkage)
		func->linkage = text_of(die, DW_AT_MIPS_linkage_name);
	func->line = line_of(die, DW_AT_decl_line);
	func->file = func->line ? file_of(die, DW_AT_decl_file) : NULL;
	func->line = func->file ? func->line : 0;
}

bool dwfunc_find(struct dwunits *units, struct dwunit *unit, uint64_t address, struct dwfunc *func)
{
	const struct dwunit_code *code;

	if (unit->read == DWUNIT_UNREAD)
		read_unit(units, unit, false);
	code = dwunit_code_find(unit->code, unit->code_count, address);
	if (!code && unit->read == DWUNIT_OUTER) {
		read_unit(units, unit, true);
		code = dwunit_code_find(unit->code, unit->code_count, address);
	}
	if (!code || !dwarf_offdie(dwarf_cu_getdwarf(unit->tree.cu), code->die, &func->die))
		return false;
	func->low = code->low;
	func->high = code->high;
	describe(func);
	return true;
}

const char *dwfunc_name(const struct dwfunc *func, struct intern *in)
{
	if (func->linkage && (!func->name || demangle_applies(func->linkage)))
		return demangle_name(in, func->linkage);
	return func->name;
}

bool dwfunc_chain_push(struct dwfunc_chain *chain, const struct symbolize_frame *frame)
{
	if (chain->count == chain->room) {
		size_t more = chain->room ? chain->room * 2 : 8;
		void *bigger = reallocarray(chain->frames, more, sizeof(*chain->frames));

		if (!bigger)
			return false;
		chain->frames = bigger;
		chain->room = more;
	}
	chain->frames[chain->count++] = *frame;
	return true;
}

/* Finds the child of BLOCK that was inlined at ADDRESS, through blocks of mere scope. */
static bool find_inlined(Dwarf_Die *block, uint64_t address, int depth, Dwarf_Die *found)
{
	Dwarf_Die child;

	if (depth > DEPTH_MAX || !first_child(block, &child))
		return false;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_inlined_subroutine:
			if (dwarf_haspc(&child, address) <= 0)
				break;
			*found = child;
			return true;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
		case DW_TAG_with_stmt:
			/* A block may have no ranges; if it has, they must hold ADDRESS. */
			if ((dwarf_haspc(&child, address) > 0 ||
			     !(dwarf_hasattr(&child, DW_AT_low_pc) ||
			       dwarf_hasattr(&child, DW_AT_ranges))) &&
			    find_inlined(&child, address, depth + 1, found))
				return true;
			break;
		default:
			break;
		}
	} while (next_child(&child));
	return false;
}

void dwfunc_inlined(const struct dwfunc *func, uint64_t address, struct intern *in,
		    struct dwfunc_chain *chain)
{
	struct dwfunc inner = *func;

	while (chain->count < INLINED_MAX) {
		struct symbolize_frame frame = {0};
		Dwarf_Die block = inner.die;

		if (!find_inlined(&block, address, 0, &inner.die))
			return;
		describe(&inner);
		frame.name = dwfunc_name(&inner, in);
		if (!frame.name)
			frame.name = "?";
		frame.linkage = inner.linkage ? inner.linkage : frame.name;
		frame.file = inner.file;
		frame.line = inner.line;
		frame.call_file = file_of(&inner.die, DW_AT_call_file);
		frame.call_line = frame.call_file ? line_of(&inner.die, DW_AT_call_line) : 0;
		frame.call_column = frame.call_line ? line_of(&inner.die, DW_AT_call_column) : 0;
		if (!dwfunc_chain_push(chain, &frame))
			return;
	}
}

/* A walk through the calls inlined into a function. */
struct inlined_walk {
	struct intern *in;
	symbolize_inlined_fn *each;
	void *context;
	size_t shown;
};

/* Shows the calls inlined below BLOCK. False when the walk is to end. */
static bool show_inlined(struct inlined_walk *w, Dwarf_Die *block, int depth)
{
	struct dwfunc call = {0};

	if (depth > DEPTH_MAX || !first_child(block, &call.die))
		return true;
	do {
		int tag = dwarf_tag(&call.die);

		if (tag == DW_TAG_inlined_subroutine) {
			struct symbolize_inlined found = {0};

			describe(&call);
			found.name = dwfunc_name(&call, w->in);
			found.linkage = call.linkage ? call.linkage : found.name;
			w->shown += found.name != NULL;
			if (found.name && !w->each(w->context, &found))
				return false;
		} else if (tag != DW_TAG_lexical_block && tag != DW_TAG_try_block &&
			   tag != DW_TAG_catch_block && tag != DW_TAG_with_stmt) {
			continue;
		}
		if (!show_inlined(w, &call.die, depth + 1))
			return false;
	} while (next_child(&call.die));
	return true;
}

size_t dwfunc_each_inlined(const struct dwfunc *func, struct intern *in, symbolize_inlined_fn *each,
			   void *context)
{
	struct inlined_walk w = {.in = in, .each = each, .context = context};
	Dwarf_Die die = func->die;

	show_inlined(&w, &die, 0);
	return w.shown;
}
