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

static bool wants_tables(const struct options *o)
{
	return o->profile || o->annotate || o->source;
}

/* Whether something was asked that only a profile of Forth words can give. */
static bool wants_forth(const struct options *o)
{
	return o->zones == ZONES_FORTH || o->bucket_report || o->groups || o->forth.trace ||
	       o->forth.buckets_files;
}

static bool watch_forth(struct watchers *w)
{
	struct forth_profile_options options = w->o->forth;
	char err[512];

	options.cells = w->o->annotate;
	options.other = w->o->other.other ? &w->o->other : NULL;
	if (w->o->zones == CONTEXTS_UNSAID) {
		options.words = w->o->profile || lend_recorded();
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
					 w->o->annotate || w->o->source);
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
	if (o->trace && (wants_tables(o) || wants_forth(o)))
		return complain("--trace and --profile use the same hooks: give one of them");
	if ((o->source || o->zones == ZONES_SUBROUTINES) && wants_forth(o))
		return complain("subroutines and lines of machine code have no words and no "
				"buckets: leave out --zones=subroutines and --source, or what asks "
				"for those");
	if (o->trace) {
		w->trace = trace_new(&w->machine->cpu, o->symbols, o->trace, err, sizeof err);
		return w->trace || complain(err);
	}
	if (o->zones == ZONES_SUBROUTINES || o->source || (wants_tables(o) && !forth))
		return watch_subroutines(w);
	return !forth || !(wants_tables(o) || wants_forth(o) || lend_recorded()) || watch_forth(w);
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

/* Has no hooks, so no zone of its own, because it leaves the zones of others. */
M6502_HOT void watchers_finish(struct watchers *w)
{
	if (w->subroutines)
		subroutines_finish(w->subroutines);
	if (w->forth)
		forth_profile_finish(w->forth);
}

enum table { PROFILE, ANNOTATE, SOURCE, BUCKETS, GROUPS };

static bool print_subroutines(const struct watchers *w, enum table table, FILE *to)
{
	const struct counts *counts = subroutines_counts(w->subroutines);

	if (table == PROFILE)
		subroutines_print(w->subroutines, to);
	else if (table == ANNOTATE)
		counts_annotate(counts, &w->machine->cpu, w->o->symbols, to);
	else
		counts_source(counts, w->o->sources, to);
	return true;
}

static bool print_forth(const struct watchers *w, enum table table, FILE *to)
{
	const struct forth_buckets *buckets = forth_profile_buckets(w->forth);

	if (table == BUCKETS)
		return forth_report_print(&w->o->report, buckets, to);
	if (table == GROUPS)
		forth_report_groups(buckets, to);
	else if (table == PROFILE)
		contexts_print(forth_profile_zones(w->forth), to);
	else
		forth_cells_list(forth_profile_cells(w->forth), &w->machine->cpu, &w->image,
				 forth_profile_names(w->forth), to);
	return true;
}

/* Prints a table to a file; "-" is stdout, and NULL prints nothing. */
static bool print_to(const struct watchers *w, const char *path, enum table table)
{
	FILE *to;
	bool good, known = true;

	if (!path || (!w->forth && !w->subroutines))
		return true;
	fflush(stdout);
	to = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	good = to;
	if (to) {
		known = w->forth ? print_forth(w, table, to) : print_subroutines(w, table, to);
		good = fflush(to) == 0 && !ferror(to);
		if (to != stdout && fclose(to) != 0)
			good = false;
	}
	if (!known)
		fprintf(stderr, "vm-6502: there is no metric '%s'\n", w->o->report.metric);
	if (!good)
		fprintf(stderr, "vm-6502: cannot write '%s': %s\n", path, strerror(errno));
	return good && known;
}

bool watchers_print(const struct watchers *w)
{
	bool good = print_to(w, w->o->profile, PROFILE);

	good = print_to(w, w->o->annotate, ANNOTATE) && good;
	good = print_to(w, w->o->source, SOURCE) && good;
	good = print_to(w, w->o->bucket_report, BUCKETS) && good;
	return print_to(w, w->o->groups, GROUPS) && good;
}
