/* SPDX-License-Identifier: MIT */
/*
 * loader.h - what features add to the loading of profiles.
 *
 * The core loads what all views stand on: contexts, their times, zones and names. A *loader* is
 * what a feature adds, and the core knows of it only what is declared here. It has one of two
 * things, or both:
 *
 * - A *section* of the file that the feature alone understands, such as the counters of statements.
 *   The loader adds the section of each profile to what it keeps in struct load, where its feature
 *   finds it. A section that a running program goes on changing also needs a collector
 *   (core/read/collect_parts.h), which copies it.
 *
 * - A *choice* of what to load: a *piece* of a profile that can be a profile of its own, such as a
 *   frame. The loader adds options to the commands that show profiles, and cuts a profile down to
 *   the piece that they pick before it goes into the tree. So every view shows a piece, and none
 *   knows of it; `zprof diff` compares two of them, and the live view lists them.
 *
 *       options -- choose() --.                                           a choice
 *                             v
 *       file --> profile -- keep_pick() --.--> tree, names, times --.--> view
 *                                         '--> add() --> kept ------'     a section
 *
 * report/loaders.c lists the loaders, and is the only file that names them. With an empty list the
 * core loads profiles all the same: it skips what only a loader reads, and has no such options.
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

/* What is picked of a profile; `by` NULL: all of it. */
struct loader_pick {
	const struct loader *by;
	const void *what; /* keep_pick()'s */
};

/* One piece that a profile can be cut down to, for a list of them. */
struct loader_piece {
	const struct loader *by;
	char *kind;         /* what it is called, with all others of its kind */
	uint64_t reference; /* its kind's, in the file */
	uint64_t number;    /* among its kind, in the order of time */
	double wall_ns;
	double ago_ns; /* from its beginning to the end of the latest one of its kind */
};

struct loader_pieces {
	struct loader_piece *list;
	size_t count, room;
};

/* A hook that is NULL does nothing, and holds. */
struct loader {
	/* ---- a section */

	/* Adds P's to what the loader keeps in L (loader_keep()). */
	void (*add)(struct load *l, const struct profile *p, struct zones_of_profile *zones);

	/* Forgets the numbers: L begins again. KEPT is what the loader keeps in it. */
	void (*forget)(void *kept);

	/* Frees what KEPT points to. */
	void (*free)(void *kept);

	/* Whether all profiles together have what O asks for; false with a message. */
	bool (*check)(const struct load *l, const struct options *o, struct str *err);

	const struct collector *collector;

	/* ---- a choice */

	/*
	 * Options of views (core/options/options.h), up to a name of NULL. The loader keeps in the
	 * options what they ask for (loader_keep()).
	 */
	const struct option_spec *options;

	/* Sets the pick of each of SETS that has none yet, and flags of enum load_how in *HOW. */
	bool (*choose)(struct options *o, struct load_set *sets, size_t count, unsigned *how,
		       struct str *err);

	/* Before a comparison: if O picks pieces of one profile, makes its `sets` of two. */
	bool (*make_sides)(struct options *o, struct str *err);

	/* What a pick is, in messages: "a frame". */
	const char *piece;

	/*
	 * P becomes the profile of what was picked; its file may be read again, whoever owns it if
	 * ANYONE is set.
	 */
	bool (*keep_pick)(struct profile *p, const void *what, bool anyone, struct str *err);

	/* Adds the pieces of P, which was read from BYTES, to TO. ZONES: for names of functions. */
	void (*list)(struct loader_pieces *to, const struct profile *p, const void *bytes, size_t n,
		     struct zones *zones);

	/* P becomes the profile of PIECE; false: the profile has it no longer. */
	bool (*keep_piece)(struct profile *p, const struct loader_piece *piece, const void *bytes,
			   size_t n);
};

extern const struct loader *const loaders[]; /* of report/loaders.c; ends with NULL */

/* ---- what loaders keep, in memory of their own */

struct loader_kept {
	const struct loader *by;
	void *memory;
};

struct loader_memory {
	struct loader_kept *list;
	size_t count, room;
};

/* The BYTES that BY keeps in M: zeros at first. They stay where they are. */
void *loader_keep(struct loader_memory *m, const struct loader *by, size_t bytes);

/* The same; NULL: it keeps nothing yet. */
void *loader_kept(const struct loader_memory *m, const struct loader *by);

void loader_memory_free(struct loader_memory *m);

/* The options of loader number I of those that have some; NULL: there are not so many. */
const struct option_spec *loader_options_at(size_t i);

/* ---- the hooks, each of all loaders; the first that fails has the message */

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
