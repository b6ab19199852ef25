/* SPDX-License-Identifier: MIT */
/*
 * refused.h - which functions of a file are left alone by `zprof record --any`, and why:
 * `zprof info --refused`. The answer is in the file's plan (symbolize/plan/plans.h), which is made if
 * none is kept.
 */
#ifndef REPORT_REFUSED_H
#define REPORT_REFUSED_H

#include <stdbool.h>
#include <stdint.h>

#include "report/core/base/str.h"
#include "report/core/base/terminal.h"

/* Whether a file is a program or a library, by its first bytes. */
bool refused_is_code(const char *path);

/*
 * Prints the functions of the file that are left alone, below the reason. The file is another one than
 * was recorded if BYTES is not 0 and its build-id is not that of BUILD_ID. False: ERR says why there is
 * no list.
 */
bool refused_print(const struct terminal *t, const char *path, const uint8_t *build_id,
		   uint32_t bytes, struct str *err);

#endif
