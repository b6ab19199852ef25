/* SPDX-License-Identifier: MIT */
/*
 * cmd_mcp.c - `zprof mcp`: offers zprof's views as calls to assistants that speak the Model Context
 * Protocol (https://modelcontextprotocol.io): JSON-RPC 2.0, one message per line, on stdin and
 * stdout. mcp_tools.c makes the calls.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/command/command.h"
#include "report/assistant/mcp_tools.h"
#include "preload/release.h"
#include "report/core/view/view.h"

enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, BAD_PARAMS = -32602 };

/* Sends RESULT, or ERROR, as the answer to ID, and frees it. */
static void answer(json_t *id, json_t *result, json_t *error)
{
	json_t *message = json_pack("{s:s,s:O}", "jsonrpc", "2.0", "id", id);
	json_object_set_new(message, result ? "result" : "error", result ? result : error);
	view_json_write(stdout, message);
	fputc('\n', stdout);
	fflush(stdout);
}

#define ERROR_MOST "1000" /* bytes of a message, which may quote what was asked */

static json_t *error_of(int code, const char *message)
{
	struct str text = {0};
	str_add(&text, "%." ERROR_MOST "s", message);
	json_t *error = json_pack("{s:i,s:o}", "code", code, "message", view_json_text(text.text));
	str_free(&text);
	return error;
}

static json_t *initialize(const json_t *params)
{
	static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
	const char *wanted = json_string_value(json_object_get(params, "protocolVersion"));
	const char *version = versions[0];
	for (size_t i = 0; wanted && i < sizeof versions / sizeof *versions; i++)
		if (!strcmp(wanted, versions[i]))
			version = versions[i];
	return json_pack("{s:s,s:{s:{}},s:{s:s,s:s},s:s}", "protocolVersion", version,
			 "capabilities", "tools", "serverInfo", "name", "zprof", "version",
			 ZPROF_RELEASE, "instructions",
			 "Begin with brief. Counts of calls are exact; each time has an error.");
}

static void handle(const json_t *request)
{
	const char *method = json_string_value(json_object_get(request, "method"));
	json_t *id = json_object_get(request, "id");
	const json_t *params = json_object_get(request, "params");
	struct str why = {0};
	if (!id) /* a notification */
		return;
	if (!method) {
		answer(id, NULL, error_of(INVALID_REQUEST, "a request has a method"));
	} else if (!strcmp(method, "initialize")) {
		answer(id, initialize(params), NULL);
	} else if (!strcmp(method, "ping")) {
		answer(id, json_object(), NULL);
	} else if (!strcmp(method, "tools/list")) {
		answer(id, mcp_tools_list(), NULL);
	} else if (!strcmp(method, "tools/call")) {
		json_t *result = mcp_tools_call(params, &why);
		answer(id, result, result ? NULL : error_of(BAD_PARAMS, str_text(&why)));
	} else {
		answer(id, NULL, error_of(NO_METHOD, "no such method"));
	}
	str_free(&why);
}

static int run(struct options *o, struct str *err)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t got;
	(void)o;
	(void)err;
	while ((got = getline(&line, &room, stdin)) > 0) {
		json_t *request = json_loadb(line, (size_t)got, 0, NULL);
		json_t *none = json_null();
		if (json_is_object(request))
			handle(request);
		else
			answer(none, NULL, error_of(PARSE_ERROR, "a line is not a JSON object"));
		json_decref(request);
	}
	free(line);
	return command_end();
}

const struct command cmd_mcp = {
    .name = "mcp",
    .options = options_help,
    .run = run,
};
