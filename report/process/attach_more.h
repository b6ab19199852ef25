/* SPDX-License-Identifier: MIT */
/*
 * attach_more.h - what features add to `zprof attach`: options, and what is done with the recording.
 *
 * If one of a feature's options is given, `zprof attach` calls the feature's run() instead of its
 * own. report/commands.c lists the features, and is the only file that names them.
 */
#ifndef REPORT_ATTACH_MORE_H
#define REPORT_ATTACH_MORE_H

#include <stddef.h>

#include "report/core/options/options.h"

struct attach_more {
	const struct option_spec *options; /* they put their values into attach_more_given() */
	size_t bytes;                      /* of the struct of these values */
	/* Does it all. GIVEN: the values; the options of `zprof attach` itself are in O. Gives the
	 * exit status, and in ERR a message to end with. */
	int (*run)(void *given, struct options *o, struct str *err);
};

extern const struct attach_more *const attach_mores[]; /* of report/commands.c; ends with NULL */

/* The options of feature number I; NULL: there are not so many. */
const struct option_spec *attach_more_options_at(size_t i);

/* The values of the feature's options, all zeros at the first call. The options O are those of
 * `zprof attach`. */
void *attach_more_given(struct options *o, const struct attach_more *more);

#endif
