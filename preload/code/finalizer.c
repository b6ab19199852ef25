/* SPDX-License-Identifier: MIT */
/* finalizer.c - see finalizer.h. */
#include "preload/code/finalizer.h"

#include <elf.h>

/* The function is shorter: 72 bytes on x86-64, 68 on arm64. */
#define LONGEST 128u

/* Where it begins; 0: the module has none. */
static uintptr_t beginning(const struct module *m)
{
	const Elf64_Dyn *entry = (const Elf64_Dyn *)m->dynamic;

	for (; entry && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_FINI_ARRAY)
			return *(const uintptr_t *)(m->bias + entry->d_un.d_ptr);
	return 0;
}

bool finalizer_frame(const struct module *m, uintptr_t pc, struct cfi *cfi)
{
	uintptr_t function = beginning(m);
	int32_t below; /* from the CFA to what the frame pointer points to */

	if (!function || pc < function || pc - function >= LONGEST)
		return false;
	below = cpu_frame_bytes((const unsigned char *)function, (const unsigned char *)pc);
	*cfi = (struct cfi){.kind = CFI_REGISTER,
			    .reg = CFI_RBP,
			    .offset = below,
			    .function = function,
			    .end = function + LONGEST,
			    .rbp_saved = true,
			    .rbp_offset = -below,
			    .ret_saved = true,
			    .ret_offset = (int32_t)sizeof(uintptr_t) - below};
	return below > 0;
}
