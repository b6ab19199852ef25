/* SPDX-License-Identifier: MIT */
/* See dwline.h. */
#include "symbolize/dwline.h"

static void describe(Dwarf_Line *entry, struct symbolize_line *line)
{
	int number = 0, column = 0;

	line->file = dwarf_linesrc(entry, NULL, NULL);
	if (!line->file || dwarf_lineno(entry, &number) != 0 || number < 0)
		number = 0;
	if (dwarf_linecol(entry, &column) != 0 || column < 0)
		column = 0;
	line->line = number;
	line->column = column;
}

bool dwline_find(struct dwunit *unit, uint64_t address, struct symbolize_line *line)
{
	Dwarf_Line *entry = dwarf_getsrc_die(&unit->lines, address);

	if (!entry)
		return false;
	describe(entry, line);
	return true;
}

static uint64_t address_of(Dwarf_Lines *lines, size_t i)
{
	Dwarf_Addr address = 0;

	dwarf_lineaddr(dwarf_onesrcline(lines, i), &address);
	return address;
}

/* The first entry whose stretch may reach beyond START. libdw keeps entries by address. */
static size_t first_entry(Dwarf_Lines *lines, size_t count, uint64_t start)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (address_of(lines, middle) <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

size_t dwline_each(struct dwunit *unit, uint64_t start, uint64_t end, uint64_t bias,
		   symbolize_line_fn *each, void *context)
{
	Dwarf_Lines *lines;
	size_t count, shown = 0;

	if (dwarf_getsrclines(&unit->lines, &lines, &count) != 0)
		return 0;
	for (size_t i = first_entry(lines, count, start); i + 1 < count; i++) {
		uint64_t from = address_of(lines, i), to = address_of(lines, i + 1);
		struct symbolize_line line;
		bool ends = false;

		if (from >= end)
			break;
		from = from < start ? start : from;
		to = to > end ? end : to;
		dwarf_lineendsequence(dwarf_onesrcline(lines, i), &ends);
		if (ends || from >= to)
			continue;
		describe(dwarf_onesrcline(lines, i), &line);
		line.start = from + bias;
		line.size = to - from;
		shown++;
		if (!each(context, &line))
			break;
	}
	return shown;
}
