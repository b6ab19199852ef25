/* SPDX-License-Identifier: MIT */
/* pattern.c - see pattern.h. */
#include "report/core/pattern/pattern.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/pattern/expression.h"
#include "report/core/base/memory.h"
#include "report/core/names/name_forms.h"

static bool make_regex(struct pattern *p, const char *text, size_t length, struct str *err)
{
	char why[128];
	char *expression = memory_text(text + 1, length - 2);
	const char *refused = expression_refused(expression);
	int code = refused ? 0 : regcomp(&p->regex, expression, REG_EXTENDED | REG_NOSUB);
	free(expression);
	if (refused)
		return str_fail(err, "bad regular expression '%.60s%s': %s", text,
				length > 60 ? "..." : "", refused);
	p->is_regex = code == 0;
	if (!code)
		return true;
	regerror(code, &p->regex, why, sizeof why);
	return str_fail(err, "bad regular expression '%s': %s", text, why);
}

/* Parses MODULE:LOW-HIGH, split at the last colon because paths may contain colons. */
static bool make_range(struct pattern *p, const char *text, struct str *err)
{
	char *end;
	const char *colon = strrchr(text, ':');
	if (!colon || colon == text)
		return str_fail(err, "bad range '%s'; one looks like 'libc.so.6:0x1000-0x2000'",
				text);
	p->low = strtoull(colon + 1, &end, 0);
	bool ok = end > colon + 1 && *end == '-';
	const char *second = end + 1;
	if (ok)
		p->high = strtoull(second, &end, 0);
	if (!ok || end == second || *end || p->high <= p->low)
		return str_fail(err, "bad range '%s'; one looks like 'libc.so.6:0x1000-0x2000'",
				text);
	p->text = memory_text(text, (size_t)(colon - text));
	return true;
}

bool pattern_list_add(struct patterns *list, enum pattern_of of, const char *text, struct str *err)
{
	struct pattern p = {.of = of};
	size_t length = strlen(text);
	bool regex = of != PATTERN_GROUP && of != PATTERN_ADDR && length > 2 && text[0] == '/' &&
		     text[length - 1] == '/';
	if (!length)
		return str_fail(err, "empty pattern");
	if (of == PATTERN_ADDR ? !make_range(&p, text, err)
			       : regex && !make_regex(&p, text, length, err))
		return false;
	if (!p.text)
		p.text = memory_text(text, length);
	*memory_next(list->list, list->count, list->room) = p;
	return true;
}

bool pattern_list_add_prefixed(struct patterns *list, const char *text, struct str *err)
{
	static const struct {
		const char *prefix;
		enum pattern_of of;
	} kinds[] = {{"group:", PATTERN_GROUP},
		     {"file:", PATTERN_FILE},
		     {"module:", PATTERN_MODULE},
		     {"func:", PATTERN_FUNC},
		     {"addr:", PATTERN_ADDR}};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t n = strlen(kinds[i].prefix);
		/* `file::open` is not a file, but a function of C++ */
		if (!strncmp(text, kinds[i].prefix, n) && text[n] != ':')
			return pattern_list_add(list, kinds[i].of, text + n, err);
	}
	return pattern_list_add(list, PATTERN_FUNC, text, err);
}

void pattern_list_free(struct patterns *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->list[i].text);
		if (p->list[i].is_regex)
			regfree(&p->list[i].regex);
	}
	free(p->list);
	*p = (struct patterns){0};
}

static bool text_matches(const struct pattern *p, const char *text)
{
	if (!*text)
		return false;
	if (p->is_regex)
		return regexec(&p->regex, text, 0, NULL, 0) == 0;
	return fnmatch(p->text, text, 0) == 0;
}

static bool form_matches(const char *form, void *pattern)
{
	return text_matches(pattern, form);
}

/* Whether a pattern matches a function's name. A glob may match the last parts of a name; an
 * expression matches anywhere in the whole name, so its ^ and $ are the name's ends. */
static bool name_matches(const struct pattern *p, const struct pattern_subject *s)
{
	if (text_matches(p, s->name) || text_matches(p, s->linkage))
		return true;
	if (!p->is_regex)
		return name_forms(s->name, s->linkage, form_matches, (void *)p);
	char *bare = name_without_parameters(s->name);
	bool yes = text_matches(p, bare);
	free(bare);
	return yes;
}

static bool path_matches(const struct pattern *p, const char *path)
{
	if (text_matches(p, path))
		return true;
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
		if (text_matches(p, slash + 1))
			return true;
	return false;
}

bool pattern_matches(const struct pattern *p, const struct pattern_subject *s)
{
	switch (p->of) {
	case PATTERN_FUNC:
		return name_matches(p, s);
	case PATTERN_FILE:
		return path_matches(p, s->file);
	case PATTERN_MODULE:
		return path_matches(p, s->module);
	case PATTERN_ADDR:
		return s->address >= p->low && s->address < p->high && path_matches(p, s->module);
	case PATTERN_GROUP:
		break;
	}
	return false;
}
