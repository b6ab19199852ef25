/* SPDX-License-Identifier: MIT */
/* See dwunit.h. */
#define _GNU_SOURCE
#include "symbolize/dwunit.h"

#include <dwarf.h>
#include <search.h>
#include <stdlib.h>

/* How many stretches before the nearest one are tried, since a stretch may lie within another. */
enum { LOOK_BACK = 16 };

void dwunits_load(struct dwunits *units, const struct image *image)
{
	Dwarf_Addr bias = 0;

	if (units->loaded)
		return;
	units->loaded = true;
	units->dwarf = dwfl_module_getdwarf(image->mod, &bias);
	units->bias = bias;
	units->code_start = image->code_start - bias;
}

static void free_unit(void *item)
{
	struct dwunit *unit = item;

	free(unit->code);
	free(unit);
}

void dwunits_fini(struct dwunits *units)
{
	tdestroy(units->hit, free_unit);
	free(units->rest);
	*units = (struct dwunits){0};
}

/* Adds the ranges of DIE, as stretches of NAMED. Returns false when memory has run out. */
bool dwunit_list_add_ranges(struct dwunit_list *list, Dwarf_Die *die, Dwarf_Off named,
			    uint64_t code_start)
{
	Dwarf_Addr base = 0, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		/* Code that the linker threw away claims to be at 0, or at the very end. */
		if (low >= high || low < code_start)
			continue;
		if (list->count == list->room) {
			size_t more = list->room ? list->room * 2 : 16;
			void *bigger = reallocarray(list->items, more, sizeof(*list->items));

			if (!bigger)
				return false;
			list->items = bigger;
			list->room = more;
		}
		list->items[list->count++] =
		    (struct dwunit_code){.low = low, .high = high, .die = named};
	}
	return true;
}

static int by_low(const void *a, const void *b)
{
	const struct dwunit_code *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->die > y->die) - (x->die < y->die);
}

void dwunit_list_sort(struct dwunit_list *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_low);
}

const struct dwunit_code *dwunit_code_find(const struct dwunit_code *items, size_t count,
					   uint64_t address)
{
	const struct dwunit_code *found = NULL;
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (items[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i-- > 0 && low - i <= LOOK_BACK;) {
		/* If the linker folded several functions into one, the first is taken. */
		if (found && items[i].low != found->low)
			break;
		if (address < items[i].high)
			found = &items[i];
	}
	return found;
}

static int by_offset(const void *a, const void *b)
{
	const struct dwunit *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* The unit whose first entry is at OFFSET, made on first use. */
static struct dwunit *keep_unit(struct dwunits *units, Dwarf_Off offset)
{
	struct dwunit key = {.offset = offset};
	struct dwunit **place = tfind(&key, &units->hit, by_offset);
	struct dwunit *unit;
	Dwarf_Die split;
	uint8_t type;

	if (place)
		return *place;
	unit = calloc(1, sizeof(*unit));
	if (!unit) {
		units->starved = true;
		return NULL;
	}
	unit->offset = offset;
	if (!dwarf_offdie(units->dwarf, offset, &unit->lines) ||
	    dwarf_cu_info(unit->lines.cu, NULL, &type, NULL, &split, NULL, NULL, NULL) != 0) {
		free(unit);
		return NULL;
	}
	if (!tsearch(unit, &units->hit, by_offset)) {
		units->starved = true;
		free(unit);
		return NULL;
	}
	unit->tree = type == DW_UT_skeleton && split.addr ? split : unit->lines;
	return unit;
}

static int by_value(const void *a, const void *b)
{
	const Dwarf_Off *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The offsets of the units that .debug_aranges has, sorted; some may be there twice. */
static Dwarf_Off *list_arange_units(struct dwunits *units, size_t *count)
{
	Dwarf_Aranges *aranges;
	Dwarf_Off *offsets;
	Dwarf_Addr low;
	Dwarf_Word bytes;

	*count = 0;
	if (dwarf_getaranges(units->dwarf, &aranges, count) != 0 || *count == 0)
		return NULL;
	offsets = calloc(*count, sizeof(*offsets));
	if (!offsets) {
		units->starved = true;
		*count = 0;
	}
	for (size_t i = 0; i < *count; i++)
		dwarf_getarangeinfo(dwarf_onearange(aranges, i), &low, &bytes, &offsets[i]);
	if (offsets)
		qsort(offsets, *count, sizeof(*offsets), by_value);
	return offsets;
}

/* Reads the ranges of the units that .debug_aranges leaves out. */
static void load_rest(struct dwunits *units)
{
	struct dwunit_list list = {0};
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	Dwarf_Half version;
	uint8_t type;
	size_t count;
	Dwarf_Off *known = list_arange_units(units, &count);

	units->rest_loaded = true;
	while (dwarf_get_units(units->dwarf, cu, &cu, &version, &type, &die, NULL) == 0) {
		Dwarf_Off offset = dwarf_dieoffset(&die);

		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		if (known && bsearch(&offset, known, count, sizeof(*known), by_value))
			continue;
		units->starved |= !dwunit_list_add_ranges(&list, &die, offset, units->code_start);
	}
	free(known);
	dwunit_list_sort(&list);
	units->rest = list.items;
	units->rest_count = list.count;
}

/* Stores the unit of ADDRESS, if .debug_aranges has it. */
static bool ask_aranges(struct dwunits *units, uint64_t address, Dwarf_Off *unit)
{
	Dwarf_Aranges *aranges;
	Dwarf_Arange *range;
	Dwarf_Addr low;
	Dwarf_Word bytes;

	if (dwarf_getaranges(units->dwarf, &aranges, NULL) != 0)
		return false;
	range = dwarf_getarange_addr(aranges, address);
	return range && dwarf_getarangeinfo(range, &low, &bytes, unit) == 0 &&
	       low >= units->code_start;
}

struct dwunit *dwunits_find(struct dwunits *units, uint64_t address)
{
	const struct dwunit_code *range;
	Dwarf_Off offset;

	if (!units->dwarf)
		return NULL;
	if (ask_aranges(units, address, &offset))
		return keep_unit(units, offset);
	if (!units->rest_loaded)
		load_rest(units);
	range = dwunit_code_find(units->rest, units->rest_count, address);
	return range ? keep_unit(units, range->die) : NULL;
}
