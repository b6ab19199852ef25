/* SPDX-License-Identifier: MIT */
/* mcp_page.c - see mcp_page.h. */
#define _GNU_SOURCE
#include "report/assistant/mcp_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/view/view.h"

/* A byte that is not UTF-8 becomes U+FFFD, of three bytes (view_json_text()). */
static size_t byte_cost(unsigned char byte)
{
	if (byte == '"' || byte == '\\' || byte == '\n')
		return 2;
	if (byte >= 0x80)
		return 3;
	return byte < 0x20 || byte == 0x7f ? 6 : 1;
}

size_t mcp_page_cost(const char *text, size_t bytes)
{
	size_t cost = 0;
	for (size_t i = 0; i < bytes; i++)
		cost += byte_cost((unsigned char)text[i]);
	return cost;
}

/* Whether a character of UTF-8 goes on with this byte. */
static bool is_inside(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* ---- text */

/* How many bytes from TEXT on a page has: whole lines, or as much as fits of a long one. */
static size_t lines_that_fit(const char *text, size_t bytes)
{
	size_t end = 0, line = 0, cost = 0;
	while (end < bytes && cost + byte_cost((unsigned char)text[end]) <= MCP_PAGE_BYTES) {
		cost += byte_cost((unsigned char)text[end]);
		if (text[end++] == '\n')
			line = end;
	}
	if (end == bytes || line)
		return end == bytes ? end : line;
	while (is_inside(text[end]))
		end--;
	return end;
}

static bool page_of_text(struct str *page, const struct str *text, size_t from, size_t *next)
{
	if (from >= text->used)
		return false;
	size_t bytes = lines_that_fit(text->text + from, text->used - from);
	str_add_bytes(page, text->text + from, bytes);
	*next = from + bytes < text->used ? from + bytes : 0;
	return true;
}

/* ---- JSON */

struct paging {
	size_t from, next; /* numbers of items; next 0: there is no further page */
	size_t at;         /* the number of the item that comes next in the document */
	size_t items;      /* on the page */
	size_t cost;       /* of the page so far */
};

static void write_to(struct str *to, json_t *value)
{
	char *text;
	size_t bytes;
	FILE *memory = memory_stream(&text, &bytes);
	view_json_write(memory, value);
	memory_stream_end(memory, &text);
	str_add_bytes(to, text, bytes);
	free(text);
}

static json_t *cut_string(const json_t *value)
{
	size_t bytes = json_string_length(value);
	struct str text = {0};
	if (bytes <= MCP_PAGE_STRING)
		return json_deep_copy(value);
	for (bytes = MCP_PAGE_STRING - 3; is_inside(json_string_value(value)[bytes]);)
		bytes--;
	str_add_bytes(&text, json_string_value(value), bytes);
	str_add(&text, "...");
	json_t *cut = json_stringn(text.text, text.used);
	str_free(&text);
	return cut;
}

/* The number of items in VALUE, at any depth. */
static size_t count_items(const json_t *value)
{
	const char *key;
	json_t *part;
	size_t i, count = 0;
	json_array_foreach(value, i, part) count += 1 + count_items(part);
	json_object_foreach((json_t *)value, key, part) count += count_items(part);
	return count;
}

/* VALUE without the items of its arrays. */
static json_t *without_items(const json_t *value)
{
	const char *key;
	json_t *part;
	if (json_is_array(value))
		return json_array();
	if (json_is_string(value))
		return cut_string(value);
	if (!json_is_object(value))
		return json_deep_copy(value);
	json_t *copy = json_object();
	json_object_foreach((json_t *)value, key, part)
	    json_object_set_new(copy, key, without_items(part));
	return copy;
}

static size_t cost_of(const json_t *value)
{
	struct str text = {0};
	write_to(&text, without_items(value));
	size_t cost = mcp_page_cost(text.text, text.used) + 1; /* and a comma */
	str_free(&text);
	return cost;
}

static json_t *copy_value(struct paging *p, const json_t *value);

/* Whether the next item, which has PARTS items within it, is on the page. If not, the page is full,
 * or has not begun. */
static bool takes(struct paging *p, const json_t *item, size_t parts)
{
	if (p->next || p->at + parts < p->from)
		return false;
	size_t cost = cost_of(item);
	if (p->at >= p->from && p->items && p->cost + cost > MCP_PAGE_BYTES) {
		p->next = p->at;
		return false;
	}
	p->cost += cost;
	p->items += p->at >= p->from;
	return true;
}

static json_t *copy_array(struct paging *p, const json_t *array)
{
	json_t *copy = json_array(), *item;
	size_t i;
	json_array_foreach(array, i, item)
	{
		size_t parts = count_items(item);
		bool taken = takes(p, item, parts);
		p->at++;
		if (taken)
			json_array_append_new(copy, copy_value(p, item));
		else
			p->at += parts;
	}
	return copy;
}

static json_t *copy_value(struct paging *p, const json_t *value)
{
	const char *key;
	json_t *part;
	if (json_is_array(value))
		return copy_array(p, value);
	if (!json_is_object(value))
		return without_items(value);
	json_t *copy = json_object();
	json_object_foreach((json_t *)value, key, part)
	    json_object_set_new(copy, key, copy_value(p, part));
	return copy;
}

/* Copies the document: on its first page everything but items that do not fit; on others the items
 * alone, and the name of the schema. */
static json_t *copy_document(struct paging *p, const json_t *document)
{
	const char *key;
	json_t *part, *copy = json_object();
	json_object_foreach((json_t *)document, key, part)
	{
		size_t before = p->items;
		json_t *mine = copy_value(p, part);
		bool later = p->from || (p->next && count_items(part));
		if (!later || p->items > before || !strcmp(key, "schema"))
			json_object_set_new(copy, key, mine);
		else
			json_decref(mine);
	}
	return copy;
}

static bool page_of_json(struct str *page, const json_t *document, size_t from, size_t *next)
{
	struct paging p = {.from = from};
	if (from && from >= count_items(document))
		return false;
	p.cost = from ? 0 : cost_of(document);
	write_to(page, copy_document(&p, document));
	str_add(page, "\n");
	*next = p.next;
	return true;
}

bool mcp_page(struct str *page, const struct str *text, size_t from, size_t *next)
{
	*next = 0;
	if (!from && mcp_page_cost(str_text(text), text->used) <= MCP_PAGE_BYTES) {
		str_add_bytes(page, str_text(text), text->used);
		return true;
	}
	json_t *document = json_loadb(str_text(text), text->used, 0, NULL);
	bool there = json_is_object(document) ? page_of_json(page, document, from, next)
					      : page_of_text(page, text, from, next);
	json_decref(document);
	return there;
}
