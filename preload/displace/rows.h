/* SPDX-License-Identifier: MIT */
/*
 * rows.h - writes the call frame information of an area's trampolines: .eh_frame, and the sorted
 * table that unwinders search, .eh_frame_hdr (Linux Standard Base Core 5.0, 10.6).
 *
 * A signal may interrupt a thread at any instruction of a trampoline, and its handler may walk the
 * stack: a profiler's, a crash reporter's, or the cancellation of a thread. So each trampoline has an
 * entry of its own. The rows of its beginning are the same for all. For the moved instructions, the
 * entry has the rows that the module's own entry has for these instructions, copied, each at the
 * place that its instruction has come to. Rows are not copied, and the stack is not walked from
 * there, where the module's entry does not begin as nearly all do (cfi_code()).
 */
#ifndef ZPROF_ROWS_H
#define ZPROF_ROWS_H

#include "preload/displace/trampoline.h"

/* Bytes that an entry, the beginning of .eh_frame, and a row of the table take at most. */
#define FRAME_BYTES        256
#define FRAMES_BEGIN_BYTES 64
#define FRAMES_ROW_BYTES   8
#define FRAMES_TABLE_BYTES 12

/* Begins .eh_frame with the CIE, whose address all entries need. */
void rows_begin(struct code *c);

/* The entry of code that calls nothing and moves no stack pointer. */
void rows_plain(struct code *c, uintptr_t cie, uintptr_t begin, uint32_t bytes);

/* The entry of a trampoline that begins at `begin`; eh_frame_hdr is the module's. */
void rows_write(struct code *c, uintptr_t cie, uintptr_t begin, const struct displaced *d,
		const struct trampoline *t, uintptr_t eh_frame_hdr);

/* The table's beginning; then rows, in order of addresses. `hdr`: where the table begins. */
void rows_table(struct code *c, uintptr_t eh_frame, uint32_t rows);
void rows_entry(struct code *c, uintptr_t hdr, uintptr_t begin, uintptr_t entry);

#endif
