/* SPDX-License-Identifier: MIT */
/*
 * forth-tree: the end of the tree of words and of the cells that the loop of NEXT keeps; see
 * forth-profile-inside.h.
 */
#include "vm-6502/profile/forth-profile-inside.h"

void forth_tree_finish(struct forth_profile *p)
{
	while (p->words.now != &p->words.root)
		forth_words_leave(&p->words);
	forth_words_finish(&p->words);
	if (p->lends)
		forth_lend_finish(&p->lend);
	for (int at = 0; p->sums && at < 0x10000; at++)
		forth_cells_add(p->cells, at, &p->sums->count[at]);
}
