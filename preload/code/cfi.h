/* SPDX-License-Identifier: MIT */
/*
 * cfi.h - reads out of .eh_frame how the CFA is computed at a given pc, and where the caller's rbp
 * is. That is enough to go from frame to frame. (A processor that has no rbp has another frame
 * pointer, and another stack pointer: base/cpu/ has their numbers.)
 *
 * Formats: Linux Standard Base Core 5.0, chapter 10.6 (.eh_frame, .eh_frame_hdr and their pointer
 * encodings); DWARF 5 section 6.4 (call frame instructions). Everything read lies in a loaded
 * module's memory, which the compiler and linker wrote.
 */
#ifndef ZPROF_CFI_H
#define ZPROF_CFI_H

#include "preload/base/cpu.h"

#include <stdbool.h>
#include <stdint.h>

enum cfi_kind {
	CFI_REGISTER,       /* CFA = register + offset */
	CFI_REGISTER_DEREF, /* CFA = *(register + offset): a realigned frame */
	CFI_OTHER,          /* an expression of another shape */
};

#define CFI_RBP            CPU_DWARF_FRAME_POINTER
#define CFI_RSP            CPU_DWARF_STACK_POINTER
#define CFI_RETURN_ADDRESS CPU_DWARF_RETURN_ADDRESS

struct cfi {
	enum cfi_kind kind;
	unsigned reg;
	int64_t offset;
	uintptr_t function; /* where the code that the entry describes begins */
	uintptr_t end;      /* and ends */
	int32_t rbp_offset; /* the caller's rbp is at CFA + rbp_offset, if it is ... */
	int32_t ret_offset; /* where a register has the return address: it is at CFA + ret_offset */
	bool rbp_saved;     /* ... saved; else rbp still holds it */
	bool ret_saved;     /* only where CPU_CALL_PUSHES is 0 */
	bool signal_frame;  /* the kernel's call of a handler: registers are in a ucontext */
	bool outermost;     /* the frame has no caller: the return address is undefined */
};

/* False where there is no entry for pc. */
bool cfi_find(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi *cfi);

/*
 * The instructions of the entry for pc, one by one, to be copied for the same code elsewhere: of
 * entries that begin as nearly all do, CFA = rsp + 8 and the return address below it. False: there is
 * no such entry, or an instruction that cannot be copied.
 */
struct cfi_code {
	uintptr_t function;            /* where the code that the entry describes begins */
	const unsigned char *at, *end; /* the instructions that are left */
};

struct cfi_step {
	const unsigned char *at; /* one instruction of `length` bytes */
	uint32_t length;
	bool advances; /* the next row begins, `bytes` bytes of code further on */
	uint64_t bytes;
	int64_t
	    offset; /* of the CFA from its register, if the instruction sets that alone; else 0 */
};

bool cfi_code(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi_code *code);

/* False at the end, too. */
bool cfi_code_next(struct cfi_code *code, struct cfi_step *step);

/*
 * All functions of an image, one by one: cfi_count() says how many there are, cfi_range() where the
 * code of one function begins and ends. Both check that all bytes they read lie in [start, end) of
 * the image, because they do not trust the linker. False: the entry makes no sense.
 */
struct cfi_image {
	uintptr_t start, end;
	uintptr_t eh_frame_hdr;
};

uint64_t cfi_count(const struct cfi_image *image);
bool cfi_range(const struct cfi_image *image, uint64_t index, uintptr_t *start, uintptr_t *end);

#endif
