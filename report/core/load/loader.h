/* SPDX-License-Identifier: MIT */
/*
 * loader.h - lets features take part in the loading of profiles.
 *
 * The core loads what all views need: contexts, their times, zones and names. A *loader* is the
 * part that a feature adds; the core knows only the declarations here. A loader has one of two
 * things, or both:
 *
 * - - A *section* of the file that only the feature understands, such as the counters of
 *   statements. The loader adds the section of each profile to memory that it keeps in struct load,
 *   where its feature finds it. If a running program goes on changing the section, a collector is
 *   needed, too, which copies it (core/read/collect_parts.h).
 *
 * - - A *choice* of what to load: a *piece* of a profile that can be a profile of its own, such as
 *   a frame. The loader adds options to the commands that show profiles. It cuts a profile down to
 *   the piece that the options pick, before the profile goes into the tree. So every view can show
 *   a piece without knowing of pieces; `zprof diff` compares two of them, and the live view lists
 *   them.
 *
 *       options -- choose() --.                                           a choice
 *                             v
 *       file --> profile -- keep_pick() --.--> tree, names, times --.--> view
 *                                         '--> add() --> kept ------'     a section
 *
 * report/loaders.c lists the loaders, and is the only file that names them. With an empty list the
 * core loads profiles all the same: it skips the sections that only a loader reads, and has no
 * options for pieces.
 */
#ifndef REPORT_LOADER_H
#define REPORT_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

struct collector;
struct load;
struct load_set;
struct loader;
struct option_spec;
struct options;
struct profile;
struct zones;
struct zones_of_profile;

/* What is picked of a profile; with `by` NULL: all of it. */
struct loader_pick {
	const struct loader *by;
	const void *what; /* for keep_pick() */
};

/* One piece that a profile can be cut down to. */
struct loader_piece {
	const struct loader *by;
	char *kind;         /* the name of its kind */
	uint64_t reference; /* its kind's, in the file */
	uint64_t number;    /* within its kind, in the order of time */
	double wall_ns;
	double ranked_ns; /* by which the slowest is found: without what others had the processor */
	double ago_ns;    /* from its beginning to the end of the latest piece of its kind */
};

struct loader_pieces {
	struct loader_piece *list;
	size_t count, room;
};

/* A function that is NULL does nothing, and succeeds. */
struct loader {
	/* ---- a section */

	/* Adds the section of P to the memory that the loader keeps in L (loader_keep()). */
	void (*add)(struct load *l, const struct profile *p, struct zones_of_profile *zones);

	/* Forgets the numbers in KEPT, the loader's memory, because L begins again. */
	void (*forget)(void *kept);

	/* Frees what KEPT points to. */
	void (*free)(void *kept);

	/* Whether all profiles together have what the options O ask for; false with a message. */
	bool (*check)(const struct load *l, const struct options *o, struct str *err);

	const struct collector *collector;

	/* ---- a choice */

	/* Options of views (core/options/options.h), up to a name of NULL. Their values are kept in
	 * the options' memory (loader_keep()). */
	const struct option_spec *options;

	/* Sets the pick of each of SETS that has none yet, and flags of enum load_how in *HOW. */
	bool (*choose)(struct options *o, struct load_set *sets, size_t count, unsigned *how,
		       struct str *err);

	/* Before a comparison: if O picks two pieces of one profile, makes O's `sets` of them. */
	bool (*make_sides)(struct options *o, struct str *err);

	/* What messages call a piece: "a frame". */
	const char *piece;

	/* P becomes the profile of the piece WHAT. P's file may be read again; with ANYONE even if
	 * it is another user's. */
	bool (*keep_pick)(struct profile *p, const void *what, bool anyone, struct str *err);

	/* Adds the pieces of P, whose file has the N BYTES, to TO. ZONES gives names of
	 * functions. */
	void (*list)(struct loader_pieces *to, const struct profile *p, const void *bytes, size_t n,
		     struct zones *zones);

	/* P becomes the profile of PIECE; false: the profile does not have it any more. */
	bool (*keep_piece)(struct profile *p, const struct loader_piece *piece, const void *bytes,
			   size_t n);
};

extern const struct loader *const loaders[]; /* of report/loaders.c; ends with NULL */

/* ---- the memory of loaders */

struct loader_kept {
	const struct loader *by;
	void *memory;
};

struct loader_memory {
	struct loader_kept *list;
	size_t count, room;
};

/* The BYTES bytes that BY keeps in M: zeros at first. They never move. */
void *loader_keep(struct loader_memory *m, const struct loader *by, size_t bytes);

/* The memory that BY keeps in M; NULL: none yet. */
void *loader_kept(const struct loader_memory *m, const struct loader *by);

void loader_memory_free(struct loader_memory *m);

/* The options of loader number I of those that have some; NULL: there are not so many. */
const struct option_spec *loader_options_at(size_t i);

/* ---- each calls that function of all loaders; the first that fails has the message */

void loader_add(struct load *l, const struct profile *p, struct zones_of_profile *zones);
void loader_forget(struct loader_memory *kept);
void loader_free(struct loader_memory *kept);
bool loader_check(const struct load *l, const struct options *o, struct str *err);
bool loader_choose(struct options *o, struct load_set *sets, size_t count, unsigned *how,
		   struct str *err);
bool loader_make_sides(struct options *o, struct str *err);
void loader_list(struct loader_pieces *to, const struct profile *p, const void *bytes, size_t n,
		 struct zones *zones);

#endif
