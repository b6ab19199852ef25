/* SPDX-License-Identifier: MIT */
/* watchers: see the header. */
#include "vm-6502/command/watchers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/forth-profile.h"
#include "vm-6502/profile/lend.h"
#include "vm-6502/profile/subroutines.h"
#include "vm-6502/command/trace.h"

struct watchers {
	struct machine *machine;
	const struct options *o;
	struct forth_image image;
	struct trace *trace;
	struct subroutines *subroutines;
	struct forth_profile *forth;
};

static bool complain(const char *what)
{
	fflush(stdout);
	fprintf(stderr, "vm-6502: %s\n", what);
	return false;
}

/* Whether something was asked that only a profile of Forth words can give. */
static bool wants_forth(const struct options *o)
{
	return o->forth.words || o->forth.buckets || o->bucket_report || o->groups ||
	       o->forth.trace || o->forth.buckets_files;
}

static bool watch_forth(struct watchers *w)
{
	struct forth_profile_options options = w->o->forth;
	char err[512];

	options.cells = w->o->zones == ZONES_CELLS;
	options.other = w->o->other.other ? &w->o->other : NULL;
	if (w->o->zones == ZONES_UNSAID) {
		options.words = lend_recorded();
		options.buckets = options.words && (options.buckets_files || w->o->groups);
	}
	w->forth = forth_profile_new(w->machine, w->o->symbols, &options, err, sizeof err);
	return w->forth || complain(err);
}

static M6502_HOT const char *bank_of_machine(void *machine, uint16_t at)
{
	return ((struct machine *)machine)->kind->bank(machine, at);
}

static bool watch_subroutines(struct watchers *w)
{
	struct subroutines_banks banks = {bank_of_machine, w->machine};

	w->subroutines = subroutines_new(&w->machine->cpu, w->o->symbols, w->o->sources,
					 w->machine->kind->bank ? &banks : NULL, w->o->fold,
					 w->o->zones == ZONES_CELLS);
	return w->subroutines || complain("out of memory");
}

static bool watch(struct watchers *w)
{
	const struct options *o = w->o;
	bool ours = strcmp(w->machine->kind->name, "forth") == 0 && !o->other.other &&
		    forth_image_find(&w->image, &w->machine->cpu);
	bool forth = ours || o->other.other;
	char err[512];

	if (o->other.other)
		w->image = o->other;
	if (wants_forth(o) && !forth)
		return complain(
		    "there is no Forth here whose words or buckets could be watched: "
		    "that needs --machine=forth with its own image, or --next, or --preset");
	if (o->trace && (o->zones != ZONES_UNSAID || wants_forth(o)))
		return complain("--trace and --zones use the same hooks: give one of them");
	if (o->zones == ZONES_SUBROUTINES && wants_forth(o))
		return complain(
		    "subroutines of machine code have no words and no buckets: leave out "
		    "--zones=subroutines, or what asks for those");
	if (o->zones == ZONES_CELLS && !lend_recorded())
		return complain("--zones=cells is for zprof: vm-6502 --report, or zprof record");
	if (o->trace) {
		w->trace = trace_new(&w->machine->cpu, o->symbols, o->trace, err, sizeof err);
		return w->trace || complain(err);
	}
	if (wants_forth(o) || (forth && lend_recorded() && o->zones != ZONES_SUBROUTINES))
		return watch_forth(w);
	return !lend_recorded() || watch_subroutines(w);
}

struct watchers *watchers_new(struct machine *machine, const struct options *o)
{
	struct watchers *w = calloc(1, sizeof *w);

	if (!w) {
		complain("out of memory");
		return NULL;
	}
	w->machine = machine;
	w->o = o;
	if (watch(w))
		return w;
	watchers_free(w);
	return NULL;
}

void watchers_free(struct watchers *w)
{
	if (!w)
		return;
	forth_profile_free(w->forth);
	subroutines_free(w->subroutines);
	trace_free(w->trace);
	free(w);
}

/*
 * This function has no hooks, and so no zone of its own, because it leaves other functions' zones.
 */
M6502_HOT bool watchers_finish(struct watchers *w)
{
	const char *listing = w->o->listing;
	char err[512];
	bool good = true;

	if (w->subroutines)
		subroutines_finish(w->subroutines);
	if (w->forth)
		forth_profile_finish(w->forth);
	if (w->o->zones == ZONES_CELLS && w->forth)
		good = forth_profile_list(w->forth, listing, err, sizeof err);
	else if (w->o->zones == ZONES_CELLS)
		good = subroutines_list(w->subroutines, listing, err, sizeof err);
	return good || complain(err);
}

/* Prints a table of buckets to a file; "-" is stdout, and NULL prints nothing. */
static bool print_to(const struct watchers *w, const char *path, bool groups)
{
	const struct forth_buckets *buckets;
	FILE *to;
	bool good, known = true;

	if (!path || !w->forth)
		return true;
	buckets = forth_profile_buckets(w->forth);
	fflush(stdout);
	to = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	good = to;
	if (to && groups)
		forth_report_groups(buckets, to);
	else if (to)
		known = forth_report_print(&w->o->report, buckets, to);
	if (to)
		good = fflush(to) == 0 && !ferror(to);
	if (to && to != stdout && fclose(to) != 0)
		good = false;
	if (!known)
		fprintf(stderr, "vm-6502: there is no metric '%s'\n", w->o->report.metric);
	if (!good)
		fprintf(stderr, "vm-6502: cannot write '%s': %s\n", path, strerror(errno));
	return good && known;
}

bool watchers_print(const struct watchers *w)
{
	bool good = print_to(w, w->o->bucket_report, false);

	return print_to(w, w->o->groups, true) && good;
}
