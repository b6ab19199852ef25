/* SPDX-License-Identifier: MIT */
/* areas.c - see areas.h. */
#include "report/process/areas.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/sites/scan.h"
#include "report/core/base/memory.h"

/* How the maps name an area: a file of memory (preload/displace/making.c). */
#define NAME "/memfd:zprof (deleted)"

/* The table of .eh_frame_hdr, as preload/displace/rows.h writes it. */
struct table {
	uint8_t encodings[4];
	int32_t eh_frame;
	uint32_t rows;
};

struct row {
	int32_t begin, entry; /* distances from the table */
};

/* The table's address; 0: the mapping is no area. */
static uint64_t table_of(const struct running *r, uint64_t start, uint64_t end)
{
	Elf64_Ehdr elf;
	Elf64_Phdr header[2];
	if (!running_read(r, start, &elf, sizeof elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG) ||
	    elf.e_phoff != sizeof elf || elf.e_phnum != 2 ||
	    !running_read(r, start + sizeof elf, header, sizeof header) ||
	    header[1].p_type != PT_GNU_EH_FRAME || header[1].p_vaddr >= end - start)
		return 0;
	return start + header[1].p_vaddr;
}

/* Row 0 is that of the jump to the hook. */
static void add_area(struct running *r, uint64_t start, uint64_t end)
{
	const struct zprof_site site = {.call = ZPROF_SITE_AREA | ZPROF_SITE_DISPLACED << 4};
	uint64_t at = table_of(r, start, end);
	struct table table;
	if (!at || !running_read(r, at, &table, sizeof table) ||
	    table.rows > (end - at - sizeof table) / sizeof(struct row))
		return;
	struct row *rows = memory_zeroed(table.rows + 1, sizeof *rows);
	if (running_read(r, at + sizeof table, rows, table.rows * sizeof *rows))
		for (uint32_t i = 1; i < table.rows; i++)
			*memory_next(r->entries, r->entry_count, r->entry_room) =
			    (struct running_entry){.at = at + (uint64_t)(int64_t)rows[i].begin,
						   .off = scan_byte(&site, true),
						   .on = scan_byte(&site, false)};
	free(rows);
}

void areas_find(struct running *r)
{
	char path[80], line[PATH_MAX + 128];
	snprintf(path, sizeof path, "%s/maps", r->proc);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) {
		uint64_t start, end, offset;
		char rights[8];
		int name = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*u %n", &start, &end, rights, &offset,
			   &name) == 4 &&
		    name && !strcmp(line + name, NAME) && !offset && !strcmp(rights, "r-xp"))
			add_area(r, start, end);
	}
	if (f)
		fclose(f);
}
