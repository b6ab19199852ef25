/* SPDX-License-Identifier: MIT */
/* gate_view.h - the gate's verdict for people, for JSON, and in the forms that other tools read. */
#ifndef REPORT_GATE_VIEW_H
#define REPORT_GATE_VIEW_H

#include "report/compare/gate.h"

/* Prints the verdict as lines below the text of a comparison. */
void gate_view_print(const struct gate *g, const struct compare *c);

/* Prints the verdict as the member "gate" of the comparison's JSON. */
void gate_view_json(const struct gate *g, const struct compare *c);

/* Prints a summary for a pull request: conditions, their breaches, the largest changes. */
void gate_view_markdown(const struct gate *g, const struct compare *c);

/* Prints a JUnit test suite with a case for each condition. */
void gate_view_junit(const struct gate *g, const struct compare *c);

/*
 * Prints Bencher's metric format: for each function of the last side
 * `{"calls":{"value":5},"self":{"value": 40.1,"lower_value":38.0,"upper_value":42.2}, ...}`, with
 * times in nanoseconds.
 */
void gate_view_bencher(const struct compare *c);

#endif
