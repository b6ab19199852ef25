/* SPDX-License-Identifier: MIT */
/*
 * ordering.c - the file for lld's --call-graph-ordering-file: `caller callee weight`, by linker
 * names. lld puts functions that often call each other side by side, if each has a section of its
 * own (-ffunction-sections).
 *
 * The file holds only the module in which most calls are made. lld warns of names that it does not
 * find, such as a function that a later build no longer has.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/export/export.h"
#include "report/core/base/memory.h"
#include "report/core/base/processor.h"

/* The module whose functions are called most; ZONE_NO_MODULE if none is. */
static uint32_t main_module(const struct export *e)
{
	uint64_t *calls = memory_zeroed(e->zones->module_count, sizeof *calls), most = 0;
	uint32_t best = ZONE_NO_MODULE;
	for (uint32_t i = 1; i < e->derived->function_count; i++) {
		uint32_t module = e->zones->list[i].module;
		if (module == ZONE_NO_MODULE)
			continue;
		calls[module] += e->derived->functions[i].calls;
		if (calls[module] > most) {
			most = calls[module];
			best = module;
		}
	}
	free(calls);
	return best;
}

/* Whether the linker knows the zone by a name. (zprof calls a zone without a symbol
 * program+0x1f.) */
static bool has_symbol(const struct export *e, uint32_t zone, uint32_t module)
{
	const struct zone *z = &e->zones->list[zone];
	return zone && z->module == module && *z->linkage && !strpbrk(z->linkage, " \t\r\n#+");
}

static int heaviest_first(const void *left, const void *right)
{
	const struct arc *a = *(const struct arc *const *)left,
			 *b = *(const struct arc *const *)right;
	return memory_order(b->calls, a->calls)
		   ?: memory_order(a->caller, b->caller)
		   ?: memory_order(a->callee, b->callee);
}

static bool write_profile(const struct export *e, struct str *err)
{
	const struct derived *d = e->derived;
	if (e->view->all_sampled)
		return str_fail(err,
				"the profile was sampled from outside, and no call was counted: "
				"record the program with hooks%s",
				processor_lacks(PROCESSOR_PLANS) ? "" : ", or with --any");
	uint32_t module = main_module(e);
	const struct arc **arcs = memory_resize(NULL, d->arc_count, sizeof *arcs);
	size_t count = 0;
	for (size_t i = 0; i < d->arc_count; i++)
		if (d->arcs[i].calls && has_symbol(e, d->arcs[i].caller, module) &&
		    has_symbol(e, d->arcs[i].callee, module))
			arcs[count++] = &d->arcs[i];
	memory_sort(arcs, count, heaviest_first);
	for (size_t i = 0; i < count; i++)
		fprintf(e->to, "%s %s %" PRIu64 "\n", e->zones->list[arcs[i]->caller].linkage,
			e->zones->list[arcs[i]->callee].linkage, arcs[i]->calls);
	free(arcs);
	return count || str_fail(err, "no call in the profile is between functions of one module "
				      "that have symbols");
}

const struct export_format ordering_format = {
    .name = "ordering",
    .summary = "lld --call-graph-ordering-file",
    .write = write_profile,
};
