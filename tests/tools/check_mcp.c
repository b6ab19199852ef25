/* SPDX-License-Identifier: MIT */
/*
 * check_mcp.c - a client of `zprof mcp`, which puts the pages of an answer together again.
 *
 *     check_mcp ZPROF TOOL ARGUMENTS     calls TOOL with ARGUMENTS, a JSON object, and goes on while
 *                                        there is a cursor; prints the whole answer
 *     check_mcp                          prints the JSON document on stdin in the same way
 *
 * On stderr: how many pages there were, and the bytes of the longest line that the server sent. Ends
 * with 1 if the server does not answer as JSON-RPC 2.0 wants, or the call failed.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *to_server, *from_server;
static size_t longest;

static void fail(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(1);
}

static void start(const char *zprof)
{
	int in[2], out[2];
	if (pipe(in) || pipe(out))
		fail("no pipe");
	if (!fork()) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execl(zprof, "zprof", "mcp", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	to_server = fdopen(in[1], "w");
	from_server = fdopen(out[0], "r");
}

/* The result of a request. */
static json_t *ask(const char *method, json_t *params)
{
	static int number;
	char *line = NULL;
	size_t room = 0;
	json_t *request = json_pack("{s:s,s:i,s:s,s:o}", "jsonrpc", "2.0", "id", ++number, "method",
				    method, "params", params);
	json_dumpf(request, to_server, JSON_COMPACT);
	fputc('\n', to_server);
	fflush(to_server);
	ssize_t got = getline(&line, &room, from_server);
	if (got <= 0)
		fail("no answer");
	if ((size_t)got > longest)
		longest = (size_t)got;
	json_t *answer = json_loadb(line, (size_t)got, 0, NULL);
	if (json_integer_value(json_object_get(answer, "id")) != number ||
	    strcmp(json_string_value(json_object_get(answer, "jsonrpc")), "2.0"))
		fail("an answer to something else");
	json_t *result = json_object_get(answer, "result");
	if (!result)
		fail(line);
	json_incref(result);
	json_decref(request);
	json_decref(answer);
	free(line);
	return result;
}

/* Whether two items are one, but for their arrays: it goes on. */
static int is_same(json_t *a, json_t *b)
{
	const char *key;
	json_t *part;
	if (!json_is_object(a) || !json_is_object(b))
		return 0;
	json_object_foreach(a, key, part)
	{
		json_t *other = json_object_get(b, key);
		if (json_is_object(part) ? !is_same(part, other)
					 : !json_is_array(part) && !json_equal(part, other))
			return 0;
	}
	return 1;
}

/* Adds the members of an item's next page. */
static void join(json_t *whole, json_t *next)
{
	const char *key;
	json_t *part, *item;
	size_t i;
	json_object_foreach(next, key, part)
	{
		json_t *mine = json_object_get(whole, key);
		if (!mine) {
			json_object_set(whole, key, part);
		} else if (json_is_object(part)) {
			join(mine, part);
		} else if (json_is_array(part)) {
			json_array_foreach(part, i, item)
			{
				json_t *last = json_array_get(mine, json_array_size(mine) - 1);
				if (!i && is_same(last, item))
					join(last, item);
				else
					json_array_append(mine, item);
			}
		}
	}
}

static void print_document(json_t *document)
{
	json_dumpf(document, stdout, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
	putchar('\n');
}

int main(int argc, char **argv)
{
	json_t *document = NULL;
	const char *cursor = NULL;
	int pages = 0;
	if (argc < 4) {
		if (!(document = json_loadf(stdin, 0, NULL)))
			fail("no JSON");
		print_document(document);
		return 0;
	}
	start(argv[1]);
	json_decref(ask("initialize", json_pack("{s:s}", "protocolVersion", "2025-06-18")));
	json_decref(ask("tools/list", json_object()));
	do {
		json_t *arguments = json_loads(argv[3], 0, NULL);
		if (cursor)
			json_object_set_new(arguments, "cursor", json_string(cursor));
		json_t *result = ask(
		    "tools/call", json_pack("{s:s,s:o}", "name", argv[2], "arguments", arguments));
		json_t *content = json_object_get(result, "content");
		const char *text =
		    json_string_value(json_object_get(json_array_get(content, 0), "text"));
		if (json_is_true(json_object_get(result, "isError")))
			fail(text);
		json_t *page = json_loads(text, 0, NULL);
		if (!page)
			fputs(text, stdout);
		else if (!document)
			document = json_incref(page);
		else
			join(document, page);
		json_decref(page);
		cursor = json_string_value(
		    json_object_get(json_object_get(result, "_meta"), "nextCursor"));
		pages++; /* RESULT stays: the cursor is in it */
	} while (cursor && pages < 10000);
	if (document)
		print_document(document);
	fprintf(stderr, "%d %zu\n", pages, longest);
	fclose(to_server);
	wait(NULL);
	return 0;
}
