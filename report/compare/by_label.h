/* SPDX-License-Identifier: MIT */
/*
 * by_label.h - the sides of a comparison out of many profiles of a fleet: all that were recorded of
 * one version (the build-id of the program), or on one host, are one side.
 *
 *     ten thousand files -- each is looked at: its label        (texts and modules, no contexts)
 *                        -- the files of a label are merged     (files/merge.h), into a file in a
 *                           folder of our own, which is removed at the end
 *                        -- the merged files are the sides
 *
 * So memory is that of the merged profiles, not that of all. A side is shown as a merged profile is:
 * as the mean of its runs.
 */
#ifndef REPORT_BY_LABEL_H
#define REPORT_BY_LABEL_H

#include <stdbool.h>

#include "report/core/disk/find_files.h"
#include "report/core/options/options.h"

/* The profiles with one value of the label. */
struct by_side {
	char *value;
	char *name; /* as the comparison shows it: "version 12ab34cd56ef" */
	char *path; /* of the merged profile; NULL: none yet */
	struct find_files files;
	uint64_t first_ns; /* when the first of them began */
};

struct by_label {
	const char *label;
	char *folder;          /* of the merged profiles; NULL: none yet */
	struct by_side *sides; /* in the order of their beginnings */
	size_t count, room;
};

/* The labels that --by knows, between spaces. */
#define BY_LABELS "version host"

/*
 * Makes the sides of O's files, as O's load sets. BY: a label, for all values that the files have; or
 * LABEL=VALUE,VALUE..., for these values in this order; the beginning of a value is enough. False
 * with a message.
 */
bool by_label_make(struct by_label *b, struct options *o, const char *by, struct str *err);

/* Also removes the merged profiles. */
void by_label_free(struct by_label *b);

#endif
