/* SPDX-License-Identifier: MIT */
/*
 * record_replace.h - `zprof record -o NAME` replaces the run that was recorded under NAME before.
 * So a script which records, and then compares NAME with something, never compares a stale file.
 *
 *     before          while the program runs     a profile was written     none was written
 *     -------------   ------------------------   -----------------------   ----------------
 *     sim.zp          sim.zp~                    sim.zp (new)              sim.zp~
 *     sim.zp.2        sim.zp.2~                                            sim.zp.2~
 *     sim.zp.2.base   sim.zp.2.base~                                       sim.zp.2.base~
 *
 * At no moment is the earlier run gone before the new run has a profile. Files that were put aside
 * have the flag ZPROF_ASIDE; while their names end in `~`, no command counts them. If this process
 * is killed, or the new run leaves no profile, they stay. The next `zprof record` recognises them
 * by the flag, and removes them when it has a profile. Another file that happens to be called
 * `NAME~` is never touched.
 *
 * A pattern with %p or %e gives each process or program a file of its own, and replaces nothing.
 */
#ifndef REPORT_RECORD_REPLACE_H
#define REPORT_RECORD_REPLACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "report/core/disk/find_files.h"

/* A file that was put aside. It is known by its inode, because another `zprof record` may use the
 * same name. */
struct earlier_file {
	char *path;
	dev_t device;
	ino_t inode;
};

struct record_replace {
	char *name; /* of the profile; NULL: nothing is replaced */
	struct earlier_file *earlier;
	size_t earlier_count, earlier_room;
};

/*
 * Puts the earlier run aside. OUTPUT: the pattern; NULL: the default, which replaces nothing.
 * FORCE: replaces any kind of file. False with a message if NAME may not be written (file_rules.h);
 * then nothing has changed.
 */
bool record_replace_begin(struct record_replace *r, const char *output, bool force,
			  struct str *err);

/* Removes the earlier run, if there are FILES, the profiles of the new run; otherwise the earlier
 * run stays aside. Says so where that may surprise. */
void record_replace_end(struct record_replace *r, const struct find_files *files);

void record_replace_free(struct record_replace *r);

#endif
