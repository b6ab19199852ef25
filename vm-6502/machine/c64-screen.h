/* SPDX-License-Identifier: MIT */
/*
 * c64-screen: writes the text that a C64 prints to stdout, as UTF-8. It also keeps the part of the
 * screen's memory that guests look at: the line's address at d1, the column at d3, the row at d6,
 * and the signs from 0400 on.
 *
 * The text is printed as it comes; or the screen is drawn whole, 40 by 25, when the guest waits and
 * at the end.
 */
#ifndef VM_6502_C64_SCREEN_H
#define VM_6502_C64_SCREEN_H

#include <stdbool.h>

#include "vm-6502/cpu/m6502.h"

struct screen {
	struct m6502 *m;
	bool drawn;           /* the whole screen is drawn; false: text is printed as it comes */
	uint8_t sign[25][40]; /* PETSCII */
	int row, column;
	bool changed; /* since it was last drawn */
};

void screen_init(struct screen *s, struct m6502 *m, bool drawn);
void screen_clear(struct screen *s);
void screen_put(struct screen *s, uint8_t c);
void screen_move(struct screen *s, int row, int column);
void screen_draw(struct screen *s);

#endif
