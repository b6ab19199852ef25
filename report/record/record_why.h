/* SPDX-License-Identifier: MIT */
/* record_why.h - why the system does not run a program, and what helps. */
#ifndef REPORT_RECORD_WHY_H
#define REPORT_RECORD_WHY_H

#include "report/core/base/str.h"

/*
 * `cannot run 'NAME': ...`, when execvp(NAME) has failed with ERROR. The system says "No such file"
 * also of a file that is there, if the interpreter of the script or the loader of the program is
 * missing. So the file is looked at.
 */
void record_why(const char *name, int error, struct str *err);

#endif
