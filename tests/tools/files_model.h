/* SPDX-License-Identifier: MIT */
/*
 * files_model.h - what a folder of profiles must hold: for files_random.c, which runs commands in
 * that folder.
 *
 * The model knows of each process how many calls it has made, and of each file which processes it
 * holds, with how many calls each. From this follows what every command must do, by the rules of
 * `zprof help files`; none of zprof's own code is used.
 */
#ifndef TESTS_FILES_MODEL_H
#define TESTS_FILES_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#define MODEL_NAME  64
#define MODEL_FILES 64
#define MODEL_PARTS 256

enum model_kind { RECORDED, COPY, SNAPSHOT, MERGED };

/* A process, as far as a file holds it. */
struct model_part {
	unsigned process; /* 1, 2, ... */
	unsigned long calls;
	bool ended; /* it has come to its end in this file */
};

struct model_file {
	char name[MODEL_NAME];
	enum model_kind kind;
	/*
	 * The recorder has given it this name in run number `run`; 0: cp or mv has, or it is no
	 * recorded profile.
	 */
	unsigned run;
	bool live; /* its process counts in it now */
	struct model_part *parts;
	size_t part_count;
};

struct model {
	struct model_file files[MODEL_FILES];
	size_t count;
};

struct model_file *model_find(struct model *m, const char *name);

/* Adds a file, or replaces the one of that name. */
struct model_file *model_put(struct model *m, const char *name, enum model_kind kind, unsigned run,
			     const struct model_part *parts, size_t count);
void model_remove(struct model *m, const char *name);

/*
 * What the files with these names hold together, each process once: puts the parts into PARTS, and
 * their number into COUNT. False: a merged profile overlaps, so a command must refuse.
 */
bool model_sum(struct model *m, char names[][MODEL_NAME], size_t name_count,
	       struct model_part *parts, size_t *count);

unsigned long model_calls(const struct model_part *parts, size_t count);

/* Whether a command that writes KIND may write to NAME, while it reads the files INPUTS. */
bool model_may_write(struct model *m, const char *name, enum model_kind kind,
		     char inputs[][MODEL_NAME], size_t input_count);

#endif
