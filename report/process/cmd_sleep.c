/* SPDX-License-Identifier: MIT */
/*
 * cmd_sleep.c - `zprof sleep` and `zprof wake`: switch the calls of hooks off, or on again, in a
 * program's file.
 *
 * The library finds and switches these calls in memory (preload/sites/). Here the same search looks
 * through the file, laid out as the dynamic linker would, and one byte changes at each call. The
 * build-id, notes and all lengths stay.
 *
 * The change must be possible to undo exactly. So a file is refused in which some calls are on and
 * others off, or where a search in the changed file does not find the same calls.
 */
#include <stdio.h>

#include "report/core/base/processor.h"
#include "report/core/base/replace.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
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
				"'%s': of its %s calls of hooks %s are asleep and the others "
				"are not, which zprof did not do: it is left alone",
				b->path, units_count((char[UNITS_TEXT]){0}, b->count),
				units_count((char[UNITS_TEXT]){0}, b->off));
	if ((b->off != 0) == asleep) {
		b->count = 0;
		return true;
	}
	if (!flip(b, asleep) || !finds_the_same(b, &hooks, asleep))
		return str_fail(err, "'%s': this could not be undone exactly: it is left alone",
				b->path);
	return replace(b, err);
}

/* Replaces the file by one whose hooks are off, or on again. *SITES becomes the number of calls; 0:
 * the file was so already. False with a message, and the file is as it was. */
static bool switch_file(const char *path, bool asleep, size_t *sites, struct str *err)
{
	struct binary b = {.path = path};
	bool ok = binary_open(&b, err) && switch_all(&b, asleep, err);
	*sites = b.count;
	binary_close(&b);
	return ok;
}

static int run(bool asleep, struct options *o, struct str *err)
{
	char text[UNITS_TEXT];
	size_t sites;
	if (!o->path_count) {
		str_fail(err, "no file; see 'zprof help %s'", asleep ? "sleep" : "wake");
		return EXIT_USAGE;
	}
	const char *why = processor_lacks(PROCESSOR_SWITCHES);
	if (why) {
		str_fail(err, "%s", why);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < o->path_count; i++) {
		if (!switch_file(o->paths[i], asleep, &sites, err))
			return EXIT_FAILED;
		if (!sites)
			say("'%s' %s already", o->paths[i], asleep ? "sleeps" : "is awake");
		else
			say("'%s': %s of hooks switched %s", o->paths[i],
			    units_of(text, sites, "call"), asleep ? "off" : "on");
	}
	return EXIT_OK;
}

static int run_sleep(struct options *o, struct str *err)
{
	return run(true, o, err);
}

static int run_wake(struct options *o, struct str *err)
{
	return run(false, o, err);
}

const struct command cmd_sleep = {
    .name = "sleep",
    .options = options_help,
    .run = run_sleep,
};

const struct command cmd_wake = {
    .name = "wake",
    .options = options_help,
    .run = run_wake,
};
