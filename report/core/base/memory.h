/* SPDX-License-Identifier: MIT */
/*
 * memory.h - allocation for a command that runs once and ends: an allocation succeeds, or
 * memory_exhausted() is called. Arrays that grow, and their order.
 *
 * So no code in report/ checks for NULL. A damaged profile cannot ask for too much: a count read
 * from a file becomes a size only if the file is at least that long.
 */
#ifndef REPORT_MEMORY_H
#define REPORT_MEMORY_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Called when there is no memory; must not return. main.c replaces the default, which aborts. */
extern void (*memory_exhausted)(size_t bytes);

/* COUNT * BYTES_EACH zero bytes, at least one; never NULL. Release it with free(). */
void *memory_zeroed(size_t count, size_t bytes_each);

/* Resizes like realloc(); new bytes are undefined. */
void *memory_resize(void *old, size_t count, size_t bytes_each);

/* Makes room for element USED of an array: doubles it when it is full, and zeroes the new part. */
void *memory_room(void *items, size_t used, size_t *room, size_t bytes_each);

/*
 * The address of the next element of an array, which is counted in USED. Use:
 *
 *     *memory_next(a->items, a->used, a->room) = item;
 */
#define memory_next(items, used, room)                                                             \
	((items) = memory_room((items), (used), &(room), sizeof *(items)), &(items)[(used)++])

/* qsort(), also of an array that has no memory yet because it is empty. */
#define memory_sort(items, count, by)                                                              \
	((count) ? qsort((items), (count), sizeof *(items), (by)) : (void)0)

/* For functions that qsort() calls: below, at or above 0 if A comes before, with or after B. More
 * keys follow behind `?:`. */
#define memory_order(a, b) (((a) > (b)) - ((a) < (b)))

/* A copy of N bytes of text, followed by a zero. */
char *memory_text(const char *text, size_t n);

/*
 * A stream whose bytes become *TEXT, BYTES of them and a zero behind, when memory_stream_end() has
 * closed it. (glibc's open_memstream() leaves bytes out, or *TEXT at NULL, where memory is short, and
 * fclose() says nothing of it.)
 */
FILE *memory_stream(char **text, size_t *bytes);
void memory_stream_end(FILE *stream, char *const *text);

#endif
