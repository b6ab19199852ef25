/* SPDX-License-Identifier: MIT */
/*
 * plan.h - the plan of a module: which functions an ELF file has, and how the entry of each is
 * displaced, so that calls can be counted in a program that nobody built for zprof.
 *
 * The command makes a plan once per file, and keeps it in the user's cache folder under the file's
 * build-id (symbolize/plan/). The library reads the plan in the program, and acts on it before the
 * program begins. The plan is all that the two have in common. A wrong plan makes the program
 * crash, so the library uses a plan only after plan_check() (plan_read.h), and compares the bytes
 * of each window with those in memory before it writes there.
 *
 * ## What displacing is
 *
 * The first bytes of a function become a jump of 5 bytes to a *trampoline*. The trampoline calls
 * the hook, does what the overwritten instructions did, and jumps behind them:
 *
 *     the function before          after                       its trampoline
 *
 *     start: f3 0f 1e fa endbr64   start: endbr64              ... the hook ...
 *     patch: 55          push      patch: jmp trampoline       push %rbp
 *            48 89 e5    mov              (1 byte more: int3)  mov %rsp, %rbp
 *            41 57       push                                  push %r15
 *            ...                          ...                  jmp patch + 6
 *
 * `patch` is where the jump is written: the start, or behind an endbr64 there. The *window* is what
 * the jump displaces: whole instructions from `patch` on, until 5 bytes are covered. If the
 * function ends sooner, the window ends with padding behind the function. The window's bytes
 * behind the jump become int3. No branch leads into the window but to its begin, and no call in it
 * returns into it: the planner has made sure.
 *
 * ## Layout of the file
 *
 *     struct plan_header
 *     struct plan_code         [codes]          sorted by start, no two overlap
 *     struct plan_window       [windows]        in the order of the codes that they belong to
 *     struct plan_instruction  [instructions]   those of window 0, those of window 1, ...
 *
 * and nothing behind. All numbers are little-endian. All places are *offsets*: distances from the
 * begin of the image, which is the lowest address of its PT_LOAD segments, rounded down to 4096.
 * (So an offset plus the address at which the kernel or the linker has mapped the file's first page
 * is an address; in a library, and in a program built with PIE, an offset is what `nm` prints.)
 *
 * A `plan_code` is a piece of code that the module's call frame information describes (one FDE):
 * functions that can be displaced, functions that cannot, and parts of functions. So the table also
 * tells which function holds a return address: the code that contains the address, or, if that is a
 * part, its `owner`. Names are not in a plan.
 *
 * The file is read whole into the reader's own memory and never used where it is mapped: another
 * process of the user may truncate the file at any time.
 */
#ifndef ZPROF_PLAN_H
#define ZPROF_PLAN_H

#include <stdint.h>

/* Changes with the layout, and with the planner's rules, so that no old plan stays in a cache. */
#define PLAN_VERSION 5u
#define PLAN_MAGIC   "zprofpln"

/* A number of a plan_code that is none. */
#define PLAN_NOBODY 0xffffffffu

#define PLAN_JUMP_BYTES   5u  /* jmp rel32 */
#define PLAN_WINDOW_BYTES 20u /* the longest window: 4 bytes, and 15 of one more instruction */
#define PLAN_INSTRUCTIONS 5u  /* the most instructions of a window: one of each byte */
#define PLAN_IMAGE_BYTES  0x7fffffffu /* the largest image */
#define PLAN_BUILD_ID     32u         /* the longest build-id that is compared whole */

enum plan_class {
#define PLAN_CLASS(name, word, sentence) PLAN_CLASS_##name,
#include "preload/displace/plan.def"
	PLAN_CLASSES
};

enum plan_refusal {
#define PLAN_REFUSAL(name, word, sentence) PLAN_REFUSAL_##name,
#include "preload/displace/plan.def"
	PLAN_REFUSALS
};

enum plan_kind {
#define PLAN_KIND(name, word, ends) PLAN_KIND_##name,
#include "preload/displace/plan.def"
	PLAN_KINDS
};

enum plan_module {
#define PLAN_MODULE(name, word, sentence) PLAN_MODULE_##name,
#include "preload/displace/plan.def"
	PLAN_MODULES
};

struct plan_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes; /* sizeof(struct plan_header) */
	uint64_t file_bytes;   /* of the whole plan */
	uint32_t module;       /* enum plan_module: unless it is NONE, all counts below are 0 */
	uint32_t image_bytes;  /* from the image's begin to the end of its last segment */
	uint32_t codes, windows, instructions;
	uint32_t functions; /* codes of class FUNCTION: patched or refused */
	/* Which file this is the plan of: its build-id, cut to PLAN_BUILD_ID bytes, or, if it has none
	 * (build_id_bytes is 0), what stat() says. The rest of the build-id is zeros. */
	uint32_t build_id_bytes;
	uint8_t build_id[PLAN_BUILD_ID];
	uint32_t sum; /* plan_sum() of the whole plan (plan_read.h) */
	uint64_t elf_bytes, elf_device, elf_inode;
	uint64_t elf_changed_ns; /* modification time */
};

/*
 * A piece of code: [start, start + bytes) lies in the image.
 *
 *     class FUNCTION, refusal NONE   `window` is the number of its plan_window
 *     class FUNCTION, else           left alone; `window` is PLAN_NOBODY
 *     class COLD, JUMPED             a part; `owner` is the number of the code of class FUNCTION
 *                                    (of any refusal) that it belongs to, or PLAN_NOBODY: unknown
 *     any other class                left alone; `owner` and `window` are PLAN_NOBODY
 *
 * The owner of a function is the function itself.
 */
struct plan_code {
	uint32_t start, bytes;
	uint32_t owner;
	uint32_t window;
	uint8_t class;       /* enum plan_class */
	uint8_t refusal;     /* enum plan_refusal; 0 unless the class is FUNCTION */
	uint8_t reserved[2]; /* 0 */
};

/*
 * The window of a function: [patch, patch + bytes) lies in the image. It begins at the function's
 * start, or 4 bytes behind, and ends before the next plan_code begins. `original` are the bytes that
 * the file has there; the bytes behind the last instruction are padding, and the array's rest is 0.
 *
 * `relay` is 0, or the offset of 5 bytes of padding, in no window and in no code of another
 * function, within a byte's distance from patch + 2. Then the window is at least 2 bytes long
 * instead of 5, gets a jump of 2 bytes to the relay, and the relay gets the jump of 5 bytes.
 * `relay_original` are the bytes at the relay. (This version's planner gives no relays.)
 */
struct plan_window {
	uint32_t patch;
	uint32_t code;              /* the number of its plan_code */
	uint32_t first_instruction; /* number of its first plan_instruction */
	uint8_t instructions;       /* 1 to PLAN_INSTRUCTIONS */
	uint8_t bytes; /* PLAN_JUMP_BYTES to PLAN_WINDOW_BYTES; with a relay, from 2 on */
	uint8_t original[PLAN_WINDOW_BYTES];
	uint8_t reserved[2]; /* 0 */
	uint32_t relay;
	uint8_t relay_original[PLAN_JUMP_BYTES];
	uint8_t reserved_2[3]; /* 0 */
};

/*
 * An instruction of a window. The first begins at the window's first byte, each other one where the
 * one before ends. Only the last may be of a kind that ends (plan.def), and then the trampoline needs
 * no jump behind the window.
 *
 *     kind            in the trampoline                            target
 *     COPY            its bytes                                    0
 *     END             its bytes; nothing comes behind              0
 *     OPERAND         its bytes, with a new displacement           the operand
 *     OPERAND_END     the same; nothing comes behind               the operand: a slot with an address
 *     JCC             0f 80+condition, and 32 bits of distance     where it jumps to
 *     JMP             e9, and 32 bits of distance                  where it jumps to
 *     CALL            push of the return address, then a JMP       what it calls
 *     CALL_INDIRECT   the same push, then its bytes with ModRM's   the operand, if displacement_at
 *                     middle 4 (jmp) for 2 (call)                  is not 0; else 0
 *
 * The return address of a call is the begin of the instruction behind it, in the original code, and
 * that is always the window's end. The operand of a CALL_INDIRECT does not depend on the stack
 * pointer.
 *
 * A target is an offset and lies in the image: the planner refuses a function with any other one.
 * A new displacement is relative to the end of the moved instruction, immediates included.
 */
struct plan_instruction {
	uint32_t target;
	uint8_t kind;   /* enum plan_kind */
	uint8_t at;     /* offset of its first byte from the window's first */
	uint8_t length; /* 1 to 15 */
	uint8_t
	    displacement_at; /* OPERAND..., CALL_INDIRECT: where its 32 bits are in the instruction; 0: none */
	uint8_t modrm_at;    /* CALL_INDIRECT: where ModRM is in the instruction; else 0 */
	uint8_t condition;   /* JCC: 0 to 15, as in the opcode; else 0 */
	uint8_t reserved[2]; /* 0 */
};

_Static_assert(sizeof(struct plan_header) == 120, "the header has no hidden padding");
_Static_assert(sizeof(struct plan_code) == 20, "a code has no hidden padding");
_Static_assert(sizeof(struct plan_window) == 48, "a window has no hidden padding");
_Static_assert(sizeof(struct plan_instruction) == 12, "an instruction has no hidden padding");

#endif
