/* SPDX-License-Identifier: MIT */
/*
 * count_entries.c - count.c for programs of which functions are seen to begin and not to end
 * (`zprof cflags --entries`): a library that counts each call by (caller, callee).
 *
 * The caller is the function that holds the return address, as libgcc's unwinder finds it. If that
 * function has no hook, because it is another library's or the end of a signal handler, the stack
 * is unwound, by libgcc too, to the first function that has. No line is shared with zprof.
 *
 * gcc puts code that seldom runs into parts of their own, `f.cold`. Which function a part belongs
 * to is in the file $COUNT_PARTS: lines `PART FUNCTION`, of addresses in the program's symbol table.
 *
 * For programs of one thread. What is written to $COUNT_FILE is what count.c writes.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>

struct dwarf_eh_bases {
	void *tbase, *dbase, *func;
};
const void *_Unwind_Find_FDE(void *pc, struct dwarf_eh_bases *bases);

enum { ARCS = 1 << 20, FUNCTIONS = 1 << 16, PLACES = 1 << 18, PARTS = 1 << 14 };

static void refuse(const char *what)
{
	fprintf(stderr, "count_entries.c: %s\n", what);
	_exit(99);
}

/* A hash table of pairs, probed linearly. */
struct pair {
	uintptr_t key, key2;
	uint64_t value;
};
static struct pair arcs[ARCS], zones[FUNCTIONS], places[PLACES];

static struct pair *find(struct pair *table, size_t size, uintptr_t key, uintptr_t key2)
{
	size_t i = ((key * 31 + key2) * 0x9e3779b97f4a7c15u >> 40) % size, tries = 0;

	while (table[i].key && (table[i].key != key || table[i].key2 != key2)) {
		i = (i + 1) % size;
		if (++tries == size / 2)
			refuse("more of a kind than it has room for");
	}
	table[i].key = key;
	table[i].key2 = key2;
	return &table[i];
}

static struct {
	uintptr_t part, function;
} parts[PARTS];
static size_t part_count;
static uintptr_t base;
static int ready;

static int program_base(struct dl_phdr_info *module, size_t bytes, void *to)
{
	(void)bytes;
	*(uintptr_t *)to = module->dlpi_addr; /* the first is the program */
	return 1;
}

static void prepare(void)
{
	const char *path = getenv("COUNT_PARTS");
	FILE *f = path ? fopen(path, "r") : NULL;
	uintmax_t part, function;

	dl_iterate_phdr(program_base, &base);
	while (f && part_count < PARTS && fscanf(f, "%jx %jx", &part, &function) == 2) {
		parts[part_count].part = part + base;
		parts[part_count++].function = function + base;
	}
	if (f)
		fclose(f);
	ready = 1;
}

/* Where the function begins that holds the call which returns to `ret`; 0: nobody knows. */
static uintptr_t function_at(uintptr_t ret)
{
	struct pair *known = find(places, PLACES, ret, 1);
	struct dwarf_eh_bases bases = {0};

	if (known->value)
		return known->value;
	if (!_Unwind_Find_FDE((void *)(ret - 1), &bases))
		return 0;
	known->value = (uintptr_t)bases.func;
	for (size_t i = 0; i < part_count; i++)
		if (parts[i].part == known->value)
			known->value = parts[i].function;
	return known->value;
}

/* The zone of a function that has been entered: where it called its hook; 0: it has none. */
static uintptr_t zone_of(uintptr_t function)
{
	return function ? find(zones, FUNCTIONS, function, 1)->value : 0;
}

struct walk {
	uintptr_t cfa, zone;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *of)
{
	struct walk *walk = of;

	if (_Unwind_GetCFA(context) <= walk->cfa)
		return _URC_NO_REASON;
	walk->zone = zone_of(function_at(_Unwind_GetIP(context)));
	return walk->zone ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/* `stack`: the function's stack pointer as it calls the hook; `returns_to`: where the hook does. */
__attribute__((used)) static void entered(const uintptr_t *stack, uintptr_t returns_to)
{
	uintptr_t zone = returns_to - 5, caller;

	if (!ready)
		prepare();
	/* A nested function has pushed the address of the outer one's variables. */
	if (((const unsigned char *)function_at(returns_to))[0] == 0x41)
		stack++;
	caller = zone_of(function_at(*stack));
	if (!caller) {
		struct walk walk = {(uintptr_t)(stack + 1), 0};

		_Unwind_Backtrace(step, &walk);
		caller = walk.zone;
	}
	find(zones, FUNCTIONS, function_at(returns_to), 1)->value = zone;
	find(arcs, ARCS, zone, caller)->value++;
}

/* All registers that C may change are saved, those of vectors and of the x87, too. */
__asm__(
    ".globl __fentry__\n"
    ".type __fentry__, @function\n"
    "__fentry__:\n"
    "	.cfi_startproc\n"
    "	push %rbp\n"
    "	.cfi_def_cfa_offset 16\n"
    "	.cfi_offset 6, -16\n"
    "	mov %rsp, %rbp\n"
    "	.cfi_def_cfa_register 6\n"
    "	push %rax; push %rcx; push %rdx; push %rsi; push %rdi; push %r8; push %r9; push %r10\n"
    "	push %r11\n"
    "	lea 16(%rbp), %rdi\n"
    "	mov 8(%rbp), %rsi\n"
    "	sub $4096, %rsp\n"
    "	and $-64, %rsp\n"
    "	movq $0, 512(%rsp); movq $0, 520(%rsp); movq $0, 528(%rsp); movq $0, 536(%rsp)\n"
    "	movq $0, 544(%rsp); movq $0, 552(%rsp); movq $0, 560(%rsp); movq $0, 568(%rsp)\n"
    "	mov $0xe7, %eax\n"
    "	xor %edx, %edx\n"
    "	xsave (%rsp)\n"
    "	call entered\n"
    "	mov $0xe7, %eax\n"
    "	xor %edx, %edx\n"
    "	xrstor (%rsp)\n"
    "	lea -72(%rbp), %rsp\n"
    "	pop %r11; pop %r10; pop %r9; pop %r8; pop %rdi; pop %rsi; pop %rdx; pop %rcx; pop %rax\n"
    "	pop %rbp\n"
    "	.cfi_def_cfa 7, 8\n"
    "	ret\n"
    "	.cfi_endproc\n");

__attribute__((destructor)) static void write_counts(void)
{
	const char *path = getenv("COUNT_FILE");
	FILE *f = path ? fopen(path, "w") : NULL;

	if (!f)
		refuse("cannot write the file that COUNT_FILE names");
	fprintf(f, "unpaired 0\n");
	for (struct pair *a = arcs; a < arcs + ARCS; a++)
		if (a->key)
			fprintf(f, "%jx %jx %ju\n", a->key2 ? (uintmax_t)(a->key2 - base) : 0,
				(uintmax_t)(a->key - base), (uintmax_t)a->value);
	if (fclose(f))
		refuse("cannot write the file that COUNT_FILE names");
}
