/* SPDX-License-Identifier: MIT */
/*
 * forth-files: the host's files that a guest may use: files below one folder, and for reading,
 * files below a few more folders. No name leads out of these folders (forth-beneath.h).
 *
 * Functions return 0 or an errno.
 */
#ifndef VM_6502_FORTH_FILES_H
#define VM_6502_FORTH_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILES_MOST = 32 };

struct files;

/* dir: the folder to write in and read from; include: NULL-terminated, or NULL. On failure NULL,
 * and `bad` is the folder that can't be opened. */
struct files *files_new(const char *dir, const char *const *include, const char **bad);
void files_free(struct files *f);

/* fam: FORTH_FAM_… bits; create: make it, or empty it. number: 1 to FILES_MOST. */
int files_open(struct files *f, const char *name, int fam, bool create, int *number);
int files_close(struct files *f, int number);
int files_read(struct files *f, int number, void *to, size_t *length);
int files_write(struct files *f, int number, const void *from, size_t length);

/* Reads a line without its end, at most *length bytes. The line's end is taken, but not if *length
 * bytes come before it. *more is false at the end of the file. */
int files_read_line(struct files *f, int number, char *to, size_t *length, bool *more);

int files_position(struct files *f, int number, uint32_t *position);
int files_reposition(struct files *f, int number, uint32_t position);
int files_size(struct files *f, int number, uint32_t *size);
int files_resize(struct files *f, int number, uint32_t size);
int files_flush(struct files *f, int number);

/* The host's path of the file that a name means for reading. */
int files_path(struct files *f, const char *name, char *path, size_t size);

int files_delete(struct files *f, const char *name);
int files_rename(struct files *f, const char *from, const char *to);
int files_status(struct files *f, const char *name, uint32_t *size);

#endif
