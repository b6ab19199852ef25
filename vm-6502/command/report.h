/* SPDX-License-Identifier: MIT */
/*
 * report: --report, which runs the guest and shows zprof's reports on the run. zprof records the
 * same command line into a file, prints the reports, and the file is removed.
 */
#ifndef VM_6502_REPORT_H
#define VM_6502_REPORT_H

#include "vm-6502/command/options.h"

/* The exit status: the guest's own, or 1 if zprof could not report. */
int report(const struct options *o, int argc, char **argv);

#endif
