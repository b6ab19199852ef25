/* SPDX-License-Identifier: MIT */
/*
 * Puts the answers of symbolize.h together, from a file's symbols, its stubs and its debug
 * information. Nothing here reads the file: image.c opens it, elf*.c and dw*.c read it.
 */
#define _GNU_SOURCE
#include "symbolize/symbolize.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/blocks.h"
#include "symbolize/codeprint.h"
#include "symbolize/demangle.h"
#include "symbolize/dwfunc.h"
#include "symbolize/dwline.h"
#include "symbolize/dwunit.h"
#include "symbolize/elfplt.h"
#include "symbolize/flow.h"
#include "symbolize/elfsym.h"
#include "symbolize/image.h"
#include "symbolize/intern.h"
#include "symbolize/kernel.h"
#include "symbolize/nameless.h"

struct symbolize_module {
	struct symbolizer *owner;
	struct symbolize_module *next;
	const char *path;
	unsigned char *build_id;
	size_t build_id_bytes;
	enum symbolize_kind kind;
	bool opened;
	struct image image;
	struct elfsym_table symbols, variables;
	struct nameless_table nameless;
	struct dwunits units;
	struct kernel_symbols kernel; /* SYMBOLIZE_KERNEL */
};

struct symbolizer {
	struct intern strings;
	struct symbolize_module *modules;
	struct dwfunc_chain chain;     /* the frames of the last lookup */
	struct symbolize_frame single; /* used instead when there is no memory for the chain */
};

struct symbolizer *symbolize_new(void)
{
	return calloc(1, sizeof(struct symbolizer));
}

static void free_module(struct symbolize_module *m)
{
	elfsym_fini(&m->symbols);
	elfsym_fini(&m->variables);
	nameless_fini(&m->nameless);
	dwunits_fini(&m->units);
	kernel_fini(&m->kernel);
	image_close(&m->image);
	free(m->build_id);
	free(m);
}

void symbolize_free(struct symbolizer *s)
{
	struct symbolize_module *next;

	if (!s)
		return;
	for (struct symbolize_module *m = s->modules; m; m = next) {
		next = m->next;
		free_module(m);
	}
	free(s->chain.frames);
	intern_fini(&s->strings);
	free(s);
}

static struct symbolize_module *find_module(struct symbolizer *s, const char *path,
					    const void *build_id, size_t build_id_bytes,
					    enum symbolize_kind kind)
{
	struct symbolize_module *m = s->modules;

	while (m &&
	       (m->kind != kind || m->build_id_bytes != build_id_bytes ||
		memcmp(m->build_id, build_id, build_id_bytes) != 0 || strcmp(m->path, path) != 0))
		m = m->next;
	return m;
}

struct symbolize_module *symbolize_add(struct symbolizer *s, const char *path, const void *build_id,
				       size_t build_id_bytes, enum symbolize_kind kind)
{
	struct symbolize_module *m = find_module(s, path, build_id, build_id_bytes, kind);

	if (m)
		return m;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->owner = s;
	m->kind = kind;
	m->path = intern_text(&s->strings, path, strlen(path));
	m->build_id = malloc(build_id_bytes + 1);
	if (!m->path || !m->build_id) {
		free_module(m);
		return NULL;
	}
	if (build_id_bytes)
		memcpy(m->build_id, build_id, build_id_bytes);
	m->build_id_bytes = build_id_bytes;
	m->next = s->modules;
	s->modules = m;
	return m;
}

/* Opens the module's file, at the first call. False: no file can be used, or it has none. */
static bool open_module(struct symbolize_module *m)
{
	if (!m || m->kind == SYMBOLIZE_KERNEL)
		return false;
	if (!m->opened) {
		m->opened = true;
		image_open(&m->image, &m->owner->strings, m->path, m->build_id, m->build_id_bytes,
			   m->kind);
	}
	return m->image.mod != NULL;
}

const char *symbolize_notice(struct symbolize_module *m)
{
	open_module(m);
	if (!m)
		return "out of memory: a module is unknown";
	return m->units.starved ? "out of memory: lines of a module are unknown" : m->image.notice;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void answer_nothing(struct symbolize_module *m, uint64_t address, struct symbolize_result *r)
{
	const char *module = m->path[0] ? last_part(m->path) : "?";

	r->name =
	    intern_format(&m->owner->strings, "%s+0x%llx", module, (unsigned long long)address);
	if (!r->name)
		r->name = module;
	r->linkage = r->name;
	r->start = address;
	r->quality = SYMBOLIZE_NONE;
}

/* Fills in a function that no symbol names: where it begins is its name. */
static void answer_nameless(struct symbolize_module *m, uint64_t address,
			    struct symbolize_result *r)
{
	struct nameless_function function;
	bool found = nameless_find(&m->nameless, &m->image, address, &function);

	answer_nothing(m, found ? function.start : address, r);
	r->size = found ? function.size : 0;
}

static void answer_symbol(struct symbolize_module *m, const struct elfsym_entry *entry,
			  struct symbolize_result *r)
{
	r->linkage = elfsym_name(&m->image, entry, &r->quality);
	r->name = demangle_name(&m->owner->strings, r->linkage);
	r->start = entry->start;
	r->size = entry->size;
	if (m->kind == SYMBOLIZE_VDSO)
		r->quality = SYMBOLIZE_VDSO_SYMBOL;
}

/* False: the list does not have the function, or may not be read. */
static bool answer_kernel(struct symbolize_module *m, uint64_t address, struct symbolize_result *r)
{
	const struct kernel_symbol *symbol;

	if (!m->opened)
		kernel_load(&m->kernel, m->build_id, m->build_id_bytes);
	m->opened = true;
	symbol = kernel_find(&m->kernel, address);
	if (!symbol)
		return false;
	r->quality = SYMBOLIZE_KALLSYMS;
	r->linkage = symbol->name;
	r->name = demangle_name(&m->owner->strings, symbol->name);
	r->start = symbol->start;
	r->size = symbol->size;
	return true;
}

static const struct elfsym_entry *find_symbol(struct symbolize_module *m, uint64_t address,
					      const char *like, const char *or_like)
{
	elfsym_load(&m->symbols, &m->image);
	return elfsym_find(&m->symbols, &m->image, address, like, or_like);
}

static bool answer_plt(struct symbolize_module *m, uint64_t address, struct symbolize_result *r)
{
	struct intern *in = &m->owner->strings;
	const struct elfsym_entry *resolver;
	const char *target, *name;
	struct elfplt_stub stub;

	if (!elfplt_find(&m->image, address, &stub))
		return false;
	target = stub.target;
	if (!target && stub.resolver) {
		resolver = find_symbol(m, stub.resolver, NULL, NULL);
		target = resolver ? elfsym_name(&m->image, resolver, NULL) : NULL;
	}
	r->quality = SYMBOLIZE_PLT;
	r->start = stub.start;
	r->size = stub.size;
	r->name = r->linkage = ".plt";
	if (!target)
		return true;
	name = intern_format(in, "%s@plt", demangle_name(in, target));
	r->name = name ? name : target;
	name = intern_format(in, "%s@plt", target);
	r->linkage = name ? name : target;
	return true;
}

/*
 * Fills in the function, by its debug information. For a C++ function that no other file sees, gcc
 * leaves out the mangled name, and so the namespace and the parameters; the symbol has them.
 */
static void answer_function(struct symbolize_module *m, const struct dwfunc *func,
			    struct symbolize_result *r)
{
	struct intern *in = &m->owner->strings;
	const struct elfsym_entry *symbol;
	uint64_t start = func->low + m->units.bias;
	bool mangled = func->linkage && demangle_applies(func->linkage);
	const char *name;

	symbol = find_symbol(m, start, mangled ? func->linkage : func->name, func->linkage);
	if (symbol && symbol->start == start)
		answer_symbol(m, symbol, r);
	name = dwfunc_name(func, in);
	if (name && (mangled || !r->linkage || !demangle_applies(r->linkage)))
		r->name = name;
	if (!r->linkage)
		r->linkage = func->linkage ? func->linkage : func->name;
	if (!r->name)
		answer_nothing(m, start, r);
	r->quality = SYMBOLIZE_DWARF;
	r->start = start;
	r->size = func->high - func->low;
	r->file = func->file;
	r->line = func->line;
}

/* Fills in the line of ADDRESS, and its function. False: the debug information has no function. */
static bool answer_debug(struct symbolize_module *m, uint64_t address, struct symbolize_result *r,
			 struct dwunit **unit, struct dwfunc *func)
{
	struct symbolize_line line;
	uint64_t inner;

	dwunits_load(&m->units, &m->image);
	inner = address - m->units.bias;
	*unit = dwunits_find(&m->units, inner);
	if (!*unit)
		return false;
	if (dwline_find(*unit, inner, &line)) {
		r->at_file = line.file;
		r->at_line = line.line;
		r->at_column = line.column;
	}
	if (!dwfunc_find(&m->units, *unit, inner, func))
		return false;
	answer_function(m, func, r);
	return true;
}

/* Gives a function without a declaration the line that its code begins in. */
static void answer_first_line(struct symbolize_module *m, struct dwunit *unit,
			      struct symbolize_result *r)
{
	struct symbolize_line line;

	if (r->file || !dwline_find(unit, r->start - m->units.bias, &line) || !line.line)
		return;
	r->file = line.file;
	r->line = line.line;
}

static void push_function(struct symbolizer *s, struct symbolize_result *r)
{
	s->single = (struct symbolize_frame){
	    .name = r->name, .linkage = r->linkage, .file = r->file, .line = r->line};
	s->chain.count = 0;
	dwfunc_chain_push(&s->chain, &s->single);
}

/* The answer for a module that there was no memory for. */
static void answer_unknown(struct symbolize_result *r)
{
	static const struct symbolize_frame unknown = {.name = "?", .linkage = "?"};

	*r = (struct symbolize_result){.quality = SYMBOLIZE_NONE,
				       .name = unknown.name,
				       .linkage = unknown.linkage,
				       .frames = &unknown,
				       .frame_count = 1};
}

/* Fills in the function of ADDRESS by its symbol; false: no symbol with a size covers it. */
static bool answer_sized_symbol(struct symbolize_module *m, uint64_t address,
				struct symbolize_result *r)
{
	const struct elfsym_entry *symbol = find_symbol(m, address, NULL, NULL);

	if (!symbol || symbol->label)
		return false;
	answer_symbol(m, symbol, r);
	return true;
}

static void lookup(struct symbolize_module *m, uint64_t address, bool symbols_first,
		   struct symbolize_result *result)
{
	const struct elfsym_entry *symbol;
	struct dwunit *unit = NULL;
	struct dwfunc func;
	struct symbolizer *s;
	bool known = false;

	if (!m) {
		answer_unknown(result);
		return;
	}
	s = m->owner;
	*result = (struct symbolize_result){0};
	if (m->kind == SYMBOLIZE_KERNEL) {
		if (!answer_kernel(m, address, result))
			answer_nothing(m, address, result);
	} else if (!open_module(m)) {
		answer_nothing(m, address, result);
	} else if (!answer_plt(m, address, result) &&
		   !(symbols_first && answer_sized_symbol(m, address, result))) {
		known = answer_debug(m, address, result, &unit, &func);
		symbol = known ? NULL : find_symbol(m, address, NULL, NULL);
		if (symbol)
			answer_symbol(m, symbol, result);
		else if (!known)
			answer_nameless(m, address, result);
		if (unit)
			answer_first_line(m, unit, result);
	}
	push_function(s, result);
	if (known && s->chain.count)
		dwfunc_inlined(&func, address - m->units.bias, &s->strings, &s->chain);
	result->frames = s->chain.count ? s->chain.frames : &s->single;
	result->frame_count = s->chain.count ? s->chain.count : 1;
}

void symbolize_lookup(struct symbolize_module *m, uint64_t address, struct symbolize_result *result)
{
	lookup(m, address, false, result);
}

void symbolize_name(struct symbolize_module *m, uint64_t address, struct symbolize_result *result)
{
	lookup(m, address, true, result);
}

const char *symbolize_after(struct symbolize_module *m, uint64_t address)
{
	const struct elfsym_entry *entry = NULL;

	if (open_module(m)) {
		elfsym_load(&m->symbols, &m->image);
		entry = elfsym_before(&m->symbols, &m->image, address);
	}
	return entry ? demangle_name(&m->owner->strings, elfsym_name(&m->image, entry, NULL))
		     : NULL;
}

void symbolize_variable(struct symbolize_module *m, uint64_t address,
			struct symbolize_result *result)
{
	const struct elfsym_entry *entry = NULL;

	*result = (struct symbolize_result){
	    .name = "?", .linkage = "?", .start = address, .quality = SYMBOLIZE_NONE};
	if (!m)
		return;
	m->variables.variables = true;
	if (open_module(m)) {
		elfsym_load(&m->variables, &m->image);
		entry = elfsym_find(&m->variables, &m->image, address, NULL, NULL);
	}
	if (entry)
		answer_symbol(m, entry, result);
	else
		answer_nothing(m, address, result);
}

size_t symbolize_functions(struct symbolize_module *m, bool with_files, symbolize_function_fn *each,
			   void *context)
{
	size_t shown = 0;

	if (!open_module(m))
		return 0;
	elfsym_load(&m->symbols, &m->image);
	while (shown < m->symbols.count) {
		struct elfsym_entry *entry = &m->symbols.entries[shown++];
		struct symbolize_function f = {0};

		if (with_files) {
			struct symbolize_result r;

			symbolize_lookup(m, entry->start, &r);
			f.file = r.file;
			f.line = r.line;
		}
		f.linkage = elfsym_name(&m->image, entry, NULL);
		f.name = demangle_name(&m->owner->strings, f.linkage);
		f.start = entry->start;
		f.size = entry->size;
		if (!each(context, &f))
			break;
	}
	return shown;
}

size_t symbolize_lines(struct symbolize_module *m, uint64_t start, uint64_t size,
		       symbolize_line_fn *each, void *context)
{
	struct dwunit *unit;
	uint64_t inner;

	if (!open_module(m))
		return 0;
	dwunits_load(&m->units, &m->image);
	inner = start - m->units.bias;
	unit = dwunits_find(&m->units, inner);
	return unit ? dwline_each(unit, inner, inner + size, m->units.bias, each, context) : 0;
}

size_t symbolize_inlined(struct symbolize_module *m, uint64_t address, symbolize_inlined_fn *each,
			 void *context)
{
	struct dwunit *unit;
	struct dwfunc func;

	if (!open_module(m))
		return 0;
	dwunits_load(&m->units, &m->image);
	unit = dwunits_find(&m->units, address - m->units.bias);
	if (!unit || !dwfunc_find(&m->units, unit, address - m->units.bias, &func))
		return 0;
	return dwfunc_each_inlined(&func, &m->owner->strings, each, context);
}

/* Whether a stub at ADDRESS leads to NAME. */
static bool leads_to(struct symbolize_module *m, uint64_t address, const char *name)
{
	struct elfplt_stub stub;

	return elfplt_find(&m->image, address, &stub) && stub.target &&
	       strcmp(stub.target, name) == 0;
}

/* The stub of NAME, found by a call in the code that goes to the stub; 0: there is no such call. */
static uint64_t find_stub(struct symbolize_module *m, const struct image_code *code, uint64_t start,
			  uint64_t size, const char *name)
{
	uint64_t to, by;

	for (uint64_t i = 0; i < size; i += flow_step(code->machine))
		if (flow_call(code->machine, code->bytes + i, size - i, start + i, &to, &by) &&
		    to && leads_to(m, to, name))
			return to;
	return 0;
}

void symbolize_blocks(struct symbolize_module *m, uint64_t start, uint64_t size, const char *name,
		      struct symbolize_callee *callee, symbolize_block_fn *each, void *context)
{
	struct image_code code;

	if (!open_module(m) || !image_code(&m->image, start, size, &code) ||
	    !flow_is_known(code.machine))
		return;
	if (!callee->slot_asked)
		callee->slot = elfplt_slot(&m->image, name);
	callee->slot_asked = true;
	if (!callee->stub)
		callee->stub = find_stub(m, &code, start, size, name);
	if (callee->stub || callee->slot)
		blocks_each(&code, start, size, callee, each, context);
}

/* A text attribute of the unit that holds ADDRESS. */
static const char *text_of_unit(struct symbolize_module *m, uint64_t address, unsigned name)
{
	Dwarf_Attribute attribute;
	struct dwunit *unit;

	if (!open_module(m))
		return NULL;
	dwunits_load(&m->units, &m->image);
	unit = dwunits_find(&m->units, address - m->units.bias);
	return unit ? dwarf_formstring(dwarf_attr(&unit->tree, name, &attribute)) : NULL;
}

const char *symbolize_producer(struct symbolize_module *m, uint64_t address)
{
	return text_of_unit(m, address, DW_AT_producer);
}

const char *symbolize_folder(struct symbolize_module *m, uint64_t address)
{
	return text_of_unit(m, address, DW_AT_comp_dir);
}

bool symbolize_code(struct symbolize_module *m, uint64_t start, uint64_t size, uint64_t *print)
{
	struct image_code code;

	return open_module(m) && image_code(&m->image, start, size, &code) &&
	       codeprint(&code, (size_t)size, print);
}

const unsigned char *symbolize_bytes(struct symbolize_module *m, uint64_t start, uint64_t size,
				     unsigned *machine)
{
	struct image_code code;

	if (!size || !open_module(m) || !image_code(&m->image, start, size, &code))
		return NULL;
	*machine = code.machine;
	return code.bytes;
}

const char *symbolize_quality_name(enum symbolize_quality quality)
{
	static const char *const names[] = {
	    [SYMBOLIZE_DWARF] = "dwarf",      [SYMBOLIZE_SYMTAB] = "symtab",
	    [SYMBOLIZE_DYNSYM] = "dynsym",    [SYMBOLIZE_PLT] = "plt",
	    [SYMBOLIZE_VDSO_SYMBOL] = "vdso", [SYMBOLIZE_KALLSYMS] = "kallsyms",
	    [SYMBOLIZE_NONE] = "none",
	};

	return names[quality];
}
