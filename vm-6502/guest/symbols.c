/* SPDX-License-Identifier: MIT */
/* symbols: see the header. */
#include "vm-6502/guest/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/cpu/m6502.h"

struct symbols *symbols_new(void)
{
	return calloc(1, sizeof(struct symbols));
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (int i = 0; i < 0x10000; i++)
		free(s->name[i]);
	free(s);
}

static void add(struct symbols *s, unsigned long at, const char *name)
{
	if (at > 0xffff || (s->name[at] && (s->name[at][0] != '@' || name[0] == '@')))
		return;
	free(s->name[at]);
	s->name[at] = strdup(name);
}

/* al 000400 .start */
static bool add_label(struct symbols *s, const char *line)
{
	unsigned long at;
	char name[256];

	if (sscanf(line, "al %lx .%255s", &at, name) != 2 &&
	    sscanf(line, "al C:%lx .%255s", &at, name) != 2)
		return false;
	add(s, at, name);
	return true;
}

/* What C calls a symbol, by its number in the file. */
struct c_names {
	char **name;
	bool *function; /* by number: it is a function with a body */
	unsigned long count;
};

static bool grow_names(struct c_names *c, unsigned long count)
{
	char **name = realloc(c->name, count * sizeof *name);
	bool *function;

	if (!name)
		return false;
	c->name = name;
	function = realloc(c->function, count * sizeof *function);
	if (!function)
		return false;
	c->function = function;
	memset(name + c->count, 0, (count - c->count) * sizeof *name);
	memset(function + c->count, 0, (count - c->count) * sizeof *function);
	c->count = count;
	return true;
}

/* csym	id=1,name="hash",scope=1,type=0,sc=static,sym=27 */
static void note_c_name(struct c_names *c, const char *line)
{
	enum { MOST = 1 << 20 };
	const char *name = strstr(line, "name=\""), *sym = strstr(line, ",sym=");
	char text[256];
	unsigned long id = sym ? strtoul(sym + 5, NULL, 10) : MOST;

	if (strncmp(line, "csym\t", 5) != 0 || !name || id >= MOST ||
	    sscanf(name, "name=\"%255[^\"]\"", text) != 1)
		return;
	if (id >= c->count && !grow_names(c, id + 1))
		return;
	free(c->name[id]);
	c->name[id] = strdup(text);
}

/* sym	id=0,name="start",addrsize=absolute,scope=0,def=2,val=0x400,seg=0,type=lab */
static bool add_debug(struct symbols *s, const struct c_names *c, const char *line)
{
	const char *number = strstr(line, "\tid=");
	unsigned long id = number ? strtoul(number + 4, NULL, 10) : c->count;
	const char *name = strstr(line, "name=\""), *value = strstr(line, ",val=0x");
	unsigned long at;
	char text[256];

	if (strncmp(line, "sym\t", 4) != 0 || !name || !value || !strstr(line, ",type=lab"))
		return false;
	if (sscanf(name, "name=\"%255[^\"]\"", text) != 1)
		return false;
	at = strtoul(value + 7, NULL, 16);
	add(s, at, id < c->count && c->name[id] ? c->name[id] : text);
	if (at <= 0xffff && id < c->count && c->function[id])
		s->function[at] = true;
	return true;
}

/* scope	id=3,name="_main",mod=0,type=scope,size=54,parent=0,sym=24,span=61 */
static void note_function(struct c_names *c, const char *line)
{
	const char *sym = strstr(line, ",sym=");
	unsigned long id = sym ? strtoul(sym + 5, NULL, 10) : c->count;

	if (strncmp(line, "scope\t", 6) == 0 && id < c->count && c->name[id])
		c->function[id] = true;
}

bool symbols_load(struct symbols *s, const char *path, char *err, size_t size)
{
	FILE *file = fopen(path, "r");
	struct c_names c = {0};
	char line[4096];
	long n = 0;

	if (!file) {
		snprintf(err, size, "cannot open '%s': %s", path, strerror(errno));
		return false;
	}
	while (fgets(line, sizeof line, file))
		note_c_name(&c, line);
	rewind(file);
	while (fgets(line, sizeof line, file))
		note_function(&c, line);
	rewind(file);
	while (fgets(line, sizeof line, file))
		n += add_label(s, line) || add_debug(s, &c, line);
	fclose(file);
	for (unsigned long i = 0; i < c.count; i++)
		free(c.name[i]);
	free(c.name);
	free(c.function);
	if (!n)
		snprintf(err, size,
			 "'%s' names no label: ca65 -g with ld65 -Ln or --dbgfile writes them",
			 path);
	return n != 0;
}

M6502_HOT const char *symbols_at(const struct symbols *s, uint16_t at)
{
	return s ? s->name[at] : NULL;
}

long symbols_address(const struct symbols *s, const char *text)
{
	const char *digits = text[0] == '$' ? text + 1 : text;
	char *end;
	unsigned long at;

	for (int i = 0; s && i < 0x10000; i++) {
		if (s->name[i] && strcmp(s->name[i], text) == 0)
			return i;
	}
	if (digits[0] == '-' || digits[0] == '+' || digits[0] == ' ')
		return -1;
	at = strtoul(digits, &end, 16);
	return *digits && !*end && at <= 0xffff ? (long)at : -1;
}

const char *symbols_show(const struct symbols *s, uint16_t at, char text[64])
{
	for (int back = 0; s && back < 256 && back <= at; back++) {
		const char *name = s->name[at - back];
		if (name && back == 0)
			return name;
		if (name) {
			snprintf(text, 64, "%.50s+%d", name, back);
			return text;
		}
	}
	snprintf(text, 64, "%04x", at);
	return text;
}
