/* SPDX-License-Identifier: MIT */
/* record_check.h - checks before a run whether preloading can profile the program. */
#ifndef REPORT_RECORD_CHECK_H
#define REPORT_RECORD_CHECK_H

#include <stdbool.h>

#include "report/core/base/str.h"

/* PATH becomes the file that execvp(NAME) would run. False, without a message, if there is none:
 * running the program will say why. */
bool record_find_program(struct str *path, const char *name);

/*
 * False with a message if preloading cannot work for the program at PATH: it is 32-bit, for another
 * machine, static, linked with musl, or has rights of its own. For a script, the interpreter is
 * checked. Unknown cases pass.
 */
bool record_check_program(const char *path, struct str *err);

#define RECORD_INTERPRETER 256 /* bytes of a name */

/* What runs the file at PATH: the interpreter that a script names in its first line, or the loader
 * that a program asks for. False: neither, or it is unknown. */
bool record_interpreter(const char *path, char name[RECORD_INTERPRETER], bool *script);

/*
 * The program that env(1) looks for in PATH, if the script at PATH begins as `#!/usr/bin/env python3`
 * does, also with -S and settings of variables. False: the script names no env, or there is none.
 */
bool record_env_program(const char *path, char name[RECORD_INTERPRETER]);

/* Whether the file at PATH mentions the hooks that instrumented code calls. */
bool record_is_instrumented(const char *path);

#endif
