/* SPDX-License-Identifier: MIT */
/*
 * report: --report, which is one command for a run and what zprof has to say of it: the same
 * command line is recorded by zprof, into a file that goes away, and shown by its reports.
 */
#ifndef VM_6502_REPORT_H
#define VM_6502_REPORT_H

#include "vm-6502/command/options.h"

/* The exit status: the guest's own, or 1 if zprof could not report. */
int report(const struct options *o, int argc, char **argv);

#endif
