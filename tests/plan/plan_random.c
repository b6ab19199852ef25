/* SPDX-License-Identifier: MIT */
/*
 * plan_random.c - random functions that do what makes displacing difficult: branch into their own
 * first bytes and into those of others, loop to their entry, fall through into the next function,
 * share tails, jump by tables, take addresses, and have data between their instructions.
 *
 *     plan_random make SEED COUNT >x.s     prints COUNT functions in assembly
 *     plan_random run x.so                 runs the functions step by step, and looks at each step
 *
 * The oracle is the processor. A window is right if its bytes behind the first are only ever reached
 * from the instruction before, in the window itself: then nobody can land inside the jump that
 * displaces the window. An entry is right if no jump of the function itself leads there. Steps are
 * the trap flag's: each instruction raises SIGTRAP, before it runs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "preload/displace/plan_read.h"
#include "symbolize/instruction.h"
#include "symbolize/plan/planner.h"

#define BLOCKS     4
#define MOST_STEPS 60
#define TRIES      5
#define TRAP_FLAG  0x100

static uint64_t random_state;

static unsigned random_number(unsigned below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 20) % below;
}

static bool chance(unsigned percent)
{
	return random_number(100) < percent;
}

/* ---- making */

struct shape {
	bool framed, endbr, evident;
	unsigned middles; /* labels between the first instructions */
};

static struct shape *shapes;
static unsigned count;
static unsigned tables;

/* Prints a label of function N: a block, the entry, or a place in the first bytes. */
static void print_place(unsigned n)
{
	if (shapes[n].middles && chance(15))
		printf(".Lm%u_%u", n, random_number(shapes[n].middles));
	else if (chance(15))
		printf("f%u", n);
	else
		printf(".Lb%u_%u", n, 1 + random_number(BLOCKS - 1));
}

/* A function whose stack frame is as large as that of N, near N. */
static unsigned alike(unsigned n)
{
	for (unsigned tries = 0; tries < 8; tries++) {
		unsigned other = (n + random_number(9) + count - 4) % count;
		if (shapes[other].framed == shapes[n].framed)
			return other;
	}
	return n;
}

/* Prints a place that function N may jump to: its own, or one with the same stack frame. */
static void print_target(unsigned n)
{
	print_place(chance(80) ? n : alike(n));
}

static void print_plain(unsigned n)
{
	static const char *const plain[] = {
	    "nop",
	    "inc %eax",
	    "dec %ecx",
	    "test %edi, %edi",
	    "test $1, %al",
	    "mov %edi, %eax",
	    "mov %rax, %rdx",
	    "xor %ecx, %edi",
	    "lea 1(%rdi,%rax), %ecx",
	    "lea 0x1234(%rax), %edi",
	    "add $0x12345, %edi",
	    "mov $7, %ecx",
	    "movzbl %al, %eax",
	    "rol $3, %edi",
	};
	switch (random_number(10)) {
	case 0:
		printf("\tcmpl $%u, word%u(%%rip)\n", random_number(3), random_number(4));
		break;
	case 1:
		printf("\tmov word%u(%%rip), %%ecx\n", random_number(4));
		break;
	case 2:
		printf("\tlea ");
		print_target(n);
		printf("(%%rip), %%rdx\n");
		break;
	default:
		printf("\t%s\n", plain[random_number(sizeof(plain) / sizeof(plain[0]))]);
	}
}

static void print_return(unsigned n)
{
	if (shapes[n].framed)
		printf("\tpop %%rbp\n\t.cfi_remember_state\n\t.cfi_def_cfa_offset 8\n\tret\n"
		       "\t.cfi_restore_state\n");
	else
		printf("\tret\n");
}

static void print_table_jump(unsigned n)
{
	unsigned table = tables++;
	printf("\tand $3, %%edi\n\tlea .Lt%u(%%rip), %%rdx\n\tmovslq (%%rdx,%%rdi,4), %%rax\n"
	       "\tadd %%rdx, %%rax\n\tjmp *%%rax\n",
	       table);
	printf("\t.pushsection .rodata\n\t.p2align 2\n.Lt%u:\n", table);
	for (unsigned k = 0; k < 4; k++) {
		printf("\t.long ");
		/* A table leads into its own function, but for the frameless, whose tail it may be. */
		print_place(n);
		printf(" - .Lt%u\n", table);
	}
	printf("\t.popsection\n");
}

/* Prints what ends a block; true: the next block is not reached from here. */
static bool print_end(unsigned n)
{
	static const char *const conditions[] = {"je", "jne", "jl", "jg", "js", "jb"};
	switch (random_number(10)) {
	case 0:
	case 1:
	case 2:
		printf("\t%s ", conditions[random_number(6)]);
		print_target(n);
		putchar('\n');
		return false;
	case 3:
		printf("\tjmp ");
		print_target(n);
		putchar('\n');
		return true;
	case 4:
		print_table_jump(n);
		return true;
	case 5:
		printf("\tcall f%u\n", random_number(count));
		return false;
	case 6: {
		/* A jump to the entry by a register is a call of the function by itself. */
		unsigned other = alike(n);
		printf("\tlea ");
		if (other == n)
			printf(".Lb%u_%u", n, 1 + random_number(BLOCKS - 1));
		else
			print_place(other);
		printf("(%%rip), %%rax\n\tjmp *%%rax\n");
		return true;
	}
	case 7:
		return false;
	default:
		print_return(n);
		return true;
	}
}

/* Bytes that are never run, and that decode as an instruction with operands, or as none. */
static void print_data(void)
{
	printf("\t.byte %u", random_number(256));
	for (unsigned k = random_number(3); k-- > 0;)
		printf(", %u", random_number(256));
	putchar('\n');
}

static void print_function(unsigned n)
{
	const struct shape *s = &shapes[n];
	if (chance(85))
		printf("\t.p2align 4\n");
	printf("f%u:\n\t.cfi_startproc\n", n);
	if (s->endbr)
		printf("\tendbr64\n");
	if (s->framed)
		printf("\tpush %%rbp\n\t.cfi_def_cfa_offset 16\n");
	for (unsigned k = 0; k < s->middles; k++) {
		printf(".Lm%u_%u:\n", n, k);
		print_plain(n);
	}
	for (unsigned k = 0; k < BLOCKS; k++) {
		if (k)
			printf(".Lb%u_%u:\n", n, k);
		for (unsigned i = random_number(3); i-- > 0;)
			print_plain(n);
		if (print_end(n) && chance(20))
			print_data();
	}
	if (chance(70) || s->framed)
		print_return(n);
	printf("\t.cfi_endproc\n");
}

static int make(void)
{
	shapes = calloc(count, sizeof(shapes[0]));
	for (unsigned n = 0; n < count; n++)
		shapes[n] = (struct shape){.framed = chance(40),
					   .endbr = chance(25),
					   .evident = chance(60),
					   .middles = random_number(4)};
	printf("\t.text\n");
	for (unsigned n = 0; n < count; n++)
		print_function(n);
	printf("\tud2\n\t.section .data.rel.ro, \"aw\"\n\t.globl functions, functions_end\n"
	       "functions:\n");
	for (unsigned n = 0; n < count; n++)
		if (shapes[n].evident)
			printf("\t.quad f%u\n", n);
	printf("functions_end:\n\t.data\nword0: .long 0\nword1: .long 1\nword2: .long 2\n"
	       "word3: .long 3\n\t.section .note.GNU-stack, \"\", @progbits\n");
	return 0;
}

/* ---- running */

static struct plan plan;
static uintptr_t bias, text, text_end;
static sigjmp_buf out;
static uintptr_t before; /* the instruction that ran last; 0: none */
static unsigned steps;
static unsigned long all_steps, wrong, window_steps;

/* The window that OFFSET is in; NULL: in none. */
static const struct plan_window *window_at(uint32_t offset)
{
	uint32_t low = 0, high = plan.header->windows;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (plan.windows[middle].patch <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	const struct plan_window *w = low ? &plan.windows[low - 1] : NULL;
	return w && offset - w->patch < w->bytes ? w : NULL;
}

static void report(const char *what, uint32_t from, uint32_t to)
{
	if (wrong++ < 10)
		printf("%s: from %x to %x\n", what, from, to);
}

/* Looks at the step from one instruction to the next. */
static void look(uint32_t from, uint32_t to)
{
	const struct plan_window *w = window_at(to);
	struct instruction i;
	if (!w || !instruction_decode((const uint8_t *)bias + from, 15, &i))
		return;
	window_steps++;
	bool next = from + i.length == to;
	if (to != w->patch) {
		if (!next || from < w->patch || from >= w->patch + w->bytes)
			report("a window is entered in its middle", from, to);
		return;
	}
	bool called = i.kind == INSTRUCTION_CALL || i.kind == INSTRUCTION_CALL_INDIRECT ||
		      i.kind == INSTRUCTION_RET;
	if (plan_function_at(&plan, from) == w->code && !called && !next)
		report("a turn of a loop counts as a call", from, to);
}

static void step(int number, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
	(void)info;
	if (number != SIGTRAP || steps++ > MOST_STEPS)
		siglongjmp(out, 1);
	if (pc < text || pc >= text_end) {
		if (before)
			siglongjmp(out, 1);
		return; /* not yet there */
	}
	all_steps++;
	if (before)
		look((uint32_t)(before - bias), (uint32_t)(pc - bias));
	before = pc;
}

/* Calls FUNCTION with ARGUMENT on another stack, step by step; never returns here. */
static void start(uintptr_t function, unsigned long argument, char *stack)
{
	__asm__ volatile("mov %[stack], %%rsp\n\t"
			 "pushf\n\t"
			 "orq %[flag], (%%rsp)\n\t"
			 "popf\n\t"
			 "xor %%eax, %%eax\n\t"
			 "xor %%ecx, %%ecx\n\t"
			 "xor %%edx, %%edx\n\t"
			 "call *%[function]\n\t"
			 "ud2"
			 :
			 : [stack] "S"(stack), [flag] "i"(TRAP_FLAG), [function] "b"(function),
			   "D"(argument)
			 : "memory");
	__builtin_unreachable();
}

static void try_function(uintptr_t function, unsigned long argument, char *stack)
{
	before = 0;
	steps = 0;
	if (!sigsetjmp(out, 1))
		start(function, argument, stack);
}

static int run(const char *path)
{
	static const int signals[] = {SIGTRAP, SIGSEGV, SIGILL, SIGBUS, SIGFPE};
	static char handler_stack[65536];
	void *bytes;
	size_t size;
	const char *error = planner_make(path, &bytes, &size);
	void *library = dlopen(path, RTLD_NOW);
	if (error || !library || !plan_check(bytes, size, &plan)) {
		fprintf(stderr, "plan_random: %s\n", error ? error : dlerror());
		return 2;
	}
	struct link_map *map;
	dlinfo(library, RTLD_DI_LINKMAP, &map);
	bias = map->l_addr;
	const struct plan_code *last = &plan.codes[plan.header->codes - 1];
	text = bias + plan.codes[0].start;
	text_end = bias + last->start + last->bytes;
	char *stack =
	    mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)}, NULL);
	for (size_t k = 0; k < sizeof(signals) / sizeof(signals[0]); k++)
		sigaction(signals[k],
			  &(struct sigaction){.sa_sigaction = step,
					      .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER},
			  NULL);
	uintptr_t *end = dlsym(library, "functions_end");
	for (uintptr_t *f = dlsym(library, "functions"); f < end; f++)
		for (unsigned k = 0; k < TRIES; k++)
			try_function(*f, k < 4 ? k : random_number(1000), stack + (1 << 19));
	printf("%u codes, %u functions, %u displaced; %lu steps, %lu into windows, %lu wrong\n",
	       plan.header->codes, plan.header->functions, plan.header->windows, all_steps,
	       window_steps, wrong);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	random_state = 88172645463325252u;
	if (argc == 4 && !strcmp(argv[1], "make")) {
		random_state ^= strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15u;
		count = (unsigned)strtoul(argv[3], NULL, 10);
		return make();
	}
	return argc == 3 && !strcmp(argv[1], "run") ? run(argv[2]) : 2;
}
