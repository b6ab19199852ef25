/* SPDX-License-Identifier: MIT */
/* profile_loaded.h - a profile made of text (profile_builder.h), and loaded, for tests by cmocka. */
#ifndef TESTS_PROFILE_LOADED_H
#define TESTS_PROFILE_LOADED_H

#include "report/core/load/load.h"

/* Loads the text as one more process of L. The test fails if the text is wrong. */
void profile_loaded(struct load *l, const char *text);

#endif
