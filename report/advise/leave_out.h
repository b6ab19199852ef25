/* SPDX-License-Identifier: MIT */
/*
 * leave_out.h - which functions are better compiled without hooks, and how to tell the compiler so.
 *
 * gcc takes names: -finstrument-functions-exclude-function-list=aim,march. It leaves out each
 * function whose name contains one of them. That name is as users write it, without parameters and
 * return type: `aim` also leaves out `claim`, and `conv` leaves out every conv<T>. So a name is
 * used only if no other function that ran contains it. For other functions, and for clang, which
 * has no such flag, there is __attribute__((no_instrument_function)).
 *
 * Of functions with gcc's -mfentry no flag names one, and those above do nothing. But hooks are
 * inserted after inlining: a higher level of optimization takes them from small functions.
 */
#ifndef REPORT_LEAVE_OUT_H
#define REPORT_LEAVE_OUT_H

#include "report/core/tree/derive.h"
#include "report/core/load/load.h"

enum leave_out_how {
	LEAVE_OUT_NAME, /* by a flag with its name */
	LEAVE_OUT_FILE, /* by a flag with the folder of its file */
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
	bool fentry;          /* hooks of functions in the list are those of -mfentry */
	const char *inlining; /* the flag that helps there: gcc inlines more; NULL: none */
	double gain_ns;       /* of all functions in the list */
	double flags_gain_ns; /* of those functions that the flags leave out */
};

/* Fills in O. D may be of only some threads or processes of L. O lists functions whose hooks take
 * at least the part SHARE (0 to 1) of the time RUN_NS. */
void leave_out_make(struct leave_out *o, const struct load *l, const struct derived *d,
		    double run_ns, double share);
void leave_out_free(struct leave_out *o);

/* NAME becomes the name that gcc's flag is compared with, without template arguments. False if that
 * name is unknown (lambdas and other functions inside functions). */
bool leave_out_name(struct str *name, const char *demangled);

#endif
