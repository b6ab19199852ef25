/* SPDX-License-Identifier: MIT */
/* keys.h - the keys of the live view, in one table: what each does, and its line of the help. */
#ifndef REPORT_KEYS_H
#define REPORT_KEYS_H

#include "report/top/top.h"

/* Keys that are no characters. */
enum keys_code {
	KEYS_UP = 0x110000,
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_PAGE_UP,
	KEYS_PAGE_DOWN,
	KEYS_HOME,
	KEYS_END,
	KEYS_ENTER,
	KEYS_BACKSPACE,
	KEYS_ESCAPE,
	KEYS_DELETE,
};

/* What the caller must do after a key, because the model cannot. */
enum keys_result {
	KEYS_SHOW, /* show the rows, which may have changed */
	KEYS_READ, /* read the profile now */
	KEYS_QUIT,
	KEYS_PROCESSES, /* choose another process */
	KEYS_RESET,     /* set counters back */
	KEYS_SNAPSHOT,  /* save to the file that was typed */
	KEYS_WATCH,     /* let the program record what the cursor is on, or not (KEYS_UNWATCH) */
	KEYS_UNWATCH,
};

enum keys_result keys_press(struct top *t, int code);

/* The keys of a profile that is finished, or is not: how many there are. */
size_t keys_help_count(bool finished);

/* Adds line I of their help, padded to WIDTH. */
void keys_help(struct str *text, bool finished, size_t i, int width);

#endif
