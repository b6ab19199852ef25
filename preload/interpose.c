/* SPDX-License-Identifier: MIT */
/*
 * interpose.c - the two functions of libc that the library stands in front of. Neither changes what they do.
 *
 *   makecontext  tells where a stack is that will be switched to (stack.h).
 *   dlclose      may unmap code whose addresses are in the trees: they are retired first, since another library may be loaded at the same place.
 *
 * dlopen is left alone: the dynamic linker looks at who calls it, for $ORIGIN and RUNPATH.
 */
#include "preload/process.h"

#include "preload/lineage.h"
#include "preload/stack.h"
#include "preload/sys.h"

#include <dlfcn.h>
#include <link.h>
#include <ucontext.h>

#define EXPORT __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden"), used))

EXPORT int dlclose(void *handle);

static int (*real_dlclose)(void *);
void (*interpose_makecontext)(void) HIDDEN;
void interpose_learn(const ucontext_t *context) HIDDEN;

static __attribute__((constructor)) void find_real(void)
{
	real_dlclose = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	interpose_makecontext = (void (*)(void))dlsym(RTLD_NEXT, "makecontext");
}

void interpose_learn(const ucontext_t *context)
{
	struct process *p = process_now;

	if (!interpose_makecontext)
		find_real();
	if (p && *p->here)
		stack_learn(p, (uintptr_t)context->uc_stack.ss_sp, context->uc_stack.ss_size);
}

/* makecontext takes any number of arguments, so they are kept as they are, in registers and on the stack, and the real one is jumped to. */
__asm__(".text\n"
	".globl makecontext\n"
	".type makecontext, @function\n"
	"makecontext:\n"
	"	.cfi_startproc\n"
	"	push %rax\n	.cfi_adjust_cfa_offset 8\n"
	"	push %rdi\n	.cfi_adjust_cfa_offset 8\n"
	"	push %rsi\n	.cfi_adjust_cfa_offset 8\n"
	"	push %rdx\n	.cfi_adjust_cfa_offset 8\n"
	"	push %rcx\n	.cfi_adjust_cfa_offset 8\n"
	"	push %r8\n	.cfi_adjust_cfa_offset 8\n"
	"	push %r9\n	.cfi_adjust_cfa_offset 8\n"
	"	call interpose_learn\n"
	"	pop %r9\n	.cfi_adjust_cfa_offset -8\n"
	"	pop %r8\n	.cfi_adjust_cfa_offset -8\n"
	"	pop %rcx\n	.cfi_adjust_cfa_offset -8\n"
	"	pop %rdx\n	.cfi_adjust_cfa_offset -8\n"
	"	pop %rsi\n	.cfi_adjust_cfa_offset -8\n"
	"	pop %rdi\n	.cfi_adjust_cfa_offset -8\n"
	"	pop %rax\n	.cfi_adjust_cfa_offset -8\n"
	"	jmp *interpose_makecontext(%rip)\n"
	"	.cfi_endproc\n"
	".size makecontext, .-makecontext\n");

/* ---- dlclose */

int dlclose(void *handle)
{
	struct process *p = process_now;
	int result;

	if (!real_dlclose)
		find_real();
	if (!p || !*p->here)
		return real_dlclose(handle);
	if (modules_doubt(p))
		lineages_retire(p);
	result = real_dlclose(handle);
	modules_settle(p);
	return result;
}
