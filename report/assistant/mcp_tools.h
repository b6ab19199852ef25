/* SPDX-License-Identifier: MIT */
/*
 * mcp_tools.h - the calls that `zprof mcp` offers: each runs this zprof, and gives what it prints.
 */
#ifndef REPORT_MCP_TOOLS_H
#define REPORT_MCP_TOOLS_H

#include <jansson.h>

#include "report/core/base/str.h"

/* `{"tools":[...]}`. */
json_t *mcp_tools_list(void);

/* PARAMS: `{"name":...,"arguments":{...}}`. NULL with the reason if there is no such call, or an
 * argument is not as its schema says. */
json_t *mcp_tools_call(const json_t *params, struct str *why);

#endif
