/* SPDX-License-Identifier: MIT */
/* mcp_tools.h - the calls that `zprof mcp` offers. Each runs this zprof and returns its output. */
#ifndef REPORT_MCP_TOOLS_H
#define REPORT_MCP_TOOLS_H

#include <jansson.h>

#include "report/core/base/str.h"

/* The list of calls: `{"tools":[...]}`. */
json_t *mcp_tools_list(void);

/* Makes a call. PARAMS: `{"name":...,"arguments":{...}}`. NULL with the reason if there is no call
 * of that name, or an argument does not fit its schema. */
json_t *mcp_tools_call(const json_t *params, struct str *why);

#endif
