/* SPDX-License-Identifier: MIT */
/*
 * count.c - the truth that a profile of a real program is compared with: a library, preloaded in
 * place of zprof's, that counts each call by (caller, callee), in the plainest way.
 *
 * Enter pushes a function on a stack, exit pops it: the top at an enter is the caller. No frame is
 * looked at and no line is shared with zprof. That is right as long as hooks come in pairs, which
 * holds in a program that leaves no function by a jump; if not, the exits of a function that was
 * not on top are counted, and the arcs are worth nothing. How often each function was entered is
 * right in any case.
 *
 * For programs of one thread. When the program ends it writes to the file $COUNT_FILE, addresses as
 * in the symbol table of the module they lie in: of the program, or of the C library, whose
 * functions clang names where it has inlined a header's definition of them:
 *
 *     unpaired N               exits of a function that was not on top
 *     CALLER CALLEE CALLS      in hexadecimal; CALLER 0: the outermost
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ARCS = 1 << 20, DEPTH = 1 << 20 };

static struct arc {
	uintptr_t caller, callee;
	uint64_t calls;
} arcs[ARCS]; /* a hash table, probed linearly */
static size_t arcs_used;
static uintptr_t stack[DEPTH];
static size_t depth;
static uint64_t unpaired;

static void refuse(const char *what)
{
	fprintf(stderr, "count.c: %s\n", what);
	_exit(99);
}

static struct arc *find(uintptr_t caller, uintptr_t callee)
{
	size_t i = (caller * 31 + callee) * 0x9e3779b97f4a7c15u >> 44;
	while (arcs[i].callee && (arcs[i].caller != caller || arcs[i].callee != callee))
		i = (i + 1) % ARCS;
	if (!arcs[i].callee) {
		if (++arcs_used > ARCS / 2)
			refuse("more arcs than it has room for");
		arcs[i].caller = caller;
		arcs[i].callee = callee;
	}
	return &arcs[i];
}

static void enter(uintptr_t function)
{
	find(depth ? stack[depth - 1] : 0, function)->calls++;
	if (depth == DEPTH)
		refuse("a deeper stack than it has room for");
	stack[depth++] = function;
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	(void)call_site;
	enter((uintptr_t)function);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)call_site;
	if (depth && stack[depth - 1] == (uintptr_t)function)
		depth--;
	else
		unpaired++;
}

#ifdef __x86_64__
/*
 * For the second front end, which other processors lack. __fentry__ is called with arguments in
 * registers and __return__ with results. This file is compiled without vector registers, so only the
 * others that C may change are saved, and the stack is aligned. A function is identified by where it
 * calls __fentry__, as in zprof; only the order of calls tells which one returns.
 */
__attribute__((used)) static void entered(uintptr_t returns_to)
{
	enter(returns_to - 5);
}

__attribute__((used)) static void left(void)
{
	if (depth)
		depth--;
	else
		unpaired++;
}

#define SAVE                                                                                       \
	"push %rax; push %rcx; push %rdx; push %rsi; push %rdi; push %r8; push %r9; push %r10; "   \
	"push %r11; push %rbp; mov %rsp, %rbp; mov 80(%rsp), %rdi; and $-16, %rsp;"
#define RESTORE                                                                                    \
	"mov %rbp, %rsp; pop %rbp; pop %r11; pop %r10; pop %r9; pop %r8; pop %rdi; pop %rsi; "     \
	"pop %rdx; pop %rcx; pop %rax; ret\n"
__asm__(".globl __fentry__, __return__\n"
	".type __fentry__, @function\n"
	".type __return__, @function\n"
	"__fentry__: " SAVE "call entered; " RESTORE "__return__: " SAVE "call left; " RESTORE);
#endif

/* Changes an address to the one in the symbol table of its module. */
static int make_relative(struct dl_phdr_info *module, size_t bytes, void *address)
{
	uintptr_t *at = address, offset = *at - module->dlpi_addr;
	(void)bytes;
	for (int i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &module->dlpi_phdr[i];
		if (h->p_type == PT_LOAD && offset - h->p_vaddr < h->p_memsz) {
			*at = offset;
			return 1;
		}
	}
	return 0;
}

__attribute__((destructor)) static void write_counts(void)
{
	const char *path = getenv("COUNT_FILE");
	FILE *f = path ? fopen(path, "w") : NULL;
	if (!f)
		refuse("cannot write the file that COUNT_FILE names");
	fprintf(f, "unpaired %ju\n", (uintmax_t)unpaired);
	for (struct arc *a = arcs; a < arcs + ARCS; a++) {
		if (!a->callee)
			continue;
		if (a->caller)
			dl_iterate_phdr(make_relative, &a->caller);
		dl_iterate_phdr(make_relative, &a->callee);
		fprintf(f, "%jx %jx %ju\n", (uintmax_t)a->caller, (uintmax_t)a->callee,
			(uintmax_t)a->calls);
	}
	if (fclose(f))
		refuse("cannot write the file that COUNT_FILE names");
}
