/* SPDX-License-Identifier: MIT */
/*
 * scan.h - finds the sites of an ELF image: the places in its code that call a hook.
 *
 * One byte switches a site off, and keeps the length of the instruction:
 *
 *     on                          off
 *     e8 rel32   call stub        a9 imm32   test $imm32, %eax          flags are lost at any call
 *     67 e8 ...  call stub        67 a9 ...  test $imm32, %eax          the prefix says nothing here
 *     ff 15 d32  call *slot(%rip) 85 15 d32  test %edx, slot(%rip)      reads as the call does
 *     e9 rel32   jmp stub         c3 rel32   ret                        at the end of a function
 *     ff 25 d32  jmp *slot(%rip)  c3 25 d32  ret                        at the end of a function
 *     0f 1f ...  nop              eb 1f ...  jmp                        a trampoline (code/areas.h)
 *
 * The last form is in no image of the linker's, and is not searched for: areas list their trampolines.
 * The two forms before it occur where the compiler has made a jump of a function's last call, the call
 * of the exit hook. The stack is then as at the function's entry, so the hook returns to the
 * function's caller. (So the exit hook does *not* return to a place behind a site, and no site is
 * ever found by going back from a return address. Sites are found by looking through the code.)
 *
 * `test` is executed, which a nop is not. jsoncpp with -finstrument-functions, which has ten
 * thousand such places, took 1 to 4 % longer with `test` than with nops (EPYC of 2021, beside other
 * work). `cmp $imm32, %eax` (3d) and `mov $imm32, %eax` (b8, right for C hooks alone) cost about
 * the same; other instructions that differ from a call in the first byte alone change registers or
 * memory that they must not.
 *
 * ## What is a site
 *
 * The code of all functions, whose bounds are in the compiler's own call frame information, is
 * searched byte by byte for one of the forms, on or off, whose target is a hook of this library:
 *
 *   - a slot of the global offset table that a relocation (DT_JMPREL or DT_RELA) names as that hook.
 *     The slot's *content* would say nothing before it is bound, and never in a file;
 *   - or a stub of the procedure linkage table, `[endbr64] [bnd] jmp *slot(%rip)`, with such a slot.
 *
 * All 32 bits of a displacement must agree with one of a few addresses. In the middle of another
 * instruction, such bytes occur by chance once in some 10 gigabytes of code. Calls through a
 * register (-mcmodel=large, retpolines) are not sites: such calls stay as they are, and the hook
 * that they call must do the right thing even so.
 *
 * A stub begins with `jmp *slot(%rip)`, too, and must never be changed, because sites are
 * recognized by the stubs that they call. So such a jump is a site only if it jumps to an exit
 * hook, and an entry hook is called before it in the same function. A stub has no entry. (A part of
 * a function that the compiler has put elsewhere has none either: an exit there stays on, which is
 * harmless, see sites.h.)
 *
 * This code is used by the library, which switches sites in memory (sites.h), and by `zprof sleep`,
 * which switches them in the file. So nothing here depends on the library, and all that is read is
 * checked to lie in the image.
 */
#ifndef ZPROF_SCAN_H
#define ZPROF_SCAN_H

#include "preload/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An image as the dynamic linker lays it out, relocated or not. */
struct scan_image {
	uintptr_t start, end; /* [start, end) can be read */
	uintptr_t bias;       /* address minus bias = address in the file's own terms */
	uintptr_t eh_frame_hdr, dynamic;
	struct scan_reader *reader; /* NULL: the image stays as it is */
};

/*
 * How scan_hooks() reads the tables of an image that another thread may be loading or unloading, and
 * what was read of each table: a block stays until one comes that has the same place. The entries of
 * one table name entries of the next in no order, so a single block would be read again for nearly
 * each. Too large for the stack of a hook.
 */
enum { SCAN_RELOCATIONS, SCAN_SYMBOLS, SCAN_STRINGS, SCAN_TABLES };
#define SCAN_BLOCK_BYTES 1024u
#define SCAN_BLOCKS      64u /* of each table */

struct scan_block {
	uintptr_t at; /* 0: nothing was read */
	char bytes[SCAN_BLOCK_BYTES];
};

struct scan_reader {
	bool (*copy)(void *to, uintptr_t from, size_t bytes); /* false: nothing is there */
	struct scan_block blocks[SCAN_TABLES][SCAN_BLOCKS];
};

#define SCAN_SLOTS 16

/*
 * The slots that hold hooks' addresses. A hook may have two: one for calls, one for code that takes
 * its address.
 */
struct scan_hooks {
	uint32_t count;
	struct {
		uintptr_t slot;
		uint8_t hook; /* enum zprof_site_hook */
	} slots[SCAN_SLOTS];
};

/* False: the image calls no hook by way of the dynamic linker. */
bool scan_hooks(const struct scan_image *image, struct scan_hooks *hooks);

/*
 * Calls `found` for each site, in the order of functions and addresses. The site's `module` is not
 * filled in. If `found` returns false, the search ends.
 */
void scan_sites(const struct scan_image *image, const struct scan_hooks *hooks,
		bool (*found)(void *context, const struct zprof_site *site), void *context);

/* Whether an image with these hooks has been put to sleep in its file. All of its sites sleep, or none does. */
bool scan_sleeps(const struct scan_image *image, const struct scan_hooks *hooks);

/* The byte at a site, off and on. */
uint8_t scan_byte(const struct zprof_site *site, bool off);

/* Whether a site's hook is called as a function begins, not as one ends. */
static inline bool scan_enters(const struct zprof_site *site)
{
	return ZPROF_SITE_HOOK(site) == ZPROF_SITE_ENTER ||
	       ZPROF_SITE_HOOK(site) == ZPROF_SITE_FENTRY ||
	       ZPROF_SITE_HOOK(site) == ZPROF_SITE_DISPLACED;
}

/* The beginning of a site's function. */
static inline uintptr_t scan_function_of(const struct zprof_site *site)
{
	return site->address - (ZPROF_SITE_FORM(site) == ZPROF_SITE_AREA
				    ? (uintptr_t)(int32_t)site->function
				    : site->function);
}

#endif
