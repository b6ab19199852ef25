/* SPDX-License-Identifier: MIT */
/* options: the command line of vm-6502. */
#ifndef VM_6502_OPTIONS_H
#define VM_6502_OPTIONS_H

#include "vm-6502/profile/forth-profile.h"
#include "vm-6502/profile/forth-report.h"
#include "vm-6502/machine/machine.h"
#include "vm-6502/command/preset.h"
#include "vm-6502/guest/sources.h"
#include "vm-6502/guest/symbols.h"

/* What --zones asks for. */
enum options_zones { ZONES_UNSAID, ZONES_FORTH, ZONES_SUBROUTINES, ZONES_CELLS };

struct options {
	const struct machine_kind *kind;
	struct machine_options machine;
	struct symbols *symbols; /* NULL: none given */
	uint64_t cycles;         /* the most to run; M6502_NEVER: no limit */
	bool until_loop;
	long stop; /* -1: none */
	bool registers;
	bool disassemble;
	bool monitor;        /* open the monitor at the start, and when something stops the guest */
	const char *trace;   /* file, "-" for stderr; NULL: none */
	const char *listing; /* the file for --zones=cells */
	bool reported;       /* run zprof on the run's own profile */
	bool fold;           /* count the library's helpers in the functions of C that call them */
	enum options_zones zones;
	struct forth_image other; /* a Forth that isn't ours, if other.other is set */
	/* What to watch of a Forth, except `cells` and `other`. */
	struct forth_profile_options forth;
	const char **buckets; /* the array that forth.buckets_file points to */
	struct preset preset;
	const char *bucket_report; /* file, "-" for stdout; NULL: none */
	const char *groups;
	struct forth_report report;
	struct sources *sources; /* NULL: no debug information was given */
	/* As text, because symbols are known only after all options are read. */
	const char **breaks, **watches;
	int break_count, watch_count;
};

/* Reads the command line. False: `status` is the exit status, and the message has been printed. */
bool options_read(struct options *o, int argc, char **argv, int *status);
void options_free(struct options *o);

#endif
