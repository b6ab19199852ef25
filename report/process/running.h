/* SPDX-License-Identifier: MIT */
/*
 * running.h - a process that runs with libzprof.so: which one it is, the files that it has mapped,
 * where in its memory requests are left (ask.h), and whether it is being recorded. The process runs
 * on while we read and write its memory (reach.h).
 */
#ifndef REPORT_RUNNING_H
#define REPORT_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "preload/process/request.h"
#include "report/core/base/str.h"
#include "report/process/reach.h"
#include "report/core/disk/process_state.h"

/* A file that the process has mapped, and where. */
struct running_module {
	char *path;
	uint64_t start;
};

/* The entry of a function, and the byte that switches it off or on. */
struct running_entry {
	uint64_t at;
	uint8_t off, on;
	bool knocked; /* we have switched it on for the request at hand */
};

struct running {
	pid_t pid;
	char proc[64];              /* /proc/PID/task/THREAD, of a thread that runs */
	bool same_user, same_files; /* its user is ours; its paths mean the same files as ours */
	struct reach reach;
	struct running_module *modules;
	size_t module_count, module_room;
	uint64_t request;              /* the address of its struct zprof_request */
	struct running_entry *entries; /* empty until ask.c looks for them */
	size_t entry_count, entry_room;
	double patience_s;          /* how long a request may wait to be taken; 0: for ever */
	uint32_t matched, switched; /* from the answer to WATCH or UNWATCH (ask.c) */
};

/* Opens the process NAME: a number, or the name of exactly one program that runs with the library.
 * Waits up to two seconds for a process that is just starting. */
bool running_open(struct running *r, const char *name, struct str *err);

/* The numbers of all processes with the program's name NAME that run with the library, and their
 * COUNT; free() the list. */
pid_t *running_named(const char *name, size_t *count);

void running_close(struct running *r);

/* *STATE becomes the state of the process, as the process itself says (process_state.h). */
bool running_state(struct running *r, enum process_state *state, struct str *err);

/* Whether the process is paused: by a choice from outside or by the program itself, its hooks
 * record nothing. */
bool running_is_paused(const struct running *r);

/* The address of the word that the process's hooks look at; 0: nothing has begun. */
uint64_t running_word(const struct running *r);

/* HERE becomes the path by which we can open PATH, a file that the process has mapped. */
void running_path(const struct running *r, const char *path, struct str *here);

bool running_read(const struct running *r, uint64_t at, void *to, size_t bytes);

/* Puts the message that the process has ended into ERR. Returns false. */
bool running_has_ended(const struct running *r, struct str *err);

#endif
