/* SPDX-License-Identifier: MIT */
/* cfi_known.c - see cfi_known.h. */
#include "preload/code/cfi_known.h"

#include "preload/base/sys.h"
#include "preload/code/finalizer.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/process/process.h"

static struct cfi_answer *answer_of(const struct process *p, uintptr_t pc)
{
	uint32_t place = (uint32_t)((pc * 0x9e3779b97f4a7c15u) >> 40) & (CFI_ANSWERS - 1);

	return p->locations && p->locations->answers ? &p->locations->answers[place] : NULL;
}

static bool take(const struct cfi_answer *a, uint32_t turn, uint32_t module, uintptr_t pc,
		 struct cfi *cfi)
{
	if (turn & 1 || a->pc != pc || a->module != module)
		return false;
	*cfi = a->cfi;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&a->turn, __ATOMIC_RELAXED) == turn;
}

static void keep(struct cfi_answer *a, uint32_t turn, uint32_t module, uintptr_t pc,
		 const struct cfi *cfi)
{
	if (turn & 1 || !__atomic_compare_exchange_n(&a->turn, &turn, turn + 1, false,
						     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	a->module = module;
	a->pc = pc;
	a->cfi = *cfi;
	__atomic_store_n(&a->turn, turn + 2, __ATOMIC_RELEASE);
}

bool cfi_known(struct process *p, const struct module *m, uintptr_t pc, struct cfi *cfi)
{
	struct cfi_answer *a = answer_of(p, pc);
	uint32_t turn = a ? __atomic_load_n(&a->turn, __ATOMIC_ACQUIRE) : 1;

	if (a && take(a, turn, m->id, pc, cfi))
		return true;
	if (!cfi_find(m->eh_frame_hdr, pc, cfi) && !finalizer_frame(m, pc, cfi))
		return false;
	if (a)
		keep(a, turn, m->id, pc, cfi);
	return true;
}
