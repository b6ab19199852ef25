/* SPDX-License-Identifier: MIT */
/* record_check.h - whether a program can be profiled by preloading, before it is run. */
#ifndef REPORT_RECORD_CHECK_H
#define REPORT_RECORD_CHECK_H

#include <stdbool.h>

#include "report/base/str.h"

/*
 * The file that running NAME would run, by $PATH as execvp() has it, into PATH. False: there is
 * none; nothing is said, because running it will say why.
 */
bool record_find_program(struct str *path, const char *name);

/*
 * False with a message when preloading cannot work for the program at PATH: 32-bit, another
 * machine's, static, musl's, or with rights of its own. A script is looked at by its interpreter.
 * What is not known to fail passes.
 */
bool record_check_program(const char *path, struct str *err);

/* Whether the file at PATH mentions the hooks that instrumented code calls. */
bool record_is_instrumented(const char *path);

#endif
