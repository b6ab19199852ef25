/* SPDX-License-Identifier: MIT */
/*
 * processor.h - what zprof does for programs of one processor alone. The build chooses the file of the
 * processor that it builds for: processor_x86_64.c, processor_aarch64.c.
 */
#ifndef REPORT_PROCESSOR_H
#define REPORT_PROCESSOR_H

enum processor_means {
	PROCESSOR_FENTRY,   /* hooks by -mfentry */
	PROCESSOR_SWITCHES, /* hooks that are switched off and on in the code of a program */
	PROCESSOR_PLANS,    /* functions without hooks, whose code is displaced */
};

/* Why there are no such means, as a sentence without a full stop; NULL: there are. */
const char *processor_lacks(enum processor_means means);

/* Of ELF files that this processor runs (EM_X86_64, EM_AARCH64). */
extern const int processor_machine;

/* The folder of Debian's libraries for this processor. */
extern const char processor_libraries[];

#endif
