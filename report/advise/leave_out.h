/* SPDX-License-Identifier: MIT */
/*
 * leave_out.h - which functions are better compiled without hooks, and how to tell the compiler.
 *
 * gcc takes names: -finstrument-functions-exclude-function-list=aim,march. It searches for each of
 * them anywhere in a function's name as the user writes it, without parameters and return type:
 * `aim` also leaves out `claim`, and `conv` leaves out every conv<T>. So a name is used only if no
 * other function that ran contains it. For other functions, and for clang, which has no such flag,
 * there is __attribute__((no_instrument_function)).
 */
#ifndef REPORT_LEAVE_OUT_H
#define REPORT_LEAVE_OUT_H

#include "report/core/tree/derive.h"
#include "report/core/load/load.h"

enum leave_out_how {
	LEAVE_OUT_NAME, /* by a flag that names it */
	LEAVE_OUT_FILE, /* by a flag that names the folder of its file */
	LEAVE_OUT_HAND, /* by an attribute in its source */
};

struct leave_out_function {
	uint32_t zone;
	enum leave_out_how how;
	char *pattern;   /* LEAVE_OUT_NAME: for the flag */
	const char *why; /* LEAVE_OUT_HAND: why no flag can do it */
	double gain_ns;  /* what its calls' hooks cost */
};

struct leave_out {
	struct leave_out_function *list; /* the largest gain first */
	size_t count, room;
	struct str flags;     /* for gcc; empty if no function can be named */
	double gain_ns;       /* of all functions in the list */
	double flags_gain_ns; /* of those that the flags leave out */
};

/*
 * D may be of some threads or processes of L. SHARE (0 to 1): lists functions whose hooks take at
 * least this part of the time RUN_NS.
 */
void leave_out_make(struct leave_out *o, const struct load *l, const struct derived *d,
		    double run_ns, double share);
void leave_out_free(struct leave_out *o);

/*
 * Puts the name that gcc's flag matches into NAME, without template arguments; false if it is
 * unknown (lambdas and other functions inside functions).
 */
bool leave_out_name(struct str *name, const char *demangled);

#endif
