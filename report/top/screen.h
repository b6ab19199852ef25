/* SPDX-License-Identifier: MIT */
/* screen.h - the terminal of a live view: the one file that knows ncurses. */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include "report/top/sheet.h"

struct screen {
	void *terminal;
	bool color, unicode;
};

/* What screen_key() gives beside characters and the codes of enum keys_code. */
enum { SCREEN_NOTHING = -1, SCREEN_RESIZED = -2, SCREEN_CLICK = -3, SCREEN_CLOSED = -4 };

/* Whether stdin and stdout are a terminal that a screen can be shown on. */
bool screen_possible(void);

/* Takes the terminal over. False with a message: the kind of the terminal is unknown. */
bool screen_open(struct screen *s, bool color, struct str *err);
void screen_close(struct screen *s);

void screen_size(const struct screen *s, int *width, int *height);
void screen_show(struct screen *s, const struct sheet *sheet);

/* Waits up to MS for a key or another event. A click sets X and Y to the place of the mouse. */
int screen_key(struct screen *s, int ms, int *x, int *y);

#endif
