/* SPDX-License-Identifier: MIT */
/* scan.c - see scan.h. */
#include "preload/sites/scan.h"

#include "preload/base/sys.h"
#include "preload/code/areas.h"
#include "preload/code/cfi.h"

#include <elf.h>

#define CALL_BYTES 5 /* of a call or jump with a displacement; through a slot, one more */

/* A zone's address lies at most so far after its function's beginning (the call of __fentry__). */
#define FIRST_INSTRUCTIONS 16

static bool holds(const struct scan_image *image, uintptr_t at, size_t bytes)
{
	return at >= image->start && at <= image->end && bytes <= image->end - at;
}

/* ---- reading tables */

static bool copy(const struct scan_image *image, int table, uintptr_t from, void *to, size_t bytes)
{
	struct scan_reader *r = image->reader;
	uintptr_t start = from & ~(uintptr_t)(SCAN_BLOCK_BYTES - 1);
	struct scan_block *block;

	if (!holds(image, from, bytes))
		return false;
	if (!r) {
		memcpy(to, (const void *)from, bytes);
		return true;
	}
	if (from + bytes - start > SCAN_BLOCK_BYTES || start < image->start ||
	    image->end - start < SCAN_BLOCK_BYTES)
		return r->copy(to, from, bytes);
	block = &r->blocks[table][start / SCAN_BLOCK_BYTES % SCAN_BLOCKS];
	if (block->at != start) {
		block->at = 0;
		if (!r->copy(block->bytes, start, SCAN_BLOCK_BYTES))
			return false;
		block->at = start;
	}
	memcpy(to, block->bytes + (from - start), bytes);
	return true;
}

/* ---- the slots, by the tables of the dynamic linker */

static const char *const names[] = {
    [ZPROF_SITE_ENTER] = "__cyg_profile_func_enter",
    [ZPROF_SITE_EXIT] = "__cyg_profile_func_exit",
    [ZPROF_SITE_FENTRY] = "__fentry__",
    [ZPROF_SITE_RETURN] = "__return__",
};

struct dynamic {
	uintptr_t symbols, strings, relocations[2];
	uint64_t string_bytes, relocation_bytes[2];
	uint64_t relative; /* so many entries of relocations[1] name no symbol, and come first */
};

/*
 * The address in memory for a pointer of the dynamic section: the dynamic linker may have relocated
 * the pointer, or not.
 */
static uintptr_t pointer(const struct scan_image *image, uint64_t value)
{
	return holds(image, value, 0) ? value : value + image->bias;
}

static void read_dynamic(const struct scan_image *image, struct dynamic *d)
{
	uintptr_t at = image->dynamic;
	Elf64_Dyn entry;

	memset(d, 0, sizeof(*d));
	for (; copy(image, SCAN_RELOCATIONS, at, &entry, sizeof(entry)) && entry.d_tag != DT_NULL;
	     at += sizeof(entry)) {
		switch (entry.d_tag) {
		case DT_SYMTAB:
			d->symbols = pointer(image, entry.d_un.d_ptr);
			break;
		case DT_STRTAB:
			d->strings = pointer(image, entry.d_un.d_ptr);
			break;
		case DT_STRSZ:
			d->string_bytes = entry.d_un.d_val;
			break;
		case DT_JMPREL:
			d->relocations[0] = pointer(image, entry.d_un.d_ptr);
			break;
		case DT_PLTRELSZ:
			d->relocation_bytes[0] = entry.d_un.d_val;
			break;
		case DT_RELA:
			d->relocations[1] = pointer(image, entry.d_un.d_ptr);
			break;
		case DT_RELASZ:
			d->relocation_bytes[1] = entry.d_un.d_val;
			break;
		case DT_RELACOUNT:
			d->relative = entry.d_un.d_val;
			break;
		}
	}
}

/* Which hook a symbol is; 0: none. */
static uint8_t hook_named(const struct scan_image *image, const struct dynamic *d, uint32_t symbol)
{
	char name[sizeof("__cyg_profile_func_enter")];
	uint64_t bytes;
	Elf64_Sym s;
	uint8_t hook;

	if (!copy(image, SCAN_SYMBOLS, d->symbols + symbol * sizeof(s), &s, sizeof(s)) ||
	    s.st_name >= d->string_bytes)
		return 0;
	bytes = d->string_bytes - s.st_name;
	if (bytes > sizeof(name))
		bytes = sizeof(name);
	if (!copy(image, SCAN_STRINGS, d->strings + s.st_name, name, bytes))
		return 0;
	for (hook = ZPROF_SITE_ENTER; hook <= ZPROF_SITE_RETURN; hook++)
		if (strlen(names[hook]) < bytes &&
		    !memcmp(name, names[hook], strlen(names[hook]) + 1))
			return hook;
	return 0;
}

bool scan_hooks(const struct scan_image *image, struct scan_hooks *hooks)
{
	struct dynamic d;
	int i;

	hooks->count = 0;
	if (!image->dynamic || !image->eh_frame_hdr)
		return false;
	read_dynamic(image, &d);
	for (i = 0; i < 2; i++) {
		uintptr_t at = d.relocations[i];
		uint64_t n = d.relocation_bytes[i] / sizeof(Elf64_Rela);
		Elf64_Rela r;

		if (!at || !holds(image, at, d.relocation_bytes[i]))
			continue;
		if (i == 1 && d.relative <= n) {
			at += d.relative * sizeof(r);
			n -= d.relative;
		}
		for (; n-- > 0 && hooks->count < SCAN_SLOTS; at += sizeof(r)) {
			uint32_t type;
			uint8_t hook;

			if (!copy(image, SCAN_RELOCATIONS, at, &r, sizeof(r)))
				break;
			type = (uint32_t)ELF64_R_TYPE(r.r_info);
			if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
				continue;
			hook = hook_named(image, &d, (uint32_t)ELF64_R_SYM(r.r_info));
			if (!hook)
				continue;
			hooks->slots[hooks->count].slot = r.r_offset + image->bias;
			hooks->slots[hooks->count++].hook = hook;
		}
	}
	return hooks->count > 0;
}

/* ---- the sites */

/* By enum zprof_site_call. */
static const struct form {
	uint8_t on, off; /* the first byte */
	uint8_t second;  /* the second, where `bytes` is CALL_BYTES + 1 */
	uint8_t bytes;
} forms[] = {
    [ZPROF_SITE_CALL] = {0xe8, 0xa9, 0, CALL_BYTES},
    [ZPROF_SITE_SLOT] = {0xff, 0x85, 0x15, CALL_BYTES + 1},
    [ZPROF_SITE_JUMP] = {0xe9, 0xc3, 0, CALL_BYTES},
    [ZPROF_SITE_TAIL] = {0xff, 0xc3, 0x25, CALL_BYTES + 1},
    [ZPROF_SITE_AREA] = {AREA_ON, AREA_OFF, 0, 0},
};

uint8_t scan_byte(const struct zprof_site *site, bool off)
{
	const struct form *form = &forms[ZPROF_SITE_FORM(site)];

	return off ? form->off : form->on;
}

static const bool may_begin[256] = {
    [0xe8] = true, [0xa9] = true, [0xff] = true, [0x85] = true, [0xe9] = true, [0xc3] = true};

static bool has_form(const unsigned char *code, const struct form *form, size_t room)
{
	return room >= form->bytes && (*code == form->on || *code == form->off) &&
	       (form->bytes == CALL_BYTES || code[1] == form->second);
}

static uint8_t hook_in_slot(const struct scan_hooks *hooks, uintptr_t slot)
{
	uint32_t i;

	for (i = 0; i < hooks->count; i++)
		if (hooks->slots[i].slot == slot)
			return hooks->slots[i].hook;
	return 0;
}

/* The longest stub: endbr64, bnd, jmp *slot(%rip). */
#define STUB_BYTES 11

static uint8_t hook_at_stub(const struct scan_image *image, const struct scan_hooks *hooks,
			    uintptr_t target)
{
	const uintptr_t *slot;

	if (!holds(image, target, STUB_BYTES))
		return 0;
	slot = cpu_jump_slot(target);
	return slot ? hook_in_slot(hooks, (uintptr_t)slot) : 0;
}

/* The function that is being searched, and which sites have been found in it. */
struct function {
	uintptr_t start, end;
	bool entered; /* a call of __fentry__ is a site at its beginning */
	bool begins;  /* a call of any entry hook in it is a site */
};

/* Which hook is called by the code at `at`, which has a site's form; 0: none. */
static uint8_t hook_of(const struct scan_image *image, const struct scan_hooks *hooks,
		       const struct function *f, uint8_t which, uintptr_t at)
{
	int32_t distance;
	uint8_t hook;

	at += forms[which].bytes;
	memcpy(&distance, (const char *)at - sizeof(distance), sizeof(distance));
	at += (uintptr_t)(intptr_t)distance;
	if (forms[which].bytes == CALL_BYTES)
		return hook_at_stub(image, hooks, at);
	hook = hook_in_slot(hooks, at);
	if (which == ZPROF_SITE_TAIL && (hook != ZPROF_SITE_EXIT || !f->begins))
		return 0;
	return hook;
}

/* The site that begins at an address. If no site does, `call` is 0. */
static struct zprof_site site_at(const struct scan_image *image, const struct scan_hooks *hooks,
				 const struct function *f, uintptr_t at)
{
	const unsigned char *code = (const unsigned char *)at;
	struct zprof_site site = {.address = at};
	uint8_t which;

	for (which = ZPROF_SITE_CALL; which <= ZPROF_SITE_TAIL && !site.call; which++) {
		uint8_t hook = has_form(code, &forms[which], f->end - at)
				   ? hook_of(image, hooks, f, which, at)
				   : 0;

		if (!hook)
			continue;
		site.call = (uint8_t)(which | hook << 4);
		site.state = *code == forms[which].off ? ZPROF_SITE_OFF : 0;
	}
	return site;
}

static uintptr_t end_of(const struct zprof_site *site)
{
	return site->address + forms[ZPROF_SITE_FORM(site)].bytes;
}

static bool scan_function(const struct scan_image *image, const struct scan_hooks *hooks,
			  struct function *f,
			  bool (*found)(void *context, const struct zprof_site *site),
			  void *context)
{
	uintptr_t at = f->start;

	while (at < f->end) {
		struct zprof_site site;

		if (!may_begin[*(const unsigned char *)at]) {
			at++;
			continue;
		}
		site = site_at(image, hooks, f, at);
		if (!site.call) {
			at++;
			continue;
		}
		site.function = (uint32_t)(at - f->start);
		if (ZPROF_SITE_HOOK(&site) == ZPROF_SITE_FENTRY)
			f->entered = site.function < FIRST_INSTRUCTIONS;
		f->begins |= scan_enters(&site);
		if (f->entered && ZPROF_SITE_HOOK(&site) >= ZPROF_SITE_FENTRY)
			site.state |= ZPROF_SITE_CHOSEN;
		if (!found(context, &site))
			return false;
		at = end_of(&site);
	}
	return true;
}

void scan_sites(const struct scan_image *image, const struct scan_hooks *hooks,
		bool (*found)(void *context, const struct zprof_site *site), void *context)
{
	struct cfi_image functions = {image->start, image->end, image->eh_frame_hdr};
	uint64_t i, count = cfi_count(&functions);

	for (i = 0; i < count; i++) {
		struct function f = {.entered = false};

		if (cfi_range(&functions, i, &f.start, &f.end) &&
		    !scan_function(image, hooks, &f, found, context))
			return;
	}
}

static bool is_first_off(void *context, const struct zprof_site *site)
{
	*(bool *)context = (site->state & ZPROF_SITE_OFF) != 0;
	return false;
}

bool scan_sleeps(const struct scan_image *image, const struct scan_hooks *hooks)
{
	bool off = false;

	scan_sites(image, hooks, is_first_off, &off);
	return off;
}
