/* SPDX-License-Identifier: MIT */
/* leave_out.c - see leave_out.h. */
#include "report/advise/leave_out.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/names/facts.h"
#include "report/core/base/memory.h"

#define STD_HEADERS "/include/c++/"

static const char by_name[] = "-finstrument-functions-exclude-function-list=";
static const char by_file[] = "-finstrument-functions-exclude-file-list=";

/* ---- names */

static bool ends_with(const struct str *s, const char *end)
{
	size_t n = strlen(end);
	return s->used >= n && !strcmp(s->text + s->used - n, end);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* The end of the template arguments that begin with the `<` at AT. */
static const char *behind_arguments(const char *at)
{
	int depth = 0;
	for (; *at; at++) {
		depth += (*at == '<') - (*at == '>' && at[-1] != '-');
		if (!depth)
			return at + 1;
	}
	return at;
}

/* Whether a name follows the parameters at AT. If so, the function is inside another function. */
static bool is_inside(const char *at)
{
	int depth = 0;
	for (; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (!depth)
			return strstr(at, "::") != NULL;
	}
	return false;
}

bool leave_out_name(struct str *name, const char *at)
{
	static const char anonymous[] = "(anonymous namespace)";
	str_clear(name);
	str_add(name, "%s", "");
	while (*at) {
		bool is_operator = ends_with(name, "operator");
		if (begins(at, anonymous)) {
			str_add(name, "{anonymous}");
			at += sizeof anonymous - 1;
		} else if (is_operator) { /* an operator's name ends where its parameters begin */
			size_t n = begins(at, "()") ? 2 : strcspn(at, "(");
			str_add_bytes(name, at, n);
			return true;
		} else if (*at == '(' || (*at == '.' && name->used)) {
			break;
		} else if (*at == '<') {
			at = behind_arguments(at);
		} else if (*at == ' ') { /* what came before is the return type */
			str_clear(name);
			at++;
		} else if (*at == '{' || *at == '[') {
			return false;
		} else {
			str_add_bytes(name, at++, 1);
		}
	}
	return name->used > 0 && !is_inside(at);
}

/* Whether a shell and make pass NAME on unchanged, in a list separated by commas. */
static bool is_plain(const char *name)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:~[]+-=/%^!";
	return name[strspn(name, plain)] == 0;
}

/* ---- which compiler compiled what */

struct choosing {
	struct leave_out *o;
	const struct load *l;
	const struct derived *d;
	char **names;    /* by zone: leave_out_name(), or NULL */
	bool *candidate; /* by zone */
};

/* Why no flag can leave out the function; NULL if one can. */
static const char *obstacle(const struct choosing *c, uint32_t zone)
{
	const char *producer = facts_compiler(&c->l->zones, &c->l->zones.list[zone]);
	if (strstr(producer, "clang"))
		return "clang has no flag to leave it out";
	if (!begins(producer, "GNU"))
		return "it has no debug information that names its compiler";
	if (strstr(producer, "-minstrument-return"))
		return "-mfentry has no flag to leave it out";
	return NULL;
}

/* ---- what to leave out */

static double hooks_of(const struct choosing *c, uint32_t zone)
{
	return load_zone_hook_ns(c->l, zone, c->d->functions[zone].calls);
}

static bool is_own_mostly(const struct choosing *c, uint32_t zone, double least)
{
	const struct function *f = &c->d->functions[zone];
	double hooks = hooks_of(c, zone);
	return !c->l->zones.list[zone].kind && hooks >= least && hooks >= f->self.ns;
}

static bool is_std(const struct choosing *c, uint32_t zone)
{
	return strstr(c->l->zones.list[zone].file, STD_HEADERS) && !obstacle(c, zone);
}

/* Whether functions of the C++ library's headers spend more time in hooks than in themselves. */
static bool std_headers_go(const struct choosing *c, double least)
{
	double hooks = 0, self = 0;
	for (uint32_t i = 1; i < c->d->function_count; i++)
		if (is_std(c, i)) {
			hooks += hooks_of(c, i);
			self += c->d->functions[i].self.ns;
		}
	return hooks >= least && hooks >= self;
}

/* Whether a function ran, also in a thread or process that D leaves out: flags are for the
 * program. */
static bool ran(const struct choosing *c, uint32_t zone)
{
	return derive_used(&c->d->functions[zone]) || load_zone_hook_ns(c->l, zone, 1) > 0;
}

/* Whether a function that keeps its hooks has PATTERN in its name, or is inside one that does. */
static bool hits_others(const struct choosing *c, const char *pattern)
{
	for (uint32_t i = 1; i < c->d->function_count; i++) {
		const struct zone *z = &c->l->zones.list[i];
		const char *name = c->names[i] ? c->names[i] : z->name;
		if (!c->candidate[i] && !z->kind && strstr(name, pattern) && ran(c, i))
			return true;
	}
	return false;
}

/* The longest tail of the name, from its beginning or after a `::`, that occurs literally in the
 * function's full name (no template arguments inside), needs no quoting and hits nothing else. */
static char *pattern_for(const struct choosing *c, uint32_t zone)
{
	const char *full = c->l->zones.list[zone].name;
	for (const char *at = c->names[zone]; at; at = strstr(at + 1, "::"))
		if (strstr(full, at) && is_plain(at) && !hits_others(c, at))
			return memory_text(at, strlen(at));
	return NULL;
}

static void add(struct choosing *c, uint32_t zone, bool by_folder)
{
	struct leave_out *o = c->o;
	struct leave_out_function f = {zone, LEAVE_OUT_FILE, NULL, NULL, hooks_of(c, zone)};
	if (!by_folder) {
		f.why = obstacle(c, zone);
		f.pattern = f.why ? NULL : pattern_for(c, zone);
		f.how = f.pattern ? LEAVE_OUT_NAME : LEAVE_OUT_HAND;
		if (!f.pattern && !f.why)
			f.why = c->names[zone]
				    ? "gcc's flag would leave out others whose names contain it"
				    : "it has no name that gcc's flag takes";
	}
	*memory_next(o->list, o->count, o->room) = f;
	o->gain_ns += f.gain_ns;
	o->flags_gain_ns += f.how == LEAVE_OUT_HAND ? 0 : f.gain_ns;
}

static int more_first(const void *left, const void *right)
{
	const struct leave_out_function *a = left, *b = right;
	return memory_order(b->gain_ns, a->gain_ns) ?: memory_order(a->zone, b->zone);
}

/* Whether an item before number I has the same pattern: another instance of its template. */
static bool is_named_before(const struct leave_out *o, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (o->list[k].how == LEAVE_OUT_NAME &&
		    !strcmp(o->list[k].pattern, o->list[i].pattern))
			return true;
	return false;
}

static void make_flags(struct leave_out *o, bool folder)
{
	bool first = true;
	for (size_t i = 0; i < o->count; i++) {
		if (o->list[i].how != LEAVE_OUT_NAME || is_named_before(o, i))
			continue;
		str_add(&o->flags, "%s%s", first ? by_name : ",", o->list[i].pattern);
		first = false;
	}
	if (folder)
		str_add(&o->flags, "%s%s%s", first ? "" : " ", by_file, STD_HEADERS);
}

static void name_all(struct choosing *c)
{
	struct str name = {0};
	for (uint32_t i = 1; i < c->d->function_count; i++)
		if (!c->l->zones.list[i].kind && leave_out_name(&name, c->l->zones.list[i].name))
			c->names[i] = memory_text(name.text, name.used);
	str_free(&name);
}

void leave_out_make(struct leave_out *o, const struct load *l, const struct derived *d,
		    double run_ns, double share)
{
	struct choosing c = {.o = o, .l = l, .d = d};
	*o = (struct leave_out){0};
	c.names = memory_zeroed(d->function_count, sizeof *c.names);
	c.candidate = memory_zeroed(d->function_count, sizeof *c.candidate);
	name_all(&c);
	bool folder = std_headers_go(&c, run_ns * share);
	for (uint32_t i = 1; i < d->function_count; i++)
		c.candidate[i] = (folder && is_std(&c, i)) || is_own_mostly(&c, i, run_ns * share);
	for (uint32_t i = 1; i < d->function_count; i++)
		if (c.candidate[i])
			add(&c, i, folder && is_std(&c, i));
	memory_sort(o->list, o->count, more_first);
	make_flags(o, folder);
	for (uint32_t i = 1; i < d->function_count; i++)
		free(c.names[i]);
	free(c.names);
	free(c.candidate);
}

void leave_out_free(struct leave_out *o)
{
	for (size_t i = 0; i < o->count; i++)
		free(o->list[i].pattern);
	free(o->list);
	str_free(&o->flags);
	*o = (struct leave_out){0};
}
