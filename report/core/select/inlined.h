/* SPDX-License-Identifier: MIT */
/*
 * inlined.h - finds functions that a profile does not have because they were inlined into functions
 * that it has, by the debug information of these.
 */
#ifndef REPORT_INLINED_H
#define REPORT_INLINED_H

#include "report/core/names/zones.h"
#include "report/core/pattern/pattern.h"

/* Adds `was inlined into handle_request (3 places), whose time includes it` to TEXT if a function that
 * P matches was inlined into functions of the profile; else returns false. */
bool inlined_describe(const struct pattern *p, const struct zones *zones, struct str *text);

#endif
