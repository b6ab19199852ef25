/* SPDX-License-Identifier: MIT */
/*
 * Names addresses of the kernel's code, by the list of its symbols and of its loaded modules'
 * (/proc/kallsyms):
 *
 *     ffffffff8120c5a0 t copy_page
 *     ffffffffc0a01000 t nft_do_chain	[nf_tables]
 *
 * The list is of the boot that is running now, and at the next boot everything has other addresses.
 * So it is used only for the boot that the caller names. A user without rights reads zeros in place of
 * addresses; then there are no symbols, as where the file is missing or is not such a list.
 *
 * Lines have no sizes. A function reaches to the next symbol, but not beyond KERNEL_FUNCTION_MOST:
 * code in between may be that of programs in the kernel (BPF) which the list leaves out.
 */
#ifndef SYMBOLIZE_KERNEL_H
#define SYMBOLIZE_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define KERNEL_FUNCTION_MOST ((uint64_t)1 << 20)

struct kernel_symbol {
	uint64_t start; /* as symbolize.h has the kernel's addresses */
	uint64_t size;  /* never 0 */
	const char *name;
};

/* Sorted by start, with one symbol for each start. Filled with zeros: there are none. */
struct kernel_symbols {
	struct kernel_symbol *list;
	size_t count;
	char *text; /* of the list; names point into it */
};

/* Reads the list of the running system, if BOOT_ID is that of its boot. */
void kernel_load(struct kernel_symbols *k, const unsigned char *boot_id, size_t boot_id_bytes);

/* Reads a list. If memory runs out, there are no symbols. */
void kernel_read(struct kernel_symbols *k, FILE *from);

/* The function that holds ADDRESS; NULL: not known. */
const struct kernel_symbol *kernel_find(const struct kernel_symbols *k, uint64_t address);

void kernel_fini(struct kernel_symbols *k);

#endif
