/* SPDX-License-Identifier: MIT */
/*
 * notes_happens.h - the words of notes.h that say what happens to the thread: what the kernel, other
 * threads and the machine around this one do.
 */
#ifndef ZPROF_TEST_NOTES_HAPPENS_H
#define ZPROF_TEST_NOTES_HAPPENS_H

#include <stdbool.h>

/* A story begins. */
void happens_begin(void);

/* WORDS: as many as there are, then "". False: they are not of this kind. */
bool happens(const char **words);

/* A row cannot be read: ends the test. */
void notes_complain(const char *what, const char *word) __attribute__((noreturn));

#endif
