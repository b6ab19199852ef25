/* SPDX-License-Identifier: MIT */
/* facts.c - see facts.h. */
#include "report/core/names/facts.h"

#include <string.h>

static struct fact_name of_told(const struct told_name *told)
{
	return (struct fact_name){.name = told->name,
				  .linkage = told->linkage,
				  .file = told->file,
				  .line = told->line,
				  .start = told->start,
				  .size = told->size,
				  .known = *told->linkage};
}

static struct fact_name of_symbol(const struct symbolize_result *found, uint64_t address)
{
	bool known = found->quality != SYMBOLIZE_NONE;
	return (struct fact_name){.name = found->name,
				  .linkage = found->linkage,
				  .file = found->file,
				  .line = found->line,
				  .start = known || found->size ? found->start : address,
				  .size = found->size,
				  .known = known};
}

/* As symbolize_lookup(). */
typedef void look_up_fn(struct symbolize_module *m, uint64_t address,
			struct symbolize_result *result);

static struct fact_name find(const struct zones *z, uint32_t module, uint64_t address,
			     look_up_fn *look_up)
{
	const struct told_name *told = told_name_at(&z->told, module, address);
	struct symbolize_result found;
	if (told)
		return of_told(told);
	look_up(z->modules[module].symbols, address, &found);
	return of_symbol(&found, address);
}

struct fact_name facts_name(const struct zones *z, uint32_t module, uint64_t address)
{
	return find(z, module, address, symbolize_lookup);
}

struct fact_name facts_bare_name(const struct zones *z, uint32_t module, uint64_t address)
{
	return find(z, module, address, symbolize_name);
}

const char *facts_after(const struct zones *z, uint32_t module, uint64_t address)
{
	return symbolize_after(z->modules[module].symbols, address);
}

struct fact_name facts_variable(const struct zones *z, uint32_t module, uint64_t address)
{
	return find(z, module, address, symbolize_variable);
}

bool facts_code(const struct zones *z, const struct zone *zone, uint64_t *code)
{
	*code = zone->code;
	return *code ||
	       symbolize_code(z->modules[zone->module].symbols, zone->address, zone->bytes, code);
}

const char *facts_compiler(const struct zones *z, const struct zone *zone)
{
	if (zone->kind || zone->module == ZONE_NO_MODULE)
		return "";
	const struct told_name *told = told_name_at(&z->told, zone->module, zone->address);
	const char *compiler =
	    told ? told->compiler
		 : symbolize_producer(z->modules[zone->module].symbols, zone->address);
	return compiler ? compiler : "";
}

const char *facts_folder(const struct zones *z, uint32_t module, uint64_t address)
{
	return module == ZONE_NO_MODULE ? NULL
					: symbolize_folder(z->modules[module].symbols, address);
}

struct extent {
	struct symbolize_module *symbols;
	const char *file;
	uint32_t last;
};

/* Takes a line of the function, but not one of a function inlined into it. */
static bool reach(void *context, const struct symbolize_line *line)
{
	struct extent *x = context;
	struct symbolize_result r;
	if (line->line <= x->last || !line->file || strcmp(line->file, x->file))
		return true;
	symbolize_lookup(x->symbols, line->start, &r);
	if (r.frame_count == 1)
		x->last = line->line;
	return true;
}

uint32_t facts_last_line(const struct zones *z, const struct zone *zone)
{
	if (zone->kind || zone->module == ZONE_NO_MODULE || !zone->bytes)
		return 0;
	const struct told_name *told = told_name_at(&z->told, zone->module, zone->address);
	if (told)
		return told->last_line;
	struct extent x = {z->modules[zone->module].symbols, zone->file, zone->line};
	return symbolize_lines(x.symbols, zone->address, zone->bytes, reach, &x) ? x.last : 0;
}
