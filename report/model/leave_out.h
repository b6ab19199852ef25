/* SPDX-License-Identifier: MIT */
/*
 * leave_out.h - which functions a program had better be compiled without hooks in, and how its
 * compiler is told.
 *
 * gcc takes names: -finstrument-functions-exclude-function-list=aim,march. It looks for each of
 * them anywhere in a function's name as the user would write it, without parameters and return
 * type: `aim` leaves out `claim` as well, and `conv` each conv<T>. So a name is given only if
 * nothing else that ran has it in its own; where that fails, and for clang, which has no such flag,
 * there is __attribute__((no_instrument_function)).
 */
#ifndef REPORT_LEAVE_OUT_H
#define REPORT_LEAVE_OUT_H

#include "report/model/derive.h"
#include "report/model/load.h"

enum leave_out_how {
	LEAVE_OUT_NAME, /* by a flag that names it */
	LEAVE_OUT_FILE, /* by a flag that names the folder of its file */
	LEAVE_OUT_HAND, /* by an attribute in its source */
};

struct leave_out_function {
	uint32_t zone;
	enum leave_out_how how;
	char *pattern;   /* LEAVE_OUT_NAME: for the flag */
	const char *why; /* LEAVE_OUT_HAND: what is against a flag */
	double gain_ns;  /* what its calls' hooks cost */
};

struct leave_out {
	struct leave_out_function *list; /* the largest gain first */
	size_t count, room;
	struct str flags; /* for gcc; empty where no function can be named */
	double gain_ns;   /* of all of them; of those that the flags leave out */
	double flags_gain_ns;
};

/* SHARE: of the time RUN_NS, what a function's hooks take at least, 0 to 1. */
void leave_out_make(struct leave_out *o, const struct load *l, const struct derived *d,
		    double run_ns, double share);
void leave_out_free(struct leave_out *o);

/*
 * The name of a function as gcc's flag sees it, template arguments left out, into NAME; false where
 * it is not known (lambdas and others in functions).
 */
bool leave_out_name(struct str *name, const char *demangled);

#endif
