/* SPDX-License-Identifier: MIT */
/*
 * mcp_page.h - a long answer in pages, each of which an assistant can take in.
 *
 * A page of JSON is a document of its own. The items of all arrays in the whole document, also of
 * arrays within items, are numbered in the order in which they stand there, and a page has as many
 * as fit:
 *
 *     {"schema":"zprof/1","times":{...},"functions":[0,1,2]}        the first page, and the head
 *     {"schema":"zprof/1","functions":[3,4],"arcs":[5,6]}           the next one
 *
 * An item whose own arrays go on stands on the next page again, with what is left of them. A string
 * of more than MCP_PAGE_STRING bytes is cut, and ends with "...". Other text is cut between lines.
 */
#ifndef REPORT_MCP_PAGE_H
#define REPORT_MCP_PAGE_H

#include <jansson.h>
#include <stddef.h>

#include "report/core/base/str.h"

#define MCP_PAGE_BYTES  28000 /* of an answer's text, as JSON writes it: 32 KiB with all around it */
#define MCP_PAGE_STRING 2000

/*
 * Adds to PAGE what follows the cursor FROM of TEXT, 0 for the beginning; all of it if it is short.
 * *NEXT: the cursor of the page that follows, 0 if there is none. False: there is nothing at FROM.
 */
bool mcp_page(struct str *page, const struct str *text, size_t from, size_t *next);

/* How many bytes TEXT takes as a string of JSON, without its quotes. */
size_t mcp_page_cost(const char *text, size_t bytes);

#endif
