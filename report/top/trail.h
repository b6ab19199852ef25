/* SPDX-License-Identifier: MIT */
/*
 * trail.h - where the user has been in a finished profile, so that Esc and Backspace lead back.
 *
 *     functions -> call graph of f -> call graph of g -> source of g
 *                                  <- Esc             <- Esc
 *
 * A step is a view with its function, its order, its filters and the row that the cursor was on. A
 * step is added when the user goes elsewhere, and taken off when the user comes back: there is no
 * way forward again.
 */
#ifndef REPORT_TRAIL_H
#define REPORT_TRAIL_H

#include <stdbool.h>
#include <stddef.h>

struct top;
struct trail_step;

struct trail {
	struct trail_step *steps;
	size_t count, room;
};

/* Adds where T is now. */
void trail_add(struct trail *r, const struct top *t);

/* Sets T to the last step, and takes the step off. The caller makes rows anew. *SAME: they are made
 * from the same tree. False: the user is where the view began. */
bool trail_back(struct trail *r, struct top *t, bool *same);

void trail_free(struct trail *r);

#endif
