/* SPDX-License-Identifier: MIT */
/* sleep_file.c - see sleep_file.h. */
#include "report/process/sleep_file.h"

#include <stdio.h>

#include "report/core/base/replace.h"
#include "report/process/binary.h"
#include "report/record/record_language.h"

/* Switches all calls in the image and in the file. */
static bool flip(struct binary *b, bool asleep)
{
	for (size_t i = 0; i < b->count; i++) {
		unsigned char *byte = binary_byte(b, b->sites[i].address);
		if (!byte || *byte != scan_byte(&b->sites[i], !asleep))
			return false;
		*byte = *(unsigned char *)(uintptr_t)b->sites[i].address =
		    scan_byte(&b->sites[i], asleep);
	}
	return true;
}

struct comparison {
	const struct binary *b;
	size_t at;
	bool same, asleep;
};

static bool compare_site(void *context, const struct zprof_site *site)
{
	struct comparison *c = context;
	const struct zprof_site *was = &c->b->sites[c->at];
	c->same = c->at < c->b->count && site->address == was->address && site->call == was->call &&
		  !!(site->state & ZPROF_SITE_OFF) == c->asleep;
	c->at++;
	return c->same;
}

/* Whether a search in the changed image finds the same sites, so that the change can be undone. */
static bool finds_the_same(const struct binary *b, const struct scan_hooks *hooks, bool asleep)
{
	struct comparison c = {.b = b, .asleep = asleep, .same = true};
	scan_sites(&b->image, hooks, compare_site, &c);
	return c.same && c.at == b->count;
}

/* Replaces the file. Processes that run the old file keep it. */
static bool replace(const struct binary *b, struct str *err)
{
	struct replacement r;
	if (!replace_begin(&r, b->path, 0777, err))
		return false;
	fwrite(b->bytes, 1, b->length, r.to);
	return replace_end(&r, err);
}

static bool switch_all(struct binary *b, bool asleep, struct str *err)
{
	struct scan_hooks hooks;
	bool calls = binary_find_sites(b, &hooks);
	const char *language = calls ? NULL : record_language(b->path);
	if (language)
		return str_fail(err, "'%s' calls no hooks: %s", b->path, language);
	if (!calls)
		return str_fail(err,
				"'%s' calls no hooks of a shared library: build it with the flags "
				"of 'zprof cflags', not static, and with --fentry without -flto",
				b->path);
	if (!b->count)
		return str_fail(err, "'%s': no call of a hook has been found", b->path);
	if (b->off && b->off < b->count)
		return str_fail(err,
				"'%s': of its %zu calls of hooks %zu are asleep and the others "
				"are not, which zprof did not do: it is left alone",
				b->path, b->count, b->off);
	if ((b->off != 0) == asleep) {
		b->count = 0;
		return true;
	}
	if (!flip(b, asleep) || !finds_the_same(b, &hooks, asleep))
		return str_fail(err, "'%s': this could not be undone exactly: it is left alone",
				b->path);
	return replace(b, err);
}

bool sleep_file(const char *path, bool asleep, size_t *sites, struct str *err)
{
	struct binary b = {.path = path};
	bool ok = binary_open(&b, err) && switch_all(&b, asleep, err);
	*sites = b.count;
	binary_close(&b);
	return ok;
}
