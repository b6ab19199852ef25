/* SPDX-License-Identifier: MIT */
/*
 * fold.h - adds trees up: threads of one name are one thread, equal contexts one context.
 *
 *     tree of process 1   main > parse > read        } fold_add(), one by one
 *     tree of process 2   main > parse > read, skip  }
 *     the fold            main > parse > read, skip
 *
 * Two hundred processes of one program have mostly the same contexts, so their sum takes hardly
 * more memory than one of them. All sums over contexts stay as they are (derive.h); the only fact
 * lost is how much of a sum is each thread's.
 */
#ifndef REPORT_FOLD_H
#define REPORT_FOLD_H

#include "report/core/tree/tree.h"

struct fold {
	struct tree tree;      /* its threads' `process` is a part */
	struct lookup by_name; /* (part, name) -> thread of the tree */
};

/* Adds FROM. PART_OF has a part for each process; threads of different parts stay apart. */
void fold_add(struct fold *f, const struct tree *from, const uint32_t *part_of);
void fold_free(struct fold *f);

#endif
