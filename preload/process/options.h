/* SPDX-License-Identifier: MIT */
/*
 * options.h - ZPROF_OPTIONS="name=value,name=value", where `\,` stands for a comma in a value.
 *
 * options.def lists the options. An unknown name or a bad value is reported in one line on stderr,
 * and the program runs on unprofiled: better no numbers than numbers that nobody asked for.
 */
#ifndef ZPROF_OPTIONS_H
#define ZPROF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define OPTIONS_BYTES 8192

#define OPTIONS_TYPE_TEXT    const char *
#define OPTIONS_TYPE_REPORT  const char *
#define OPTIONS_TYPE_NUMBER  uint32_t
#define OPTIONS_TYPE_CLOCK   uint32_t
#define OPTIONS_TYPE_HISTORY uint32_t
#define OPTIONS_TYPE_EVENTS  uint32_t
#define OPTIONS_TYPE_SWITCH  bool
#define OPTIONS_TYPE_INSIDE  uint32_t
#define OPTIONS_TYPE_ONOFF   bool

enum history_mode {
	HISTORY_NONE = 0, /* averages, histograms and the slowest frames */
	HISTORY_OFF,      /* frames are only counted */
	HISTORY_SELF,
	HISTORY_FULL,
};

enum inside_mode {
	INSIDE_NONE = 0,
	INSIDE_ADDRESSES,
	INSIDE_STACK, /* and chains of functions (sample/chains.h) */
};

struct options {
#define OPTION(name, kind, ...) OPTIONS_TYPE_##kind name;
#include "preload/options.def"
#undef OPTION
	char text[OPTIONS_BYTES]; /* the bytes that the values point to */
	char raw[OPTIONS_BYTES];  /* as given, for the profile */
};

/* Parses `value` (NULL: all defaults). False: an option is wrong, and has been reported. */
bool options_parse(struct options *options, const char *value);

#endif
