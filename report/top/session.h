/* SPDX-License-Identifier: MIT */
/* session.h - a live view from beginning to end: on a screen, or printed. */
#ifndef REPORT_SESSION_H
#define REPORT_SESSION_H

#include "report/top/top.h"

struct session_options {
	struct options *view;
	bool finished;    /* the profiles that the options name, which are finished */
	const char *path; /* of the profile; NULL: the user chooses one */
	const char *name; /* of the processes to choose from; NULL: all */
	enum top_view first;
	enum measure measure;
	enum top_column sort; /* TOP_COLUMNS: the view's own order */
	double delay_s;
	size_t
	    batch; /* of a process that runs: how many times the view is printed; 0: until the process ends */
};

/* Shows the view on the terminal until the user quits. False with a message. */
bool session_screen(const struct session_options *o, struct str *err);

/* Prints the view on stdout. */
bool session_print(const struct session_options *o, struct str *err);

#endif
