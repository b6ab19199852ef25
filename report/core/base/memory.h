/* SPDX-License-Identifier: MIT */
/*
 * memory.h - allocation for a command that runs once and ends: an allocation succeeds, or
 * memory_exhausted() is called.
 *
 * So no code in report/ checks for NULL. A damaged profile cannot ask for too much: a count read
 * from a file becomes a size only if the file is at least that long.
 */
#ifndef REPORT_MEMORY_H
#define REPORT_MEMORY_H

#include <stddef.h>

/* Called when there is no memory; must not return. main.c replaces the default, which aborts. */
extern void (*memory_exhausted)(size_t bytes);

/* COUNT * BYTES_EACH zero bytes, at least one; never NULL. Release it with free(). */
void *memory_zeroed(size_t count, size_t bytes_each);

/* Resizes like realloc(); new bytes are undefined. */
void *memory_resize(void *old, size_t count, size_t bytes_each);

/*
 * Makes room for element USED of an array: doubles it when it is full, and zeroes the new part.
 * Use:
 *
 *     a->items = memory_room(a->items, a->used, &a->room, sizeof *a->items);
 *     a->items[a->used++] = item;
 */
void *memory_room(void *items, size_t used, size_t *room, size_t bytes_each);

/* A copy of N bytes of text, followed by a zero. */
char *memory_text(const char *text, size_t n);

#endif
