/* SPDX-License-Identifier: MIT */
/* forth-cells: writes a decompiled listing that shows how often each cell of the Forth's threads
 * ran, and its cycles, to the next NEXT. */
#ifndef VM_6502_FORTH_CELLS_H
#define VM_6502_FORTH_CELLS_H

#include "vm-6502/guest/forth-names.h"
#include "vm-6502/native/forth-sums.h"
#include "vm-6502/profile/contexts.h"

/*
 * Lists all words that ran, in the order of their addresses, with all their cells, as places
 * (places.h). Cycles outside of all cells are the thread's own. False, with a message in err.
 */
bool forth_cells_list(const struct forth_sums *sums, const struct m6502 *m,
		      const struct forth_image *image, const struct forth_names *names,
		      struct contexts *zones, const char *path, char *err, size_t size);

#endif
