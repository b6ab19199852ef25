/* SPDX-License-Identifier: MIT */
/*
 * finalizer.c - the frame of the function that runs a module's destructors (preload/code/finalizer.h). This program
 * has a __cxa_finalize() of its own, which that function calls as the program ends: there the real frame can be
 * looked at. Its caller is the dynamic linker.
 */
#include "preload/code/finalizer.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void __cxa_finalize(void *library);

static int number, failed;
static struct module this_module;

static void ok(bool holds, const char *what)
{
	failed += !holds;
	printf("%sok %d - %s\n", holds ? "" : "not ", ++number, what);
}

/* Whether an address lies in the code of the dynamic linker, as libc has it. */
static bool is_linkers(uintptr_t address)
{
	Dl_info info;

	return dladdr((void *)address, &info) && strstr(info.dli_fname, "ld-linux");
}

void __cxa_finalize(void *library)
{
	uintptr_t pc = (uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)) - 1;
	uintptr_t bp = *(uintptr_t *)__builtin_frame_address(0), at;
	struct cfi cfi = {0};

	(void)library;
	ok(finalizer_frame(&this_module, pc, &cfi), "the function that calls here is known");
	ok(cfi.kind == CFI_REGISTER && cfi.reg == CFI_RBP && cfi.rbp_saved && cfi.ret_saved,
	   "its frame is found by the frame pointer");
	at = bp + (uintptr_t)cfi.offset;
	ok(is_linkers(*(uintptr_t *)(at + (uintptr_t)(intptr_t)cfi.ret_offset)),
	   "and returns to the dynamic linker");
	ok(cfi.function <= pc && pc < cfi.end, "the function begins before the call");
	ok(!finalizer_frame(&this_module, cfi.function, &cfi), "at its beginning it has no frame");
	ok(!finalizer_frame(&this_module, cfi.function - 1, &cfi), "nor has the code before");
	ok(!finalizer_frame(&this_module, cfi.end, &cfi), "nor that far behind");
	this_module.dynamic = 0;
	ok(!finalizer_frame(&this_module, pc, &cfi), "a module without a dynamic section has none");
	printf("1..%d\n", number);
	fflush(stdout);
	_exit(failed != 0);
}

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
	int i;

	(void)size;
	(void)unused;
	this_module.bias = info->dlpi_addr;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			this_module.dynamic = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	return 1; /* the program is the first */
}

int main(void)
{
	dl_iterate_phdr(find_program, NULL);
	return 2; /* unless __cxa_finalize() is called */
}
