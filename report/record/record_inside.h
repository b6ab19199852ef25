/* SPDX-License-Identifier: MIT */
/*
 * record_inside.h - a program that has an interpreter inside of its own file, as the command lua5.4 does. The
 * library can stand in front of the interpreter's functions if the file names them and their entries can be
 * displaced (preload/start/interpreter.h): the program's plan tells.
 */
#ifndef REPORT_RECORD_INSIDE_H
#define REPORT_RECORD_INSIDE_H

#include "report/record/record_flags.h"
#include "report/record/record_plans.h"

/*
 * If the program is such a one, gives the library its plan; record_plans_end() is due after the run. A program
 * with hooks is left as it is: its interpreter may have them, too, and then its functions would stand between
 * those that it runs; with --any they have. Says what is in the way where something is.
 */
void record_inside(struct record_plans *plans, const struct record_flags *flags);

#endif
